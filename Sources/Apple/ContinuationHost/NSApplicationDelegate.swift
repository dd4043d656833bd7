public import UserActivity

/// An object of an app for the Mac that can show what an activity tells.
@MainActor public protocol NSUserActivityRestoring: AnyObject {
    /// Shows what `userActivity` tells.
    func restoreUserActivityState(_ userActivity: NSUserActivity)
}

/// What an app for the Mac is told of activities that it is to continue. Every method may be left
/// out.
@MainActor public protocol NSApplicationDelegate: AnyObject {
    /// Tells that an activity will come; it may take a while.
    ///
    /// - Returns: Whether the app shows this to the person itself.
    func application(
        _ application: NSApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool
    /// Hands over the activity.
    ///
    /// - Parameter restorationHandler: May be called with the objects that show the activity, now
    ///   or later.
    /// - Returns: Whether the app continues it.
    func application(
        _ application: NSApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool
    /// Tells that the activity did not come.
    func application(
        _ application: NSApplication,
        didFailToContinueUserActivityWithType userActivityType: String, error: any Error)
    /// Tells that an activity of the app changed.
    func application(_ application: NSApplication, didUpdate userActivity: NSUserActivity)
}

extension NSApplicationDelegate {
    /// Shows nothing.
    public func application(
        _ application: NSApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool { false }
    /// Continues nothing.
    public func application(
        _ application: NSApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool { false }
    /// Does nothing.
    public func application(
        _ application: NSApplication,
        didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {}
    /// Does nothing.
    public func application(_ application: NSApplication, didUpdate userActivity: NSUserActivity) {}
}

/// The part of the life of an app for the Mac that is about continuing activities.
@MainActor public final class NSApplication {
    /// The application of this process.
    public static let shared = NSApplication()

    /// Who is asked to continue activities; not kept alive.
    public weak var delegate: (any NSApplicationDelegate)?

    /// An application of its own, for tests that run beside each other. Not in Apple's interface.
    public init() {}

    /// Hands an activity to the app, in the order of Apple's calls: each announcement is followed
    /// by the activity. Not in Apple's interface.
    ///
    /// - Returns: Whether the app continues it.
    @discardableResult
    public func deliver(_ userActivity: NSUserActivity) -> Bool {
        guard let delegate else { return false }
        _ = delegate.application(
            self, willContinueUserActivityWithType: userActivity.activityType)
        let restoration = Restoration(userActivity)
        let isContinued = delegate.application(self, continue: userActivity) { objects in
            restoration.give(objects.map { object in { object.restoreUserActivityState($0) } })
        }
        restoration.decide(isContinued)
        return isContinued
    }
}
