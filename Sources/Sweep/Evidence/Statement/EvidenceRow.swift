/// One row of the coverage map, as a statement tells it: what lay in one place, and what became of it.
package struct EvidenceRow: Sendable, Hashable {
    /// How a row ends; the words are those of reports.
    package enum Outcome: String, Sendable, CaseIterable {
        case deleted = "deleted"
        case alreadyGone = "already gone"
        case empty = "looked at, empty"
        case kept = "kept"
        case left = "left"
        case failed = "failed"
        case notLookedAt = "not looked at"
        case unproven = "cannot be proven"
        case notInScope = "not in scope"
        case toDelete = "to delete"

        /// Whether a complete statement may have such a row.
        var isSettled: Bool {
            switch self {
            case .deleted, .alreadyGone, .empty, .kept, .notInScope: true
            case .left, .failed, .notLookedAt, .unproven, .toDelete: false
            }
        }
    }

    /// What a row speaks of.
    package struct Place: Sendable, Hashable {
        package var container: String
        package var database: String
        package var kind: String
        /// The record type or the pseudonym of a zone, where the row is about one thing.
        package var subject: String?

        package init(container: String, database: String, kind: String, subject: String? = nil) {
            self.container = container
            self.database = database
            self.kind = kind
            self.subject = subject
        }
    }

    package var place: Place
    package var outcome: Outcome
    /// The service's code, where it could not be read.
    package var code: String?
    /// The rule that keeps, or why nobody could look.
    package var reason: String?
    package var counts: EvidenceCounts

    package init(
        place: Place, outcome: Outcome, code: String?, reason: String?, counts: EvidenceCounts
    ) {
        self.place = place
        self.outcome = outcome
        self.code = code
        self.reason = reason
        self.counts = counts
    }

    var canonical: CanonicalValue {
        .object(
            counts.members + [
                ("code", .optional(code)), ("container", .text(place.container)),
                ("database", .text(place.database)), ("kind", .text(place.kind)),
                ("outcome", .text(outcome.rawValue)), ("reason", .optional(reason)),
                ("subject", .optional(place.subject)),
            ])
    }

    init(_ members: inout Members) throws(EvidenceError) {
        place = Place(
            container: try members.text("container"), database: try members.text("database"),
            kind: try members.text("kind"), subject: try members.optionalText("subject"))
        outcome = try members.word("outcome", Outcome.self)
        code = try members.optionalText("code")
        reason = try members.optionalText("reason")
        counts = try EvidenceCounts(&members)
    }
}
