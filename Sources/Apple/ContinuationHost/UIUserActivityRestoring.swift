public import UserActivity

/// An object that can show what an activity tells.
public protocol UIUserActivityRestoring: AnyObject {
    /// Shows what `activity` tells.
    func restoreUserActivityState(_ activity: NSUserActivity)
}
