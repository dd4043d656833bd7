import CloudModel
import Donations
import SQLite

extension StoreCore {
    /// How many outcomes are kept.
    private static let outcomesMax: Int64 = 1000

    /// Writes an outcome into the log.
    ///
    /// - Returns: Its number.
    func log(
        _ call: String, kind: DonationKind? = nil, type: String? = nil,
        outcome: DonationOutcome? = nil, removed: Int = 0, unmatched: Int = 0,
        error: DonationError.Code? = nil
    ) throws(DonationError) -> UInt64 {
        try addToTotals(
            call, outcome, removed: removed, unmatched: unmatched, isError: error != nil)
        return try sqlite { () throws(SQLiteError) in
            let statement = try connection.prepare(
                "INSERT INTO outcomes(at, call, kind, type, outcome, removed, unmatched, error)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
            statement.bind(1, now.milliseconds)
            statement.bind(2, call)
            statement.bind(3, kind?.rawValue)
            statement.bind(4, type)
            statement.bind(5, outcome?.rawValue)
            statement.bind(6, removed)
            statement.bind(7, unmatched)
            statement.bind(8, error?.rawValue)
            try statement.run()
            let sequence = connection.lastInsertRowID
            try connection.run(
                "DELETE FROM outcomes WHERE sequence <= ?",
                .integer(sequence - Self.outcomesMax))
            return UInt64(sequence)
        }
    }

    // MARK: Totals

    /// What an outcome counts as in the totals, which outlive the log's own rows.
    private static let (removing, empty, failing) = ("log removed", "log nothing", "log failed")

    private static func refusing(_ outcome: DonationOutcome) -> String {
        "log \(outcome.rawValue)"
    }

    private func addToTotals(
        _ call: String, _ outcome: DonationOutcome?, removed: Int, unmatched: Int, isError: Bool
    ) throws(DonationError) {
        if call == "delete" {
            if removed > 0 { _ = try next(Self.removing) }
            if removed == 0, unmatched > 0 { _ = try next(Self.empty) }
        }
        if isError { _ = try next(Self.failing) }
        if let outcome, !outcome.isStored, outcome != .unchanged {
            _ = try next(Self.refusing(outcome))
        }
    }

    /// All outcomes since the store was made or erased, in numbers.
    func addTotals(to facts: inout AuditFacts) throws(DonationError) {
        let rows = try sqlite { () throws(SQLiteError) in
            try connection.rows("SELECT name, value FROM counters WHERE name GLOB 'log *'")
        }
        var totals: [String: Int] = [:]
        for row in rows { totals[row[0].string ?? ""] = Int(row[1].int64 ?? 0) }
        facts.deletions = totals[Self.removing] ?? 0
        facts.emptyDeletions = totals[Self.empty] ?? 0
        facts.failures = totals[Self.failing] ?? 0
        for outcome in DonationOutcome.allCases {
            facts.refusals[outcome] = totals[Self.refusing(outcome)]
        }
    }

    /// The newest outcomes, newest first.
    func outcomes(limit: Int) throws(DonationError) -> [LoggedOutcome] {
        try sqlite { () throws(SQLiteError) in
            let statement = try connection.prepare(
                "SELECT sequence, at, call, kind, type, outcome, removed, unmatched, error"
                    + " FROM outcomes ORDER BY sequence DESC LIMIT ?")
            defer { statement.reset() }
            statement.bind(1, limit)
            var all: [LoggedOutcome] = []
            while try statement.step() {
                all.append(
                    LoggedOutcome(
                        sequence: UInt64(statement.int64(at: 0)),
                        at: Timestamp(milliseconds: statement.int64(at: 1)).date,
                        call: statement.text(at: 2),
                        kind: DonationKind(rawValue: statement.text(at: 3)),
                        type: statement.optionalText(at: 4),
                        outcome: DonationOutcome(rawValue: statement.text(at: 5)),
                        removed: statement.int(at: 6), unmatched: statement.int(at: 7),
                        error: statement.optionalText(at: 8)))
            }
            return all
        }
    }
}
