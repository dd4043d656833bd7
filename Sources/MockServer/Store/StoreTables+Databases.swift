import CloudModel
import SQLite

/// Whose database, and which.
struct DatabaseKey: Hashable {
    let address: Database.Address
    /// The account; empty for a public database.
    let user: String
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
    var isDirty = false
    /// Of account, container, environment and scope.
    let digest: UInt64
    /// Zones that lists still show, and how many times more.
    var ghosts: [String: Int] = [:]
    /// How many pages are still to be delivered twice.
    var repeats = 0
    /// How many empty pages are still to come.
    var empties = 0
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

    func nextTag() -> Int64 {
        tag += 1
        isDirty = true
        return tag
    }

    func nextSeq() -> Int64 {
        seq += 1
        isDirty = true
        return seq
    }
}

extension StoreTables {
    /// Reads a database's row; a database nobody has written to has none.
    func database(_ key: DatabaseKey) throws(CloudError) -> DatabaseState {
        try guarded { () throws(SQLiteError) in
            let statement = try connection.prepare(
                """
                SELECT id, seq, floor, tag FROM databases
                WHERE container = ? AND environment = ? AND scope = ? AND user = ?
                """)
            bind(key, statement)
            defer { statement.reset() }
            guard try statement.step() else {
                return DatabaseState(key, id: 0, seq: 0, floor: 0, tag: 0)
            }
            return DatabaseState(
                key, id: statement.int64(at: 0), seq: statement.int64(at: 1),
                floor: statement.int64(at: 2), tag: statement.int64(at: 3))
        }
    }

    /// Gives a database its row, before the first write to it.
    func materialize(_ database: DatabaseState) throws(CloudError) {
        guard database.id == 0 else { return }
        database.id = try guarded { () throws(SQLiteError) in
            let statement = try connection.prepare(
                """
                INSERT INTO databases (container, environment, scope, user, seq, floor, tag)
                VALUES (?, ?, ?, ?, 0, 0, 0)
                """)
            bind(database.key, statement)
            try statement.run()
            return connection.lastInsertRowID
        }
    }

    private func bind(_ key: DatabaseKey, _ statement: Statement) {
        statement.bind(1, key.address.container.rawValue)
        statement.bind(2, key.address.environment.rawValue)
        statement.bind(3, key.address.scope.rawValue)
        statement.bind(4, key.user)
    }

    /// Writes a database's counters.
    func save(_ database: DatabaseState) throws(CloudError) {
        try guarded { () throws(SQLiteError) in
            let statement = try connection.prepare(
                "UPDATE databases SET seq = ?, floor = ?, tag = ? WHERE id = ?")
            statement.bind(1, database.seq)
            statement.bind(2, database.floor)
            statement.bind(3, database.tag)
            statement.bind(4, database.id)
            try statement.run()
        }
    }

    /// Every database that has been written to.
    func databaseKeys() throws(CloudError) -> [DatabaseKey] {
        let rows = try guarded { () throws(SQLiteError) in
            try connection.rows(
                """
                SELECT container, environment, scope, user FROM databases
                ORDER BY container, environment, scope, user
                """)
        }
        return rows.compactMap { row in
            guard let container = Container.ID(row[0].string ?? ""),
                let environment = Container.Environment(rawValue: row[1].string ?? ""),
                let scope = Database.Scope(rawValue: row[2].string ?? ""),
                let user = row[3].string
            else { return nil }
            let address = Database.Address(
                container: container, environment: environment, scope: scope)
            return DatabaseKey(address: address, user: user)
        }
    }

    /// A number kept beside the data.
    func meta(_ key: String) throws(CloudError) -> Int64? {
        try guarded { () throws(SQLiteError) in
            try connection.rows("SELECT value FROM meta WHERE key = ?", .text(key))
                .first?.first?.int64
        }
    }

    func setMeta(_ key: String, _ value: Int64) throws(CloudError) {
        try run("INSERT OR REPLACE INTO meta VALUES (?, ?)", .text(key), .integer(value))
    }

    /// Runs one statement with values.
    func run(_ sql: String, _ values: Value...) throws(CloudError) {
        try run(sql, values: values)
    }

    /// Runs one statement with values.
    func run(_ sql: String, values: [Value]) throws(CloudError) {
        try guarded { () throws(SQLiteError) in
            let statement = try connection.prepare(sql)
            for (index, value) in values.enumerated() { statement.bind(index + 1, value) }
            try statement.run()
        }
    }

    /// The rows of one query.
    func rows(_ sql: String, _ values: Value...) throws(CloudError) -> [[Value]] {
        try guarded { () throws(SQLiteError) in
            let statement = try connection.prepare(sql)
            defer { statement.reset() }
            for (index, value) in values.enumerated() { statement.bind(index + 1, value) }
            var rows: [[Value]] = []
            while try statement.step() {
                rows.append((0..<statement.columnCount).map { statement.value(at: $0) })
            }
            return rows
        }
    }

    /// A count of rows.
    func count(_ sql: String, _ values: Value...) throws(CloudError) -> Int {
        try guarded { () throws(SQLiteError) in
            let statement = try connection.prepare(sql)
            defer { statement.reset() }
            for (index, value) in values.enumerated() { statement.bind(index + 1, value) }
            return try statement.step() ? statement.int(at: 0) : 0
        }
    }
}
