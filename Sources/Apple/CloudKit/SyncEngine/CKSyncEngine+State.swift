import CloudModel
import RecordSync

extension CKSyncEngine {
    /// What is to be sent, and what is known of the server. Can be used from any thread.
    public final class State: Sendable {
        private let driver: SyncDriver
        private let scope: CKDatabase.Scope

        init(_ driver: SyncDriver, _ scope: CKDatabase.Scope) {
            self.driver = driver
            self.scope = scope
        }

        /// What is to be sent, in the order of its first addition. What is being sent is not in it.
        public var pendingRecordZoneChanges: [CKSyncEngine.PendingRecordZoneChange] {
            let changes = driver.state.records.changes
            // Neighbours mostly share a zone.
            var zone: (model: RecordZone.ID, native: CKRecordZone.ID)?
            return changes.map { change in
                let id = change.id
                let native: CKRecordZone.ID
                if let zone, zone.model == id.zoneID {
                    native = zone.native
                } else {
                    native = CKRecordZone.ID(id.zoneID, in: scope)
                    zone = (id.zoneID, native)
                }
                let recordID = CKRecord.ID(recordName: id.recordName, zoneID: native)
                return switch change {
                case .save: .saveRecord(recordID)
                case .delete: .deleteRecord(recordID)
                }
            }
        }

        /// Zones to save and to delete, in the order of their first addition.
        public var pendingDatabaseChanges: [CKSyncEngine.PendingDatabaseChange] {
            driver.state.zoneChanges.changes.map { change in
                let zoneID = CKRecordZone.ID(change.id, in: scope)
                return switch change {
                case .save: .saveZone(CKRecordZone(zoneID: zoneID))
                case .delete: .deleteZone(zoneID)
                }
            }
        }

        /// Whether the app has changes that it does not list here: the delegate is asked for them.
        /// The app sets it, and sets it back.
        public var hasPendingUntrackedChanges: Bool {
            get { driver.state.hasUntracked }
            set {
                driver.change { state in
                    let isNew = state.hasUntracked != newValue
                    state.hasUntracked = newValue
                    return isNew
                }
            }
        }

        /// Zones that have changes on the server which were not fetched.
        public var zoneIDsWithUnfetchedServerChanges: [CKRecordZone.ID] {
            driver.state.zonesWithNews.map { CKRecordZone.ID($0, in: scope) }
        }

        /// Adds changes; one that is there already stays where it is, and the opposite one is
        /// replaced.
        public func add(
            pendingRecordZoneChanges changes: [CKSyncEngine.PendingRecordZoneChange]
        ) {
            let models = changes.map { $0.model(in: scope) }
            driver.change { state in
                models.reduce(false) { isNew, change in state.records.add(change) || isNew }
            }
        }

        /// Removes changes that are not to be sent.
        public func remove(
            pendingRecordZoneChanges changes: [CKSyncEngine.PendingRecordZoneChange]
        ) {
            let models = changes.map { $0.model(in: scope) }
            driver.change { state in
                models.reduce(false) { isNew, change in state.records.remove(change) || isNew }
            }
        }

        /// Adds changes of zones, which the engine sends by itself.
        public func add(pendingDatabaseChanges changes: [CKSyncEngine.PendingDatabaseChange]) {
            let models = changes.map { $0.model(in: scope) }
            driver.change { state in
                models.reduce(false) { isNew, change in state.zoneChanges.add(change) || isNew }
            }
        }

        /// Removes changes of zones that are not to be sent.
        public func remove(pendingDatabaseChanges changes: [CKSyncEngine.PendingDatabaseChange]) {
            let models = changes.map { $0.model(in: scope) }
            driver.change { state in
                models.reduce(false) { isNew, change in
                    state.zoneChanges.remove(change) || isNew
                }
            }
        }
    }
}

extension CKSyncEngine.State {
    /// A state to be stored, together with all that was fetched before it.
    ///
    /// Its form is this library's own; Apple's framework cannot read it. Later versions of the
    /// library read what earlier ones wrote.
    public struct Serialization: Codable, Sendable {
        let state: SyncState

        init(_ state: SyncState) { self.state = state }

        /// Reads a state.
        ///
        /// - Throws: `DecodingError` for what is none; begin with nil then.
        public init(from decoder: any Decoder) throws { state = try SyncState(from: decoder) }

        /// Writes the state.
        public func encode(to encoder: any Encoder) throws { try state.encode(to: encoder) }
    }
}
