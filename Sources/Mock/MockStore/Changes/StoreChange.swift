import CloudModel

/// What has happened to one record, or to a whole zone, by a request or an act.
package struct StoreChange: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case create, update, delete
        /// A zone's content is gone, and the zone is there.
        case empty
        /// All of a user's data went, or all encrypted data.
        case purge, encryptedDataReset
    }

    package let kind: Kind
    /// Where the zone is its owner's.
    package let database: DatabaseKey
    package let zoneName: String
    /// nil: of the zone as a whole.
    package var recordName: String?
    package var recordType: String?

    /// About how much memory it takes, in bytes.
    package var size: Int {
        120 + zoneName.utf8.count + (recordName?.utf8.count ?? 0) + (recordType?.utf8.count ?? 0)
    }
}

extension StoreChange.Kind {
    init(_ event: Subscription.Event) {
        switch event {
        case .create: self = .create
        case .update: self = .update
        case .delete: self = .delete
        }
    }

    init(_ reason: RecordZone.DeletionReason) {
        switch reason {
        case .deleted: self = .delete
        case .purged: self = .purge
        case .encryptedDataReset: self = .encryptedDataReset
        }
    }
}
