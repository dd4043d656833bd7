import Basics
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
        outcome: DonationOutcome? = nil, removed: Int = 0, unmatched: Int = 0
    ) throws(DonationError) -> UInt64 {
        try addToTotals(call, outcome, removed: removed, unmatched: unmatched)
        try change(
            "INSERT INTO outcomes(at, call, kind, type, outcome, removed, unmatched)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?)", .integer(now.milliseconds), .text(call),
            .text(orNull: kind?.rawValue), .text(orNull: type), .text(orNull: outcome?.rawValue),
            .integer(Int64(removed)), .integer(Int64(unmatched)))
        let sequence = connection.lastInsertRowID
        try change(
            "DELETE FROM outcomes WHERE sequence <= ?", .integer(sequence - Self.outcomesMax))
        return UInt64(sequence)
    }

    // MARK: Totals

    /// What an outcome counts as in the totals, which outlive the log's own rows.
    private static let (removing, empty) = ("log removed", "log nothing")

    private static func refusing(_ outcome: DonationOutcome) -> String {
        "log \(outcome.rawValue)"
    }

    private func addToTotals(
        _ call: String, _ outcome: DonationOutcome?, removed: Int, unmatched: Int
    ) throws(DonationError) {
        if call == "delete" {
            if removed > 0 { _ = try next(Self.removing) }
            if removed == 0, unmatched > 0 { _ = try next(Self.empty) }
        }
        if let outcome, !outcome.isStored, outcome != .unchanged {
            _ = try next(Self.refusing(outcome))
        }
    }

    /// All outcomes since the store was made or erased, in numbers.
    func addTotals(to facts: inout AuditFacts) throws(DonationError) {
        let totals = Dictionary(
            uniqueKeysWithValues: try read(
                "SELECT name, value FROM counters WHERE name GLOB 'log *'"
            ) { ($0.text(at: 0), $0.int(at: 1)) })
        facts.deletions = totals[Self.removing] ?? 0
        facts.emptyDeletions = totals[Self.empty] ?? 0
        for outcome in DonationOutcome.allCases {
            facts.refusals[outcome] = totals[Self.refusing(outcome)]
        }
    }

    /// The newest outcomes, newest first.
    func outcomes(limit: Int) throws(DonationError) -> [LoggedOutcome] {
        try read(
            "SELECT sequence, at, call, kind, type, outcome, removed, unmatched"
                + " FROM outcomes ORDER BY sequence DESC LIMIT ?", .integer(Int64(limit))
        ) { row in
            LoggedOutcome(
                sequence: UInt64(row.int64(at: 0)),
                at: Timestamp(milliseconds: row.int64(at: 1)).date, call: row.text(at: 2),
                kind: DonationKind(rawValue: row.text(at: 3)), type: row.optionalText(at: 4),
                outcome: DonationOutcome(rawValue: row.text(at: 5)), removed: row.int(at: 6),
                unmatched: row.int(at: 7))
        }
    }
}
