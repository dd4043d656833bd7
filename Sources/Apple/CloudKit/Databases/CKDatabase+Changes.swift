import CloudModel
import Foundation

extension CKDatabase {
    /// What changed in a database.
    public enum DatabaseChange {
        /// A zone that is new, or has new or changed records.
        public struct Modification: Sendable, Hashable {
            /// The zone.
            public let zoneID: CKRecordZone.ID
        }

        /// A zone that went.
        public struct Deletion: Sendable, Hashable {
            /// Why a zone went.
            public enum Reason: Int, Sendable {
                /// An app deleted it.
                case deleted = 0
                /// The user erased the app's data. The mock server tells; Apple's web services do
                /// not.
                case purged = 1
                /// The user reset encrypted data. The mock server tells; Apple's web services do
                /// not.
                case encryptedDataReset = 2

                init(_ reason: RecordZone.DeletionReason) {
                    switch reason {
                    case .deleted: self = .deleted
                    case .purged: self = .purged
                    case .encryptedDataReset: self = .encryptedDataReset
                    }
                }
            }
            /// The zone.
            public let zoneID: CKRecordZone.ID
            /// Why it went: `deleted` where the server does not say.
            public let reason: Reason
            /// Whether the user erased the app's data.
            public var purged: Bool { reason == .purged }
        }
    }

    /// What changed in a zone.
    public enum RecordZoneChange {
        /// A record that is new or changed.
        public struct Modification: Sendable {
            /// The record as it is now.
            public let record: CKRecord
        }

        /// A record that went.
        public struct Deletion: Sendable, Hashable {
            /// The record.
            public let recordID: CKRecord.ID
            /// Its type; the web services do not tell it: empty.
            public let recordType: CKRecord.RecordType
        }
    }

    /// What ``databaseChanges(since:resultsLimit:)`` gives.
    public typealias DatabaseChanges = (
        modifications: [CKDatabase.DatabaseChange.Modification],
        deletions: [CKDatabase.DatabaseChange.Deletion], changeToken: CKServerChangeToken,
        moreComing: Bool
    )

    /// What ``recordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:)`` gives.
    public typealias RecordZoneChanges = (
        modificationResultsByID: [CKRecord.ID: Result<
            CKDatabase.RecordZoneChange.Modification, any Error
        >],
        deletions: [CKDatabase.RecordZoneChange.Deletion], changeToken: CKServerChangeToken,
        moreComing: Bool
    )

    /// The zones changed and deleted since a token; nil: from the beginning.
    public func databaseChanges(
        since changeToken: CKServerChangeToken?, resultsLimit: Int? = nil
    ) async throws -> DatabaseChanges {
        let page = try await changes(since: changeToken, limit: Self.limit(resultsLimit))
        return (
            page.changed.map { DatabaseChange.Modification(zoneID: $0) },
            page.deleted, page.token, page.moreComing
        )
    }

    /// The records of a zone changed and deleted since a token; nil: from the beginning.
    ///
    /// Without `desiredKeys` all fields are fetched.
    public func recordZoneChanges(
        inZoneWith zoneID: CKRecordZone.ID, since changeToken: CKServerChangeToken?,
        desiredKeys: [CKRecord.FieldKey]? = nil, resultsLimit: Int? = nil
    ) async throws -> RecordZoneChanges {
        let request = ZoneChangesRequest(
            zoneID: zoneID.model, token: changeToken?.model, limit: Self.limit(resultsLimit),
            desiredKeys: desiredKeys)
        guard let found = try await changes([request]).first else { throw Self.noAnswer }
        let page = try found.result.get()
        let modifications = page.changed.map { item in
            (item.id, item.result.map { RecordZoneChange.Modification(record: $0) }.erased)
        }
        return (
            Dictionary(modifications) { $1 },
            page.deleted.map { RecordZoneChange.Deletion(recordID: $0, recordType: "") },
            page.token, page.moreComing
        )
    }

    /// The zones changed and deleted since a token; nil: from the beginning.
    @preconcurrency public func fetchDatabaseChanges(
        since changeToken: CKServerChangeToken?, resultsLimit: Int? = nil,
        completionHandler: @escaping @Sendable (Result<DatabaseChanges, any Error>) -> Void
    ) {
        enqueueResult(completionHandler) {
            try await $0.databaseChanges(since: changeToken, resultsLimit: resultsLimit)
        }
    }

    /// The records of a zone changed and deleted since a token; nil: from the beginning.
    @preconcurrency public func fetchRecordZoneChanges(
        inZoneWith zoneID: CKRecordZone.ID, since changeToken: CKServerChangeToken?,
        desiredKeys: [CKRecord.FieldKey]? = nil, resultsLimit: Int? = nil,
        completionHandler: @escaping @Sendable (Result<RecordZoneChanges, any Error>) -> Void
    ) {
        enqueueResult(completionHandler) {
            try await $0.recordZoneChanges(
                inZoneWith: zoneID, since: changeToken, desiredKeys: desiredKeys,
                resultsLimit: resultsLimit)
        }
    }
}
