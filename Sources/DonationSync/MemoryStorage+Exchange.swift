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

    /// Removes own deletions up to a number.
    package mutating func removeOwnDeletions(through sequence: Int64) {
        ownDeletionList.removeAll { $0.sequence <= sequence }
    }

    /// Every deletion record known and not collected.
    package func deletions() -> [SyncDeletion] {
        deletionList.values.flatMap { $0.values }
            .sorted { ($0.device, $0.sequence) < ($1.device, $1.sequence) }
    }

    /// Stores a deletion record.
    package mutating func putDeletion(_ deletion: SyncDeletion) {
        deletionList[deletion.device, default: [:]][deletion.sequence] = deletion
    }

    /// Forgets deletions of a device up to a number.
    package mutating func removeDeletions(of device: String, through sequence: Int64) {
        deletionList[device] = deletionList[device]?.filter { $0.key > sequence }
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
        let ids = table.keys.filter { row == nil || $0 > row! }.sorted()
        var rows: [SyncedRow] = []
        for id in ids {
            guard rows.count < limit else { break }
            if let found = table[id], found.isSyncable, holds(found) { rows.append(found) }
        }
        return rows
    }

    /// Rows that can be synced, after a row and in order.
    package func rows(after row: RowID?, limit: Int) -> [SyncedRow] {
        rows(after: row, limit: limit) { _ in true }
    }

    /// The same, of those without a record.
    package func rowsWithoutRecord(after row: RowID?, limit: Int) -> [SyncedRow] {
        rows(after: row, limit: limit) { $0.recordName == nil }
    }

    /// Rows with a record that no scan of this generation delivered.
    package func rows(unseenSince generation: Int64, limit: Int) -> [SyncedRow] {
        rows(after: nil, limit: limit) { $0.recordName != nil && $0.generation < generation }
    }

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

    /// Notes a row's record.
    package mutating func setRecord(_ recordName: String?, tag: String?, of row: RowID) {
        table[row]?.recordName = recordName
        table[row]?.tag = tag
    }

    /// Removes rows, without any cascade.
    package mutating func removeRows(_ rows: [RowID]) {
        for row in rows { table[row] = nil }
    }

    /// Removes every row that can be synced.
    package mutating func removeSyncableRows() -> Int {
        let gone = table.filter { $0.value.isSyncable }.map(\.key)
        removeRows(gone)
        return gone.count
    }

    /// Whether an item is in this device's index.
    package func hasItem(_ identifier: String) -> Bool {
        table.values.contains {
            $0.donation.kind == .searchableItem && $0.donation.identifier.isSame(as: identifier)
        }
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

    // MARK: Record deletes

    /// Names of records that are to be deleted from the zone.
    package func pendingDeletes(limit: Int) -> [String] {
        Array(pendingDeleteNames.sorted().prefix(limit))
    }

    /// Adds names.
    package mutating func addPendingDeletes(_ names: [String]) {
        pendingDeleteNames.formUnion(names)
    }

    /// Removes names.
    package mutating func removePendingDeletes(_ names: [String]) {
        pendingDeleteNames.subtract(names)
    }

    /// Removes all names.
    package mutating func removeAllPendingDeletes() -> Int {
        defer { pendingDeleteNames = [] }
        return pendingDeleteNames.count
    }
}

extension SyncedRow {
    /// Whether the row may leave the device: Siri's own may not.
    var isSyncable: Bool {
        DonationKind.donations.contains(donation.kind) && !donation.isFromSiri
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
