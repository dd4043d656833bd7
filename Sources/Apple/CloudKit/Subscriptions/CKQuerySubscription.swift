import CloudModel
public import Foundation

/// Watches the records that fulfil a predicate.
// Unchecked, as its superclass; the predicate never changes.
public final class CKQuerySubscription: CKSubscription, @unchecked Sendable {
    /// Which changes count.
    public struct Options: OptionSet, Sendable {
        /// The bits, as Apple numbers them.
        public let rawValue: UInt

        /// The options of some bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// A record comes to fulfil it by being created.
        public static let firesOnRecordCreation = Options(rawValue: 1)
        /// A record that fulfils it is changed.
        public static let firesOnRecordUpdate = Options(rawValue: 2)
        /// A record that fulfils it is deleted.
        public static let firesOnRecordDeletion = Options(rawValue: 4)
        /// The subscription goes when it has told once.
        public static let firesOnce = Options(rawValue: 8)
    }

    /// The type of the records.
    public let recordType: CKRecord.RecordType
    /// What must hold of them.
    public let predicate: NSPredicate
    /// Which changes count.
    public let querySubscriptionOptions: CKQuerySubscription.Options
    /// Where; nil: in all zones.
    public var zoneID: CKRecordZone.ID?
    private let fetchedQuery: Query?

    /// A subscription with a name of its own.
    public convenience init(
        recordType: CKRecord.RecordType, predicate: NSPredicate,
        options querySubscriptionOptions: CKQuerySubscription.Options
    ) {
        self.init(
            recordType: recordType, predicate: predicate, subscriptionID: makeUniqueName(),
            options: querySubscriptionOptions)
    }

    /// A subscription with a given name.
    public convenience init(
        recordType: CKRecord.RecordType, predicate: NSPredicate,
        subscriptionID: CKSubscription.ID,
        options querySubscriptionOptions: CKQuerySubscription.Options
    ) {
        self.init(recordType, predicate, subscriptionID, querySubscriptionOptions, nil)
    }

    private init(
        _ recordType: String, _ predicate: NSPredicate, _ id: String, _ options: Options,
        _ fetched: Query?
    ) {
        self.recordType = recordType
        self.predicate = predicate
        querySubscriptionOptions = options
        fetchedQuery = fetched
        super.init(.query, id)
    }

    convenience init(_ subscription: Subscription, in scope: CKDatabase.Scope) {
        var options: Options = subscription.firesOnce ? .firesOnce : []
        for event in subscription.firesOn {
            switch event {
            case .create: options.insert(.firesOnRecordCreation)
            case .update: options.insert(.firesOnRecordUpdate)
            case .delete: options.insert(.firesOnRecordDeletion)
            }
        }
        self.init(
            subscription.query?.recordType ?? "",
            NSPredicate(filters: subscription.query?.filters ?? []),
            subscription.subscriptionID, options, subscription.query)
        zoneID = subscription.zoneID.map { CKRecordZone.ID($0, in: scope) }
    }

    /// Reads a subscription from an archive.
    public required convenience init?(coder: NSCoder) {
        guard let subscription = Self.subscription(in: coder, .query) else { return nil }
        self.init(subscription, in: .shared)
        notificationInfo = subscription.notificationInfo.map { .init($0) }
    }

    override func model() throws(CKError) -> Subscription {
        let events: [(Options, Subscription.Event)] = [
            (.firesOnRecordCreation, .create), (.firesOnRecordUpdate, .update),
            (.firesOnRecordDeletion, .delete),
        ]
        var query = fetchedQuery
        if query == nil {
            query = try CKQuery(recordType: recordType, predicate: predicate).model()
        }
        return finished(
            Subscription(
                subscriptionID: subscriptionID, kind: .query, query: query,
                zoneID: zoneID?.model, zoneWide: zoneID == nil,
                firesOn: events.filter { querySubscriptionOptions.contains($0.0) }.map { $0.1 },
                firesOnce: querySubscriptionOptions.contains(.firesOnce)))
    }

    override func copied() -> CKSubscription {
        let copy = CKQuerySubscription(
            recordType, predicate, subscriptionID, querySubscriptionOptions, fetchedQuery)
        copy.zoneID = zoneID
        return copy
    }
}
