import CloudModel
import SQLite

/// The rows of web tokens that were used.
struct SpentTokenTable {
    let tables: StoreTables

    func runs() throws(CloudError) -> [ClosedRange<Int64>] {
        try tables.rows("SELECT first, last FROM spent_runs ORDER BY first") {
            row throws(CloudError) in
            let (first, last) = (row.int64(at: 0), row.int64(at: 1))
            guard first <= last else { throw tables.damaged() }
            return first...last
        }
    }

    /// Writes a run, in place of one that begins with the same number.
    func put(_ run: ClosedRange<Int64>) throws(CloudError) {
        try tables.run(
            "INSERT OR REPLACE INTO spent_runs VALUES (?, ?)", run.lowerBound, run.upperBound)
    }

    func delete(_ run: ClosedRange<Int64>) throws(CloudError) {
        try tables.run("DELETE FROM spent_runs WHERE first = ?", run.lowerBound)
    }

    func chosen() throws(CloudError) -> Set<String> {
        Set(try tables.rows("SELECT token FROM spent_tokens") { $0.text(at: 0) })
    }

    func put(_ token: String) throws(CloudError) {
        try tables.run("INSERT OR IGNORE INTO spent_tokens VALUES (?)", token)
    }

    func delete(_ token: String) throws(CloudError) {
        try tables.run("DELETE FROM spent_tokens WHERE token = ?", token)
    }
}
