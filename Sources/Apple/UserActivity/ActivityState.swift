internal import DonationStore
internal import Donations
internal import Foundation

/// All that a user activity holds, as one value behind one lock.
struct ActivityState: Sendable {
    var lifeCycle = ActivityLifeCycle()
    var title: String?
    var userInfo: UserInfo?
    var requiredUserInfoKeys: Set<String>?
    var webpageURL: URL?
    var referrerURL: URL?
    var expirationDate: Date?
    var keywords: Set<String> = []
    var targetContentIdentifier: String?
    var persistentIdentifier: String?
    var isEligibleForHandoff = true
    var isEligibleForSearch = false
    var isEligibleForPublicIndexing = false
    var isEligibleForPrediction = false
    var needsSave = false
    var supportsContinuationStreams = false
    var externalMediaContentIdentifier: String?
    var isClassKitDeepLink = false
    var delegate = WeakDelegate()
    var attachments: [ObjectIdentifier: any ActivityAttachment] = [:]
    /// Where it became current last.
    var store: DonationStore?
    /// The responders that show it, in the order in which they took it.
    var holders: [Holder] = []
    /// Where its streams come from, once it was delivered from elsewhere.
    var streams: (any ContinuationStreamSource)?

    /// The app's own dictionary.
    ///
    /// Unchecked: Foundation's mutable containers are copied on the way in, and what else is put
    /// into it is a value or an immutable object of the ten allowed types; anything else is only
    /// ever handed back to the app that put it there.
    struct UserInfo: @unchecked Sendable {
        var entries: [AnyHashable: Any]

        init(_ entries: [AnyHashable: Any]) {
            self.entries = entries.mapValues { Self.own($0, depth: 0) }
        }

        /// `value` itself, or a copy where it can be changed from outside.
        private static func own(_ value: Any, depth: Int) -> Any {
            guard canChange(value, depth: depth) else { return value }
            switch value {
            case let value as NSMutableString: return value.copy()
            case let value as NSMutableData: return value.copy()
            case let value as NSMutableSet: return value.copy()
            case let value as [Any]: return value.map { own($0, depth: depth + 1) }
            case let value as [AnyHashable: Any]:
                return value.mapValues { own($0, depth: depth + 1) }
            default: return value
            }
        }

        /// Deeper than a donation may be, nothing is looked at: it will be refused.
        private static func canChange(_ value: Any, depth: Int) -> Bool {
            guard depth <= PayloadValue.depthMax else { return false }
            switch value {
            case is NSMutableString, is NSMutableData, is NSMutableSet, is NSMutableArray,
                is NSMutableDictionary:
                return true
            case let value as [Any]: return value.contains { canChange($0, depth: depth + 1) }
            case let value as [AnyHashable: Any]:
                return value.values.contains { canChange($0, depth: depth + 1) }
            default: return false
            }
        }
    }

    /// A responder that shows the activity; not kept alive.
    ///
    /// Unchecked: the weak reference is only loaded and stored, which any thread may.
    struct Holder: @unchecked Sendable {
        let key: ObjectIdentifier
        weak var responder: (any UserActivityResponder)?
    }

    /// A reference that does not keep the delegate.
    ///
    /// Unchecked: only loaded and stored, as weak references may be from any thread; the delegate
    /// says itself where it may be called.
    struct WeakDelegate: @unchecked Sendable {
        weak var object: (any NSUserActivityDelegate)?
    }
}
