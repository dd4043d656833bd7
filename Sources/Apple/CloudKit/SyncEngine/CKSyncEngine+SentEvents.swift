extension CKSyncEngine.Event {
    /// What became of zones that were sent. Failures that the engine retries are in it, too.
    public struct SentDatabaseChanges: Sendable, CustomStringConvertible {
        /// A zone that was not saved.
        public struct FailedZoneSave: Sendable, CustomStringConvertible {
            /// The zone.
            public let zone: CKRecordZone
            /// Why.
            public let error: CKError

            /// The zone, and why.
            public var description: String { "<FailedZoneSave: \(zone), \(error)>" }
        }

        /// Zones that are there now.
        public let savedZones: [CKRecordZone]
        /// Zones that were not saved.
        public let failedZoneSaves: [FailedZoneSave]
        /// Zones that are gone.
        public let deletedZoneIDs: [CKRecordZone.ID]
        /// Zones that were not deleted.
        public let failedZoneDeletes: [CKRecordZone.ID: CKError]

        /// How many.
        public var description: String {
            "<SentDatabaseChanges: \(savedZones.count) saved, \(deletedZoneIDs.count) deleted, "
                + "\(failedZoneSaves.count + failedZoneDeletes.count) failed>"
        }
    }

    /// What became of records that were sent. Failures that the engine retries are in it, too:
    /// `notAuthenticated`, `accountTemporarilyUnavailable`, `networkFailure`,
    /// `networkUnavailable`, `requestRateLimited`, `serviceUnavailable`, `zoneBusy`,
    /// `serverResponseLost` and `operationCancelled`. Of all others the app decides; they are no
    /// longer pending.
    public struct SentRecordZoneChanges: Sendable, CustomStringConvertible {
        /// A record that was not saved.
        public struct FailedRecordSave: Sendable, CustomStringConvertible {
            /// The record as it was to be saved.
            public let record: CKRecord
            /// Why.
            public let error: CKError

            /// The record, and why.
            public var description: String { "<FailedRecordSave: \(record), \(error)>" }
        }

        /// Records as the server has them now.
        public let savedRecords: [CKRecord]
        /// Records that were not saved.
        public let failedRecordSaves: [FailedRecordSave]
        /// Records that are gone.
        public let deletedRecordIDs: [CKRecord.ID]
        /// Records that were not deleted.
        public let failedRecordDeletes: [CKRecord.ID: CKError]

        /// How many.
        public var description: String {
            "<SentRecordZoneChanges: \(savedRecords.count) saved, \(deletedRecordIDs.count) "
                + "deleted, \(failedRecordSaves.count + failedRecordDeletes.count) failed>"
        }
    }

    /// A fetch begins.
    public struct WillFetchChanges: Sendable, CustomStringConvertible {
        /// The fetch.
        public let context: CKSyncEngine.FetchChangesContext
        /// The fetch.
        public var description: String { "\(context)" }
    }

    /// The changes of a zone come next.
    public struct WillFetchRecordZoneChanges: Sendable, CustomStringConvertible {
        /// The zone.
        public let zoneID: CKRecordZone.ID
        /// The zone.
        public var description: String { "\(zoneID)" }
    }

    /// The changes of a zone have come, or failed.
    public struct DidFetchRecordZoneChanges: Sendable, CustomStringConvertible {
        /// The zone.
        public let zoneID: CKRecordZone.ID
        /// What the zone failed with; nil when it did not.
        public let error: CKError?
        /// The zone, and what it failed with.
        public var description: String { "\(zoneID)" + (error.map { ", \($0)" } ?? "") }
    }

    /// A fetch is over.
    public struct DidFetchChanges: Sendable, CustomStringConvertible {
        /// The fetch.
        public let context: CKSyncEngine.FetchChangesContext
        /// The fetch.
        public var description: String { "\(context)" }
    }

    /// A send begins.
    public struct WillSendChanges: Sendable, CustomStringConvertible {
        /// The send.
        public let context: CKSyncEngine.SendChangesContext
        /// The send.
        public var description: String { "\(context)" }
    }

    /// A send is over.
    public struct DidSendChanges: Sendable, CustomStringConvertible {
        /// The send.
        public let context: CKSyncEngine.SendChangesContext
        /// The send.
        public var description: String { "\(context)" }
    }
}
