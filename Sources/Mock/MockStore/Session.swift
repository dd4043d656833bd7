import Basics
package import CloudModel

/// One command's surroundings: who asks, where, and when.
package struct Session {
    let database: DatabaseState
    let caller: Caller
    /// The caller's user record name in this container; empty for nobody.
    let callerName: String
    /// The owner named in zone IDs of answers.
    let ownerName: String
    let now: Timestamp
    /// What it may do, before zones and records are looked at.
    let permission: Permission
    /// The roles of the container's schema that the caller has been given.
    var roles: Set<String> = []
    /// Which of the caller's clients it is.
    var client = PushClient()
    /// What the URLs of assets in the reply begin with.
    let baseURL: String
    /// Whether the command only reads.
    var isReading = false
    /// How far the feeds are behind that it is told of: those of another region, or those that a fault
    /// makes old.
    var lag = Duration.zero

    /// Why a session may do what it does.
    package enum Permission: Hashable {
        /// It is the service itself: everything.
        case service
        /// It is the owner of a private database: everything there.
        case owner
        /// It is a participant: what the shares of a zone allow, see ``ZoneAccess``.
        case participant
        /// In a public database: what the schema grants.
        case granted

        /// That of whoever opens a database.
        init(in scope: Database.Scope) {
            self =
                switch scope {
                case .private: .owner
                case .shared: .participant
                case .public: .granted
                }
        }
    }

    var address: Database.Address { database.key.address }
    var isPublic: Bool { address.scope == .public }
    /// By pattern: `!=` would compare the names of the scopes.
    var isShared: Bool { if case .shared = address.scope { true } else { false } }
    /// The schema's key: a container and environment, whoever's database it is.
    var typesKey: DatabaseKey {
        DatabaseKey(address: address.inScope(.public), user: "")
    }

    /// A zone of this database as answers name it.
    func zoneID(_ name: String) -> RecordZone.ID {
        if isShared { return RecordZone.ID(sharedRow: name) }
        return RecordZone.ID(name, ownerRecordName: ownerName)
    }

    /// What a zone is called in the tables: in a shared database with its owner, as several
    /// owners may have zones of one name.
    func rowName(_ zoneID: RecordZone.ID) -> String {
        isShared ? zoneID.sharedRowName : zoneID.zoneName
    }

    /// Whether a zone ID means a zone of this database's owner.
    func owns(_ zoneID: RecordZone.ID) -> Bool {
        isPublic || zoneID.namesCaller || zoneID.ownerRecordName == ownerName
    }

    /// The one spelling of a zone, to compare and group by.
    func resolved(_ zoneID: RecordZone.ID) -> RecordZone.ID {
        zoneID.resolved(in: address.scope, owner: ownerName)
    }

    /// Who gets no push for what is written; nil of the service itself, which is nobody's device.
    var writer: PushWriter? {
        permission == .service
            ? nil
            : PushWriter(userRecordName: callerName, device: caller.device, client: client)
    }

    /// Who writes, and when.
    var stamp: Record.Stamp {
        Record.Stamp(
            timestamp: now, userRecordName: callerName, deviceID: caller.device ?? Self.webDevice)
    }

    /// The device of web services, as they name it themselves.
    static let webDevice = "2"
}

extension RecordZone.ID {
    /// The one spelling of a zone: without an owner where that is the database's own, which can also
    /// be named, or be written as a placeholder. A zone of another owner keeps its owner.
    ///
    /// - Parameter owner: The record name of the database's owner.
    package func resolved(in scope: Database.Scope, owner: String) -> RecordZone.ID {
        let isOwn =
            switch scope {
            case .public: true
            case .private: namesCaller || ownerRecordName == owner
            case .shared: namesCaller
            }
        return isOwn ? RecordZone.ID(zoneName) : self
    }
}

/// Who a request comes from, after authentication.
package enum Caller: Sendable, Hashable {
    /// A signed-in user, by account name, on one of their devices; nil: no device of its own, as
    /// in a browser.
    case user(String, device: String? = nil)
    /// A server-to-server key, by its ID; acts as a user record of its own, in public databases.
    case serverKey(String)
    /// An API token alone: what the world may read in public databases.
    case anonymous

    /// The device, where one is named.
    package var device: String? { if case .user(_, let device) = self { device } else { nil } }
}
