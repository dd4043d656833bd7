import CloudModel
import SQLite

/// Record types that were ever known of a container. They outlive runs: the records of a type
/// stay when the subscription that told of it is gone.
struct TypeTable {
    let connection: Connection
    let container: Container.ID
    let environment: Container.Environment

    /// - Throws: `tooMany` beyond ``JournalChange/typesMax``.
    func insert(_ types: [String]) throws(JournalError) {
        for type in types {
            try connection.change(
                "INSERT OR IGNORE INTO types(container, environment, type) VALUES (?, ?, ?)",
                .text(container.rawValue), .text(environment.rawValue), .text(type))
        }
        guard try all().count <= JournalChange.typesMax else {
            throw JournalError(
                .tooMany,
                "\(container) would have more than \(JournalChange.typesMax) record types")
        }
    }

    /// Every type, sorted by its bytes.
    func all() throws(JournalError) -> [String] {
        try connection.list(
            "types",
            "SELECT type FROM types WHERE container = ? AND environment = ? ORDER BY type LIMIT ?",
            .text(container.rawValue), .text(environment.rawValue),
            .int(JournalChange.typesMax + 1)
        ) { row throws(JournalError) in try row.text() }
    }
}
