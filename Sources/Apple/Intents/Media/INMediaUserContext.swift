internal import Donations
public import Foundation

/// What is known of the user of the app.
open class INUserContext: NSObject {
    override init() { super.init() }

    /// Makes this what is known, in place of what was known before.
    open func becomeCurrent() {}
}

/// What is known of the user of an app that plays media.
public final class INMediaUserContext: INUserContext {
    /// Whether the user pays.
    public enum SubscriptionStatus: Int, Sendable {
        /// Nobody knows.
        case unknown
        /// The user does not.
        case notSubscribed
        /// The user does.
        case subscribed
    }

    /// Whether the user pays.
    public var subscriptionStatus = SubscriptionStatus.unknown
    /// How many things the user keeps; nil: nobody knows.
    public var numberOfLibraryItems: Int?

    /// Nothing is known yet.
    public override init() { super.init() }

    public override func becomeCurrent() {
        var parts: [String: PayloadValue] = [
            "subscriptionStatus": .integer(Int64(subscriptionStatus.rawValue))
        ]
        parts["numberOfLibraryItems"] = numberOfLibraryItems.map { .integer(Int64($0)) }
        ListCall.replace(.setting, scope: "INMediaUserContext") {
            [
                ListEntry(
                    identifier: "INMediaUserContext",
                    payload: PayloadValue.dictionary(parts).encoded)
            ]
        }
    }
}
