import Donations
import SQLite

/// A row that has all words of a search.
struct SearchCandidate {
    let hit: SearchHit
    /// How well the row answers (``SearchRank``): the lower, the better.
    let tier: Int
    let row: Int64

    /// What ``init(_:at:rank:)`` reads from a row.
    static let columns = "id, identifier, pid, title, display_name, keywords, type, hint"

    /// The row that a statement stands on, with ``columns`` first.
    init(_ kind: DonationKind, at statement: Statement, rank: SearchRank) {
        let title = statement.optionalText(at: 3)
        let displayName = statement.optionalText(at: 4)
        hit = SearchHit(
            kind: kind,
            identifier: kind == .searchableItem
                ? statement.text(at: 1) : statement.optionalText(at: 2),
            title: title ?? displayName, type: statement.text(at: 6),
            rankingHint: statement.int(at: 7))
        tier = rank.tier(
            title: title, displayName: displayName, keywords: statement.optionalText(at: 5))
        row = statement.int64(at: 0)
    }

    /// Whether it is shown before another one.
    func isBefore(_ other: SearchCandidate) -> Bool {
        if tier != other.tier { return tier < other.tier }
        if hit.rankingHint != other.hit.rankingHint {
            return hit.rankingHint > other.hit.rankingHint
        }
        let (name, otherName) = (hit.identifier ?? "", other.hit.identifier ?? "")
        if !name.isSame(as: otherName) {
            return name.utf8.lexicographicallyPrecedes(otherName.utf8)
        }
        if hit.kind != other.hit.kind { return hit.kind == .searchableItem }
        return row < other.row
    }

    /// The first of some, in the order in which they are shown.
    static func best(of all: [SearchCandidate], limit: Int) -> ArraySlice<SearchCandidate> {
        var kept: [SearchCandidate] = []
        // What is not before this one is not among the first; most are dropped at once.
        var bar: SearchCandidate?
        for candidate in all {
            if let bar, !candidate.isBefore(bar) { continue }
            kept.append(candidate)
            guard kept.count >= 4 * limit else { continue }
            kept.sort { $0.isBefore($1) }
            kept.removeLast(kept.count - limit)
            bar = kept.last
        }
        return kept.sorted { $0.isBefore($1) }.prefix(limit)
    }
}
