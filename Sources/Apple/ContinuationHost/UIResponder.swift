public import UserActivity

/// An object of the app that shows an activity.
///
/// Only the part about activities is here; there are no events and no views. Setting
/// ``userActivity`` makes it current, and it is invalidated when no responder holds it any more.
open class UIResponder: NSObject, UserActivityResponder {
    /// What keeps the activity.
    public let userActivityHolder = UserActivityHolder()

    /// A responder that shows nothing.
    public override init() { super.init() }

    /// The activity that this object shows; setting it makes it current.
    open var userActivity: NSUserActivity? {
        get { userActivityHolder.activity }
        set { userActivityHolder.hold(newValue, for: self) }
    }

    /// Who is asked when this object does not know; nil: nobody.
    open var next: UIResponder? { nil }

    /// What of this object can be shared.
    open var activityItemsConfiguration: (any UIActivityItemsConfigurationReading)?

    /// What can be shared here: of this object, or of the first after it that says something. Not
    /// in Apple's interface, where the system asks.
    public var nearestActivityItemsConfiguration: (any UIActivityItemsConfigurationReading)? {
        activityItemsConfiguration ?? next?.nearestActivityItemsConfiguration
    }

    /// Puts the present state into `activity`, whose `userInfo` was emptied.
    open func updateUserActivityState(_ activity: NSUserActivity) {}

    /// Shows what `activity` tells.
    open func restoreUserActivityState(_ activity: NSUserActivity) {}
}

extension UIResponder: UIUserActivityRestoring {}
