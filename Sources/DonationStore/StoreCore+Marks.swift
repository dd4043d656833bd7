import Donations
import SQLite

/// The columns that suggestions are counted by, in the rows themselves: what deletes a row deletes
/// its marks, and no count can outlive what it counted.
extension StoreSchema {
    /// The hour of the week in UTC, and the marks of the row's patterns.
    ///
    /// Without the person's own time zone: a constant offset moves both what was done and the
    /// moment that is asked for.
    static let markColumns = ["slot", "mark1", "mark2", "mark3", "mark4"]

    /// The kinds that are suggested, with how many marks their rows have at most.
    static let marked: [(kind: DonationKind, marks: Int)] = [
        (.activity, 1), (.interaction, Donation.suggestionPatternsMax),
    ]

    /// An index for each mark: counting reads nothing else.
    static var markIndexes: String {
        marked.map { kind, marks in
            (1...marks).map { number in
                "CREATE INDEX \(kind.table)_mark\(number) ON"
                    + " \(kind.table)(slot, mark\(number), begun) WHERE mark\(number) IS NOT NULL;\n"
            }.joined()
        }.joined()
    }
}

extension StoreCore {
    /// Made by SQLite's random numbers when the file was.
    private func readMarkKey() throws(DonationError) -> (UInt64, UInt64) {
        let text =
            try sqlite { () throws(SQLiteError) in
                try connection.rows("SELECT value FROM facts WHERE name = 'marks'")
            }.first?.first?.string ?? ""
        guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { throw DonationError(.corrupt, "the store's key for marks is not there") }
        return (high, low)
    }

    /// The marks of a donation's patterns.
    func marks(of donation: Donation) throws(DonationError) -> [SuggestionMark] {
        let patterns = donation.suggestionPatterns
        guard !patterns.isEmpty else { return [] }
        let key = try markKey()
        return patterns.map { SuggestionMark($0, key: key) }
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
    func bind(_ marks: [SuggestionMark], to statement: Statement, from start: Int) {
        if marks.isEmpty {
            statement.bindNull(start)
        } else {
            statement.bind(start, SuggestionSlot(begin).index)
        }
        for number in 0..<Donation.suggestionPatternsMax {
            let mark = number < marks.count ? marks[number] : nil
            statement.bind(start + 1 + number, mark.map { Int64(bitPattern: $0.rawValue) })
        }
    }
}
