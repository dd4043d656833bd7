import OpenSSL
import SQLite

/// Copies the rows of a store into or out of a snapshot file, in slices, and computes a digest of them.
final class RowCopy {
    private struct Table {
        let name: String
        let query: String
        let insertion: String
    }

    /// Tables that a file does not have rows of: data of zones that were deleted, uploads without a record, and the
    /// server's own credentials.
    static let leftOut: Set = [
        "doomed", "uploads", "spent_runs", "spent_tokens", "expired_web_tokens", "sqlite_sequence",
        "asset_parts", "seal",
    ]

    private static let isKept = "NOT IN (SELECT incarnation FROM doomed)"
    /// Which rows of a table are copied; of other tables all are.
    private static let conditions = [
        "meta": "key IN ('seed', 'epoch', 'incarnation')",
        "records": "zone \(isKept)", "names": "zone \(isKept)", "links": "zone \(isKept)",
        "asset_links": "zone \(isKept)", "short_guids": "zone \(isKept)",
        "hierarchy_places": "feed \(isKept)",
        "assets": """
        EXISTS (SELECT 1 FROM asset_links AS l WHERE l.digest = assets.digest AND l.zone \(isKept))
        """,
    ]

    private let source: Connection
    private let destination: Connection
    private var tables: ArraySlice<Table>
    /// The rows of the table that is being copied.
    private var rows: Statement?
    private var insertion: Statement?
    private var hash: SHA256? = SHA256()

    /// - Parameters:
    ///   - file: The connection of both that has the file: its tables are copied.
    ///   - settings: Part of the digest.
    init(
        from source: Connection, to destination: Connection, tablesOf file: Connection,
        settings: String
    ) throws(SQLiteError) {
        self.source = source
        self.destination = destination
        tables = try Self.tables(of: file)[...]
        hash?.update(Array(settings.utf8))
    }

    private static func tables(of file: Connection) throws(SQLiteError) -> [Table] {
        let names = try file.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
        )
        .compactMap { $0[0].string }
        return try names.filter { !leftOut.contains($0) }.map { name throws(SQLiteError) in
            let columns = try file.rows("SELECT name FROM pragma_table_info(?)", .text(name))
                .compactMap { $0[0].string }
            let list = columns.joined(separator: ", ")
            let marks = columns.map { _ in "?" }.joined(separator: ", ")
            return Table(
                name: name,
                query: "SELECT \(list) FROM \(name)"
                    + (conditions[name].map { " WHERE \($0)" } ?? ""),
                insertion: "INSERT INTO \(name) (\(list)) VALUES (\(marks))")
        }
    }

    /// Copies rows for some time.
    ///
    /// - Returns: Whether there are more.
    func copySome(until end: ContinuousClock.Instant) throws(SQLiteError) -> Bool {
        repeat {
            for _ in 0..<50 {
                guard try copyRow() else { return false }
            }
        } while ContinuousClock.now < end
        return true
    }

    /// The SHA-256 of the settings and all rows, once they are copied.
    func digest() -> [UInt8] { hash.take()?.finish() ?? [] }

    private func copyRow() throws(SQLiteError) -> Bool {
        while true {
            guard let rows, let insertion else {
                guard let table = tables.popFirst() else { return false }
                hash?.update(Array(table.name.utf8))
                insertion = try destination.compile(table.insertion)
                rows = try source.compile(table.query)
                continue
            }
            guard try rows.step() else {
                self.rows = nil
                continue
            }
            var coder = RowCoder()
            for column in 0..<rows.columnCount {
                let value = rows.value(at: column)
                insertion.bind(column + 1, value)
                coder.write(value)
            }
            hash?.update(coder.bytes)
            try insertion.run()
            return true
        }
    }
}

extension RowCoder {
    /// A value of SQLite, so that different ones have different bytes.
    fileprivate mutating func write(_ value: Value) {
        switch value {
        case .null: kind(0)
        case .integer(var number):
            kind(1)
            signed(&number)
        case .real(var number):
            kind(2)
            double(&number)
        case .text(var text):
            kind(3)
            string(&text)
        case .blob(var bytes):
            kind(4)
            blob(&bytes)
        }
    }

    private mutating func kind(_ code: UInt8) {
        var code = code
        byte(&code)
    }
}
