package import DonationSync
package import Donations
import SQLite

// The rows that are exchanged.
extension StoreSync {
    private static let columns =
        StoreCore.columns + ", " + StoreSchema.syncColumns.joined(separator: ", ")

    package func rows(after row: RowID?, limit: Int) throws(DonationError) -> [SyncedRow] {
        try rows(.all, after: row, limit: limit)
    }

    package func rowsToUpload(
        after row: RowID?, includingItems: Bool, limit: Int
    ) throws(DonationError) -> [SyncedRow] {
        // The index of these rows has the terms of this condition.
        try rows(
            Clause("\(StoreSchema.unsent) AND siri = 0"), after: row, limit: limit,
            without: includingItems ? nil : .searchableItem)
    }

    package func rows(
        unseenSince generation: Int64, limit: Int
    ) throws(DonationError) -> [SyncedRow] {
        try rows(
            Clause(
                "sync_name IS NOT NULL AND sync_tag IS NOT NULL AND ifnull(sync_seen, 0) < ?",
                .integer(generation)), after: nil, limit: limit)
    }

    package func row(_ id: RowID) throws(DonationError) -> SyncedRow? {
        guard DonationKind.donations.contains(id.kind) else { return nil }
        return try row(id.kind, "id", .integer(id.row))
    }

    package func row(named recordName: String) throws(DonationError) -> SyncedRow? {
        try rows(Clause("sync_name = ?", .text(recordName)), after: nil, limit: 1).first
    }

    package func row(like donation: Donation) throws(DonationError) -> SyncedRow? {
        if donation.kind.hasIdentifier {
            return try row(donation.kind, "identifier", .text(donation.identifier))
        }
        guard donation.kind == .savedActivity, let key = donation.savedKey else { return nil }
        return try row(.savedActivity, "saved_key", .text(key))
    }

    @discardableResult
    package mutating func putRow(_ row: SyncedRow) throws(DonationError) -> RowID {
        var old = try self.row(row.id)?.donation
        if old == nil { old = try self.row(like: row.donation)?.donation }
        var row = row
        row.donation.row = try core.put(row.donation, replacing: old)
        try setRecord(row)
        return row.id
    }

    package mutating func setRecord(_ row: SyncedRow) throws(DonationError) {
        try core.change(
            "UPDATE \(row.donation.kind.table) SET sync_name = ?, sync_tag = ?, sync_edits = ?,"
                + " sync_refused = ?, sync_context = ?, sync_device = ?, sync_seen = ?, parked = ?"
                + " WHERE id = ?", .text(orNull: row.recordName), .text(orNull: row.tag),
            .integer(row.edits), row.isRefused ? .integer(1) : .null,
            row.context.isEmpty ? .null : .text(row.context.lines), .text(orNull: row.device),
            .integer(row.generation), row.isParked ? .integer(1) : .null,
            .integer(row.donation.row))
    }

    // MARK: Removing

    package mutating func removeRows(_ rows: [RowID]) throws(DonationError) {
        try beginRemoving()
        for row in rows where DonationKind.donations.contains(row.kind) {
            _ = try markGone(row.kind, Clause("id = ?", .integer(row.row)))
        }
        _ = try core.deleteGone(leaving: nil)
    }

    package mutating func removeAllRows() throws(DonationError) -> Int {
        try remove(DonationKind.donations, .all)
    }

    package mutating func removeExchangedRows(
        includingItems: Bool
    ) throws(DonationError) -> Int {
        try core.noteLostItems()
        let kinds = DonationKind.donations.filter { includingItems || $0 != .searchableItem }
        return try remove(kinds, Clause("siri = 0"))
    }

    private func remove(_ kinds: [DonationKind], _ clause: Clause) throws(DonationError) -> Int {
        try beginRemoving()
        for kind in kinds { _ = try markGone(kind, clause) }
        return try core.deleteGone(leaving: nil)
    }

    func beginRemoving() throws(DonationError) {
        try core.execute("DELETE FROM temp.removed; DELETE FROM temp.shared")
    }

    // MARK: Parked rows

    package func item(_ identifier: String) throws(DonationError) -> Donation? {
        try core.row(.searchableItem, "identifier", identifier)
    }

    package mutating func settleParkedRows() throws(DonationError) -> Int {
        for kind in [DonationKind.activity, .savedActivity] {
            let isHere = "related IN (SELECT identifier FROM items)"
            try core.change(
                "UPDATE \(kind.table) SET parked = NULL WHERE parked = 1 AND \(isHere)")
            try core.change(
                "UPDATE \(kind.table) SET parked = 1"
                    + " WHERE related IS NOT NULL AND parked IS NULL AND NOT \(isHere)")
        }
        return try core.parkedCount()
    }

    // MARK: Reading

    private func rows(
        _ clause: Clause, after last: RowID?, limit: Int, without left: DonationKind? = nil
    ) throws(DonationError) -> [SyncedRow] {
        var found: [SyncedRow] = []
        let first = last.flatMap { DonationKind.donations.firstIndex(of: $0.kind) } ?? 0
        for kind in DonationKind.donations[first...] where found.count < limit && kind != left {
            let after = kind == last?.kind ? last?.row ?? 0 : 0
            found += try core.read(
                "SELECT \(Self.columns) FROM \(kind.table) WHERE \(clause.sql) AND id > ?"
                    + " ORDER BY id LIMIT ?",
                values: clause.values + [
                    .integer(after), .integer(Int64(clamping: limit - found.count)),
                ]
            ) { Self.row(kind, $0) }
        }
        return found
    }

    private func row(
        _ kind: DonationKind, _ column: String, _ value: Value
    ) throws(DonationError) -> SyncedRow? {
        try core.read(
            "SELECT \(Self.columns) FROM \(kind.table) WHERE \(column) = ? LIMIT 1", value
        ) { Self.row(kind, $0) }.first
    }

    private static func row(_ kind: DonationKind, _ statement: Statement) -> SyncedRow {
        let first = 1 + StoreSchema.columns.count
        var row = SyncedRow(
            Donation(kind, at: statement), recordName: statement.optionalText(at: first),
            tag: statement.optionalText(at: first + 1),
            device: statement.optionalText(at: first + 5),
            isParked: statement.bool(at: first + 7), generation: statement.int64(at: first + 6))
        row.edits = statement.int64(at: first + 2)
        row.isRefused = statement.bool(at: first + 3)
        row.context = DeletionContext(lines: statement.text(at: first + 4))
        return row
    }
}
