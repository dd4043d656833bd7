import Basics
import DonationStore
import Donations
import Foundation
import Intents
import RandomSeeds
import Testing

/// Apps at work: as they should do it nothing is left, and as some do it the rest is named.
/// Volumes are a hundredth of a year's, a whole year's in a long run.
struct WorkloadTests {
    private static let seed: UInt64 = 20_261_120
    private static let scale = Seeds.count(1, long: 100)
    /// Chats, of two accounts: the even and the odd ones.
    private static let chats = Seeds.count(30, long: 300)
    private static let deletedChats = Seeds.count(10, long: 30)

    /// A messenger with messages in both directions.
    private struct Chats {
        let app: ShopApp
        var messages: [(chat: Int, identifier: String)] = []

        init(usesGroups: Bool) async throws {
            app = try ShopApp()
            var generator = SeededGenerator(seed: WorkloadTests.seed)
            for number in 0..<200 * WorkloadTests.scale {
                let chat = Int(generator.next() % UInt64(WorkloadTests.chats))
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
            for chat in 0..<Self.deletedChats {
                try await INInteraction.delete(with: "chat-\(chat)")
            }
            try await expect(chats) { $0 >= Self.deletedChats }
            // One account goes with all its chats, then the person signs out.
            for chat in stride(from: 1, to: Self.chats, by: 2) {
                try await INInteraction.delete(with: "chat-\(chat)")
            }
            try await expect(chats) { $0 >= Self.deletedChats && $0 % 2 == 0 }
            try await INInteraction.deleteAll()
        }
        #expect(try await chats.app.store.counts().values.reduce(0, +) == 0)
    }

    /// Whether exactly the messages of some chats are left, and nobody of another is mentioned.
    private func expect(_ chats: Chats, _ isLeft: (Int) -> Bool) async throws {
        let left = chats.messages.filter { isLeft($0.chat) }.map(\.identifier).sorted()
        #expect(try await all(chats.app) == left, "seed \(Self.seed)")
        let gone = (0..<Self.chats).filter { !isLeft($0) }.map { "friend\($0)x" }
        // Each row is searched for each name.
        let some = Set(gone.prefix(4) + gone.suffix(4))
        let mentions = try await chats.app.store.remainder(mentioning: some)
        #expect(mentions == [], "seed \(Self.seed)")
    }

    /// The identifiers of all interactions, sorted.
    private func all(_ app: ShopApp) async throws -> [String] {
        var identifiers: [String] = []
        var after: Int64 = 0
        while true {
            let page = try await app.store.list(.interaction, after: after, limit: 5000)
            identifiers += page.map(\.identifier)
            guard let last = page.last else { return identifiers.sorted() }
            after = last.row
        }
    }

    @Test func `W2 and M2 deleting by a key that no donation has removes nothing and is found`()
        async throws
    {
        let chats = try await Chats(usesGroups: true)
        let before = try await all(chats.app)
        for chat in 0..<Self.deletedChats {
            // The chat's name is in the intent and in the group, never in an identifier.
            let receipt = try await chats.app.store.delete(
                .interactions(identifiers: ["chat-\(chat)"]))
            #expect(receipt.removedCount == 0)
            #expect(receipt.unmatchedCount == 1)
            let sent = chats.messages.contains { $0.chat == chat }
            #expect(receipt.nearMisses.isEmpty == !sent, "seed \(Self.seed)")
            #expect(receipt.nearMisses.allSatisfy { $0.rule == .otherKey })
        }
        #expect(try await all(chats.app) == before, "all of it is left")
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
