package import CloudModel

/// One command's surroundings: who asks, where, and when.
struct Session {
    let database: DatabaseState
    let caller: Caller
    /// The caller's user record name in this container; empty for nobody.
    let callerName: String
    /// The owner named in zone IDs of answers.
    let ownerName: String
    let now: Timestamp
    /// Whether it is the service itself that acts, to whom everything is allowed.
    var isService = false

    var address: Database.Address { database.key.address }
    var isPublic: Bool { address.scope == .public }
    /// By pattern: `!=` would compare the names of the scopes.
    var isShared: Bool { if case .shared = address.scope { true } else { false } }
    /// The schema's key: a container and environment, whoever's database it is.
    var typesKey: DatabaseKey {
        DatabaseKey(
            address: Database.Address(
                container: address.container, environment: address.environment, scope: .public),
            user: "")
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

    /// Who writes, and when.
    var stamp: Record.Stamp {
        Record.Stamp(
            timestamp: now, userRecordName: callerName, deviceID: caller.device ?? Self.webDevice)
    }

    /// The device of web services, as they name it themselves.
    static let webDevice = "2"
}

extension MockStore {
    /// Finds the database a command goes to, and refuses whom it is closed to.
    func openSession(
        _ command: CloudCommand, at address: Database.Address, by caller: Caller
    ) throws(CloudError) -> Session {
        guard tables.failure == nil else {
            throw CloudError(.internalError, reason: "the store failed")
        }
        guard restoring == nil else {
            throw CloudError(
                .tryAgainLater, reason: MockStoreError.restoring.description,
                retryAfter: .seconds(1))
        }
        try requireContainer(address.container)
        let account = try admit(caller, to: command, at: address)
        let owner = address.scope == .public ? "" : account
        let database = try database(DatabaseKey(address: address, user: owner))
        let ownerName = userRecordName(of: owner, in: address.container, address.environment)
        let callerName =
            caller == .anonymous
            ? "" : recordName(of: caller, in: address.container, address.environment)
        return Session(
            database: database, caller: caller, callerName: callerName, ownerName: ownerName,
            now: clock.now)
    }

    /// The record name that a caller writes under in a container, and that stands for the owner of
    /// zones named without one; nobody's is that of public databases.
    package func recordName(
        of caller: Caller, in container: Container.ID, _ environment: Container.Environment
    ) -> String {
        switch caller {
        case .user(let name, _): userRecordName(of: name, in: container, environment)
        case .serverKey(let id): userRecordName(of: "key " + id, in: container, environment)
        case .anonymous: userRecordName(of: "", in: container, environment)
        }
    }

    private func requireContainer(_ container: Container.ID) throws(CloudError) {
        guard options.autoCreateContainers || knownContainers[container] != nil else {
            throw CloudError(.authenticationFailed, reason: "unknown container")
        }
    }

    /// - Returns: The account, empty where there is none.
    private func admit(
        _ caller: Caller, to command: CloudCommand, at address: Database.Address
    ) throws(CloudError) -> String {
        switch caller {
        case .user(let name, let device):
            guard hasAccount(name) else {
                throw CloudError(.authenticationFailed, reason: "unknown user")
            }
            if !signOuts.isEmpty, !isSignedIn(name, device: device) {
                throw CloudError(.authenticationRequired, reason: "the user has signed out")
            }
            if !restrictions.isEmpty, !command.isOpenToRestricted,
                restrictions.contains(Self.restrictionKey(address, name))
            {
                throw CloudError(.accessDenied, reason: "access is restricted by the user")
            }
            return name
        case .serverKey:
            guard address.scope == .public else {
                throw CloudError(
                    .authenticationFailed,
                    reason: "a server-to-server key reaches the public database only")
            }
            return ""
        case .anonymous:
            guard address.scope == .public, command.isOpenToAnybody else {
                throw CloudError(.authenticationRequired, reason: "sign in first")
            }
            return ""
        }
    }

    static func restrictionKey(_ address: Database.Address, _ user: String) -> DatabaseKey {
        DatabaseKey(
            address: Database.Address(
                container: address.container, environment: address.environment, scope: .private),
            user: user)
    }

    /// Who the caller is.
    func identity(_ session: Session) -> UserIdentity {
        guard case .user(let name, _) = session.caller, let account = accounts[name] else {
            return UserIdentity(userRecordName: session.callerName)
        }
        return UserIdentity(
            userRecordName: session.callerName, givenName: account.user.givenName,
            familyName: account.user.familyName)
    }

    /// Closes or opens the container to the caller's own requests.
    func setRestricted(_ isRestricted: Bool, _ session: Session) throws(CloudError) -> CloudReply {
        guard case .user(let name, _) = session.caller else {
            throw CloudError(.accessDenied, reason: "only a user can restrict access")
        }
        try beginWriting(session.database)
        try restrict(isRestricted, Self.restrictionKey(session.address, name))
        return .done
    }

    /// Notes whether a user's requests reach a container.
    func restrict(_ isRestricted: Bool, _ key: DatabaseKey) throws(CloudError) {
        try accountTables.set(isRestricted, key)
        if isRestricted { restrictions.insert(key) } else { restrictions.remove(key) }
    }
}

extension CloudCommand {
    /// Whether a user who has restricted access may still send it.
    fileprivate var isOpenToRestricted: Bool {
        switch self {
        case .write(.restrict), .write(.unrestrict), .read(.currentUser), .read(.caller): true
        default: false
        }
    }

    /// Whether it can be sent with an API token alone.
    fileprivate var isOpenToAnybody: Bool {
        switch self {
        case .read(.listZones), .read(.lookUpZones), .read(.queryRecords), .read(.lookUpRecords):
            true
        default: false
        }
    }
}

/// Who a request comes from, after authentication.
package enum Caller: Sendable, Hashable {
    /// A signed-in user, by account name, on one of his devices; nil: no device of its own, as
    /// in a browser.
    case user(String, device: String? = nil)
    /// A server-to-server key, by its ID; acts as a user record of its own, in public databases.
    case serverKey(String)
    /// An API token alone: what the world may read in public databases.
    case anonymous

    /// The device, where one is named.
    package var device: String? { if case .user(_, let device) = self { device } else { nil } }
}
