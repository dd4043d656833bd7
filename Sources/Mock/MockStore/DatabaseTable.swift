import CloudModel
import SQLite

/// The rows of databases, with their counters.
struct DatabaseTable {
    let tables: StoreTables

    /// Reads a database's row; a database nobody has written to has none.
    func find(_ key: DatabaseKey) throws(CloudError) -> DatabaseState {
        let address = key.address
        return try tables.rows(
            """
            SELECT id, seq, floor, tag FROM databases
            WHERE container = ? AND environment = ? AND scope = ? AND user = ?
            """, address.container.rawValue, address.environment.rawValue, address.scope.rawValue,
            key.user
        ) { row in
            DatabaseState(
                key, id: row.int64(at: 0), seq: row.int64(at: 1), floor: row.int64(at: 2),
                tag: row.int64(at: 3))
        }.first ?? DatabaseState(key, id: 0, seq: 0, floor: 0, tag: 0)
    }

    /// Gives a database its row, before the first write to it.
    func insert(_ database: DatabaseState) throws(CloudError) {
        let address = database.key.address
        try tables.run(
            """
            INSERT INTO databases (container, environment, scope, user, seq, floor, tag)
            VALUES (?, ?, ?, ?, 0, 0, 0)
            """, address.container.rawValue, address.environment.rawValue, address.scope.rawValue,
            database.key.user)
        database.id = tables.connection.lastInsertRowID
    }

    /// The database whose row has a number.
    func key(of id: Int64) throws(CloudError) -> DatabaseKey? {
        try tables.rows(
            "SELECT container, environment, scope, user FROM databases WHERE id = ?", id,
            read: key
        ).first ?? nil
    }

    private func key(_ row: Statement) -> DatabaseKey? {
        guard let container = Container.ID(row.text(at: 0)),
            let environment = Container.Environment(rawValue: row.text(at: 1)),
            let scope = Database.Scope(rawValue: row.text(at: 2))
        else { return nil }
        let address = Database.Address(
            container: container, environment: environment, scope: scope)
        return DatabaseKey(address: address, user: row.text(at: 3))
    }

    /// Writes a database's counters.
    func save(_ database: DatabaseState) throws(CloudError) {
        try tables.run(
            "UPDATE databases SET seq = ?, floor = ?, tag = ? WHERE id = ?", database.seq,
            database.floor, database.tag, database.id)
    }

    /// Every database that has been written to, in the order of their addresses.
    func keys() throws(CloudError) -> [DatabaseKey] {
        try tables.rows(
            """
            SELECT container, environment, scope, user FROM databases
            ORDER BY container, environment, scope, user
            """, read: key
        ).compactMap { $0 }
    }
}
