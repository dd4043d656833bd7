import SQLite

/// One column of the journal changed in all its rows.
struct StateForgery: Sendable, Hashable {
    let table: String
    let column: String
    let kind: String

    /// All columns of a journal that hold something.
    static func all(in folder: String) throws -> [StateForgery] {
        let connection = try Connection(.file(folder + "/journal.sqlite"))
        let columns = try connection.rows(
            """
            SELECT m.name, c.name, c.type FROM sqlite_schema m, pragma_table_info(m.name) c
            WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY 1, c.cid
            """)
        return try columns.compactMap { column in
            guard let table = column[0].string, let name = column[1].string,
                let kind = column[2].string
            else { return nil }
            let filled = try connection.rows(
                "SELECT 1 FROM \(table) WHERE \(name) IS NOT NULL LIMIT 1")
            return filled.isEmpty ? nil : StateForgery(table: table, column: name, kind: kind)
        }
    }

    func forge(_ folder: String) throws {
        let connection = try Connection(.file(folder + "/journal.sqlite"))
        try connection.execute("PRAGMA ignore_check_constraints = ON")
        try connection.execute(
            "UPDATE OR IGNORE \(table) SET \(column) = \(other) WHERE \(column) IS NOT NULL")
    }

    /// The next number, or the same text or bytes with another end.
    private var other: String {
        let text =
            "substr(\(column), 1, length(\(column)) - 1)"
            + " || CASE WHEN hex(substr(\(column), -1)) = '30' THEN '1' ELSE '0' END"
        return switch kind {
        case "INTEGER": "\(column) + 1"
        case "BLOB": "CAST(\(text) AS BLOB)"
        default: text
        }
    }
}
