import CloudModel
import RecordSync

extension CKSyncEngine {
    /// What to send.
    public struct SendChangesOptions: Sendable, CustomStringConvertible {
        /// Which records.
        public enum Scope: Sendable, Equatable, CustomStringConvertible {
            /// All.
            case all
            /// All but those of these zones.
            case allExcluding([CKRecordZone.ID])
            /// Those of these zones.
            case zoneIDs([CKRecordZone.ID])
            /// These.
            case recordIDs([CKRecord.ID])

            /// Whether a record is to be sent.
            public func contains(_ recordID: CKRecord.ID) -> Bool {
                switch self {
                case .all: true
                case .allExcluding(let zones): !zones.contains(recordID.zoneID)
                case .zoneIDs(let zones): zones.contains(recordID.zoneID)
                case .recordIDs(let records): records.contains(recordID)
                }
            }

            /// Whether a change is to be sent.
            public func contains(_ pendingChange: CKSyncEngine.PendingRecordZoneChange) -> Bool {
                switch pendingChange {
                case .saveRecord(let id), .deleteRecord(let id): contains(id)
                }
            }

            init(_ model: SyncScope, in database: CKDatabase.Scope) {
                func native(_ zones: [RecordZone.ID]) -> [CKRecordZone.ID] {
                    zones.map { CKRecordZone.ID($0, in: database) }
                }
                switch model {
                case .all: self = .all
                case .allExcluding(let zones): self = .allExcluding(native(zones))
                case .zones(let zones): self = .zoneIDs(native(zones))
                case .records(let records):
                    self = .recordIDs(
                        records.map { CKRecord.ID($0, CKRecordZone.ID($0.zoneID, in: database)) })
                }
            }

            func model(in database: CKDatabase.Scope) -> SyncScope {
                switch self {
                case .all: .all
                case .allExcluding(let zones): .allExcluding(zones.map { $0.model(in: database) })
                case .zoneIDs(let zones): .zones(zones.map { $0.model(in: database) })
                case .recordIDs(let records): .records(records.map { $0.model(in: database) })
                }
            }

            /// The zones or records.
            public var description: String {
                switch self {
                case .all: "all"
                case .allExcluding(let zones): "allExcluding(\(zones))"
                case .zoneIDs(let zones): "zoneIDs(\(zones))"
                case .recordIDs(let records): "recordIDs(\(records))"
                }
            }
        }

        /// Which records: the delegate keeps to it. The engine itself sends the changes of zones
        /// that the scope has.
        public var scope: Scope
        /// What the requests belong to.
        public var operationGroup: CKOperationGroup

        /// Options for a scope.
        public init(scope: Scope = .all, operationGroup: CKOperationGroup? = nil) {
            self.scope = scope
            self.operationGroup = operationGroup ?? CKOperationGroup()
        }

        /// The scope.
        public var description: String { "<SendChangesOptions: \(scope)>" }
    }

    /// A send that goes on.
    public struct SendChangesContext: Sendable, CustomStringConvertible {
        /// Why.
        public let reason: CKSyncEngine.SyncReason
        /// What.
        public let options: CKSyncEngine.SendChangesOptions

        /// Why and what.
        public var description: String { "<SendChangesContext: \(reason), \(options)>" }
    }
}
