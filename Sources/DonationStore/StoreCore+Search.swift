import CloudModel
import Donations
import SQLite

extension StoreCore {
    /// What is seen at a time: nothing past its time, nothing of a restricted container, nothing
    /// that waits for its item.
    ///
    /// One parameter: the time.
    static func visible(_ kind: DonationKind) -> String {
        "(i.expires IS NULL OR i.expires > ?) AND (i.container IS NULL OR i.container NOT IN"
            + " (SELECT container FROM restricted)) AND i.parked IS NULL"
            + (kind == .savedActivity ? " AND i.eligibility & 2" : "")
    }

    /// What a search text finds, best first.
    func ranked(
        _ text: String, limit: Int, isLocked: Bool
    ) throws(DonationError) -> ArraySlice<SearchCandidate> {
        guard limit > 0 else { return [] }
        var all: [SearchCandidate] = []
        for kind in StoreSchema.searchable where try tally(kind) > 0 {
            all += try candidates(kind, for: text, limit: limit, isLocked: isLocked)
        }
        return SearchCandidate.best(of: all, limit: limit)
    }

    /// The next visible items of a walk: by words piece by piece, downwards.
    func items(
        after cursor: SearchCursor, limit: Int, isLocked: Bool
    ) throws(DonationError) -> SearchPage {
        var steps: [(item: Donation, place: Int64)] = []
        if let words = cursor.fullText {
            for piece in try pieces(.searchableItem)
            where steps.count < limit && piece.lowest < cursor.after {
                steps += try items(
                    cursor.after, limit - steps.count, words,
                    "SELECT \(Self.itemColumns), t.rowid FROM \(piece.table) AS t"
                        + " CROSS JOIN items AS i"
                        + " ON i.id = \(SearchIndex.row(ofPlace: "t.rowid"))"
                        + " WHERE \(Self.visible(.searchableItem)) AND t.rowid < ?"
                        + piece.condition + " AND t.\(piece.table) MATCH ?"
                        + " ORDER BY t.rowid DESC LIMIT ?")
            }
        } else {
            steps = try items(
                cursor.after, limit, nil,
                "SELECT \(Self.itemColumns), i.id FROM items AS i"
                    + " WHERE \(Self.visible(.searchableItem)) AND i.id > ?"
                    + " ORDER BY i.id LIMIT ?")
        }
        let next = steps.last.flatMap { last in
            steps.count < limit
                ? nil : SearchCursor(fullText: cursor.fullText, after: last.place)
        }
        return SearchPage(
            items: steps.map(\.item).filter { !isLocked || !$0.isHiddenWhenLocked }, next: next)
    }

    private static let itemColumns =
        (["id"] + StoreSchema.columns).map { "i.\($0)" }.joined(separator: ", ")

    /// Some items of a walk, with their places.
    private func items(
        _ after: Int64, _ limit: Int, _ words: String?, _ sql: String
    ) throws(DonationError) -> [(item: Donation, place: Int64)] {
        try sqlite { () throws(SQLiteError) in
            let statement = try connection.prepare(sql)
            defer { statement.reset() }
            statement.bind(1, now.milliseconds)
            statement.bind(2, after)
            if let words { statement.bind(3, words) }
            statement.bind(words == nil ? 3 : 4, limit)
            var steps: [(item: Donation, place: Int64)] = []
            while try statement.step() {
                steps.append(
                    (
                        Donation(.searchableItem, at: statement),
                        statement.int64(at: StoreSchema.columns.count + 1)
                    ))
            }
            return steps
        }
    }

    /// The identifiers of an index's items.
    func itemIdentifiers(indexName: String?) throws(DonationError) -> [String] {
        try sqlite { () throws(SQLiteError) in
            let statement = try connection.prepare(
                "SELECT identifier FROM items"
                    + " WHERE index_name \(indexName == nil ? "IS NULL" : "= ?") ORDER BY id")
            defer { statement.reset() }
            if let indexName { statement.bind(1, indexName) }
            var identifiers: [String] = []
            while try statement.step() { identifiers.append(statement.text(at: 0)) }
            return identifiers
        }
    }
}

extension Donation {
    /// Whether the row may not be seen while the device is locked.
    var isHiddenWhenLocked: Bool {
        guard let protectionClass else { return false }
        return protectionClass == "NSFileProtectionComplete"
            || protectionClass == "NSFileProtectionCompleteUnlessOpen"
    }

    /// The same, of a row's body alone.
    static func isHidden(inBody body: [UInt8]) -> Bool {
        guard !body.isEmpty, let value = try? PayloadValue(decoding: body),
            case .string(let name)? = value["protection"]
        else { return false }
        var row = Donation(.searchableItem, type: "", at: Timestamp(milliseconds: 0))
        row.protectionClass = name
        return row.isHiddenWhenLocked
    }
}
