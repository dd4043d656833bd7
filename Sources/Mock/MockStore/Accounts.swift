import Basics
import CloudModel

/// On which devices a user has signed out.
struct SignOut: Hashable {
    /// Whether on all devices but the exceptions, rather than on the exceptions only.
    var isEverywhere = false
    /// Devices for which it is the other way round.
    var exceptions: Set<String> = []

    /// Whether a session of this device has ended.
    func covers(_ device: String) -> Bool { isEverywhere != exceptions.contains(device) }

    /// Whether nobody is signed out any more.
    var isEmpty: Bool { !isEverywhere && exceptions.isEmpty }

    /// Signs one device out or in.
    mutating func set(_ isOut: Bool, on device: String) {
        if isOut == isEverywhere {
            exceptions.remove(device)
        } else {
            exceptions.insert(device)
        }
    }
}

/// The accounts: what they are called in each container, where they have signed out, and which
/// containers they have closed to their apps.
final class Accounts: StorePart {
    /// Record names that are kept, as they take long to make.
    private static let recordNamesMax = 10_000

    private let context: StoreContext
    private var accounts: [String: Account] = [:]
    /// Whose an address or a number is.
    private var handles: [Handle: String] = [:]
    private var signOuts: [String: SignOut] = [:]
    /// By the user's private database.
    private var restrictions: Set<DatabaseKey> = []
    /// By the user, with the container's public database.
    private var recordNames: [DatabaseKey: String] = [:]
    /// Accounts by record name, for the container that was asked for last.
    private var byRecordName: (of: Database.Address, accounts: [String: String])?

    init(_ context: StoreContext) { self.context = context }

    func reload() throws(CloudError) {
        let table = context.tables.accounts
        accounts = [:]
        handles = [:]
        byRecordName = nil
        recordNames = [:]
        for row in try table.all() {
            // Those of older stores have no profile.
            keep(Account(row.name, row.profile ?? profile(of: row.user), created: row.created))
        }
        signOuts = try table.signOuts()
        restrictions = try table.restrictions()
    }

    /// Every account, by name.
    var all: [Account] { accounts.values.sorted { $0.name < $1.name } }

    func find(_ name: String) -> Account? { accounts[name] }

    /// Makes an account, or changes what is said of one that is there.
    func put(_ user: MockUser) throws(CloudError) {
        if let problem = problem(with: user) { throw CloudError(.badRequest, reason: problem) }
        let profile = profile(of: user)
        let account = Account(
            user.name, profile, created: accounts[user.name]?.created ?? context.clock.now)
        try context.tables.beginIfNeeded()
        try context.tables.accounts.put(account)
        keep(account)
    }

    /// Why there can be no such account, in a sentence; nil when there can.
    func problem(with user: MockUser) -> String? {
        let profile = profile(of: user)
        if let problem = user.problem ?? profile.problem { return problem }
        for handle in profile.handles {
            guard let owner = handles[handle], owner != user.name else { continue }
            return "\"\(handle.text)\" belongs to the user \"\(owner)\" already"
        }
        return nil
    }

    private func keep(_ account: Account) {
        if let old = accounts.updateValue(account, forKey: account.name) {
            for handle in old.profile.handles { handles[handle] = nil }
        } else {
            byRecordName = nil
        }
        for handle in account.profile.handles { handles[handle] = account.name }
    }

    /// What is said of a user, what is known already, and what is made from the account's name where
    /// that is nobody else's.
    private func profile(of user: MockUser) -> UserProfile {
        var profile = accounts[user.name]?.profile ?? .standard(for: user.name)
        if accounts[user.name] == nil {
            profile.emailAddresses.removeAll { handles[.emailAddress($0)] != nil }
            profile.phoneNumbers.removeAll { handles[.phoneNumber($0)] != nil }
        }
        profile.apply(user)
        return profile
    }

    /// Whose an address or a number is.
    func find(_ handle: Handle) -> Account? { handles[handle].flatMap { accounts[$0] } }

    // MARK: - Record names

