package import CloudModel

extension MockStore {
    var accountTables: AccountTables { AccountTables(tables: tables) }

    /// Every account, by name.
    package var users: [MockUser] {
        accounts.values.map(\.user).sorted { $0.name < $1.name }
    }

    /// Whether there is an account of a name.
    package func hasAccount(_ name: String) -> Bool { accounts[name] != nil }

    /// Every container, by identifier.
    package var containers: [Container.ID] { knownContainers.keys.sorted() }

    /// Makes an account, or changes the names of one that is there.
    package func addUser(_ user: MockUser) throws(MockStoreError) {
        guard MockUser.isValid(name: user.name) else {
            throw MockStoreError(.failed, "\"\(user.name)\" cannot be an account's name")
        }
        let account = Account(user: user, created: accounts[user.name]?.created ?? clock.now)
        try stored { () throws(CloudError) in
            try tables.beginIfNeeded()
            try accountTables.put(account)
        }
        accounts[user.name] = account
    }

    /// Makes a container, where they are not made by being asked for.
    package func addContainer(_ container: Container.ID) throws(MockStoreError) {
        guard knownContainers[container] == nil else { return }
        try setSchema(nil, of: container)
    }

    /// The schema of a container.
    package func schema(of container: Container.ID) -> Schema? {
        knownContainers[container] ?? nil
    }

    /// Gives a container a schema, in both environments; nil takes it away.
    package func setSchema(
        _ schema: Schema?, of container: Container.ID
    ) throws(MockStoreError) {
        try stored { () throws(CloudError) in
            try tables.beginIfNeeded()
            try accountTables.put(schema, of: container)
        }
        knownContainers[container] = .some(schema)
        knownTypes.removeAll()
    }

    /// Reads what is kept in memory beside the tables.
    func loadCaches() throws(MockStoreError) {
        try translating { () throws(CloudError) in
            accounts = try accountTables.accounts()
            knownContainers = try accountTables.containers()
            restrictions = try accountTables.restrictions()
            signOuts = try accountTables.signOuts()
            shares = try shareTable.all()
            savedIncarnation = try tables.meta("incarnation") ?? 0
            lastIncarnation = savedIncarnation
            epoch = UInt32(truncatingIfNeeded: try tables.meta("epoch") ?? 0)
        }
    }

    /// Runs what is no command: its failure is the store's.
    func stored<Result>(
        _ body: () throws(CloudError) -> Result
    ) throws(MockStoreError) -> Result {
        guard restoring == nil else { throw .restoring }
        return try translating(body)
    }

    /// Runs `body`, turning a command's failure into the store's.
    func translating<Result>(
        _ body: () throws(CloudError) -> Result
    ) throws(MockStoreError) -> Result {
        do throws(CloudError) {
            return try body()
        } catch {
            throw tables.failure.map { StoreTables.storeError($0) }
                ?? MockStoreError(.failed, error.reason)
        }
    }
}
