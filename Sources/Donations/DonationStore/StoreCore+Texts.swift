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
        try number("SELECT seq FROM sqlite_sequence WHERE name = ?", .text(kind.table)) + 1
    }

    /// Adds rows to the search table.
    func addTexts(of kind: DonationKind, _ clause: Clause) throws(DonationError) {
        _ = try texts(of: kind, clause, isForgotten: false)
    }

    /// Takes rows out of the search table; they must still be as they were put in.
    ///
    /// Their words are in the file until it is cleaned.
    func forgetTexts(of kind: DonationKind, _ clause: Clause) throws(DonationError) {
        for (table, rows) in try texts(of: kind, clause, isForgotten: true) {
            try noteForgotten(rows, in: table)
        }
    }

    /// In the order of places: a search table writes a piece to disk each time it is given a
    /// smaller place than before. One statement for each row: one for all of them would keep a
    /// copy of each page of the search table that it changes.
    ///
    /// - Returns: How many rows there were, by search table.
    private func texts(
        of kind: DonationKind, _ clause: Clause, isForgotten: Bool
    ) throws(DonationError) -> [String: Int] {
        guard StoreSchema.searchable.contains(kind) else { return [:] }
        var counts: [String: Int] = [:]
        var latest: String?
        // All before the first change: a table may have to be made.
        for (row, place) in try places(of: kind, clause) {
            let table = try table(ofPlace: place, kind)
            if table != latest {
                if latest != nil { try writeWords() }
                latest = table
            }
            try text(of: row, kind, place, table, isForgotten)
            counts[table, default: 0] += 1
        }
        return counts
    }

    /// Has search tables write the words that they hold in memory: each would keep its own until
    /// the end of the transaction. A savepoint is what makes FTS5 do so.
    private func writeWords() throws(DonationError) {
        try execute("SAVEPOINT words; RELEASE words")
    }

    /// The rows that a condition holds for, with their places, in the order of these.
    private func places(
        of kind: DonationKind, _ clause: Clause
    ) throws(DonationError) -> [(row: Int64, place: Int64)] {
        try read(
            "SELECT id, \(SearchIndex.place) FROM \(kind.table) WHERE \(clause.sql)"
                + " ORDER BY \(SearchIndex.place)", values: clause.values
        ) { ($0.int64(at: 0), $0.int64(at: 1)) }
    }

    /// Adds one row to a search table, or takes it out.
    private func text(
        of row: Int64, _ kind: DonationKind, _ place: Int64, _ table: String, _ isForgotten: Bool
    ) throws(DonationError) {
        let columns = SearchIndex.columns
        let (command, value) = isForgotten ? ("\(table), ", "'delete', ") : ("", "")
        try sqlite { () throws(SQLiteError) in
            let words = try connection.prepare(
                "SELECT \(columns) FROM \(kind.table) WHERE id = ?")
            let entry = try connection.prepare(
                "INSERT INTO \(table)(\(command)rowid, \(columns))"
                    + " VALUES (\(value)?, ?, ?, ?, ?)")
            words.bind(1, row)
            defer { words.reset() }
            guard try words.step() else { return }
            entry.bind(1, place)
            for column in 0..<4 { entry.bind(column + 2, words.optionalText(at: column)) }
            try entry.run()
        }
    }
}
