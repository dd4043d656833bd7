public import UserActivity

/// What an app is told of one of its windows. Every method may be left out.
@MainActor public protocol UISceneDelegate: AnyObject {
    /// The window begins; the options say with what.
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions)
    /// The window is let go of.
    func sceneDidDisconnect(_ scene: UIScene)
    /// The person can use the window.
    func sceneDidBecomeActive(_ scene: UIScene)
    /// Something else is about to be used.
    func sceneWillResignActive(_ scene: UIScene)
    /// The window is about to be seen.
    func sceneWillEnterForeground(_ scene: UIScene)
    /// The window is not seen any more.
    func sceneDidEnterBackground(_ scene: UIScene)
    /// The window is to open addresses.
    func scene(_ scene: UIScene, openURLContexts urlContexts: Set<UIOpenURLContext>)
    /// What the window needs to be shown again later.
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity?
    /// The window is shown again, with what it gave before.
    func scene(
        _ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity)
    /// An activity will come; it may take a while.
    func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String)
    /// The activity is there.
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
    /// The activity did not come.
    func scene(
        _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error)
    /// An activity of the window changed.
    func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity)
}

extension UISceneDelegate {
    /// Does nothing.
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {}
    /// Does nothing.
    public func sceneDidDisconnect(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneWillResignActive(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneWillEnterForeground(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneDidEnterBackground(_ scene: UIScene) {}
    /// Opens nothing.
    public func scene(_ scene: UIScene, openURLContexts urlContexts: Set<UIOpenURLContext>) {}
    /// Keeps nothing.
    public func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? { nil }
    /// Shows nothing.
    public func scene(
        _ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity
    ) {}
    /// Shows nothing.
    public func scene(
        _ scene: UIScene, willContinueUserActivityWithType userActivityType: String
    ) {}
    /// Continues nothing.
    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {}
    /// Does nothing.
    public func scene(
        _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    ) {}
    /// Does nothing.
    public func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity) {}
}
