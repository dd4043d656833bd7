import CloudModel
package import Donations
public import FoundationEssentials
import SQLite

/// What of the store is shown to the user: suggestions and search results.
extension DonationStore {
    /// What may be suggested at a moment, the best first (F2): the documented, deterministic ranker
    /// over what is stored and not past its time, suspended or deleted.
    public func suggestions(
        at moment: Date, limit: Int = 10
    ) async throws(DonationError) -> [DonationSuggestion] {
        try await suggestions(SuggestionRequest(now: Timestamp(moment), limit: limit))
    }

    /// What a surface shows at a moment (F3).
    package func suggestions(
        _ request: SuggestionRequest
    ) async throws(DonationError) -> [DonationSuggestion] {
        try await perform(writes: false) { core throws(DonationError) in
            try core.suggestions(request)
        }
    }

    /// Items and saved activities that hold every word of a text, the newest first.
    ///
    /// - Parameter limit: At most 1000.
    package func search(
        words text: String, limit: Int
    ) async throws(DonationError) -> [Donation] {
        guard let query = QueryFullText(words: text) else { return [] }
        return try await perform(writes: false) { core throws(DonationError) in
            var rows: [Donation] = []
            for kind in StoreSchema.searchable {
                rows += try core.search(kind, query, limit: min(max(0, limit), 1000))
            }
            rows.sort { ($1.donatedAt, $1.row) < ($0.donatedAt, $0.row) }
            return Array(rows.prefix(max(0, limit)))
        }
    }

    /// The identifiers of items, and the persistent identifiers of activities, that hold every word
    /// of a text, the newest first.
    public func search(
        _ text: String, limit: Int
    ) async throws(DonationError) -> [String] {
        try await search(words: text, limit: limit).compactMap {
            $0.kind == .searchableItem ? $0.identifier : $0.persistentIdentifier
        }
    }

    /// Stores rows of any kind in one transaction: all, or none when one cannot be stored.
    ///
    /// - Returns: What became of each, in order.
    package func store(
        _ rows: [Donation]
    ) async throws(DonationError) -> [DonationOutcome] {
        try await perform(writes: true) { core throws(DonationError) in
            var outcomes: [DonationOutcome] = []
            for row in rows {
                switch row.kind {
                case .activity: outcomes.append(try core.store(row, object: nil).outcome)
                case .searchableItem: outcomes += try core.index([(row, .replace)])
                default: outcomes.append(try core.donate(row))
                }
            }
            return outcomes
        }
    }

    /// The numbers that the audit judges by.
    package func auditFacts() async throws(DonationError) -> AuditFacts {
        try await perform(writes: false) { core throws(DonationError) in try core.auditFacts() }
    }
}

extension StoreCore {
    /// How many rows are looked at whether they may be shown before a search gives up.
    private static let lookedAtMax = 10_000

    /// Rows of a kind that hold all words, the newest first.
    func search(
        _ kind: DonationKind, _ query: QueryFullText, limit: Int
    ) throws(DonationError) -> [Donation] {
        guard limit > 0, try tally(kind) > 0 else { return [] }
        var shown = shown()
        if kind == .savedActivity {
            shown = shown.and(Clause("eligibility & \(Donation.Eligibility.search.rawValue)"))
        }
        var rows: [Donation] = []
        try sqlite { () throws(SQLiteError) in
            let matches = try connection.prepare(
                "SELECT rowid FROM \(kind.table)_text WHERE \(kind.table)_text MATCH ?"
                    + " ORDER BY rowid DESC LIMIT ?")
            defer { matches.reset() }
            matches.bind(1, query.expression)
            matches.bind(2, Self.lookedAtMax)
            let statement = try connection.prepare(
                "SELECT \(Self.columns) FROM \(kind.table) WHERE (\(shown.sql)) AND id = ?")
            defer { statement.reset() }
            while rows.count < limit, try matches.step() {
                statement.reset()
                statement.bind(shown.bind(to: statement), matches.int64(at: 0))
                if try statement.step() { rows.append(Donation(kind, at: statement)) }
            }
        }
        return rows
    }
}
