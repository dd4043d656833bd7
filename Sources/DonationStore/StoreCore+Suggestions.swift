import CloudModel
import Donations
import SQLite

extension StoreCore {
    /// The suggestions for a moment, the best first.
    func suggestions(_ request: SuggestionRequest) throws(DonationError) -> [DonationSuggestion] {
        var ranker = SuggestionRanker(now: request.now)
        for (kind, marks) in StoreSchema.marked where try tally(kind) > 0 {
            let shown = try admitted(kind)
            for number in 1...marks {
                try count(kind, "mark\(number)", shown, into: &ranker)
                try addRecent(kind, "mark\(number)", shown, to: &ranker)
            }
        }
        var found: [RankedSuggestion: Donation] = [:]
        var candidates: [(candidate: SuggestionCandidate, pattern: SuggestionPattern)] = []
        var rows: [Int64: Donation] = [:]
        let key = try markKey()
        for candidate in ranker.best {
            guard let row = try row(of: candidate.donation),
                let pattern = row.suggestionPatterns.first(where: {
                    SuggestionMark($0, key: key) == candidate.mark
                })
            else { continue }
            candidates.append((candidate, pattern))
            rows[candidate.donation] = row
        }
        let ranked = ranker.ranked(candidates).filter { request.view.shows($0) }
        for suggestion in ranked { found[suggestion] = rows[suggestion.candidate.donation] }
        return ranked.prefix(max(0, request.limit)).compactMap { suggestion in
            found[suggestion].map { DonationSuggestion(suggestion, $0) }
        }
    }

    /// The condition of rows that may be suggested; nil: it holds for every row, so that the
    /// index alone is read.
    private func admitted(_ kind: DonationKind) throws(DonationError) -> Clause? {
        let needsSearch =
            kind == .activity && configuration.requiresSearchEligibilityForPrediction
        let hasHidden =
            try sqlite { () throws(SQLiteError) in
                try connection.rows(
                    "SELECT EXISTS(SELECT 1 FROM \(kind.table) WHERE expires <= ?)"
                        + " OR EXISTS(SELECT 1 FROM restricted)", .integer(now.milliseconds))
            }.first?.first?.int64 != 0
        guard needsSearch || hasHidden else { return nil }
        let search = Clause("eligibility & \(Donation.Eligibility.search.rawValue)")
        return needsSearch ? shown().and(search) : shown()
    }

    /// Counts the rows near the moment, hour by hour in the index's own order.
    private func count(
        _ kind: DonationKind, _ column: String, _ shown: Clause?,
        into ranker: inout SuggestionRanker
    ) throws(DonationError) {
        let condition = shown.map { " AND (\($0.sql))" } ?? ""
        try sqlite { () throws(SQLiteError) in
            let statement = try connection.prepare(
                "SELECT \(column), count(*), max(begun), id FROM \(kind.table)"
                    + " WHERE \(column) IS NOT NULL\(condition) AND slot = ? GROUP BY \(column)")
            defer { statement.reset() }
            for part in SuggestionSlot(ranker.now).neighbourhood {
                for slot in part.range {
                    statement.reset()
                    statement.bind(shown?.bind(to: statement) ?? 1, slot)
                    while try statement.step() {
                        ranker.add(Self.group(kind, at: statement, points: part.points))
                    }
                }
            }
        }
    }

    /// Adds the latest rows, whenever they were done.
    private func addRecent(
        _ kind: DonationKind, _ column: String, _ shown: Clause?,
        to ranker: inout SuggestionRanker
    ) throws(DonationError) {
        let condition = shown.map { " AND (\($0.sql))" } ?? ""
        try sqlite { () throws(SQLiteError) in
            let statement = try connection.prepare(
                "SELECT \(column), 0, begun, id FROM \(kind.table)"
                    + " WHERE \(column) IS NOT NULL\(condition) ORDER BY id DESC LIMIT ?")
            defer { statement.reset() }
            statement.bind(shown?.bind(to: statement) ?? 1, SuggestionRanker.recentMax)
            while try statement.step() {
                ranker.add(Self.group(kind, at: statement, points: 0))
            }
        }
    }

    private static func group(
        _ kind: DonationKind, at statement: Statement, points: Int
    ) -> SuggestionRanker.Group {
        SuggestionRanker.Group(
            mark: SuggestionMark(rawValue: UInt64(bitPattern: statement.int64(at: 0))),
            points: points, count: statement.int(at: 1), countAtPlace: 0,
            latest: Timestamp(milliseconds: statement.int64(at: 2)),
            donation: statement.int64(at: 3) * 2 + (kind == .activity ? 0 : 1))
    }

    /// The row that ``group(_:at:points:)`` numbered.
    private func row(of number: Int64) throws(DonationError) -> Donation? {
        try rows(
            number % 2 == 0 ? .activity : .interaction, Clause("id = ?", .integer(number / 2)),
            limit: 1
        ).first
    }
}
