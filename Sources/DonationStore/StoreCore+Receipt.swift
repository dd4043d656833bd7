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
        guard !clauses.keys.isEmpty else { return }
        let names = try unmatched(clauses.selector)
        receipt.unmatchedCount = names.count
        receipt.unmatched = names.prefix(configuration.receiptEntriesMax).map { digest($0) }
        let looked = Array(names.prefix(Self.nearNamesMax))
        guard !looked.isEmpty else { return }
        for name in looked { try findOtherKeys(name, in: &receipt) }
        try findParameters(looked, in: &receipt)
        try findEqualLetters(Set(looked), in: &receipt)
    }

    /// The keys for which no row is there.
    private func unmatched(_ selector: DonationSelector) throws(DonationError) -> [String] {
        let places: [Place]
        var domains = false
        switch selector {
        case .interactions: places = [(.interaction, "identifier")]
        case .interactionGroup: places = [(.interaction, "grp")]
        case .activities:
            places = [(.activity, "pid"), (.savedActivity, "pid"), (.interaction, "nested_pid")]
        case .searchableItems(_, nil):
            places = [
                (.searchableItem, "identifier"), (.activity, "related"),
                (.savedActivity, "related"),
            ]
        case .searchableItems(_, let index?): return try unmatched(inIndex: index)
        case .appIntents: places = [(.appIntent, "identifier")]
        case .searchableDomains:
            places = [
                (.searchableItem, "domain"), (.activity, "domain"), (.savedActivity, "domain"),
            ]
            domains = true
        default: return []
        }
        let tests = places.map { place in
            let column = "t.\(place.column)"
            let test =
                domains
                ? "\(column) >= key AND \(column) < key || '/' AND (\(column) = key OR"
                    + " \(column) >= key || '.')"
                : "\(column) = key"
            return "NOT EXISTS (SELECT 1 FROM \(place.kind.table) t WHERE \(test))"
        }
        return try names("SELECT key FROM temp.keys WHERE " + tests.joined(separator: " AND "))
    }

    private func unmatched(inIndex name: String) throws(DonationError) -> [String] {
        try names(
            "SELECT key FROM temp.keys WHERE NOT EXISTS (SELECT 1 FROM items"
                + " WHERE identifier = key AND index_name = ?)", .text(name))
    }

    private func names(_ sql: String, _ values: Value...) throws(DonationError) -> [String] {
        try sqlite { () throws(SQLiteError) in
            let statement = try connection.prepare(sql)
            defer { statement.reset() }
            for (index, value) in values.enumerated() { statement.bind(index + 1, value) }
            var names: [String] = []
            while try statement.step() { names.append(statement.text(at: 0)) }
            return names
        }
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
            let row = try sqlite { () throws(SQLiteError) -> Donation? in
                let statement = try connection.prepare(
                    "SELECT \(Self.columns) FROM interactions WHERE \(holds.sql)"
                        + " ORDER BY id DESC LIMIT \(Self.nearNamesMax)")
                defer { statement.reset() }
                _ = holds.bind(to: statement)
                while try statement.step() {
                    let row = Donation(.interaction, at: statement)
                    if row.mentions.contains(where: { $0.isSame(as: name) }) { return row }
                }
                return nil
            }
            guard let row else { continue }
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
        case .allInteractions: note(.siriInteractions, try number(.interaction, "siri = 1"))
        case .allSearchableItems(nil):
            note(.unrelatedActivities, try number(.savedActivity, "related IS NULL"))
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

    private func number(_ kind: DonationKind, _ sql: String) throws(DonationError) -> Int {
        try number(kind, Clause(sql))
    }

    /// How many rows of a kind a condition holds for.
    func number(_ kind: DonationKind, _ clause: Clause) throws(DonationError) -> Int {
        try sqlite { () throws(SQLiteError) in
            let statement = try connection.prepare(
                "SELECT count(*) FROM \(kind.table) WHERE \(clause.sql)")
            defer { statement.reset() }
            _ = clause.bind(to: statement)
            _ = try statement.step()
            return statement.int(at: 0)
        }
    }
}
