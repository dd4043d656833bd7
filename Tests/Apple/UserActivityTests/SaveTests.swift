import ContinuationHost
import Foundation
import Testing
import UserActivity

/// When the newest state is asked for (F42), and by whom (F12).
struct SaveTests {
    @Test func `F42 the delegate is asked once for each time that a save was needed`() async throws
    {
        let app = try TestApp()
        try await app.run { () async throws in
            let delegate = Heard { $0.title = "newest" }
            let activity = makeActivity("old")
            activity.delegate = delegate
            activity.becomeCurrent()
            #expect(delegate.calls == [])
            activity.needsSave = true
            activity.becomeCurrent()
            activity.becomeCurrent()
            #expect(delegate.calls == ["will save"])
            #expect(!activity.needsSave)
            #expect(try await app.titles() == ["newest"])
            activity.needsSave = true
            activity.saveIfNeeded()
            #expect(delegate.calls.count == 2)
        }
    }

    @Test func `F42 many who ask at once make one save`() async {
        let delegate = Heard()
        let activity = makeActivity("shared")
        activity.delegate = delegate
        activity.needsSave = true
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { activity.saveIfNeeded() } }
        }
        #expect(delegate.calls == ["will save"])
    }

    @Test func `setting the target content identifier asks for no save`() {
        let activity = makeActivity("target")
        activity.targetContentIdentifier = "t"
        #expect(!activity.needsSave)
    }

    @Test func `the delegate is not kept alive`() {
        let activity = makeActivity("lonely")
        var delegate: Heard? = Heard()
        activity.delegate = delegate
        #expect(activity.delegate === delegate)
        delegate = nil
        #expect(activity.delegate == nil)
    }

    @Test func `F12 attaching an activity makes it current`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let screen = UIResponder()
            let activity = makeActivity("screen")
            screen.userActivity = activity
            #expect(await NSUserActivity.advertised(in: app.store) === activity)
            #expect(try await app.titles() == ["screen"])
            #expect(screen.userActivity === activity)
        }
    }

    @Test func `F12 the last responder that lets go invalidates the activity`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let activity = makeActivity("screen")
            let one = UIResponder()
            var other: UIResponder? = UIResponder()
            one.userActivity = activity
            other?.userActivity = activity
            one.userActivity = nil
            #expect(await NSUserActivity.advertised(in: app.store) === activity)
            other = nil
            #expect(other == nil)
            #expect(await NSUserActivity.advertised(in: app.store) == nil)
            activity.becomeCurrent()
            #expect(await NSUserActivity.advertised(in: app.store) == nil)
        }
    }

    @Test func `F12 responders fill an emptied userInfo`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let screen = RecipeController()
            screen.show("leek")
            let activity = try #require(screen.userActivity)
            #expect(activity.userInfo?["scroll"] as? Int == 0)
            activity.addUserInfoEntries(from: ["stale": true])
            screen.title = "leek"
            screen.scrollPosition = 40
            activity.needsSave = true
            activity.becomeCurrent()
            #expect(activity.userInfo?["stale"] == nil)
            #expect(activity.userInfo?["scroll"] as? Int == 40)
        }
    }
}
