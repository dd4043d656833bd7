import CloudModel
internal import CoreLocation
public import Foundation

/// A wish to be told of changes. Mirrors Apple's `CKSubscription`.
///
/// What it pushes comes to a process by ``CloudKitPushes``.
// Unchecked: apps set it up before they save it.
public class CKSubscription: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// Identifies a subscription of a database.
    public typealias ID = String

    /// What is watched.
    public enum SubscriptionType: Int, Sendable {
        /// Records that fulfil a predicate.
        case query = 1
        /// A zone.
        case recordZone = 2
        /// All zones of a database.
        case database = 3
    }

    /// Identifies the subscription in its database.
    public let subscriptionID: CKSubscription.ID
    /// What is watched.
    public let subscriptionType: SubscriptionType
    /// How the push looks.
    public var notificationInfo: CKSubscription.NotificationInfo?

    init(_ type: SubscriptionType, _ id: CKSubscription.ID) {
        subscriptionType = type
        subscriptionID = id
    }

    /// The subscription as the service takes it.
    func model() throws(CKError) -> Subscription {
        preconditionFailure("each kind of subscription has its own")
    }

    /// Itself with what all kinds have in common.
    func finished(_ subscription: Subscription) -> Subscription {
        var subscription = subscription
        subscription.notificationInfo = notificationInfo?.model
        return subscription
    }

    // MARK: - Copies and archives

    /// True.
    public class var supportsSecureCoding: Bool { true }

    /// Writes the subscription to an archive.
    public func encode(with coder: NSCoder) {
        guard let subscription = try? archived() else { return }
        coder.encode(.write(.modifySubscriptions([.create(subscription)])), forKey: "subscription")
    }

    /// Reads a subscription from an archive; only its own kind.
    public required init?(coder: NSCoder) { nil }

    /// The subscription without what the service cannot take.
    func archived() throws(CKError) -> Subscription { try model() }

    /// The subscription of a kind in an archive.
    static func subscription(in coder: NSCoder, _ kind: Subscription.Kind) -> Subscription? {
        guard
            case .write(.modifySubscriptions(let operations))? = coder.decodeCommand(
                .modifySubscriptions, forKey: "subscription"),
            case .create(let subscription)? = operations.first, subscription.kind == kind
        else { return nil }
        return subscription
    }

    /// Another object with the same settings.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = copied()
        copy.notificationInfo = notificationInfo
        return copy
    }

    func copied() -> CKSubscription { CKSubscription(subscriptionType, subscriptionID) }

    /// The native subscription.
    static func native(
        _ subscription: Subscription, in scope: CKDatabase.Scope
    ) -> CKSubscription {
        let id = subscription.subscriptionID
        let native: CKSubscription
        switch subscription.kind {
        case .database: native = CKDatabaseSubscription(subscriptionID: id)
        case .zone:
            let zoneID = subscription.zoneID.map { CKRecordZone.ID($0, in: scope) } ?? .default
            native = CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: id)
        case .query: native = CKQuerySubscription(subscription, in: scope)
        }
        native.notificationInfo = subscription.notificationInfo.map { .init($0) }
        return native
    }
}

/// Watches all zones of a database.
// Unchecked, as its superclass.
public final class CKDatabaseSubscription: CKSubscription, @unchecked Sendable {
    /// Only changes to records of this type. The web services have no place for it: refused when
    /// the subscription is saved.
    public var recordType: CKRecord.RecordType?

    /// A subscription with a name of its own, unless one is given.
    public init(subscriptionID: CKSubscription.ID? = nil) {
        super.init(.database, subscriptionID ?? makeUniqueName())
    }

    /// Writes the subscription to an archive.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(recordType.map { $0 as NSString }, forKey: "recordType")
    }

    /// Reads a subscription from an archive.
    public required init?(coder: NSCoder) {
        guard let subscription = Self.subscription(in: coder, .database) else { return nil }
        super.init(.database, subscription.subscriptionID)
        notificationInfo = subscription.notificationInfo.map { .init($0) }
        recordType = coder.decodeText("recordType")
    }

    override func model() throws(CKError) -> Subscription {
        guard recordType == nil else { throw .notAvailable("A database subscription for one type") }
        return archived()
    }

    override func archived() -> Subscription {
        finished(Subscription(subscriptionID: subscriptionID, kind: .database))
    }

    override func copied() -> CKSubscription {
        let copy = CKDatabaseSubscription(subscriptionID: subscriptionID)
        copy.recordType = recordType
        return copy
    }
}

/// Watches a zone.
// Unchecked, as its superclass.
public final class CKRecordZoneSubscription: CKSubscription, @unchecked Sendable {
    /// The zone.
    public let zoneID: CKRecordZone.ID
    /// Only changes to records of this type. The web services have no place for it: refused when
    /// the subscription is saved.
    public var recordType: CKRecord.RecordType?

    /// A subscription with a name of its own, unless one is given.
    public init(zoneID: CKRecordZone.ID, subscriptionID: CKSubscription.ID? = nil) {
        self.zoneID = zoneID
        super.init(.recordZone, subscriptionID ?? makeUniqueName())
    }

    /// Writes the subscription to an archive.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(recordType.map { $0 as NSString }, forKey: "recordType")
    }

    /// Reads a subscription from an archive.
    public required init?(coder: NSCoder) {
        guard let subscription = Self.subscription(in: coder, .zone),
            let zone = subscription.zoneID
        else { return nil }
        zoneID = CKRecordZone.ID(zone, in: .shared)
        super.init(.recordZone, subscription.subscriptionID)
        notificationInfo = subscription.notificationInfo.map { .init($0) }
        recordType = coder.decodeText("recordType")
    }

    override func model() throws(CKError) -> Subscription {
        guard recordType == nil else { throw .notAvailable("A zone subscription for one type") }
        return archived()
    }

    override func archived() -> Subscription {
        finished(
            Subscription(
                subscriptionID: subscriptionID, kind: .zone, zoneID: zoneID.model,
                zoneWide: false))
    }

    override func copied() -> CKSubscription {
        let copy = CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: subscriptionID)
        copy.recordType = recordType
        return copy
    }
}
