import ContinuationHost
import Foundation
import Testing
import UserActivity

/// Windows, apps for the Mac, and what of the screen can be shared.
@MainActor struct SceneTests {
    private final class Window: UISceneDelegate {
        var calls: [String] = []
        var shown: NSUserActivity?

        func scene(
            _ scene: UIScene, willConnectTo session: UISceneSession,
            options connectionOptions: UIScene.ConnectionOptions
        ) {
            let types = connectionOptions.userActivities.map(\.activityType)
            calls.append("connect \(types) \(connectionOptions.handoffUserActivityType ?? "-")")
        }
        func sceneDidBecomeActive(_ scene: UIScene) { calls.append("active") }
        func sceneDidDisconnect(_ scene: UIScene) { calls.append("gone") }
        func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? { shown }
        func scene(
            _ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity
        ) { calls.append("restore \(stateRestorationActivity.activityType)") }
        func scene(
            _ scene: UIScene, willContinueUserActivityWithType userActivityType: String
        ) { calls.append("will \(userActivityType)") }
        func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
            calls.append("continue \(userActivity.activityType)")
            shown = userActivity
        }
    }

    @Test func `a window is told in Apple's order, and its session brings back what it showed`() {
        let session = UISceneSession(persistentIdentifier: "one")
        let window = Window()
        let scene = UIScene(session: session)
        scene.delegate = window
        #expect(scene.activationState == .unattached)
        scene.connect(
            UIScene.ConnectionOptions(
                userActivities: [NSUserActivity(activityType: "found")],
                handoffUserActivityType: "read"))
        scene.connect()
        scene.deliver(NSUserActivity(activityType: "read"))
        scene.disconnect()
        #expect(
            window.calls == [
                "connect [\"found\"] read", "active", "will read", "continue read", "gone",
            ])
        let later = UIScene(session: session)
        window.calls = []
        later.delegate = window
        later.connect()
        #expect(window.calls == ["connect [] -", "restore read", "active"])
        #expect(later.activationState == .foregroundActive)
    }

    private final class MacApp: NSApplicationDelegate, NSUserActivityRestoring {
        var restored: [String] = []
        let isWilling: Bool
        init(isWilling: Bool) { self.isWilling = isWilling }

        func application(
            _ application: NSApplication, continue userActivity: NSUserActivity,
            restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
        ) -> Bool {
            restorationHandler([self])
            return isWilling
        }
        func restoreUserActivityState(_ userActivity: NSUserActivity) {
            restored.append(userActivity.activityType)
        }
    }

    @Test(arguments: [true, false])
    func `an app for the Mac restores what it continues`(isWilling: Bool) {
        let app = MacApp(isWilling: isWilling)
        let host = NSApplication()
        #expect(!host.deliver(NSUserActivity(activityType: "read")))
        host.delegate = app
        #expect(host.deliver(NSUserActivity(activityType: "read")) == isWilling)
        #expect(app.restored == (isWilling ? ["read"] : []))
    }

    @Test func `what can be shared is found along the chain of responders`() {
        final class Screen: UIResponder {
            let parent: UIResponder
            init(in parent: UIResponder) {
                self.parent = parent
                super.init()
            }
            override var next: UIResponder? { parent }
        }
        let window = UIResponder()
        let screen = Screen(in: window)
        #expect(screen.nearestActivityItemsConfiguration == nil)
        let activity = NSUserActivity(activityType: "read")
        let configuration = UIActivityItemsConfiguration(objects: [activity])
        configuration.metadataProvider = { $0 == .title ? "Leek" : nil }
        window.activityItemsConfiguration = configuration
        let found = screen.nearestActivityItemsConfiguration
        #expect(found?.itemProvidersForActivityItemsConfiguration.count == 1)
        #expect(found?.activityItemsConfigurationMetadata(key: .title) as? String == "Leek")
        #expect(found?.activityItemsConfigurationSupportsInteraction(.copy) == false)
        #expect(found?.activityItemsConfigurationSupportsInteraction(.share) == true)
    }
}

/// Where handlers run.
@Suite(.timeLimit(.minutes(10)))
struct HandlerQueueTests {
    @Test func `the handler of streams does not run inside the call`() async {
        let activity = NSUserActivity(activityType: "read")
        let isInside = AsyncStream<Bool>.makeStream()
        Self.$mark.withValue(true) {
            activity.getContinuationStreams { _, _, error in
                isInside.continuation.yield(Self.mark)
                #expect((error as? CocoaError)?.code == .userActivityConnectionUnavailable)
            }
        }
        for await inside in isInside.stream {
            #expect(!inside)
            break
        }
    }

    @TaskLocal private static var mark = false
}
