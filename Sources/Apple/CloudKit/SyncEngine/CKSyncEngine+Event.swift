extension CKSyncEngine {
    /// What an app is told.
    public enum Event: Sendable, CustomStringConvertible {
        /// The state changed: store it, together with what was fetched before.
        case stateUpdate(StateUpdate)
        /// Somebody signed in or out.
        case accountChange(AccountChange)
        /// Zones changed or went.
        case fetchedDatabaseChanges(FetchedDatabaseChanges)
        /// Records changed or went.
        case fetchedRecordZoneChanges(FetchedRecordZoneChanges)
        /// Zones were sent.
        case sentDatabaseChanges(SentDatabaseChanges)
        /// Records were sent.
        case sentRecordZoneChanges(SentRecordZoneChanges)
        /// A fetch begins.
        case willFetchChanges(WillFetchChanges)
        /// The changes of a zone come next.
        case willFetchRecordZoneChanges(WillFetchRecordZoneChanges)
        /// The changes of a zone have come, or failed.
        case didFetchRecordZoneChanges(DidFetchRecordZoneChanges)
        /// A fetch is over.
        case didFetchChanges(DidFetchChanges)
        /// A send begins.
        case willSendChanges(WillSendChanges)
        /// A send is over.
        case didSendChanges(DidSendChanges)

        /// The event's name and what it is about.
        public var description: String {
            switch self {
            case .stateUpdate(let event): "stateUpdate: \(event)"
            case .accountChange(let event): "accountChange: \(event)"
            case .fetchedDatabaseChanges(let event): "fetchedDatabaseChanges: \(event)"
            case .fetchedRecordZoneChanges(let event): "fetchedRecordZoneChanges: \(event)"
            case .sentDatabaseChanges(let event): "sentDatabaseChanges: \(event)"
            case .sentRecordZoneChanges(let event): "sentRecordZoneChanges: \(event)"
            case .willFetchChanges(let event): "willFetchChanges: \(event)"
            case .willFetchRecordZoneChanges(let event): "willFetchRecordZoneChanges: \(event)"
            case .didFetchRecordZoneChanges(let event): "didFetchRecordZoneChanges: \(event)"
            case .didFetchChanges(let event): "didFetchChanges: \(event)"
            case .willSendChanges(let event): "willSendChanges: \(event)"
            case .didSendChanges(let event): "didSendChanges: \(event)"
            }
        }
    }
}

extension CKSyncEngine.Event {
    /// The newest state.
    public struct StateUpdate: Sendable, CustomStringConvertible {
        /// What to begin with at the next start.
        public let stateSerialization: CKSyncEngine.State.Serialization

        /// That there is a state.
        public var description: String { "<StateUpdate>" }
    }

    /// Somebody signed in or out.
    ///
    /// The engine has forgotten tokens and pending changes of the account before; the app adds what
    /// it wants to keep.
    public struct AccountChange: Sendable, CustomStringConvertible {
        /// Who is signed in instead of whom.
        public enum ChangeType: Sendable, Equatable {
            /// Somebody, where nobody was.
            case signIn(currentUser: CKRecord.ID)
            /// Nobody, as the server says. A credential that it refuses is no sign-out.
            case signOut(previousUser: CKRecord.ID)
            /// Somebody else.
            case switchAccounts(previousUser: CKRecord.ID, currentUser: CKRecord.ID)
        }

        /// Who is signed in instead of whom.
        public let changeType: ChangeType

        /// Who is signed in instead of whom.
        public var description: String { "<AccountChange: \(changeType)>" }
    }

    /// Zones changed or went.
    public struct FetchedDatabaseChanges: Sendable, CustomStringConvertible {
        /// Zones that are new or have changes.
        public let modifications: [CKDatabase.DatabaseChange.Modification]
        /// Zones that went. What the user erased (`purged`) is not to be uploaded again.
        public let deletions: [CKDatabase.DatabaseChange.Deletion]

        /// How many.
        public var description: String {
            "<FetchedDatabaseChanges: \(modifications.count) changed, \(deletions.count) deleted>"
        }
    }

    /// Records changed or went.
    public struct FetchedRecordZoneChanges: Sendable, CustomStringConvertible {
        /// Records that are new or changed; what this device sent is among them.
        public let modifications: [CKDatabase.RecordZoneChange.Modification]
        /// Records that went; the type is empty where the engine did not know the record.
        public let deletions: [CKDatabase.RecordZoneChange.Deletion]

        /// How many.
        public var description: String {
            "<FetchedRecordZoneChanges: \(modifications.count) changed, \(deletions.count) deleted>"
        }
    }
}
