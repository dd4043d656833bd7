import CloudModel
import SQLite

/// The rows of records in default zones that wait to be deleted because their target was.
struct CascadeTable {
    /// Deleted in one step.
    private static let stepRows = 500

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

    /// The next cascades of a database, oldest first.
    func next(in db: Int64) throws(CloudError) -> [Cascade] {
        try tables.rows(
            "SELECT id, name, zone FROM cascades WHERE db = ? ORDER BY id LIMIT \(Self.stepRows)",
            db
        ) { Cascade(id: $0.int64(at: 0), name: $0.text(at: 1), zone: $0.int64(at: 2)) }
    }

    func delete(_ cascade: Cascade) throws(CloudError) {
        try tables.run("DELETE FROM cascades WHERE id = ?", cascade.id)
    }

    func deleteAll(in db: Int64) throws(CloudError) {
        try tables.run("DELETE FROM cascades WHERE db = ?", db)
    }
}
