/// An object of the app that shows what an activity is about, as views and documents do.
///
/// Setting ``userActivity`` makes the activity current, which donates it. An activity may be held
/// by several responders; when the last one lets go of it, it is invalidated. The conforming type
/// only keeps the holder: `let userActivityHolder = UserActivityHolder()`.
///
/// This stands where Apple's systems have `UIResponder` and `NSResponder`.
public protocol UserActivityResponder: AnyObject {
    /// What keeps the activity for this object.
    var userActivityHolder: UserActivityHolder { get }
    /// Puts the present state into `activity`, whose ``NSUserActivity/userInfo`` was emptied.
    func updateUserActivityState(_ activity: NSUserActivity)
    /// Shows what `activity` tells.
    func restoreUserActivityState(_ activity: NSUserActivity)
}

extension UserActivityResponder {
    /// The activity that this object shows; setting it makes it current.
    public var userActivity: NSUserActivity? {
        get { userActivityHolder.activity }
        set { userActivityHolder.hold(newValue, for: self) }
    }

    /// Does nothing.
    public func updateUserActivityState(_ activity: NSUserActivity) {}

    /// Does nothing.
    public func restoreUserActivityState(_ activity: NSUserActivity) {}
}
