package import Basics
package import DonationSync
package import Donations

extension MemoryStorage {
    /// What this device knows of the zone.
    package func exchange() -> ExchangeFacts { facts }

    /// Stores what this device knows.
    package mutating func setExchange(_ facts: ExchangeFacts) { self.facts = facts }

    // MARK: Deletions

    /// Deletions made here and not pushed.
    package func ownDeletions(limit: Int) -> [OwnDeletion] {
        Array(ownDeletionList.prefix(limit))
    }

    /// Adds a deletion made here.
    package mutating func addOwnDeletion(_ deletion: OwnDeletion) {
        ownDeletionList.append(deletion)
        ownDeletionList.sort { $0.sequence < $1.sequence }
    }

    /// Removes one own deletion.
    package mutating func removeOwnDeletion(_ sequence: Int64) {
        ownDeletionList.removeAll { $0.sequence == sequence }
    }

    /// Removes all own deletions.
    package mutating func removeOwnDeletions() { ownDeletionList = [] }

    /// Every deletion record known and not collected.
    package func deletions() -> [SyncDeletion] {
        deletionList.values.flatMap { $0.values }
            .sorted { ($0.device, $0.sequence) < ($1.device, $1.sequence) }
    }

    /// Stores a deletion record.
    package mutating func putDeletion(_ deletion: SyncDeletion) {
        deletionList[deletion.device, default: [:]][deletion.sequence] = deletion
    }

    /// Forgets one deletion record.
    package mutating func removeDeletion(of device: String, sequence: Int64) {
        deletionList[device]?[sequence] = nil
        if deletionList[device]?.isEmpty ?? false { deletionList[device] = nil }
    }

    /// Forgets all deletion records and own deletions.
    package mutating func removeAllDeletions() {
        deletionList = [:]
        ownDeletionList = []
    }

    // MARK: Rows

    private func rows(
        after row: RowID?, limit: Int, where holds: (SyncedRow) -> Bool
    ) -> [SyncedRow] {
        var rows: [SyncedRow] = []
        for id in table.keys.sorted() {
            guard rows.count < limit else { break }
            if let row, id <= row { continue }
            if let found = table[id], holds(found) { rows.append(found) }
        }
        return rows
    }

    /// All rows after a row and in order.
    package func rows(after row: RowID?, limit: Int) -> [SyncedRow] {
        rows(after: row, limit: limit) { _ in true }
    }

    /// The rows that are to be uploaded.
    package func rowsToUpload(
        after row: RowID?, includingItems: Bool, limit: Int
    ) -> [SyncedRow] {
        rows(after: row, limit: limit) {
            $0.isToUpload && !$0.donation.isFromSiri
                && (includingItems || $0.donation.kind != .searchableItem)
        }
    }

    /// Rows with a tag that no scan of this generation delivered.
    package func rows(unseenSince generation: Int64, limit: Int) -> [SyncedRow] {
        rows(after: nil, limit: limit) { $0.tag != nil && $0.generation < generation }
    }

    /// The row of a number.
    package func row(_ id: RowID) -> SyncedRow? { table[id] }

    /// The row of a record.
    package func row(named recordName: String) -> SyncedRow? {
        table.values.first { $0.recordName == recordName }
    }

    /// The row that is the same thing for the app.
    package func row(like donation: Donation) -> SyncedRow? {
        table.values.first { $0.donation.isSameThing(as: donation) }
    }

    /// Stores a row that arrived, or replaces the one with its id.
    @discardableResult
    package mutating func putRow(_ row: SyncedRow) -> RowID {
        var row = row
        if row.donation.row == 0 {
            lastRow += 1
            row.donation.row = lastRow
        }
        table[row.id] = row
        return row.id
    }

    /// Stores everything but the donation of a row.
    package mutating func setRecord(_ row: SyncedRow) {
        guard let donation = table[row.id]?.donation else { return }
        table[row.id] = row
        table[row.id]?.donation = donation
    }

    /// Removes rows, without any cascade.
    package mutating func removeRows(_ rows: [RowID]) {
        for row in rows { table[row] = nil }
    }

    /// Removes every row.
    package mutating func removeAllRows() -> Int {
        defer { table = [:] }
        return table.count
    }

    /// Removes the rows that are exchanged.
    package mutating func removeExchangedRows(includingItems: Bool) -> Int {
        let before = table.count
        table = table.filter { _, row in
            row.donation.isFromSiri
                || !includingItems && row.donation.kind == .searchableItem
        }
        return before - table.count
    }

    /// The item of this device's index with an identifier.
    package func item(_ identifier: String) -> Donation? {
        table.values.first {
            $0.donation.kind == .searchableItem && $0.donation.identifier.isSame(as: identifier)
        }?.donation
    }

    /// Shows parked activities whose item is here, hides those whose item is not.
    package mutating func settleParkedRows() -> Int {
        let items = Set(
            table.values.filter { $0.donation.kind == .searchableItem }
                .map { Array($0.donation.identifier.utf8) })
        var parked = 0
        for (id, row) in table {
            guard row.donation.kind == .activity || row.donation.kind == .savedActivity,
                let item = row.donation.relatedIdentifier
            else { continue }
            let isParked = !items.contains(Array(item.utf8))
            table[id]?.isParked = isParked
            if isParked { parked += 1 }
        }
        return parked
    }

    // MARK: Records whose row is gone

    /// What is noted of a record whose row is gone.
    package func gone(_ recordName: String) -> GoneRecord? { goneRecords[recordName] }

    /// Records to delete whose tag is known.
    package func pendingDeletes(limit: Int) -> [GoneRecord] {
        Array(
            goneRecords.values.filter { $0.isToDelete && $0.tag != nil }
                .sorted { $0.recordName < $1.recordName }.prefix(limit))
    }

    /// Notes records.
    package mutating func putGone(_ records: [GoneRecord]) {
        for record in records { goneRecords[record.recordName] = record }
    }

    /// From when the service's clock should be asked.
    package func releaseMoment() -> Timestamp? {
        goneRecords.values.filter { !$0.isToDelete }.compactMap(\.deletesFrom).min().map {
            Timestamp(milliseconds: $0.milliseconds + clockAhead)
        }
    }

    /// Makes the records whose time is over ones to delete.
    package mutating func releaseGone(at time: Timestamp, now: Timestamp?) {
        for (name, record) in goneRecords where record.deletesFrom.map({ $0 <= time }) ?? false {
            goneRecords[name]?.isToDelete = true
        }
        if let now { clockAhead = now.milliseconds - time.milliseconds }
    }

    /// Forgets records by name.
    package mutating func removeGone(_ names: [String]) {
        for name in names { goneRecords[name] = nil }
    }

    /// Forgets the records whose tag is not known.
    package mutating func removeGoneWithoutTag() {
        goneRecords = goneRecords.filter { $0.value.tag != nil }
    }

    /// Forgets all; how many of them were to be deleted.
    package mutating func removeAllGone() -> Int {
        defer { goneRecords = [:] }
        return goneRecords.values.count { $0.isToDelete }
    }
}

extension Donation {
    /// Whether both are one thing for the app: the same identifier, or the same saved activity.
    package func isSameThing(as other: Donation) -> Bool {
        guard kind == other.kind else { return false }
        switch kind {
        case .interaction, .searchableItem, .appIntent:
            return identifier.isSame(as: other.identifier)
        case .savedActivity: return savedKey.map { $0.isSame(as: other.savedKey) } ?? false
        default: return false
        }
    }
}
