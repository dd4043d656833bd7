import AsyncOperations
import DonationStore
import Donations
import Foundation
import Testing
import UserActivity

/// The questions that Apple leaves open, as this library answers them.
struct ReadingTests {
    @Test func `A1 unknown identifiers and empty lists are no error`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let kept = makeActivity("kept", persistentIdentifier: "p")
            kept.becomeCurrent()
            await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["x"])
            await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: [])
            #expect(try await app.titles() == ["kept"])
            #expect(try await app.problems() == [])
            withExtendedLifetime(kept) {}
        }
    }

    @Test(arguments: [false, true])
    func `A5 prediction is stored without search, and deletions find it`(
        isForSearch: Bool
    ) async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("predicted", persistentIdentifier: "p")
            activity.isEligibleForSearch = isForSearch
            activity.becomeCurrent()
            #expect(try await app.titles() == ["predicted"])
            await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["p"])
            #expect(try await app.saved() == [])
        }
    }

    @Test func `A7 replacing an item keeps its activities`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            try await app.put(item: "item")
            makeActivity("related", related: "item").becomeCurrent()
            try await app.put(item: "item", domain: "other")
            #expect(try await app.titles() == ["related"])
        }
    }

    @Test func `A8 making the current activity current again adds nothing unless it changed`()
        async throws
    {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("one", persistentIdentifier: "p")
            activity.becomeCurrent()
            activity.becomeCurrent()
            #expect(try await app.events().count == 1)
            activity.title = "two"
            activity.becomeCurrent()
            #expect(try await app.events().count == 2)
            #expect(try await app.titles() == ["two"])
            activity.resignCurrent()
            activity.becomeCurrent()
            #expect(try await app.events().count == 3)
            #expect(try await app.saved().count == 1)
        }
    }

    /// Several attachments, as several products have them.
    private struct Words<Tag>: ActivityAttachment {
        let word: String
        func contribute(to donation: inout Donation) { donation.mentions.append(word) }
    }

    @Test func `A8 what other products keep on an activity is compared in a fixed order`()
        async throws
    {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("words", persistentIdentifier: "p")
            activity.attach(Words<Int8>(word: "a"), as: Words<Int8>.self)
            activity.attach(Words<Int16>(word: "b"), as: Words<Int16>.self)
            activity.attach(Words<Int32>(word: "c"), as: Words<Int32>.self)
            activity.becomeCurrent()
            for _ in 0..<20 {
                activity.attach(Words<Int64>(word: "d"), as: Words<Int64>.self)
                activity.attach(nil, as: Words<Int8>.self)
                activity.attach(Words<Int8>(word: "a"), as: Words<Int8>.self)
                activity.attach(nil, as: Words<Int64>.self)
                activity.becomeCurrent()
            }
            #expect(try await app.events().count == 1)
        }
    }

    @Test func `A8 what was deleted while current is not stored again by staying so`()
        async throws
    {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("current", persistentIdentifier: "p")
            activity.becomeCurrent()
            await NSUserActivity.deleteAllSavedUserActivities()
            activity.title = "changed"
            activity.needsSave = true
            #expect(try await app.saved() == [])
        }
    }

    @Test func `A13 an empty persistent identifier counts as none`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            makeActivity("empty", persistentIdentifier: "").becomeCurrent()
            #expect(try await app.problems().contains(.emptyIdentifier))
            #expect(try await app.saved().first?.persistentIdentifier == nil)
            await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: [""])
            #expect(try await app.titles() == ["empty"])
        }
    }

    @Test(arguments: [TestApp.type, "com.example.other", "COM.EXAMPLE.APP.READING"])
    func `A15 a type that the app does not declare is not recorded`(type: String) async throws {
        let app = try TestApp { $0.activityTypes = [TestApp.type, "com.example.app.more"] }
        try await app.run { () async throws in
            let activity = NSUserActivity(activityType: type)
            activity.isEligibleForSearch = true
            activity.becomeCurrent()
            let isDeclared = type == TestApp.type
            #expect(try await app.problems() == (isDeclared ? [] : [.undeclaredType]))
            #expect(try await app.saved().count == (isDeclared ? 1 : 0))
            let advertised = await NSUserActivity.advertised(in: app.store)
            #expect((advertised === activity) == isDeclared)
        }
    }

    @Test func `A15 without a list of types all are taken`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("any")
            activity.becomeCurrent()
            #expect(try await app.titles() == ["any"])
            #expect(try await app.problems() == [])
            withExtendedLifetime(activity) {}
        }
    }

    @Test(arguments: ["http://a.example", "https://a.example/b?c=d#e", "HTTPS://A.EXAMPLE"])
    func `A16 web addresses are kept as they are`(address: String) throws {
        let activity = NSUserActivity(activityType: TestApp.type)
        try activity.setWebpageURL(URL(string: address))
        #expect(activity.webpageURL?.absoluteString == address)
        activity.webpageURL = URL(string: address)
        #expect(activity.webpageURL?.absoluteString == address)
    }

    @Test(arguments: ["ftp://a.example", "file:///etc/passwd", "app:page", "page.html"])
    func `A16 another scheme is refused and the former address stays`(address: String) throws {
        let activity = NSUserActivity(activityType: TestApp.type)
        activity.webpageURL = URL(string: "https://a.example")
        #expect(
            throws: UserActivityError(.unsupportedScheme, activityType: TestApp.type)
        ) {
            try activity.setWebpageURL(URL(string: address))
        }
        #expect(activity.webpageURL?.absoluteString == "https://a.example")
        try activity.setWebpageURL(nil)
        #expect(activity.webpageURL == nil)
    }

    @Test func `A16 the property stops the program on another scheme`() async {
        await #expect(processExitsWith: .failure) {
            let activity = NSUserActivity(activityType: "com.example")
            activity.webpageURL = URL(string: "ftp://a.example")
        }
    }

    @Test func `A18 large contents are stored and not handed over`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("large")
            activity.userInfo = ["text": String(repeating: "x", count: 4000)]
            activity.becomeCurrent()
            #expect(try await app.titles() == ["large"])
            let link = HandoffLink(
                from: HandoffOrigin(HandoffPeer(store: app.store, teamIdentifier: "T")),
                to: HandoffPeer(store: app.store, teamIdentifier: "T"), clock: ManualClock())
            await #expect {
                try await link.receive()
            } throws: { error in
                (error as NSError).code == NSUserActivityHandoffUserInfoTooLargeError
            }
        }
    }

    @Test func `F60 restricted content is neither donated nor offered`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("restricted")
            activity.contentLink = ContentLink(container: "iCloud.com.example", zone: "z")
            activity.becomeCurrent()
            #expect(await NSUserActivity.advertised(in: app.store) === activity)
            try await app.store.restrict(container: "iCloud.com.example")
            #expect(await NSUserActivity.advertised(in: app.store) == nil)
            activity.title = "changed"
            activity.becomeCurrent()
            #expect(try await app.problems() == [.restricted])
            #expect(try await app.titles() == ["restricted"])
            #expect(await NSUserActivity.advertised(in: app.store) == nil)
            try await app.store.unrestrict(container: "iCloud.com.example")
            activity.becomeCurrent()
            #expect(try await app.titles() == ["changed"])
            #expect(await NSUserActivity.advertised(in: app.store) === activity)
        }
    }

    @Test func `F5 an act's name reaches the store`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("act")
            activity.donationActionIdentifier = "order-7"
            activity.becomeCurrent()
            #expect(try await app.events().first?.actionID == "order-7")
        }
    }
}
