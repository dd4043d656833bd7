import CloudModel

/// Who has been given which of the roles that containers' schemas create. The service's own, such as
/// `_icloud`, are nobody's to give.
final class Roles: StorePart {
    private let context: StoreContext
    /// By the user, with the container's public database.
    private var roles: [DatabaseKey: Set<String>] = [:]

    init(_ context: StoreContext) { self.context = context }

    func reload() throws(CloudError) { roles = try context.tables.roles.all() }

    /// The roles of a user in the container and environment of a database.
    func roles(of user: String, at address: Database.Address) -> Set<String> {
        roles.isEmpty ? [] : roles[Self.key(user, address)] ?? []
    }

    /// Gives a user a role, or takes it back; says whether that changed anything.
    func set(
        _ role: String, _ isGiven: Bool, to user: String, at address: Database.Address
    ) throws(CloudError) -> Bool {
        let key = Self.key(user, address)
        guard roles[key, default: []].contains(role) != isGiven else { return false }
        try context.tables.beginIfNeeded()
        try context.tables.roles.set(role, isGiven, key)
        if isGiven {
            roles[key, default: []].insert(role)
        } else {
            roles[key]?.remove(role)
        }
        return true
    }

    private static func key(_ user: String, _ address: Database.Address) -> DatabaseKey {
        DatabaseKey(address: address.inScope(.public), user: user)
    }
}
