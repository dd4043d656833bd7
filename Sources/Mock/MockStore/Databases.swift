package import CloudModel

/// Whose database, and which.
package struct DatabaseKey: Hashable {
    package let address: Database.Address
    /// The account; empty for a public database.
    package let user: String

    package init(address: Database.Address, user: String) {
        self.address = address
        self.user = user
    }
}

/// A database's row, kept in memory while it is in use.
final class DatabaseState {
    let key: DatabaseKey
    /// 0 until something has been written.
    var id: Int64
    /// The newest place in the database's feed.
    var seq: Int64
    /// The oldest place whose token is still served.
    var floor: Int64
    /// The last change tag given; never goes back.
    var tag: Int64
    fileprivate var isDirty = false
    /// Of account, container, environment and scope.
    let digest: UInt64
    /// Whether referrers in the default zone wait to be deleted.
    var hasCascades = false
    /// Whether there can be subscriptions.
    var mayHaveSubscriptions = true

    init(_ key: DatabaseKey, id: Int64, seq: Int64, floor: Int64, tag: Int64) {
        self.key = key
        self.id = id
        self.seq = seq
        self.floor = floor
        self.tag = tag
        let address = key.address
        digest = FeedToken.digest([
            key.user, address.container.rawValue, address.environment.rawValue,
            address.scope.rawValue,
        ])
    }

    /// Gives a tag; the database must have been given to ``Databases/beginWriting(_:)``.
    func nextTag() -> Int64 {
        tag += 1
        return tag
    }

    /// Gives a place in the feed; the database must have been given to ``Databases/beginWriting(_:)``.
    func nextSeq() -> Int64 {
        seq += 1
        return seq
    }
}

/// The databases in use, and the counters of all, which are written once a turn.
final class Databases: StorePart {
    private let context: StoreContext
    private var states: [DatabaseKey: DatabaseState] = [:]
    /// Those whose counters are not in the tables yet.
    private var dirty: [DatabaseState] = []
    /// The highest number that a zone or a share has.
    private(set) var lastIncarnation: Int64 = 0
    private var savedIncarnation: Int64 = 0

    init(_ context: StoreContext) { self.context = context }

    /// The database of an account, empty for nobody's; read once.
    func state(_ key: DatabaseKey) throws(CloudError) -> DatabaseState {
        if let known = states[key] { return known }
        let found = try context.tables.databases.find(key)
        if found.id != 0 {
            found.hasCascades = try context.tables.cascades.isAny(in: found.id)
        }
        states[key] = found
        return found
    }

    /// The databases that have been written to and that a scope covers.
    func all(_ scope: ResetScope) throws(CloudError) -> [DatabaseState] {
        var found: [DatabaseState] = []
        for key in try context.tables.databases.keys() where scope.covers(key) {
            found.append(try state(key))
        }
        return found
    }

    /// Opens a transaction, and has the database's counters written when it ends.
    func beginWriting(_ database: DatabaseState) throws(CloudError) {
        try context.tables.beginIfNeeded()
        if database.id == 0 { try context.tables.databases.insert(database) }
        guard !database.isDirty else { return }
        database.isDirty = true
        dirty.append(database)
    }

    /// What was written since a savepoint is undone: rows of databases among it.
    func savepointWasUndone() throws(CloudError) {
        for database in dirty {
            database.mayHaveSubscriptions = true
            if try context.tables.databases.find(database.key).id == 0 { database.id = 0 }
        }
    }

    /// A number no zone and no share has had.
    func nextIncarnation() -> Int64 {
        lastIncarnation += 1
        return lastIncarnation
    }

    /// Writes the counters that are only in memory so far into the open transaction. Without one
    /// nothing has used them, but numbers that an undone turn had given out.
    func saveCounters() throws(CloudError) {
        guard context.tables.connection.isInTransaction else { return }
        for database in dirty { try context.tables.databases.save(database) }
        if lastIncarnation != savedIncarnation {
            try context.tables.setMeta("incarnation", lastIncarnation)
        }
    }

    func didCommit() {
        savedIncarnation = lastIncarnation
        for database in dirty { database.isDirty = false }
        dirty.removeAll(keepingCapacity: true)
    }

    /// Numbers that were given out stay taken.
    func reload() throws(CloudError) {
        states.removeAll()
        dirty.removeAll()
        savedIncarnation = try context.tables.meta("incarnation") ?? 0
        lastIncarnation = max(lastIncarnation, savedIncarnation)
    }
}
