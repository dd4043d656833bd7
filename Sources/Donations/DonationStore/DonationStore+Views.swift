import Basics
package import Donations
public import FoundationEssentials

/// What of the store is shown to the user; searches are in `DonationStore+Search.swift`.
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

    /// Stores rows of any kind in one transaction: all, or none when one cannot be stored.
    ///
    /// - Returns: What became of each, in order.
    package func store(
        _ rows: [Donation]
    ) async throws(DonationError) -> [DonationOutcome] {
        try await perform(writes: true) { core throws(DonationError) in
            try core.addingTextsTogether { () throws(DonationError) in
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
    }

    /// The numbers that the audit judges by.
    package func auditFacts() async throws(DonationError) -> AuditFacts {
        try await perform(writes: false) { core throws(DonationError) in try core.auditFacts() }
    }
}
