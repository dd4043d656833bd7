package import CloudModel

/// What is done to the store outside of requests. All of it is part of the open turn, and fails as long
/// as a snapshot is being restored.
extension MockStore {
    // MARK: - Users and containers

    /// Every account, by name.
    package var users: [Account] { accounts.all }

    /// Whether there is an account of a name.
    package func hasAccount(_ name: String) -> Bool { accounts.find(name) != nil }

    /// Makes an account, or changes what is said of one that is there.
    package func addUser(_ user: MockUser) throws(MockStoreError) {
        if let problem = accounts.problem(with: user) { throw MockStoreError(.refused, problem) }
        try stored { () throws(CloudError) in try accounts.put(user) }
    }

    /// The record name that a caller writes under in a container, and that stands for the owner of
    /// zones named without one; nobody's is that of public databases.
    package func recordName(
        of caller: Caller, in container: Container.ID, _ environment: Container.Environment
    ) -> String {
        sessions.recordName(
            of: caller,
            at: Database.Address(container: container, environment: environment, scope: .public))
    }

    /// Makes a container, where they are not made by being asked for.
    package func addContainer(_ container: Container.ID) throws(MockStoreError) {
        try stored { () throws(CloudError) in try containers.add(container) }
    }

    /// Refuses a container that nobody named, where those are refused.
    package func require(_ container: Container.ID) throws(CloudError) {
        try containers.require(container)
    }

    /// Every container that was named, in order.
    package var knownContainers: [Container.ID] { containers.known }

    /// The schema of a container.
    package func schema(of container: Container.ID) -> Schema? {
        containers.schema(of: container)
    }

    /// All that is known of a container's record types in one environment, as a schema.
    package func knownSchema(
        of container: Container.ID, _ environment: Container.Environment
    ) throws(MockStoreError) -> Schema {
        try context.tables.translating { () throws(CloudError) in
            try containers.types(container, environment).exported
        }
    }

    /// The containers with a schema, and the containers and environments that records were saved in,
    /// in order.
    package func schemaPlaces() throws(MockStoreError) -> [SchemaPlace] {
        try context.tables.translating { () throws(CloudError) in
            try containers.schemaPlaces()
        }
    }

    /// Gives a container a schema, in both environments; nil takes it away.
    package func setSchema(
        _ schema: Schema?, of container: Container.ID
    ) throws(MockStoreError) {
        try stored { () throws(CloudError) in try containers.setSchema(schema, of: container) }
    }

    /// Whether requests of a user from a device are taken; nil: from no device of its own.
    package func isSignedIn(_ user: String, device: String? = nil) -> Bool {
        accounts.isSignedIn(user, device: device)
    }

    /// Ends a sign-out of a user who signs in anew in a browser, which is no device, and has them accept the
    /// terms of the service.
    package func signInBrowser(of user: String) throws(MockStoreError) {
        guard signInProblem(of: user, device: nil) != nil else { return }
        try stored { () throws(CloudError) in
            try accounts.signInBrowser(of: user)
            _ = try terms.set(false, user)
        }
    }

    // MARK: - Web tokens of one use

    /// Whether a token was used.
    package func isSpent(_ token: WebTokenID) -> Bool { spentTokens.contains(token) }

    /// Uses a token, unless the turn is not stored.
    package func spend(_ token: WebTokenID) throws(CloudError) {
        try spentTokens.insert(token)
    }

    /// Makes used tokens of somebody's choice good again.
    package func reuseTokens(where isOver: (String) -> Bool) throws(MockStoreError) {
        try stored { () throws(CloudError) in try spentTokens.remove(isOver) }
    }

    // MARK: - Seeds

    private static let appliedSeed = "applied_seed"

    /// The digest of the seed that was applied when the store was first started with one; nil: none was.
    package func appliedSeed() throws(MockStoreError) -> String? {
        try context.tables.translating { () throws(CloudError) in
            try context.tables.metaText(Self.appliedSeed)
        }
    }

