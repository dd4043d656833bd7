public import Foundation

/// An action of the app that the system may suggest or the user may record: an intent or an
/// activity.
public final class INShortcut: NSObject, NSCopying {
    /// What it does, when it is an intent; a copy.
    public let intent: INIntent?
    /// What it does, when it is an activity.
    public let userActivity: NSUserActivity?

    /// A shortcut for an intent.
    ///
    /// - Returns: nil when the intent has no title, or when the parameters of none of its
    ///   combinations all have values.
    public init?(intent: INIntent) {
        guard intent.bestCombination != nil else { return nil }
        userActivity = nil
        self.intent = intent.copy() as? INIntent ?? intent
    }

    /// A shortcut for an activity.
    public init(userActivity: NSUserActivity) {
        self.userActivity = userActivity
        intent = nil
    }

    private init(copying other: INShortcut) {
        userActivity = other.userActivity
        intent = other.intent
    }

    /// A shortcut for the same.
    public func copy(with zone: NSZone? = nil) -> Any { INShortcut(copying: self) }

    /// What people read.
    var title: String? { intent?.intentDescription ?? userActivity?.title }

    /// What the app proposes to say for it.
    var suggestedInvocationPhrase: String? {
        intent?.suggestedInvocationPhrase ?? userActivity?.suggestedInvocationPhrase
    }
}
