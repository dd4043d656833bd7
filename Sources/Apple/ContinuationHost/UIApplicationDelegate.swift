public import UserActivity

/// What an app is told of activities that it is to continue. Every method may be left out.
@MainActor public protocol UIApplicationDelegate: AnyObject {
    /// Tells that an activity will come; it may take a while.
    ///
    /// - Returns: Whether the app shows this to the person itself.
    func application(
        _ application: UIApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool
    /// Hands over the activity.
    ///
    /// - Parameter restorationHandler: To be called with the objects that show the activity, now
    ///   or later, if there are any.
    /// - Returns: Whether the app continues it.
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool
    /// Tells that the activity did not come.
    func application(
        _ application: UIApplication,
        didFailToContinueUserActivityWithType userActivityType: String, error: any Error)
    /// Tells that an activity of the app changed.
    func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity)
}

extension UIApplicationDelegate {
    /// Shows nothing.
    public func application(
        _ application: UIApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool { false }
    /// Continues nothing.
    public func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool { false }
    /// Does nothing.
    public func application(
        _ application: UIApplication,
        didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {}
    /// Does nothing.
    public func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity) {}
}
