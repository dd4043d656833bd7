internal import CoreLocation
public import Foundation

/// An action of the app that the system may suggest or the user may record: an intent or an
/// activity.
public enum INShortcut: Hashable, CustomDebugStringConvertible {
    /// It carries out an intent; a copy of the app's.
    case intent(INIntent)
    /// It continues an activity.
    case userActivity(NSUserActivity)

    /// A shortcut for an intent.
    ///
    /// - Returns: nil when the intent has no title, or when the parameters of none of its
    ///   combinations all have values.
    public init?(intent: INIntent) {
        guard intent.bestCombination != nil else { return nil }
        self = .intent(intent.copy() as? INIntent ?? intent)
    }

    /// A shortcut for an activity.
    public init(userActivity: NSUserActivity) { self = .userActivity(userActivity) }

    /// What it does, when it is an intent.
    public var intent: INIntent? { if case .intent(let intent) = self { intent } else { nil } }

    /// What it does, when it is an activity.
    public var userActivity: NSUserActivity? {
        if case .userActivity(let activity) = self { activity } else { nil }
    }

    public var debugDescription: String { "INShortcut(\(title ?? ""))" }

    /// What people read.
    var title: String? { intent?.intentDescription ?? userActivity?.title }

    /// What the app proposes to say for it.
    var suggestedInvocationPhrase: String? {
        intent?.suggestedInvocationPhrase ?? userActivity?.suggestedInvocationPhrase
    }
}

/// A shortcut as an object, as Objective-C has it; for archives.
public final class INShortcutReference: NSObject, NSCopying, NSSecureCoding {
    /// The shortcut. Not in Apple's interface, where the compiler bridges one to the other.
    public let shortcut: INShortcut

    /// What it does, when it is an intent.
    public var intent: INIntent? { shortcut.intent }
    /// What it does, when it is an activity.
    public var userActivity: NSUserActivity? { shortcut.userActivity }

    /// The shortcut as an object. Not in Apple's interface.
    public init(_ shortcut: INShortcut) { self.shortcut = shortcut }

    /// A shortcut for an intent; nil as with ``INShortcut/init(intent:)``.
    public convenience init?(intent: INIntent) {
        guard let shortcut = INShortcut(intent: intent) else { return nil }
        self.init(shortcut)
    }

    /// A shortcut for an activity.
    public convenience init(userActivity: NSUserActivity) {
        self.init(INShortcut(userActivity: userActivity))
    }

    public static var supportsSecureCoding: Bool { true }

    /// The shortcut that an archive holds; nil when it holds none.
    public convenience init?(coder: NSCoder) {
        if let intent = coder.decodeIfThere(INIntent.self, "intent") {
            self.init(INShortcut.intent(intent))
        } else if let activity = Archive.activity(in: coder) {
            self.init(INShortcut.userActivity(activity))
        } else {
            return nil
        }
    }

    public func encode(with coder: NSCoder) {
        if let intent { coder.encode(intent, forKey: "intent") }
        Archive.encode(userActivity, in: coder)
    }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? INShortcutReference)?.shortcut == shortcut
    }

    public override var hash: Int { shortcut.hashValue }
}
