import CloudModel
import DonationStore
import Donations
import Foundation
import Intents
import Testing

/// Apps at work: as they should do it nothing is left, and as some do it the rest is named.
/// Volumes are a hundredth of a year's, a tenth with `CKSWEEP_LONG`; the seed is printed by each
/// failing test.
struct WorkloadTests {
    private static let seed: UInt64 = 20_261_120
    private static let scale = ProcessInfo.processInfo.environment["CKSWEEP_LONG"] == nil ? 1 : 10

    /// A messenger with 30 chats, messages in both directions.
    private struct Chats {
        let app: ShopApp
        var messages: [(chat: Int, identifier: String)] = []

        init(usesGroups: Bool) async throws {
            app = try ShopApp()
            var generator = SeededGenerator(seed: WorkloadTests.seed)
            for number in 0..<200 * WorkloadTests.scale {
                let chat = Int(generator.next() % 30)
                let interaction = message(
                    "m\(number)", group: usesGroups ? "chat-\(chat)" : nil, to: "friend\(chat)x")
                interaction.direction = generator.next() % 2 == 0 ? .incoming : .outgoing
                messages.append((chat, interaction.identifier))
                try await app.run { try await interaction.donate() }
                app.advance(by: 60)
            }
        }
    }

    @Test func `W1 a messenger that deletes by group leaves nothing of a chat`() async throws {
        let chats = try await Chats(usesGroups: true)
        try await chats.app.run {
            for chat in 0..<10 {
                try await INInteraction.delete(with: "chat-\(chat)")
                let left = try await chats.app.store.remainder(mentioning: ["friend\(chat)x"])
                #expect(left == [], "seed \(Self.seed)")
            }
            let others = chats.messages.filter { $0.chat >= 10 }.map(\.identifier).sorted()
            #expect(try await chats.app.identifiers() == others, "seed \(Self.seed)")
            try await INInteraction.deleteAll()
        }
        #expect(try await chats.app.store.counts().values.reduce(0, +) == 0)
    }

    @Test func `W2 and M2 deleting by a key that no donation has removes nothing and is found`()
        async throws
    {
        let chats = try await Chats(usesGroups: true)
        let before = try await chats.app.identifiers()
        for chat in 0..<10 {
            // The chat's name is in the intent and in the group, never in an identifier.
            let receipt = try await chats.app.store.delete(
                .interactions(identifiers: ["chat-\(chat)"]))
            #expect(receipt.removedCount == 0)
            #expect(receipt.unmatchedCount == 1)
            let sent = chats.messages.contains { $0.chat == chat }
            #expect(receipt.nearMisses.isEmpty == !sent, "seed \(Self.seed)")
            #expect(receipt.nearMisses.allSatisfy { $0.rule == .otherKey })
        }
        #expect(try await chats.app.identifiers() == before, "all of it is left")
        let findings = try await DonationAudit.findings(chats.app.store.auditFacts())
        #expect(findings.contains { $0.code == .keyMismatch })
    }

    @Test func `W5 a shop forgets a product with all its orders`() async throws {
        let app = try ShopApp()
        var generator = SeededGenerator(seed: Self.seed)
        var orders: [String: [String]] = [:]
        for number in 0..<150 {
            let soup = "soup\(generator.next() % 5)x"
            let intent = OrderSoupIntent()
            intent.soup = INObject(identifier: soup, display: "A \(soup)")
            intent.quantity = NSNumber(value: generator.next() % 4 + 1)
            let interaction = INInteraction(intent: intent, response: nil)
            interaction.identifier = "order-\(number)"
            orders[soup, default: []].append(interaction.identifier)
            try await app.run { try await interaction.donate() }
        }
        let retired = orders.removeValue(forKey: "soup0x") ?? []
        #expect(retired.count > 10, "seed \(Self.seed)")
        try await app.run { try await INInteraction.delete(with: retired) }
        #expect(try await app.store.remainder(mentioning: ["soup0x"]) == [])
        #expect(try await app.identifiers() == orders.values.flatMap { $0 }.sorted())
    }

    @Test func `W6 a player forgets a show and takes the new names of lists`() async throws {
        let app = try ShopApp()
        var generator = SeededGenerator(seed: Self.seed)
        try await app.run {
            for number in 0..<80 * Self.scale {
                let show = "show\(generator.next() % 6)x"
                let intent = INPlayMediaIntent(
                    mediaItems: [
                        INMediaItem(
                            identifier: "\(show)-\(number)", title: "Part \(number)",
                            type: .podcastEpisode, artwork: nil)
                    ],
                    mediaContainer: INMediaItem(
                        identifier: show, title: "The \(show)", type: .podcastShow, artwork: nil))
                let interaction = INInteraction(intent: intent, response: nil)
                interaction.groupIdentifier = show
                try await interaction.donate()
            }
            let next = INPlayMediaIntent(
                mediaItems: nil,
                mediaContainer: INMediaItem(
                    identifier: "show0x", title: "The show0x", type: .podcastShow, artwork: nil))
            INUpcomingMediaManager.shared.setSuggestedMediaIntents(NSOrderedSet(object: next))
            INVocabulary.shared().setVocabularyStrings(["The show0x", "B"], of: .mediaShowTitle)
            try await INInteraction.delete(with: "show0x")
            let forgotten = try await app.store.remainder(mentioning: ["show0x", "The show0x"])
            #expect(
                Set(forgotten.map(\.kind)) == [.upcomingMedia, .vocabulary],
                "the lists are other stores, and are named")
            INUpcomingMediaManager.shared.setSuggestedMediaIntents([])
            INVocabulary.shared().setVocabularyStrings(["B"], of: .mediaShowTitle)
            try await app.store.flush()
            #expect(try await app.store.remainder(mentioning: ["show0x", "The show0x"]) == [])
        }
    }
}
