import Donations
import SQLite

/// The columns that suggestions are counted by, in the rows themselves: what deletes a row deletes
/// its marks, and no count can outlive what it counted.
extension StoreSchema {
    /// The hour of the week in UTC, the marks of the row's two general patterns, and those of two
    /// that specialise them.
    ///
    /// Without the person's own time zone: a constant offset moves both what was done and the
    /// moment that is asked for.
    static let markColumns = ["slot", "general1", "general2", "specific1", "specific2"]

    /// The kinds that are suggested, with the columns that they are counted by.
    static let marked: [(kind: DonationKind, columns: [String])] = [
        (.activity, ["general1"]), (.interaction, ["general1", "general2"]),
    ]

    /// An index for each column that is counted by: counting reads nothing else.
    static var markIndexes: String {
        marked.map { kind, columns in
            columns.map { column in
                "CREATE INDEX \(kind.table)_\(column) ON"
                    + " \(kind.table)(slot, \(column), begun) WHERE \(column) IS NOT NULL;\n"
            }.joined()
        }.joined()
    }
}

extension StoreCore {
    /// Made by SQLite's random numbers when the file was.
    private func readMarkKey() throws(DonationError) -> (UInt64, UInt64) {
        let text = try texts("SELECT value FROM facts WHERE name = 'marks'").first ?? ""
        guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { throw DonationError(.corrupt, "the store's key for marks is missing") }
        return (high, low)
    }

    /// The marks of a donation's patterns, in the order of their columns; nil: it has none.
    func marks(of donation: Donation) throws(DonationError) -> [SuggestionMark?]? {
        let (general, specific) = donation.suggestionMarks
        guard !general.isEmpty else { return nil }
        let key = try markKey()
        func marks(_ patterns: [SuggestionPattern], _ count: Int) -> [SuggestionMark?] {
            (0..<count).map { index in
                index < patterns.count ? SuggestionMark(patterns[index], key: key) : nil
            }
        }
        return marks(general, Donation.generalPatternsMax)
            + marks(specific, Donation.specificPatternsMax)
    }

    /// The store's own key for marks.
    func markKey() throws(DonationError) -> (UInt64, UInt64) {
        if let knownMarkKey { return knownMarkKey }
        let key = try readMarkKey()
        knownMarkKey = key
        return key
    }
}

extension Donation {
    /// Sets the parameters of ``StoreSchema/markColumns``, from `start` on.
    func bind(_ marks: [SuggestionMark?]?, to statement: Statement, from start: Int) {
        guard let marks else {
            for index in StoreSchema.markColumns.indices { statement.bindNull(start + index) }
            return
        }
        statement.bind(start, SuggestionSlot(begin).index)
        for (index, mark) in marks.enumerated() {
            statement.bind(start + 1 + index, mark.map { Int64(bitPattern: $0.rawValue) })
        }
    }
}
