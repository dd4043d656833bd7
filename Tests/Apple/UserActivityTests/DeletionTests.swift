import DonationStore
import Donations
import Foundation
import Testing
import UserActivity

/// What each deletion removes of activities, and what it leaves: rows D4 to D16 of the rules.
struct DeletionTests {
    /// Three activities, an item and an interaction, so that a test sees what stays.
    private func fill(_ app: TestApp) async throws {
        try await app.put(item: "item")
        try await app.put(interaction: "interaction")
        for name in ["a", "b"] {
            makeActivity(name, persistentIdentifier: name).becomeCurrent()
            makeActivity(name, persistentIdentifier: name).becomeCurrent()
        }
        makeActivity("nameless").becomeCurrent()
        try await app.store.flush()
    }

    private func expectOthersUntouched(_ app: TestApp) async throws {
        let counts = try await app.store.counts()
        #expect(counts[.searchableItem] == 1)
        #expect(counts[.interaction] == 1)
    }

    @Test
    func
        `F28 F54 D4 deleting by persistent identifier removes those activities with all donations`()
        async throws
    {
        let app = try TestApp()
        try await app.run { () async throws in
            try await fill(app)
            #expect(try await app.events().count == 5)
            await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["a", "x"])
            #expect(try await app.titles() == ["b", "nameless"])
            #expect(try await app.events().compactMap(\.title) == ["b", "b", "nameless"])
            try await expectOthersUntouched(app)
        }
    }

    @Test func `F54 D4 the completion handler runs when the deletion is done`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            try await fill(app)
            await withCheckedContinuation { continuation in
                NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["b"]) {
                    continuation.resume()
                }
            }
            #expect(try await app.titles() == ["a", "nameless"])
        }
    }

    @Test func `F28 F54 D5 deleting all removes activities with and without an identifier`()
        async throws
    {
        let app = try TestApp()
        try await app.run { () async throws in
            try await fill(app)
            await NSUserActivity.deleteAllSavedUserActivities()
            #expect(try await app.saved() == [])
            #expect(try await app.events() == [])
            try await expectOthersUntouched(app)
        }
    }

    @Test func `F54 D5 the completion handler runs when the deletion is done`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            try await fill(app)
            await withCheckedContinuation { continuation in
                NSUserActivity.deleteAllSavedUserActivities { continuation.resume() }
            }
            #expect(try await app.saved() == [])
        }
    }

    @Test func `D10 an activity related to an item that is not indexed is refused and reported`()
        async throws
    {
        let app = try TestApp()
        try await app.run { () async throws in
            let early = makeActivity("early", related: "item")
            early.becomeCurrent()
            #expect(try await app.problems() == [.relatedItemMissing])
            #expect(try await app.saved() == [])
            #expect(try await app.store.outcomes(limit: 1).first?.outcome == .refusedItemMissing)
            try await app.put(item: "item")
            early.becomeCurrent()
            #expect(try await app.titles() == ["early"])
        }
    }

    @Test func `D7 a weak relation needs no item and survives it`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            makeActivity("weak", weaklyRelated: "item").becomeCurrent()
            try await app.put(item: "item")
            _ = try await app.store.delete(
                .searchableItems(identifiers: ["item"], indexName: nil), scope: .thisDevice)
            #expect(try await app.titles() == ["weak"])
        }
    }

    @Test(arguments: ["by persistent identifier", "by item"])
    func `F28 D11 either identifier alone removes an activity completely`(way: String) async throws
    {
        let app = try TestApp()
        try await app.run { () async throws in
            try await app.put(item: "item")
            makeActivity("both", persistentIdentifier: "p", related: "item").becomeCurrent()
            if way == "by item" {
                _ = try await app.store.delete(
                    .searchableItems(identifiers: ["item"], indexName: nil), scope: .thisDevice)
            } else {
                await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["p"])
            }
            #expect(try await app.saved() == [])
            #expect(try await app.events() == [])
        }
    }

    @Test func `F49 D14 after its expiration an activity is neither offered nor kept`() async throws
    {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("short", persistentIdentifier: "p")
            activity.expirationDate = app.now + 60
            activity.becomeCurrent()
            let link = try #require(await QuickNoteLinker(store: app.store).link())
            app.advance(by: 59)
            #expect(await NSUserActivity.advertised(in: app.store) === activity)
            app.advance(by: 1)
            #expect(await NSUserActivity.advertised(in: app.store) == nil)
            #expect(try await QuickNoteLinker(store: app.store).resolve(link) == .deadLink)
            _ = try await app.store.expire()
            #expect(try await app.saved() == [])
            #expect(try await app.events() == [])
        }
    }

    @Test func `F49 D14 what has expired is not donated`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("late")
            activity.expirationDate = app.now
            activity.becomeCurrent()
            #expect(try await app.problems() == [.expired])
            #expect(try await app.saved() == [])
        }
    }

    @Test(arguments: ["resign", "invalidate", "let go"])
    func `D15 the end of an object leaves what is stored`(way: String) async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            var activity: NSUserActivity? = makeActivity("kept")
            activity?.becomeCurrent()
            try await app.store.flush()
            switch way {
            case "resign": activity?.resignCurrent()
            case "invalidate": activity?.invalidate()
            default: activity = nil
            }
            #expect(await NSUserActivity.advertised(in: app.store) == nil)
            #expect(try await app.titles() == ["kept"])
            // F48: an app must hold on to what searches are to find.
            #expect(try await app.problems() == (way == "let go" ? [.letGoWhileCurrent] : []))
        }
    }

    enum Way: CaseIterable {
        case persistentIdentifier, all, item, domain
    }

    @Test(arguments: Way.allCases)
    func `D16 a deletion that hits the current activity ends its advertising`(
        way: Way
    ) async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            try await app.put(item: "item", domain: "account.mail")
            let activity = makeActivity("now", persistentIdentifier: "p", related: "item")
            activity.becomeCurrent()
            #expect(await NSUserActivity.advertised(in: app.store) === activity)
            switch way {
            case .persistentIdentifier:
                await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["p"])
            case .all: await NSUserActivity.deleteAllSavedUserActivities()
            case .item:
                _ = try await app.store.delete(
                    .searchableItems(identifiers: ["item"], indexName: nil), scope: .thisDevice)
            case .domain:
                _ = try await app.store.delete(
                    .searchableDomains(["account"], indexName: nil), scope: .thisDevice)
            }
            #expect(await NSUserActivity.advertised(in: app.store) == nil)
            #expect(try await app.saved() == [])
            #expect(activity.title == "now")
            #expect(activity.persistentIdentifier == "p")
            // A8: made current again it is stored again.
            if way == .persistentIdentifier || way == .all {
                activity.becomeCurrent()
                #expect(try await app.titles() == ["now"])
                #expect(await NSUserActivity.advertised(in: app.store) === activity)
            }
        }
    }

    @Test func `D16 a deletion ends the advertising of what was never stored`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = NSUserActivity(activityType: TestApp.type)
            activity.persistentIdentifier = "p"
            activity.becomeCurrent()
            await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["q"])
            #expect(await NSUserActivity.advertised(in: app.store) === activity)
            await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["p"])
            #expect(await NSUserActivity.advertised(in: app.store) == nil)
        }
    }

    @Test func `A21 calls take effect in the order in which they are made`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("again", persistentIdentifier: "p")
            activity.becomeCurrent()
            NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["p"]) {}
            activity.becomeCurrent()
            #expect(try await app.titles() == ["again"])
            #expect(try await app.events().count == 1)
            #expect(await NSUserActivity.advertised(in: app.store) === activity)
        }
    }

    @Test func `a deletion touches no other app`() async throws {
        let one = try TestApp()
        let other = try TestApp()
        let activities = [
            makeActivity("one", persistentIdentifier: "p"),
            makeActivity("other", persistentIdentifier: "p"),
        ]
        try await one.run { activities[0].becomeCurrent() }
        try await other.run { activities[1].becomeCurrent() }
        try await one.run {
            await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["p"])
        }
        #expect(try await one.saved() == [])
        #expect(try await other.titles() == ["other"])
    }
}
