public import Donations
import SQLite

extension DonationStore {
    /// Rows of a kind in the order in which they were stored, but for those that wait for their
    /// item (R15): nobody is shown those.
    ///
    /// - Parameters:
    ///   - after: The last row already seen; 0 from the beginning.
    ///   - limit: At most 10,000.
    package func list(
        _ kind: DonationKind, after: Int64 = 0, limit: Int = 1000
    ) async throws(DonationError) -> [Donation] {
        guard DonationKind.donations.contains(kind) else { return [] }
        return try await perform(writes: false) { core throws(DonationError) in
            try core.rows(kind, .unparked, limit: min(max(0, limit), 10_000), after: after)
        }
    }

    /// The rows that a selector means, kind by kind in the order in which they were stored, but
    /// for those that wait for their item.
    package func list(
        _ selector: DonationSelector, limit: Int
    ) async throws(DonationError) -> [Donation] {
        try await perform(writes: false) { core throws(DonationError) in
            try core.rows(meantBy: selector, limit: limit)
        }
    }

    /// The rows that a selector means, without waiting.
    package func list(
        _ selector: DonationSelector, limit: Int,
        completion: @escaping @Sendable (Result<[Donation], DonationError>) -> Void
    ) {
        submit(
            writes: false,
            { core throws(DonationError) in try core.rows(meantBy: selector, limit: limit) },
            completion: completion)
    }

    /// The bytes of an image of a donation; nil: there is none of that name.
    package func image(_ file: String) async throws(DonationError) -> [UInt8]? {
        try await perform(writes: false) { core throws(DonationError) in
            let isKnown = try core.isAny("SELECT 1 FROM images WHERE name = ?", .text(file))
            return isKnown ? core.images.read(file) : nil
        }
    }

    /// How many rows there are of each kind, those that wait for their item too; kinds without a
    /// row are left out.
    public func counts() async throws(DonationError) -> [DonationKind: Int] {
        try await perform(writes: false) { core throws(DonationError) in
            var counts: [DonationKind: Int] = [:]
            for kind in DonationKind.allCases {
                let rows = try core.tally(kind)
                if rows > 0 { counts[kind] = rows }
            }
            return counts
        }
    }

    /// How many activities and events of theirs came from other devices and wait for the item
    /// that they belong to (R15).
    package func parkedCount() async throws(DonationError) -> Int {
        try await perform(writes: false) { core throws(DonationError) in
            try core.parkedCount()
        }
    }

    /// What still mentions one of these strings: as a key, as a part of a domain, as somebody's
    /// handle, in a parameter or inside a text (F25). Reads every row, those that wait for their
    /// item too.
    public func remainder(
        mentioning words: Set<String>
    ) async throws(DonationError) -> [DonationReceipt.Entry] {
        let words = Set(words.filter { !$0.isEmpty })
        var found: [DonationReceipt.Entry] = []
        for kind in DonationKind.donations {
            var last: Int64 = 0
            while true {
                let (entries, next) = try await perform(writes: false) {
                    [last] core throws(DonationError) in
                    try core.mentions(of: words, kind, after: last)
                }
                found += entries
                guard let next else { break }
                last = next
            }
        }
        return found
            + (try await perform(writes: false) { core throws(DonationError) in
                try core.listMentions(of: words)
            })
    }

    // MARK: Restricted containers

    /// Suspends what is linked to a container: neither suggested nor searchable, and nothing new
    /// is taken, until it is lifted (F60).
    public func restrict(container: String) async throws(DonationError) {
        try await perform(writes: true) { core throws(DonationError) in
            try core.change("INSERT OR IGNORE INTO restricted VALUES (?, 0)", .text(container))
        }
    }

    /// Lifts a restriction; everything is as before.
    public func unrestrict(container: String) async throws(DonationError) {
        try await perform(writes: true) { core throws(DonationError) in
            try core.change(
                "DELETE FROM restricted WHERE container = ? AND by_sync = 0", .text(container))
        }
    }

    /// The restricted containers, in order.
    public func restrictedContainers() async throws(DonationError) -> [String] {
        try await perform(writes: false) { core throws(DonationError) in
            try core.texts("SELECT DISTINCT container FROM restricted ORDER BY container")
        }
    }
}

extension StoreCore {
    /// The rows that a selector means.
    fileprivate func rows(
        meantBy selector: DonationSelector, limit: Int
    ) throws(DonationError) -> [Donation] {
        let clauses = DeletionClauses(selector)
        try load(clauses.keys)
        var found: [Donation] = []
        for kind in DonationKind.donations {
            var before: [Clause] = []
            for part in clauses.parts(kind) where found.count < limit {
                let clause = part.clause.butNot(before).and(.unparked)
                found += try rows(kind, clause, limit: limit - found.count)
                before.append(part.clause)
            }
        }
        return found
    }

    /// The rows of one page that mention a word, and where the next page begins.
    fileprivate func mentions(
        of words: Set<String>, _ kind: DonationKind, after: Int64
    ) throws(DonationError) -> ([DonationReceipt.Entry], next: Int64?) {
        let rows = try rows(kind, .all, limit: 1000, after: after)
        let entries = rows.filter { $0.mentions(words) }.map { row in
            DonationReceipt.Entry(
                kind: kind,
                identifierDigest: digest(
                    row.identifier.orNil ?? row.persistentIdentifier ?? row.savedKey ?? ""),
                rule: .mention, wasPublic: row.isPublic && kind != .searchableItem)
        }
        return (entries, rows.count == 1000 ? rows.last?.row : nil)
    }

    fileprivate func listMentions(
        of words: Set<String>
    ) throws(DonationError) -> [DonationReceipt.Entry] {
        var found: [DonationReceipt.Entry] = []
        for kind in DonationKind.lists {
            found += try entries(kind, part: nil).filter { $0.mentions(words) }.map {
                .init(kind: kind, identifierDigest: digest($0.identifier), rule: .mention)
            }
        }
        return found
    }
}
