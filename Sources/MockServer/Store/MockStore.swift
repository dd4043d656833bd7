package import CloudModel

/// Everything the mock service knows, and all of its rules. Owned by one thread.
///
/// ``apply(_:at:by:)`` works inside an open transaction, which only the ``StoreCommitter`` that opened
/// the store can end, so that one wait for the disk covers all the commands of a turn.
package final class MockStore {
    /// Where a store is kept.
    package enum Location: Sendable, Hashable {
        case memory
        /// In `store.sqlite` in a folder that exists.
        case directory(String)
    }

    /// Switches and limits; may be changed between commands.
    package var options: MockOptions

    let tables: StoreTables
    let clock: WallClock
    /// The seed names were made with; a store that is opened again keeps its own.
    let seed: UInt64
    var generator: SeededGenerator
    // What is in the tables too; forgotten when a commit fails.
    var databases: [DatabaseKey: DatabaseState] = [:]
    var dirtyDatabases: [DatabaseState] = []
    var accounts: [String: Account] = [:]
    var knownContainers: [Container.ID: Schema?] = [:]
    var restrictions: Set<DatabaseKey> = []
    var signOuts: [String: SignOut] = [:]
    /// In memory only, by name; those of a turn whose commit fails are forgotten with it.
    var snapshots: [String: Snapshot] = [:]
    private var committedSnapshots: [String: Snapshot] = [:]
    /// The restore that is under way; until it ends, requests are refused.
    var restoring: RestoreJob?
    /// The change log has nothing older than this generation.
    var forgottenBefore: Int64 = 0
    /// The newest zone whose records were looked at for removal.
    var removedUpTo: Int64 = 0
    /// By the incarnation of the zone that is shared.
    var shares: [Int64: [ZoneShare]] = [:]
    var knownTypes: [DatabaseKey: KnownTypes] = [:]
    var sortIndexes = SortIndexes()
    var lastIncarnation: Int64 = 0
    var savedIncarnation: Int64 = 0
    var epoch: UInt32 = 0

    private var recordNames: [DatabaseKey: String] = [:]

    /// Opens a store, or makes an empty one; see ``StoreCommitter``.
    init(
        location: Location, options: MockOptions, clock: WallClock, seed: UInt64
    ) throws(MockStoreError) {
        self.options = options
        self.clock = clock
        tables = try StoreTables(location)
        do throws(CloudError) {
            if let kept = try tables.meta("seed") {
                self.seed = UInt64(bitPattern: kept)
            } else {
                self.seed = seed
                try tables.setMeta("seed", Int64(bitPattern: seed))
            }
            let starts = (try tables.meta("starts") ?? 0) + 1
            try tables.setMeta("starts", starts)
            // Another start must not give the same identifiers again.
            generator = SeededGenerator(seed: self.seed &+ UInt64(starts) &* 0x9E37_79B9)
        } catch {
            throw tables.failure.map { StoreTables.storeError($0) }
                ?? MockStoreError(.failed, "the store cannot be read")
        }
        try loadCaches()
    }

    /// Carries out one command.
    ///
    /// A failed command leaves no trace; what others did in the same turn stays.
    package func apply(
        _ command: CloudCommand, at address: Database.Address, by caller: Caller
    ) throws(CloudError) -> CloudReply {
        let session = try openSession(command, at: address, by: caller)
        let hadCascades = session.database.hasCascades
        let reply = try answer(command, session)
        if hadCascades { try runCascades(session.database) }
        return reply
    }

    private func answer(
        _ command: CloudCommand, _ session: Session
    ) throws(CloudError) -> CloudReply {
        switch command {
        case .read(let request): try answer(request, session)
        case .write(let request): try answer(request, session)
        }
    }

    private func answer(
        _ request: CloudRead, _ session: Session
    ) throws(CloudError) -> CloudReply {
        switch request {
        case .listZones(let token): .zonePage(try listZones(token, session))
        case .lookUpZones(let zones): .zones(try lookUpZones(zones, session))
        case .zoneListChanges(let token, let limit), .databaseChanges(let token, let limit):
            .zonePage(try databaseChanges(token, limit, session))
        case .zoneChanges(let requests): .zoneChanges(try zoneChanges(requests, session))
        case .queryRecords(let request): .recordPage(try query(request, session))
        case .lookUpRecords(let request): .records(try lookUpRecords(request, session))
        case .listSubscriptions: .subscriptions(try listSubscriptions(session))
        case .lookUpSubscriptions(let names):
            .subscriptions(try lookUpSubscriptions(names, session))
        case .currentUser, .caller: .user(identity(session))
        }
    }

    private func answer(
        _ request: CloudWrite, _ session: Session
    ) throws(CloudError) -> CloudReply {
        switch request {
        case .modifyZones(let operations): .zones(try modifyZones(operations, session))
        case .modifyRecords(let request): .records(try modifyRecords(request, session))
        case .modifySubscriptions(let operations):
            .subscriptions(try modifySubscriptions(operations, session))
        case .restrict: try setRestricted(true, session)
        case .unrestrict: try setRestricted(false, session)
        }
    }

    /// A number no zone has had.
    func nextIncarnation() -> Int64 {
        lastIncarnation += 1
        return lastIncarnation
    }

    /// Opens a transaction, and has the database's counters written when it ends.
    func beginWriting(_ database: DatabaseState) throws(CloudError) {
        try tables.beginIfNeeded()
        try tables.materialize(database)
        if !database.isDirty {
            database.isDirty = true
            dirtyDatabases.append(database)
        }
    }

    /// The database of an account, empty for nobody's; read once.
    func database(_ key: DatabaseKey) throws(CloudError) -> DatabaseState {
        if let known = databases[key] { return known }
        let found = try tables.database(key)
        if found.id != 0 {
            found.hasCascades = try tables.hasCascades(in: found.id)
        }
        databases[key] = found
        return found
    }

    /// The user record name of an account in a container: the same for the same seed.
    package func userRecordName(
        of user: String, in container: Container.ID, _ environment: Container.Environment
    ) -> String {
        let key = DatabaseKey(
            address: Database.Address(
                container: container, environment: environment, scope: .public), user: user)
        if let known = recordNames[key] { return known }
        let digest = FeedToken.digest([
            "user", user, container.rawValue, environment.rawValue,
        ])
        var generator = SeededGenerator(seed: digest ^ seed &* 0x9E37_79B9_7F4A_7C15)
        let name = "_" + generator.hexadecimal(32)
        if recordNames.count > 10_000 { recordNames.removeAll() }
        recordNames[key] = name
        return name
    }

    /// Writes the counters that are only in memory so far into the open transaction.
    func saveCounters() throws(CloudError) {
        for database in dirtyDatabases { try tables.save(database) }
        if lastIncarnation != savedIncarnation {
            try tables.setMeta("incarnation", lastIncarnation)
        }
    }

    /// Takes note that all of the turn is stored.
    func turnWasStored() {
        savedIncarnation = lastIncarnation
        for database in dirtyDatabases { database.isDirty = false }
        dirtyDatabases.removeAll(keepingCapacity: true)
        committedSnapshots = snapshots
    }

    /// Forgets a turn whose transaction was undone.
    func turnWasUndone() throws(MockStoreError) {
        snapshots = committedSnapshots
        forgottenBefore = 0
        try readAnew()
    }

    /// Reads what is in the tables too once more; numbers that were given out stay taken.
    func readAnew() throws(MockStoreError) {
        let reached = lastIncarnation
        dropCaches()
        try loadCaches()
        lastIncarnation = max(lastIncarnation, reached)
    }

    /// Forgets what is in the tables too.
    private func dropCaches() {
        databases.removeAll()
        dirtyDatabases.removeAll()
        knownTypes.removeAll()
        sortIndexes.removeAll()
        accounts.removeAll()
        knownContainers.removeAll()
        restrictions.removeAll()
        signOuts.removeAll()
        shares.removeAll()
    }
}
