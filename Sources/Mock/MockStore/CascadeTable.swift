import CloudModel
import SQLite

/// The rows of records in default zones that wait to be deleted because their target was.
struct CascadeTable {
    /// Deleted in one step.
    static let stepRows = 500

    struct Cascade {
        let id: Int64
        let name: String
        let zone: Int64
    }

    let tables: StoreTables

    func isAny(in db: Int64) throws(CloudError) -> Bool {
        try tables.number("SELECT 1 FROM cascades WHERE db = ? LIMIT 1", db) != nil
    }

    func add(_ name: String, in zone: Int64, _ db: Int64) throws(CloudError) {
        try tables.run("INSERT INTO cascades (db, zone, name) VALUES (?, ?, ?)", db, zone, name)
    }

    /// How many wait in all databases.
    func count() throws(CloudError) -> Int {
        Int(try tables.number("SELECT count(*) FROM cascades") ?? 0)
    }

    /// The next cascades of a database, oldest first.
    func next(in db: Int64, limit: Int = stepRows) throws(CloudError) -> [Cascade] {
        try tables.rows(
            "SELECT id, name, zone FROM cascades WHERE db = ? ORDER BY id LIMIT ?", db,
            min(limit, Self.stepRows)
        ) { Cascade(id: $0.int64(at: 0), name: $0.text(at: 1), zone: $0.int64(at: 2)) }
    }

    func delete(_ cascade: Cascade) throws(CloudError) {
        try tables.run("DELETE FROM cascades WHERE id = ?", cascade.id)
    }

    func deleteAll(in db: Int64) throws(CloudError) {
        try tables.run("DELETE FROM cascades WHERE db = ?", db)
    }
}