    /// Remembers that a seed was applied as a whole.
    package func noteAppliedSeed(_ digest: String) throws(MockStoreError) {
        try stored { () throws(CloudError) in
            try context.tables.beginIfNeeded()
            try context.tables.setMeta(Self.appliedSeed, digest)
        }
    }

    // MARK: - Zones and records

    /// The names of the custom zones of all databases in a scope, sorted, each once.
    package func liveZoneNames(in scope: ResetScope) throws(MockStoreError) -> [String] {
        try context.tables.translating { () throws(CloudError) in
            var names: Set<String> = []
            for key in try context.tables.databases.keys() where scope.covers(key) {
                // Its zones are the owners', and are named only where it is asked for.
                guard key.address.scope != .shared || scope.scope == .shared else { continue }
                let database = try databases.state(key)
                for zone in try context.tables.zones.every(in: database.id) where !zone.isDefault {
                    names.insert(zone.name)
                }
            }
            return names.sorted()
        }
    }

    /// Does at once what waits in the default zones because its target is gone.
    package func finishCascades() throws(MockStoreError) {
        try stored { () throws(CloudError) in try records.finishCascades() }
    }

    /// The records that were deleted from a zone and are not forgotten, in the order of their
    /// deletion.
    package func tombstones(
        in zone: String, at address: Database.Address, user: String
    ) throws(MockStoreError) -> [MockTombstone] {
        try stored { () throws(CloudError) in
            try records.tombstones(in: zone, of: DatabaseKey(address: address, user: user))
        }
    }

    /// Puts many zones and records into a user's database without the cost of commands: no
    /// indexes are asked for, no reference is looked after, and the schema is not enforced.
    ///
    /// - Parameters:
    ///   - zones: Names, `_defaultZone` among them where records are to go there; a zone that
    ///     is there keeps what it holds.
    ///   - user: The owner, or in a public database the creator; made when missing.
    ///   - records: Gives the records of each zone, asked zone by zone.
    /// - Throws: What a zone was refused for, of which nothing is left; the zones before it stay.
    package func seed(
        zones: some Sequence<String>, at address: Database.Address, user: String,
        records: (String) -> [SeedRecord] = { _ in [] }
    ) throws(MockStoreError) {
        try stored { () throws(CloudError) in
            if accounts.find(user) == nil { try accounts.put(MockUser(user)) }
            let owner = address.scope == .public ? "" : user
            let database = try databases.state(DatabaseKey(address: address, user: owner))
            try databases.beginWriting(database)
            let session = sessions.service(database, as: user)
            for name in zones { try self.records.seed(name, records(name), session) }
        }
    }

    /// Empties what fits `scope`, in the open turn; see ``ResetJob``.
    package func reset(_ scope: ResetScope = ResetScope()) throws(MockStoreError) {
        try ResetJob(scope).finish(self)
    }

    // MARK: - Upkeep

    /// Removes some of what deleted zones held, or of the assets that nobody has.
    ///
    /// - Returns: Whether there is more to do.
    package func purgeSome() throws(MockStoreError) -> Bool {
        return try context.tables.translating { () throws(CloudError) in
            if try removal.removeSome() { return true }
            return try collector.collectSome()
        }
    }

    /// Lets the store grow no further than this: writes that need more fail as on a full disk.
    ///
    /// - Parameter pages: Of 4096 bytes; no fewer than are in use.
    package func limitSize(pages: Int) throws(MockStoreError) {
        try stored { () throws(CloudError) in try context.tables.limitSize(pages: pages) }
    }
}

/// A record to be put into a store directly.
package struct SeedRecord: Sendable, Hashable {
    package var recordName: String
    package var recordType: String
    package var fields: [String: FieldValue]
    package var parent: Record.Reference?

    package init(
        _ recordName: String, type recordType: String, fields: [String: FieldValue] = [:],
        parent: Record.Reference? = nil
    ) {
        self.recordName = recordName
        self.recordType = recordType
        self.fields = fields
        self.parent = parent
    }
}
