import Donations
import SQLite

/// What a receipt says beside what went.
extension StoreCore {
    /// How many rows with other spellings are looked at.
    private static let nearRowsMax = 2000
    /// How many rows are searched for names in their parameters, newest first, for all names of a
    /// call together.
    private static let searchedRowsMax = 100_000
    /// How many unmatched names are looked at.
    private static let nearNamesMax = 50

    /// A column of a table.
    private typealias Place = (kind: DonationKind, column: String)

    // MARK: Names that match nothing

    /// Notes which names match nothing, and what was perhaps meant (A1, A12, M2).
    func findUnmatched(
        _ clauses: DeletionClauses, in receipt: inout DonationReceipt
    ) throws(DonationError) {
        guard !clauses.keys.isEmpty, let unmatched = clauses.unmatched else { return }
        let names = try texts(
            "SELECT key FROM temp.keys WHERE \(unmatched.sql)", values: unmatched.values)
        receipt.unmatchedCount = names.count
        receipt.unmatched = names.prefix(configuration.receiptEntriesMax).map { digest($0) }
        let looked = Array(names.prefix(Self.nearNamesMax))
        guard !looked.isEmpty else { return }
        for name in looked { try findOtherKeys(name, in: &receipt) }
        try findParameters(looked, in: &receipt)
        try findEqualLetters(Set(looked), in: &receipt)
    }

    /// Rows that have the name as another kind of key, or as a parameter (M2).
    private func findOtherKeys(
        _ name: String, in receipt: inout DonationReceipt
    ) throws(DonationError) {
        let places: [Place] = [
            (.interaction, "identifier"), (.interaction, "grp"), (.savedActivity, "pid"),
            (.savedActivity, "related"), (.savedActivity, "domain"),
            (.searchableItem, "identifier"), (.searchableItem, "domain"),
            (.appIntent, "identifier"),
        ]
        for place in places {
            let clause = Clause("\(place.column) = ?", .text(name))
            receipt.nearMisses += try entries(clause, place.kind, .otherKey, limit: 1)
        }
    }

    /// Interactions that have a name as a parameter (M2): the newest of each name.
    private func findParameters(
        _ names: [String], in receipt: inout DonationReceipt
    ) throws(DonationError) {
        let last = Self.searchedRowsMax / names.count
        // SQLite looks for the bytes; whether they are a parameter is seen in the row.
        let clause = "id > (SELECT coalesce(max(id), 0) - \(last) FROM interactions)"
        for name in names {
            let holds = Clause("\(clause) AND instr(body, ?)", .blob(Array(name.utf8)))
            let rows = try read(
                "SELECT \(Self.columns) FROM interactions WHERE \(holds.sql)"
                    + " ORDER BY id DESC LIMIT \(Self.nearNamesMax)", values: holds.values
            ) { Donation(.interaction, at: $0) }
            guard
                let row = rows.first(where: { row in
                    row.mentions.contains { $0.isSame(as: name) }
                })
            else { continue }
            receipt.nearMisses.append(
                .init(
                    kind: .interaction, identifierDigest: digest(row.identifier), rule: .otherKey))
        }
    }

    /// Rows with a key that has the same letters in other bytes (A12).
    private func findEqualLetters(
        _ names: Set<String>, in receipt: inout DonationReceipt
    ) throws(DonationError) {
        for kind in DonationKind.donations {
            for row in try rows(kind, Clause("exotic = 1"), limit: Self.nearRowsMax) {
                let keys = [
                    row.identifier, row.group, row.persistentIdentifier, row.relatedIdentifier,
                    row.domain,
                ].compactMap { $0 }
                guard
                    keys.contains(where: { key in
                        names.firstIndex(of: key).map { !names[$0].isSame(as: key) } ?? false
                    })
                else { continue }
                let name = row.identifier.orNil ?? row.persistentIdentifier ?? row.savedKey ?? ""
                receipt.nearMisses.append(
                    .init(kind: kind, identifierDigest: digest(name), rule: .canonicallyEqual))
            }
        }
    }

    // MARK: Remarks

    /// Notes what stays although one might think otherwise.
    func addNotes(
        _ clauses: DeletionClauses, to receipt: inout DonationReceipt
    ) throws(DonationError) {
        func note(_ remark: DonationReceipt.Remark, _ rows: Int) {
            if rows > 0 { receipt.notes.append(.init(remark: remark, rows: rows)) }
        }
        switch clauses.selector {
        case .allInteractions:
            note(.siriInteractions, try number(.interaction, Clause("siri = 1")))
        case .allSearchableItems(nil):
            note(.unrelatedActivities, try number(.savedActivity, Clause("related IS NULL")))
            note(.recentResults, receipt.removedCount(.searchableItem))
        case .searchableDomains(_, .some):
            let clause = DeletionClauses.inDomain(.savedActivity)
                .butNot(clauses.parts(.savedActivity).map(\.clause))
            note(.activitiesOfDomain, try number(.savedActivity, clause))
        case .everything:
            note(.recentResults, receipt.removedCount(.searchableItem))
        default: break
        }
        if case .list = clauses.selector {
        } else if receipt.removedCount > 0 {
            note(.voiceShortcuts, try tally(.voiceShortcut))
        }
        note(.publicParts, receipt.publicRows)
    }

    /// How many rows of a kind a condition holds for.
    func number(_ kind: DonationKind, _ clause: Clause) throws(DonationError) -> Int {
        try count(clause, kind).rows
    }
}
