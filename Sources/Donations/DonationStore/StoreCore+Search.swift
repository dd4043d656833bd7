import Basics
import Donations
import SQLite

extension StoreCore {
    /// What is seen at a time: nothing past its time, nothing of a restricted container, nothing
    /// that waits for its item.
    ///
    /// One parameter: the time.
    static func visible(_ kind: DonationKind) -> String {
        isShown + (kind == .savedActivity ? " AND i.eligibility & 2" : "")
    }

    private static let isShown =
        "(expires IS NULL OR expires > ?) AND (container IS NULL OR container NOT IN"
        + " (SELECT container FROM restricted)) AND parked IS NULL"

    /// The condition of rows that are seen now, whatever else they are.
    func shown() -> Clause { Clause(Self.isShown, .integer(now.milliseconds)) }

    /// What a search text finds, best first.
    func ranked(
        _ text: String, limit: Int, isLocked: Bool
    ) throws(DonationError) -> ArraySlice<SearchCandidate> {
        guard limit > 0 else { return [] }
        let limit = min(limit, DonationStore.searchLimitMax)
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
        let words = words.map { [Value.text($0)] } ?? []
        let values: [Value] = [.integer(now.milliseconds), .integer(after)] + words
        return try read(sql, values: values + [.integer(Int64(limit))]) { row in
            (Donation(.searchableItem, at: row), row.int64(at: StoreSchema.columns.count + 1))
        }
    }

    /// The identifiers of an index's items.
    func itemIdentifiers(indexName: String?) throws(DonationError) -> [String] {
        try texts(
            "SELECT identifier FROM items WHERE index_name IS ? ORDER BY id",
            .text(orNull: indexName))
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
