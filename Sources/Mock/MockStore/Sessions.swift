import CloudModel

/// Opens sessions: finds the database that a command goes to, and refuses whom it is closed to.
struct Sessions {
    let context: StoreContext
    let accounts: Accounts
    let containers: Containers
    let roles: Roles
    let databases: Databases
    let terms: PendingTerms

    /// The session of one command.
    func open(
        _ command: CloudCommand, at address: Database.Address, by caller: Caller,
        _ origin: CommandOrigin
    ) throws(CloudError) -> Session {
        guard context.tables.failure == nil else {
            throw CloudError(.internalError, reason: "the store failed")
        }
        try containers.require(address.container)
        let account = try admit(caller, to: command, at: address)
        let owner = DatabaseKey(address: address, user: address.scope == .public ? "" : account)
        var session = Session(
            database: try databases.state(owner), caller: caller,
            callerName: caller == .anonymous ? "" : recordName(of: caller, at: address),
            ownerName: accounts.ownerName(of: owner), now: context.clock.now,
            permission: Session.Permission(in: address.scope),
            roles: address.scope == .public ? roles.roles(of: account, at: address) : [],
            client: origin.client, baseURL: origin.baseURL)
        session.isReading = !command.isModifying
        session.lag = origin.lag
        return session
    }

    /// The service acting by itself in a database.
    ///
    /// - Parameters:
    ///   - user: The author of what is written; nil: the database's owner.
    ///   - baseURL: What the URLs of assets begin with.
    func service(
        _ database: DatabaseState, as user: String? = nil, baseURL: String = ""
    ) -> Session {
        let user = user ?? database.key.user
        return Session(
            database: database, caller: .user(user),
            callerName: recordName(of: .user(user), at: database.key.address),
            ownerName: accounts.ownerName(of: database.key), now: context.clock.now,
            permission: .service, baseURL: baseURL)
    }

    /// The record name that a caller writes under in a container, and that stands for the owner of
    /// zones named without one; nobody's is that of public databases.
    func recordName(of caller: Caller, at address: Database.Address) -> String {
        let user =
            switch caller {
            case .user(let name, _): name
            case .serverKey(let id): "key " + id
            case .anonymous: ""
            }
        return accounts.recordName(of: user, in: address.container, address.environment)
    }

    /// Why a user has to sign in before requests from a device are taken, in words; nil: they are.
    func signInProblem(of user: String, device: String?) -> String? {
        guard accounts.isSignedIn(user, device: device) else { return "the user has signed out" }
        guard terms.contains(user) else { return nil }
        return "the user has to accept the changed terms of the service"
    }

    /// - Returns: The account, empty where there is none.
    private func admit(
        _ caller: Caller, to command: CloudCommand, at address: Database.Address
    ) throws(CloudError) -> String {
        switch caller {
        case .user(let name, let device):
            guard accounts.find(name) != nil else {
                throw CloudError(
                    .authenticationFailed, reason: "unknown user", rule: "unknown-credential")
            }
            if let problem = signInProblem(of: name, device: device) {
                throw CloudError(.authenticationRequired, reason: problem)
            }
            if !command.isAboutUsers, accounts.isRestricted(name, at: address) {
                throw CloudError(
                    .accessDenied, reason: "access is restricted by the user",
                    rule: "restricted-user")
            }
            return name
        case .serverKey:
            guard !command.isAboutUsers || command.asksWhoCalls else {
                throw CloudError(
                    .authenticationFailed,
                    reason: "a server-to-server key can ask for no user but its own",
                    rule: "server-key")
            }
            guard address.scope == .public else {
                throw CloudError(
                    .authenticationFailed,
                    reason: "a server-to-server key reaches the public database only",
                    rule: "server-key")
            }
            return ""
        case .anonymous:
            guard address.scope == .public, command.isOpenToAnybody else {
                throw CloudError(.authenticationRequired, reason: "sign in first")
            }
            return ""
        }
    }
}

extension CloudCommand {
    /// Whether it is one of `users/…`, which need a user, and are answered to one who has restricted
    /// access too.
    fileprivate var isAboutUsers: Bool { operationPath.hasPrefix("users/") }

    /// Whether it asks for the caller itself.
    fileprivate var asksWhoCalls: Bool { self == .read(.caller) || self == .read(.currentUser) }

    /// Whether it can be sent with an API token alone.
    fileprivate var isOpenToAnybody: Bool {
        switch self {
        case .read(.listZones), .read(.lookUpZones), .read(.queryRecords), .read(.lookUpRecords):
            true
        default: false
        }
    }
}
