package import CloudModel

extension MockStore {
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
        let created = accounts[user.name]?.created ?? clock.now
        try stored { () throws(CloudError) in
            try tables.beginIfNeeded()
            try tables.run(
                "INSERT OR REPLACE INTO users VALUES (?, ?, ?, ?)", .text(user.name),
                user.givenName.map { .text($0) } ?? .null,
                user.familyName.map { .text($0) } ?? .null, .integer(created.milliseconds))
        }
        accounts[user.name] = Account(user: user, created: created)
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
            try tables.run(
                "INSERT OR REPLACE INTO containers VALUES (?, ?)", .text(container.rawValue),
                schema.map { .text($0.text) } ?? .null)
        }
        knownContainers[container] = .some(schema)
        knownTypes.removeAll()
    }

    /// Reads what is kept in memory beside the tables.
    func loadCaches() throws(MockStoreError) {
        try translating { () throws(CloudError) in
            for row in try tables.rows("SELECT name, given, family, created FROM users") {
                let user = MockUser(
                    row[0].string ?? "", givenName: row[1].string, familyName: row[2].string)
                let created = Timestamp(milliseconds: row[3].int64 ?? 0)
                accounts[user.name] = Account(user: user, created: created)
            }
            for row in try tables.rows("SELECT name, schema FROM containers") {
                guard let container = Container.ID(row[0].string ?? "") else { continue }
                let schema = row[1].string.map { text in try? Schema(parsing: text) } ?? nil
                knownContainers[container] = .some(schema)
            }
            for row in try tables.rows("SELECT container, environment, user FROM restrictions") {
                guard let container = Container.ID(row[0].string ?? ""),
                    let environment = Container.Environment(rawValue: row[1].string ?? "")
                else { continue }
                let address = Database.Address(
                    container: container, environment: environment, scope: .private)
                restrictions.insert(Self.restrictionKey(address, row[2].string ?? ""))
            }
            try loadSignOuts()
            try loadShares()
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
