internal import Foundation

/// Why a user activity was refused, or what about it will surprise its app.
///
/// It names types and keys, never values.
public struct UserActivityError: Error, Hashable, Sendable {
    /// The kind of refusal.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// `userInfo` holds a type that is none of the ten; nothing was stored.
        case disallowedValue
        /// `userInfo` is nested too deeply; nothing was stored.
        case tooDeep
        /// The type is not in the app's `NSUserActivityTypes`; nothing was stored.
        case undeclaredType
        /// The related item is not in the index; nothing was stored.
        case relatedItemMissing
        /// The activity had expired already; nothing was stored.
        case expired
        /// Public indexing was asked for without required keys or an address; not marked public.
        case nothingToPublish
        /// The persistent identifier was empty, and counts as none.
        case emptyIdentifier
        /// A web address has another scheme than `http` and `https`.
        case unsupportedScheme
        /// The activity was invalidated before; nothing was stored.
        case invalidated
        /// The app let go of its current activity that searches were to find. What is stored stays,
        /// but on Apple's systems it may not.
        case letGoWhileCurrent
        /// The container that the activity belongs to is restricted; nothing was stored.
        case restricted
        /// The store could not be written or opened; nothing was stored.
        case storeFailed
    }

    /// The kind of refusal.
    public let code: Code
    /// The type of the activity.
    public let activityType: String
    /// The key, type or reason that is at fault, when there is one to name.
    public let detail: String?

    /// An error about an activity of this type.
    public init(_ code: Code, activityType: String, detail: String? = nil) {
        self.code = code
        self.activityType = activityType
        self.detail = detail
    }

    /// Whether the activity was stored in spite of it.
    public var isWarning: Bool {
        code == .emptyIdentifier || code == .nothingToPublish || code == .letGoWhileCurrent
    }

    static func isWebAddress(_ url: URL) -> Bool {
        ["http", "https"].contains(url.scheme?.lowercased())
    }
}