    /// The user record name of an account in a container: the same for the same seed.
    func recordName(
        of user: String, in container: Container.ID, _ environment: Container.Environment
    ) -> String {
        let key = DatabaseKey(
            address: Database.Address(
                container: container, environment: environment, scope: .public), user: user)
        if let known = recordNames[key] { return known }
        let digest = FeedToken.digest([
            "user", user, container.rawValue, environment.rawValue,
        ])
        var generator = SeededGenerator(seed: digest ^ context.seed &* 0x9E37_79B9_7F4A_7C15)
        let name = "_" + generator.hexadecimal(32)
        if recordNames.count >= Self.recordNamesMax { recordNames.removeAll() }
        recordNames[key] = name
        return name
    }

    /// The same of the owner of a database.
    func ownerName(of key: DatabaseKey) -> String {
        recordName(of: key.user, in: key.address.container, key.address.environment)
    }

    /// The account with a user record name in a container.
    func find(recordName name: String, at address: Database.Address) -> Account? {
        let place = address.inScope(.public)
        if byRecordName?.of != place {
            let pairs = accounts.keys.map {
                (recordName(of: $0, in: place.container, place.environment), $0)
            }
            byRecordName = (place, Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
        }
        return byRecordName?.accounts[name].flatMap { accounts[$0] }
    }

    /// Whom somebody means who looks for a user.
    func find(_ info: UserIdentity.LookupInfo, at address: Database.Address) -> Account? {
        switch info {
        case .emailAddress(let text): find(.emailAddress(text))
        case .phoneNumber(let text): find(.phoneNumber(text))
        case .userRecordName(let name): find(recordName: name, at: address)
        }
    }

    /// A user as those see one who share with them.
    func identity(
        of user: String, at address: Database.Address, foundBy info: UserIdentity.LookupInfo? = nil
    ) -> UserIdentity {
        UserIdentity(
            userRecordName: recordName(of: user, in: address.container, address.environment),
            nameComponents: find(user)?.profile.names, lookupInfo: info)
    }

    // MARK: - Sign-outs

    /// Whether requests of a user from a device are taken; nil: from no device of its own.
    func isSignedIn(_ user: String, device: String?) -> Bool {
        guard let signOut = signOuts[user] else { return true }
        return !signOut.covers(device ?? "")
    }

    /// Signs a user out or in, on one device or on all.
    func setSignedOut(_ isOut: Bool, _ user: String, _ device: String?) throws(CloudError) {
        guard accounts[user] != nil else {
            throw CloudError(.badRequest, reason: "there is no user \"\(user)\"")
        }
        if let device, !MockUser.isValid(name: device) {
            throw CloudError(.badRequest, reason: "\"\(device)\" cannot be a device's name")
        }
        var signOut = signOuts[user] ?? SignOut()
        if let device {
            signOut.set(isOut, on: device)
        } else {
            signOut = SignOut(isEverywhere: isOut)
        }
        try context.tables.beginIfNeeded()
        try context.tables.accounts.put(signOut, of: user)
        signOuts[user] = signOut.isEmpty ? nil : signOut
    }

    /// Signs a user in who has no device, as in a browser.
    func signInBrowser(of user: String) throws(CloudError) {
        var signOut = signOuts[user] ?? SignOut()
        signOut.set(false, on: "")
        try context.tables.beginIfNeeded()
        try context.tables.accounts.put(signOut, of: user)
        signOuts[user] = signOut.isEmpty ? nil : signOut
    }

    // MARK: - Restrictions

    /// Whether a user has closed the container of a database to their apps.
    func isRestricted(_ user: String, at address: Database.Address) -> Bool {
        !restrictions.isEmpty && restrictions.contains(Self.privateDatabase(of: user, address))
    }

    /// Closes the container of a database to a user's apps, or opens it.
    func setRestricted(
        _ isRestricted: Bool, _ user: String, at address: Database.Address
    ) throws(CloudError) {
        try set(isRestricted, Self.privateDatabase(of: user, address))
    }

    /// Opens the containers that a scope covers.
    func liftRestrictions(_ scope: ResetScope) throws(CloudError) {
        for key in restrictions where scope.covers(key) { try set(false, key) }
    }

    private func set(_ isRestricted: Bool, _ key: DatabaseKey) throws(CloudError) {
        try context.tables.beginIfNeeded()
        try context.tables.accounts.set(isRestricted, key)
        if isRestricted { restrictions.insert(key) } else { restrictions.remove(key) }
    }

    private static func privateDatabase(
        of user: String, _ address: Database.Address
    ) -> DatabaseKey {
        DatabaseKey(address: address.inScope(.private), user: user)
    }
}
