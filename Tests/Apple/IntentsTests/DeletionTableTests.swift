import DonationStore
import Donations
import Foundation
import Intents
import Testing

/// One test for each row of the table of deletions that Intents takes part in, through Apple's
/// names.
struct DeletionTableTests {
    private func app() async throws -> ShopApp {
        let app = try ShopApp()
        try await app.run {
            try await message("a", group: "left").donate()
            try await message("b", group: "left").donate()
            try await message("c", group: "right").donate()
            try await message("d").donate()
        }
        try await app.putItemAndActivity()
        return app
    }

    /// What no deletion of interactions touches.
    private func expectOthersStay(_ app: ShopApp) async throws {
        #expect(try await app.count(.searchableItem) == 1)
        #expect(try await app.count(.savedActivity) == 1)
    }

    @Test func `F24 D1 identifiers remove the interactions that are listed`() async throws {
        let app = try await app()
        try await app.run { try await INInteraction.delete(with: ["a", "d", "item"]) }
        #expect(try await app.identifiers() == ["b", "c"])
        try await expectOthersStay(app)
    }

    @Test func `F24 D1 a group's name is no identifier`() async throws {
        let app = try await app()
        try await app.run { try await INInteraction.delete(with: ["left"]) }
        #expect(try await app.identifiers() == ["a", "b", "c", "d"])
    }

    @Test func `F24 D2 a group removes its interactions and those without a group stay`()
        async throws
    {
        let app = try await app()
        try await app.run { try await INInteraction.delete(with: "left") }
        #expect(try await app.identifiers() == ["c", "d"])
        try await expectOthersStay(app)
    }

    @Test func `F24 D3 deleting all leaves items and activities`() async throws {
        let app = try await app()
        try await app.run { try await INInteraction.deleteAll() }
        #expect(try await app.identifiers() == [])
        try await expectOthersStay(app)
    }

    @Test func `F24 D3 and A3 what Siri recorded stays, and deleting all items takes it`()
        async throws
    {
        let app = try await app()
        try await app.run {
            let runner = INIntentRunner(clock: ContinuousClock())
            _ = try await runner.run(message("s").intent, with: Texting(), from: .siri)
            try await INInteraction.deleteAll()
        }
        #expect(try await app.interactions().map(\.isFromSiri) == [true])
        let receipt = try await app.store.delete(.allSearchableItems(indexName: nil))
        #expect(receipt.gone[.interaction] == 1)
        #expect(try await app.identifiers() == [])
    }

    @Test func `D9 deleting all items takes every interaction`() async throws {
        let app = try await app()
        try await app.store.delete(.allSearchableItems(indexName: nil))
        #expect(try await app.identifiers() == [])
        #expect(try await app.count(.savedActivity) == 1, "A4: it was related to no item")
    }

    @Test func `D23 unknown names, empty lists and empty groups are no errors`() async throws {
        let app = try await app()
        try await app.run {
            try await INInteraction.delete(with: ["nobody"])
            try await INInteraction.delete(with: [])
            try await INInteraction.delete(with: "")
            try await INInteraction.delete(with: "nobody")
        }
        #expect(try await app.identifiers() == ["a", "b", "c", "d"])
    }

    @Test func `D24 the order and the number of calls do not matter`() async throws {
        let calls: [@Sendable () async throws -> Void] = [
            { try await INInteraction.delete(with: ["a", "c"]) },
            { try await INInteraction.delete(with: "left") },
            { try await INInteraction.delete(with: "left") },
        ]
        for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0]] {
            let app = try await app()
            try await app.run { for index in order { try await calls[index]() } }
            #expect(try await app.identifiers() == ["d"])
        }
    }

    @Test func `A1 the log says which identifiers matched nothing`() async throws {
        let app = try await app()
        try await app.run { try await INInteraction.delete(with: ["a", "x", "y"]) }
        let call = try await app.store.outcomes(limit: 1).first
        #expect(call?.unmatched == 2)
        #expect(call?.removed == 1)
    }

    @Test func `A2 the same identifier is the same event and the last donation counts`()
        async throws
    {
        let app = try ShopApp()
        try await app.run {
            try await message("a", group: "old", text: "first").donate()
            try await message("a", group: "new", text: "second").donate()
            try await INInteraction.delete(with: "old")
        }
        let rows = try await app.interactions()
        #expect(rows.map(\.group) == ["new"])
        #expect(rows.first?.mentions.contains("second") == true)
        #expect(rows.first?.mentions.contains("first") == false)
    }

    @Test func `A2 each new object is a new event`() async throws {
        let app = try ShopApp()
        try await app.run {
            let intent = message("x").intent
            for _ in 0..<3 { try await INInteraction(intent: intent, response: nil).donate() }
        }
        #expect(try await Set(app.identifiers()).count == 3)
    }

    @Test func `A13 an empty group is none`() async throws {
        let app = try ShopApp()
        try await app.run {
            try await message("a", group: "").donate()
            try await INInteraction.delete(with: "")
        }
        #expect(try await app.interactions().map(\.group) == [nil])
    }

    @Test func `A14 a deleted activity is taken out of the response that holds it`() async throws {
        let app = try ShopApp()
        try await app.run {
            let activity = NSUserActivity(activityType: "com.example.shop.chat")
            activity.title = "Chat with Ada"
            activity.persistentIdentifier = "chat-1"
            let intent = message("x").intent
            let response = INSendMessageIntentResponse(code: .success, userActivity: activity)
            let interaction = INInteraction(intent: intent, response: response)
            interaction.identifier = "a"
            try await interaction.donate()
            let nested = try await app.interactions().first?.nestedActivity
            #expect(nested?.persistentIdentifier == "chat-1")
            #expect(try await app.store.remainder(mentioning: ["Chat with Ada"]).count == 1)
            await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["chat-1"])
        }
        let rows = try await app.interactions()
        #expect(rows.map(\.identifier) == ["a"])
        #expect(rows.first?.nestedActivity == nil)
        #expect(try await app.store.remainder(mentioning: ["chat-1", "Chat with Ada"]) == [])
    }

    @Test func `A21 calls that do not wait take effect in their order`() async throws {
        let app = try ShopApp()
        try await app.run {
            message("a").donate(completion: nil)
            INInteraction.delete(with: ["a"], completion: nil)
            message("b").donate(completion: nil)
            INInteraction.deleteAll(completion: nil)
            message("c").donate(completion: nil)
            try await app.store.flush()
        }
        #expect(try await app.identifiers() == ["c"])
    }

    @Test func `A23 another app's store is not touched`() async throws {
        let (one, other) = (try await app(), try await app())
        try await one.run { try await INInteraction.deleteAll() }
        #expect(try await other.identifiers() == ["a", "b", "c", "d"])
    }
}

/// Sends every message.
final class Texting: INExtension, INSendMessageIntentHandling {
    func handle(
        intent: INSendMessageIntent, completion: @escaping (INSendMessageIntentResponse) -> Void
    ) {
        completion(INSendMessageIntentResponse(code: .success, userActivity: nil))
    }
}
