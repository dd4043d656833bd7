import Donations
import SQLite

/// The full-text tables of a kind.
extension StoreCore {
    /// Notes in a file how its rows are spread from now on: what is there stays in the first table.
    static func layOut(_ connection: Connection, bits: Int) throws(SQLiteError) {
        for kind in StoreSchema.searchable {
            let last = try connection.rows(
                "SELECT seq FROM sqlite_sequence WHERE name = ?", .text(kind.table)
            ).first?.first?.int64
            let boundary = (((last ?? 0) >> Int64(bits)) + 1) << Int64(bits)
            let layout = SearchLayout(table: kind.table, boundary: boundary, bits: bits)
            try connection.run(
                "INSERT INTO facts VALUES (?, ?)", .text("pieces-\(kind.table)"),
                .text(layout.fact))
            try connection.run(
                "UPDATE facts SET name = ? WHERE name = ?",
                .text(Cleaning(table: layout.first).fact), .text(Cleaning(olderOf: kind).fact))
        }
    }

    /// How the rows of a kind are spread.
    func layout(_ kind: DonationKind) throws(DonationError) -> SearchLayout {
        if let known = layouts[kind] { return known }
        let fact = try texts(
            "SELECT value FROM facts WHERE name = ?", .text("pieces-\(kind.table)")
        ).first
        guard let fact, let layout = SearchLayout(table: kind.table, fact: fact) else {
            throw DonationError(.corrupt, "the layout of the search tables is missing")
        }
        layouts[kind] = layout
        return layout
    }

    /// The numbers of a kind's pieces.
    private func pieceNumbers(_ kind: DonationKind) throws(DonationError) -> Set<Int64> {
        if let known = pieceNumbers[kind] { return known }
        let prefix = try layout(kind).prefix
        let names = try texts(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB ?",
            .text(prefix + "[0-9]*"))
        // The tables that a full-text table itself is made of have longer names.
        let numbers = Set(names.compactMap { Int64($0.dropFirst(prefix.count)) })
        pieceNumbers[kind] = numbers
        return numbers
    }

    /// The full-text tables of a kind, the highest places first.
    func pieces(_ kind: DonationKind) throws(DonationError) -> [SearchPiece] {
        try layout(kind).pieces(Array(try pieceNumbers(kind)))
    }

    /// The full-text table of a place; one that is not there is made.
    func table(ofPlace place: Int64, _ kind: DonationKind) throws(DonationError) -> String {
        let layout = try layout(kind)
        guard let number = layout.number(ofPlace: place) else { return layout.first }
        let table = layout.prefix + "\(number)"
        var numbers = try pieceNumbers(kind)
        guard numbers.insert(number).inserted else { return table }
        try execute(SearchIndex.definition(of: table))
        pieceNumbers[kind] = numbers
        return table
    }

    /// Takes everything out of a kind's full-text tables. The newest stays, to be filled.
    func emptyTexts(of kind: DonationKind) throws(DonationError) {
        guard StoreSchema.searchable.contains(kind) else { return }
        let layout = try layout(kind)
        let numbers = try pieceNumbers(kind)
        let newest = numbers.max()
        try sqlite { () throws(SQLiteError) in
            try empty(layout.first)
            for number in numbers {
                let table = layout.prefix + "\(number)"
                try empty(table)
                if number != newest { try drop(table) }
            }
        }
        pieceNumbers[kind] = newest.map { [$0] } ?? []
    }

    /// Drops the piece of a table when none of its rows is left; the newest stays, to be filled.
    ///
    /// No row comes back: numbers are given once.
    func dropIfEmpty(_ table: String, of kind: DonationKind) throws(DonationError) {
        let layout = try layout(kind)
        let numbers = try pieceNumbers(kind)
        guard let number = numbers.first(where: { layout.prefix + "\($0)" == table }),
            number != numbers.max()
        else { return }
        let rows = layout.rows(number)
        try sqlite { () throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                let isUsed = try !connection.rows(
                    "SELECT 1 FROM \(kind.table) WHERE id BETWEEN ? AND ? LIMIT 1",
                    .integer(rows.lowerBound), .integer(rows.upperBound)
                ).isEmpty
                if !isUsed { try drop(table) }
            }
        }
        pieceNumbers[kind] = nil
    }

    private func empty(_ table: String) throws(SQLiteError) {
        try connection.execute("INSERT INTO \(table)(\(table)) VALUES ('delete-all')")
    }

    /// Drops a table that has no words: of one that has some, SQLite would keep a copy in memory
    /// of each page that it gives back, until all are.
    private func drop(_ table: String) throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS \(table)")
        try connection.run(
            "DELETE FROM facts WHERE name = ?", .text(Cleaning(table: table).fact))
        forgotten[table] = nil
    }
}
