import Donations
import SQLite

/// The words of rows, in the search tables beside the tables of rows.
extension StoreCore {
    /// Runs `body`, and adds the texts of all its new rows to the search tables together, in the
    /// order those tables take best.
    func addingTextsTogether<Value>(
        _ body: () throws(DonationError) -> Value
    ) throws(DonationError) -> Value {
        guard textsLater.isEmpty else { return try body() }
        defer { textsLater = [:] }
        for kind in StoreSchema.searchable { textsLater[kind] = try nextRow(kind) }
        let value = try body()
        for (kind, first) in textsLater {
            try addTexts(of: kind, Clause("id >= ?", .integer(first)))
        }
        return value
    }

    /// The number that the next new row will have.
    private func nextRow(_ kind: DonationKind) throws(DonationError) -> Int64 {
        try sqlite { () throws(SQLiteError) in
            let last = try connection.rows(
                "SELECT seq FROM sqlite_sequence WHERE name = ?", .text(kind.table))
            return (last.first?.first?.int64 ?? 0) + 1
        }
    }

    /// Adds rows to the search table.
    func addTexts(of kind: DonationKind, _ clause: Clause) throws(DonationError) {
        _ = try texts(of: kind, clause, command: "", value: "")
    }

    /// Takes rows out of the search table; they must still be as they were put in.
    ///
    /// Their words are in the file until it is cleaned.
    func forgetTexts(of kind: DonationKind, _ clause: Clause) throws(DonationError) {
        let rows = try texts(
            of: kind, clause, command: "\(kind.table)_text, ", value: "'delete', ")
        if rows > 0 { try noteForgotten(rows, of: kind) }
    }

    /// In the order of places: the search table writes a piece to disk each time it is given a
    /// smaller place than before. One statement for each row: one for all of them would keep a
    /// copy of each page of the search table that it changes.
    ///
    /// - Returns: How many rows there were.
    private func texts(
        of kind: DonationKind, _ clause: Clause, command: String, value: String
    ) throws(DonationError) -> Int {
        guard StoreSchema.searchable.contains(kind) else { return 0 }
        let (table, columns) = (kind.table, SearchIndex.columns)
        return try sqlite { () throws(SQLiteError) in
            let rows = try connection.prepare(
                "SELECT id FROM \(table) WHERE \(clause.sql) ORDER BY \(SearchIndex.place)")
            let row = try connection.prepare(
                "SELECT \(SearchIndex.place), \(columns) FROM \(table) WHERE id = ?")
            let entry = try connection.prepare(
                "INSERT INTO \(table)_text(\(command)rowid, \(columns))"
                    + " VALUES (\(value)?, ?, ?, ?, ?)")
            defer { rows.reset() }
            _ = clause.bind(to: rows)
            var count = 0
            while try rows.step() {
                row.bind(1, rows.int64(at: 0))
                guard try row.step() else { continue }
                entry.bind(1, row.int64(at: 0))
                for column in 1...4 { entry.bind(column + 1, row.optionalText(at: column)) }
                row.reset()
                try entry.run()
                count += 1
            }
            return count
        }
    }
}
