import Basics
import Donations
import SQLite

extension StoreCore {
    /// The suggestions for a moment, the best first.
    ///
    /// First the general patterns are counted, from indexes alone; then, for the best of them, the
    /// more specific ones. None of these can be repeated more often than what it specialises.
    func suggestions(_ request: SuggestionRequest) throws(DonationError) -> [DonationSuggestion] {
        var ranker = SuggestionRanker(now: request.now)
        var shown: [DonationKind: Clause] = [:]
        for (kind, columns) in StoreSchema.marked where try tally(kind) > 0 {
            shown[kind] = try admitted(kind)
            for column in columns {
                try count(kind, column, shown[kind], into: &ranker)
                try addRecent(kind, column, shown[kind], to: &ranker)
            }
        }
        let general = ranker.best
        var details = SuggestionRanker(now: request.now)
        try countSpecific(
            of: general.prefix(Self.detailedMax), shown[.interaction], into: &details)
        let key = try markKey()
        var rows: [SuggestionMark: Donation] = [:]
        var candidates: [(candidate: SuggestionCandidate, pattern: SuggestionPattern)] = []
        for candidate in general + details.best.prefix(Self.detailedMax) {
            guard let row = try row(of: candidate.donation),
                let pattern = row.suggestionPatterns.first(where: {
                    SuggestionMark($0, key: key) == candidate.mark
                })
            else { continue }
            candidates.append((candidate, pattern))
            rows[candidate.mark] = row
        }
        let ranked = ranker.ranked(candidates).filter { request.view.shows($0) }
        return ranked.prefix(max(0, request.limit)).compactMap { suggestion in
            rows[suggestion.candidate.mark].map { DonationSuggestion(suggestion, $0) }
        }
    }

    /// The condition of rows that may be suggested; nil: it holds for every row, so that the
    /// index alone is read.
    private func admitted(_ kind: DonationKind) throws(DonationError) -> Clause? {
        let needsSearch =
            kind == .activity && configuration.requiresSearchEligibilityForPrediction
        let parked =
            kind == .activity ? " OR EXISTS(SELECT 1 FROM activities WHERE parked = 1)" : ""
        let hasHidden =
            try number(
                "SELECT EXISTS(SELECT 1 FROM \(kind.table) WHERE expires <= ?)"
                    + " OR EXISTS(SELECT 1 FROM restricted)" + parked, .integer(now.milliseconds))
            != 0
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
                "SELECT \(column), begun, id FROM \(kind.table)"
                    + " WHERE \(column) IS NOT NULL\(condition) AND slot = ?"
                    + " ORDER BY \(column), begun, id")
            defer { statement.reset() }
            for part in SuggestionSlot(ranker.now).neighbourhood {
                for slot in part.range {
                    statement.reset()
                    statement.bind(shown?.bind(to: statement) ?? 1, slot)
                    try Self.count(kind, of: statement, points: part.points, into: &ranker)
                }
            }
        }
    }

    /// Counts a statement's rows, of which those of one pattern follow each other, the latest
    /// last. SQLite's `GROUP BY` and `max` take twice as long for it as for reading the rows.
    private static func count(
        _ kind: DonationKind, of statement: Statement, points: Int,
        into ranker: inout SuggestionRanker
    ) throws(SQLiteError) {
        var isRow = try statement.step()
        while isRow {
            let mark = statement.int64(at: 0)
            var (count, latest, row) = (0, Int64.min, Int64.min)
            repeat {
                count += 1
                let begun = statement.int64(at: 1)
                // Of rows of the same time the first.
                if count == 1 || begun > latest {
                    (latest, row) = (begun, statement.int64(at: 2))
                }
                isRow = try statement.step()
            } while isRow && statement.int64(at: 0) == mark
            ranker.add(
                group(kind, mark, points: points, count: count, latest: latest, row: row))
        }
    }

    /// Counts, near the moment, what specialises the given patterns.
    private func countSpecific(
        of general: ArraySlice<SuggestionCandidate>, _ shown: Clause?,
        into ranker: inout SuggestionRanker
    ) throws(DonationError) {
        let slots = SuggestionSlot(ranker.now).neighbourhood.flatMap { part in
            part.range.map { (slot: $0, points: part.points) }
        }
        let points = Dictionary(uniqueKeysWithValues: slots.map { ($0.slot, $0.points) })
        let list = slots.map { "\($0.slot)" }.joined(separator: ", ")
        let condition = shown.map { " AND (\($0.sql))" } ?? ""
        var seen: Set<Int64> = []
        try sqlite { () throws(SQLiteError) in
            for column in ["general1", "general2"] {
                let statement = try connection.prepare(
                    "SELECT id, slot, begun, specific1, specific2 FROM interactions WHERE"
                        + " slot IN (\(list))\(condition) AND \(column) = ?"
                        + " AND specific1 IS NOT NULL LIMIT \(Self.specificRowsMax)")
                defer { statement.reset() }
                for candidate in general where candidate.donation % 2 == 1 {
                    statement.reset()
                    statement.bind(
                        shown?.bind(to: statement) ?? 1,
                        Int64(bitPattern: candidate.mark.rawValue))
                    while try statement.step() {
                        let id = statement.int64(at: 0)
                        guard seen.insert(id).inserted else { continue }
                        for place in 3...4 where !statement.isNull(at: place) {
                            let mark = UInt64(bitPattern: statement.int64(at: place))
                            ranker.add(
                                SuggestionRanker.Group(
                                    mark: SuggestionMark(rawValue: mark),
                                    points: points[statement.int(at: 1)] ?? 0, count: 1,
                                    countAtPlace: 0,
                                    latest: Timestamp(milliseconds: statement.int64(at: 2)),
                                    donation: id * 2 + 1))
                        }
                    }
                }
            }
        }
    }

    /// The best general patterns of which specific ones are looked for, and of those the best.
    private static let detailedMax = 16
    /// The rows of one general pattern that are looked at for specific ones.
    private static let specificRowsMax = 1000

    /// Adds the latest rows, whenever they were done.
    private func addRecent(
        _ kind: DonationKind, _ column: String, _ shown: Clause?,
        to ranker: inout SuggestionRanker
    ) throws(DonationError) {
        let shown = shown ?? .all
        let groups = try read(
            "SELECT mark, begun, id FROM (SELECT \(column) AS mark, begun, id FROM"
                + " \(kind.table) WHERE \(shown.sql) ORDER BY id DESC LIMIT ?)"
                + " WHERE mark IS NOT NULL",
            values: shown.values + [.integer(Int64(SuggestionRanker.recentMax))]
        ) { row in
            Self.group(
                kind, row.int64(at: 0), points: 0, count: 0, latest: row.int64(at: 1),
                row: row.int64(at: 2))
        }
        for group in groups { ranker.add(group) }
    }

    private static func group(
        _ kind: DonationKind, _ mark: Int64, points: Int, count: Int, latest: Int64, row: Int64
    ) -> SuggestionRanker.Group {
        SuggestionRanker.Group(
            mark: SuggestionMark(rawValue: UInt64(bitPattern: mark)), points: points,
            count: count, countAtPlace: 0, latest: Timestamp(milliseconds: latest),
            donation: row * 2 + (kind == .activity ? 0 : 1))
    }

    /// The row that ``group(_:_:points:count:latest:row:)`` numbered.
    private func row(of number: Int64) throws(DonationError) -> Donation? {
        try rows(
            number % 2 == 0 ? .activity : .interaction, Clause("id = ?", .integer(number / 2)),
            limit: 1
        ).first
    }
}
