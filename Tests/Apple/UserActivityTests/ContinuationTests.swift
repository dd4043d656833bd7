import AsyncOperations
import ContinuationHost
import DonationStore
import Foundation
import SwiftFiveApp
import Testing
import UserActivity

/// How activities are handed to an app (F13), with the same app compiled in both language modes.
@MainActor struct ContinuationTests {
    private func recipe(_ name: String) -> NSUserActivity {
        let activity = NSUserActivity(activityType: RecipeController.activityType)
        activity.userInfo = ["recipe": name]
        return activity
    }

    @Test func `F13 the app's calls come in Apple's order`() {
        let host = UIApplication()
        let app = RecipeApp()
        host.delegate = app
        #expect(host.deliver(recipe("leek")))
        #expect(
            app.calls == [
                "will continue com.example.soup.view-recipe",
                "continue com.example.soup.view-recipe",
            ])
        #expect(app.window.restored == ["leek"])
    }

    @Test func `F13 the same app in Swift 5 mode behaves the same`() {
        let host = UIApplication()
        let app = SwiftFiveApp.RecipeApp()
        host.delegate = app
        #expect(host.deliver(recipe("leek")))
        #expect(app.window.restored == ["leek"])
    }

    @Test func `F13 an app that does not continue restores nothing`() {
        let host = UIApplication()
        let app = RecipeApp()
        app.isBusy = true
        host.delegate = app
        #expect(!host.deliver(recipe("leek")))
        #expect(app.window.restored == [])
    }

    /// An app that keeps the restoration handler.
    private final class Slow: UIApplicationDelegate {
        let answer: Bool
        var handler: (([any UIUserActivityRestoring]?) -> Void)?

        init(answer: Bool) { self.answer = answer }

        func application(
            _ application: UIApplication, continue userActivity: NSUserActivity,
            restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
        ) -> Bool {
            handler = restorationHandler
            return answer
        }
    }

    @Test(arguments: [true, false])
    func `F13 the handler may be called later, once, if the app said yes`(answer: Bool) {
        let host = UIApplication()
        let app = Slow(answer: answer)
        host.delegate = app
        #expect(host.deliver(recipe("leek")) == answer)
        let screens = [RecipeController(), RecipeController(), RecipeController()]
        app.handler?([screens[0], screens[1]])
        app.handler?([screens[2]])
        #expect(screens.map(\.restored.count) == (answer ? [1, 1, 0] : [0, 0, 0]))
    }

    @Test func `F13 without a delegate nothing is continued`() {
        #expect(!UIApplication().deliver(recipe("leek")))
    }

    @Test func `F13 an app that leaves the methods out continues nothing`() {
        final class Silent: UIApplicationDelegate {}
        let host = UIApplication()
        let app = Silent()
        host.delegate = app
        #expect(!host.deliver(recipe("leek")))
    }

    @Test func `an activity of another device reaches the app`() async throws {
        let phone = try TestApp()
        let desk = try TestApp()
        let screen = RecipeController()
        try await phone.run { @MainActor () async throws in screen.show("leek") }
        let link = HandoffLink(
            from: HandoffOrigin(HandoffPeer(store: phone.store, teamIdentifier: "T")),
            to: HandoffPeer(store: desk.store, teamIdentifier: "T"), clock: ManualClock())
        let host = UIApplication()
        let app = RecipeApp()
        host.delegate = app
        #expect(await host.continueActivity(over: link))
        #expect(app.window.restored == ["leek"])
        screen.userActivity?.userInfo = ["text": String(repeating: "x", count: 5000)]
        #expect(await host.continueActivity(over: link) == false)
        #expect(app.calls.last == "too large")
        screen.userActivity = nil
        #expect(await host.continueActivity(over: link) == false)
    }

    @Test func `Apple's flow in both language modes leaves nothing behind`() async throws {
        let app = try TestApp()
        try await app.run { @MainActor () async throws in
            let six = RecipeController()
            six.show("leek")
            let five = SwiftFiveApp.RecipeController()
            five.show("pea")
            six.show("lentil")
            #expect(
                try await app.titles() == [
                    "Recipe of leek", "Recipe of lentil", "Recipe of pea",
                ])
            await RecipeEraser.erase(["leek"])
            await withCheckedContinuation { continuation in
                SwiftFiveApp.RecipeEraser.erase(["pea"]) { continuation.resume() }
            }
            #expect(try await app.titles() == ["Recipe of lentil"])
            await withCheckedContinuation { continuation in
                RecipeEraser.signOut { continuation.resume() }
            }
            #expect(try await app.saved() == [])
            #expect(try await app.events() == [])
        }
    }
}
