import Donations
import SQLite

extension StoreCore {
    /// The columns a row is read from, `id` first.
    static let columns = "id, " + StoreSchema.columns.joined(separator: ", ")

    private static let written = StoreSchema.columns + StoreSchema.markColumns
    private static let placeholders = written.map { _ in "?" }.joined(separator: ", ")
    private static let insertion =
        "(\(written.joined(separator: ", "))) VALUES (\(placeholders))"
    private static let change =
        written.map { "\($0) = ?" }.joined(separator: ", ")
        + ", \(StoreSchema.donatedAgain) WHERE id = ?"

    /// The rows a query finds: what follows `WHERE`.
    func rows(
        _ kind: DonationKind, _ clause: Clause, limit: Int = .max, after: Int64 = 0
    ) throws(DonationError) -> [Donation] {
        try read(
            "SELECT \(Self.columns) FROM \(kind.table) WHERE (\(clause.sql)) AND id > ?"
                + " ORDER BY id LIMIT ?",
            values: clause.values + [.integer(after), .integer(Int64(clamping: limit))]
        ) { Donation(kind, at: $0) }
    }

    /// The row with a value in a column of few or unique values.
    func row(
        _ kind: DonationKind, _ column: String, _ value: String
    ) throws(DonationError) -> Donation? {
        try rows(kind, Clause("\(column) = ?", .text(value)), limit: 1).first
    }

    /// Whether there is a row with a value in a column.
    func has(_ kind: DonationKind, _ column: String, _ value: String) throws(DonationError) -> Bool
    {
        try isAny("SELECT 1 FROM \(kind.table) WHERE \(column) = ? LIMIT 1", .text(value))
    }

    /// Stores a row; with a number it takes the place of the one that has it.
    ///
    /// - Returns: Its number.
    @discardableResult
    func put(
        _ donation: Donation, replacing old: Donation? = nil
    ) throws(DonationError) -> Int64 {
        let later = textsLater[donation.kind] ?? .max
        let isReworded = old.map { !$0.hasSameWords(as: donation) } ?? true
        if let old, isReworded, old.row < later {
            try forgetTexts(of: old.kind, Clause("id = ?", .integer(old.row)))
        }
        var donation = donation
        if let old, !old.images.isEmpty {
            try dropImages(of: old.kind, Clause("id = ?", .integer(old.row)))
        }
        if !donation.images.isEmpty { try writeImages(of: &donation) }
        let marks = try marks(of: donation)
        let row = try sqlite { () throws(SQLiteError) in
            // Not INSERT OR REPLACE: it keeps a copy of each page it changes, to undo itself.
            let table = donation.kind.table
            let statement = try connection.prepare(
                old == nil
                    ? "INSERT INTO \(table)\(Self.insertion)"
                    : "UPDATE \(table) SET \(Self.change)")
            donation.bind(to: statement, from: 1)
            donation.bind(marks, to: statement, from: 1 + StoreSchema.columns.count)
            if let old { statement.bind(Self.written.count + 1, old.row) }
            try statement.run()
            return old?.row ?? connection.lastInsertRowID
        }
        donation.row = row
        if old == nil { count(donation.kind, 1) }
        if isReworded, row < later {
            try addTexts(of: donation.kind, Clause("id = ?", .integer(row)))
        }
        for image in donation.images { try name(image, of: donation) }
        return row
    }

    // MARK: Images

    private func writeImages(of donation: inout Donation) throws(DonationError) {
        for index in donation.images.indices where donation.images[index].file == nil {
            let name = "image-\(try next("image"))"
            try images.write(donation.images[index].bytes, name: name)
            donation.images[index].file = name
        }
    }

    private func name(_ image: Donation.Image, of donation: Donation) throws(DonationError) {
        try change(
            "INSERT OR REPLACE INTO images VALUES (?, ?, ?)", .text(image.file ?? ""),
            .text(donation.kind.rawValue), .integer(donation.row))
    }

    /// Notes that the images of rows go; call it before the rows are deleted.
    func dropImages(of kind: DonationKind, _ clause: Clause) throws(DonationError) {
        guard try isAny("SELECT 1 FROM images LIMIT 1") else { return }
        let names = try texts(
            "DELETE FROM images WHERE kind = '\(kind.rawValue)' AND row IN"
                + " (SELECT id FROM \(kind.table) WHERE \(clause.sql)) RETURNING name",
            values: clause.values)
        for name in names { images.drop(name) }
    }
}
