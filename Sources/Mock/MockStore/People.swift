import CloudModel

/// Tells users who they are, and of others as far as those let themselves be found.
struct People {
    let context: StoreContext
    let accounts: Accounts

    /// Users in an answer that lists all whom the caller knows.
    private static let contactsMax = 200

    /// Who the caller is.
    func caller(_ session: Session) -> UserIdentity {
        guard case .user(let name, _) = session.caller, let account = accounts.find(name) else {
            return UserIdentity(userRecordName: session.callerName)
        }
        let profile = account.profile
        return UserIdentity(
            userRecordName: session.callerName,
            nameComponents: profile.isDiscoverable ? profile.names : nil)
    }

    /// The caller as a user dictionary, which has two names only.
    func current(_ session: Session) -> UserIdentity { Self.dictionary(caller(session), nil) }

    /// Those of whom was asked for who let themselves be found; nil: everybody the caller knows.
    func discover(
        _ infos: [UserIdentity.LookupInfo]?, _ session: Session
    ) throws(CloudError) -> [UserIdentity.Item] {
        guard let infos else { return try contacts(session) }
        try admit(session)
        try context.requireCount(infos.count)
        return infos.compactMap { info in
            find(info, session).map { .user(identity(of: $0, info, session)) }
        }
    }

    /// One user for each that was asked for, as user dictionaries.
    func lookUp(
        _ infos: [UserIdentity.LookupInfo], _ session: Session
    ) throws(CloudError) -> [UserIdentity.Item] {
        try admit(session)
        try context.requireCount(infos.count)
        return infos.map { info in
            guard let account = find(info, session) else {
                return .failure(info, CloudError(.notFound, reason: "user not found"))
            }
            return .user(Self.dictionary(identity(of: account, nil, session), info))
        }
    }

    /// Everybody the caller knows: here all users know one another.
    func contacts(_ session: Session) throws(CloudError) -> [UserIdentity.Item] {
        try admit(session)
        return accounts.all.lazy.filter { account in
            account.profile.isDiscoverable && !isCaller(account, session)
        }.prefix(Self.contactsMax).map { account in
            let address = account.profile.emailAddresses.first
            return .user(
                identity(of: account, address.map { .emailAddress($0) }, session))
        }
    }

    private func admit(_ session: Session) throws(CloudError) {
        guard case .user = session.caller else {
            throw CloudError(.authenticationFailed, reason: "only a user can look for others")
        }
        guard session.isPublic else {
            throw CloudError(
                .badRequest,
                reason:
                    "this endpoint is not applicable in the \(session.address.scope.rawValue) database"
            )
        }
    }

    private func find(_ info: UserIdentity.LookupInfo, _ session: Session) -> Account? {
        guard let account = accounts.find(info, at: session.address),
            account.profile.isDiscoverable || isCaller(account, session)
        else {
            return nil
        }
        return account
    }

    private func isCaller(_ account: Account, _ session: Session) -> Bool {
        if case .user(account.name, _) = session.caller { true } else { false }
    }

    /// A user as others see one.
    func identity(
        of account: Account, _ info: UserIdentity.LookupInfo?, _ session: Session
    ) -> UserIdentity {
        accounts.identity(of: account.name, at: session.address, foundBy: info)
    }

    /// No more than a user dictionary has.
    private static func dictionary(
        _ user: UserIdentity, _ info: UserIdentity.LookupInfo?
    ) -> UserIdentity {
        var short = UserIdentity(
            userRecordName: user.userRecordName, givenName: user.givenName,
            familyName: user.familyName)
        if case .emailAddress? = info { short.lookupInfo = info }
        return short
    }
}
