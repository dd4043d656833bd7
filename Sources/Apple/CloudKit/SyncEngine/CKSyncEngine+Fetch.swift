import CloudModel
import RecordSync

extension CKSyncEngine {
    /// Why the engine does something.
    public enum SyncReason: Sendable, Hashable, CustomStringConvertible {
        /// By itself.
        case scheduled
        /// Because the app said so.
        case manual

        /// The reason's name.
        public var description: String { self == .manual ? "manual" : "scheduled" }
    }

    /// What to fetch, and in which order.
    public struct FetchChangesOptions: Sendable, CustomStringConvertible {
        /// Which zones.
        public enum Scope: Sendable, Equatable, CustomStringConvertible {
            /// All.
            case all
            /// All but these.
            case allExcluding([CKRecordZone.ID])
            /// These.
            case zoneIDs([CKRecordZone.ID])

            /// Whether a zone is to be fetched.
            public func contains(_ zoneID: CKRecordZone.ID) -> Bool {
                switch self {
                case .all: true
                case .allExcluding(let zones): !zones.contains(zoneID)
                case .zoneIDs(let zones): zones.contains(zoneID)
                }
            }

            /// The zones.
            public var description: String {
                switch self {
                case .all: "all"
                case .allExcluding(let zones): "allExcluding(\(zones))"
                case .zoneIDs(let zones): "zoneIDs(\(zones))"
                }
            }
        }

        /// Which zones; the others keep their changes for another time.
        public var scope: Scope
        /// What the requests belong to.
        public var operationGroup: CKOperationGroup
        /// These first, in this order, where they have changes.
        public var prioritizedZoneIDs: [CKRecordZone.ID] = []

        /// Options without priorities.
        public init(scope: Scope = .all, operationGroup: CKOperationGroup? = nil) {
            self.scope = scope
            self.operationGroup = operationGroup ?? CKOperationGroup()
        }

        init(_ model: FetchOptions, _ group: CKOperationGroup, in database: CKDatabase.Scope) {
            func native(_ zones: [RecordZone.ID]) -> [CKRecordZone.ID] {
                zones.map { CKRecordZone.ID($0, in: database) }
            }
            let scope: Scope =
                switch model.scope {
                case .all: .all
                case .allExcluding(let zones): .allExcluding(native(zones))
                case .zones(let zones): .zoneIDs(native(zones))
                case .records(let records): .zoneIDs(native(records.map(\.zoneID)))
                }
            self.init(scope: scope, operationGroup: group)
            prioritizedZoneIDs = native(model.prioritized)
        }

        func model(in database: CKDatabase.Scope) -> FetchOptions {
            func models(_ zones: [CKRecordZone.ID]) -> [RecordZone.ID] {
                zones.map { $0.model(in: database) }
            }
            let scope: SyncScope =
                switch scope {
                case .all: .all
                case .allExcluding(let zones): .allExcluding(models(zones))
                case .zoneIDs(let zones): .zones(models(zones))
                }
            return FetchOptions(scope: scope, prioritized: models(prioritizedZoneIDs))
        }

        /// The scope and the priorities.
        public var description: String {
            "<FetchChangesOptions: \(scope), prioritizedZoneIDs=\(prioritizedZoneIDs)>"
        }
    }

    /// A fetch that goes on.
    public struct FetchChangesContext: Sendable, CustomStringConvertible {
        /// Why.
        public let reason: CKSyncEngine.SyncReason
        /// What.
        public let options: CKSyncEngine.FetchChangesOptions

        /// Why and what.
        public var description: String { "<FetchChangesContext: \(reason), \(options)>" }
    }
}
