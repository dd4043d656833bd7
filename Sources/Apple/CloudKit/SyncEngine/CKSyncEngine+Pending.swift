import CloudModel
import RecordSync

extension CKSyncEngine {
    /// A record to save or to delete.
    public enum PendingRecordZoneChange: Sendable, Hashable, CustomStringConvertible {
        /// The delegate gives the record when its turn comes.
        case saveRecord(CKRecord.ID)
        /// A record that is not there counts as deleted.
        case deleteRecord(CKRecord.ID)

        func model(in scope: CKDatabase.Scope) -> PendingRecordChange {
            switch self {
            case .saveRecord(let id): .save(id.model(in: scope))
            case .deleteRecord(let id): .delete(id.model(in: scope))
            }
        }

        /// What is to be done to which record.
        public var description: String {
            switch self {
            case .saveRecord(let id): "saveRecord(\(id))"
            case .deleteRecord(let id): "deleteRecord(\(id))"
            }
        }
    }

    /// A zone to save or to delete. Equal by the zone's ID.
    public enum PendingDatabaseChange: Sendable, Hashable, CustomStringConvertible {
        /// A zone that exists stays as it is.
        case saveZone(CKRecordZone)
        /// With all its records.
        case deleteZone(CKRecordZone.ID)

        private var parts: (isSave: Bool, zoneID: CKRecordZone.ID) {
            switch self {
            case .saveZone(let zone): (true, zone.zoneID)
            case .deleteZone(let id): (false, id)
            }
        }

        /// Whether two changes do the same to the same zone.
        public static func == (left: Self, right: Self) -> Bool { left.parts == right.parts }

        /// Follows ``==(_:_:)``.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(parts.isSave)
            hasher.combine(parts.zoneID)
        }

        func model(in scope: CKDatabase.Scope) -> PendingZoneChange {
            let zone = parts.zoneID.model(in: scope)
            return parts.isSave ? .save(zone) : .delete(zone)
        }

        /// What is to be done to which zone.
        public var description: String {
            "\(parts.isSave ? "saveZone" : "deleteZone")(\(parts.zoneID))"
        }
    }
}

extension CKRecordZone.ID {
    /// The zone as an engine knows it: one's own has no owner, however the app spells it.
    func model(in scope: CKDatabase.Scope) -> RecordZone.ID {
        scope == .shared ? model : RecordZone.ID(zoneName)
    }
}

extension CKRecord.ID {
    /// The record as an engine knows it.
    func model(in scope: CKDatabase.Scope) -> Record.ID {
        Record.ID(recordName, zoneID: zoneID.model(in: scope))
    }
}
