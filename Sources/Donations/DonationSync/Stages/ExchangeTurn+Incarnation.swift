import Donations

/// Which zone this device is in, and which of its lives it is in it.
extension ExchangeTurn {
    /// Takes the zone's record for the truth about the zone.
    mutating func join(_ record: ExchangeZoneRecord, tag: String) throws(Storage.Failure) {
        if let known = facts.incarnation, known != record.incarnation {
            try leaveIncarnation()
        }
        facts.zoneTag = tag
        facts.zoneLacksBase = !record.base.includes(facts.base)
        if facts.incarnation == nil {
            facts.incarnation = record.incarnation
            facts.zoneKey = record.key
            if facts.device == nil { facts.device = entropy.hexadecimal(16) }
            if facts.origin == nil { facts.origin = entropy.hexadecimal(16) }
            facts.beginScan()
        }
        try takeBase(record.base)
    }

    /// Takes what was collected for seen. A device that has not seen all of it can no longer tell
    /// which of its rows were deleted: all go, and what the zone has is read again (R6).
    mutating func takeBase(_ base: DeletionContext) throws(Storage.Failure) {
        facts.base = facts.base.joined(with: base)
        guard !facts.context.includes(facts.base) else { return }
        // More deletions of its own than it sent: those of a former life (R9). Its numbers are taken.
        if let device = facts.device,
            facts.base.number(of: device) > facts.context.number(of: device)
        {
            try rename()
        }
        facts.context = facts.context.joined(with: facts.base)
        let removed = try storage.removeExchangedRows(includingItems: facts.includesItems)
        report.remove(removed, .remoteDeletion)
        _ = try storage.removeAllGone()
        facts.beginScan()
    }

    /// The zone this device took part in is no longer there: its rows go (R8), and with them all that
    /// was known of it.
    mutating func leaveIncarnation(keepsRows: Bool = false) throws(Storage.Failure) {
        if !keepsRows {
            let removed = try storage.removeExchangedRows(includingItems: facts.includesItems)
            report.remove(removed, .zoneGone)
        }
        try forgetRecords()
        let pending = try storage.removeAllGone() + storage.ownDeletions(limit: 100_000).count
        try rescue(.zoneGone, changes: pending)
        try storage.removeAllDeletions()
        let old = facts
        facts = ExchangeFacts()
        facts.isOn = old.isOn
        facts.includesItems = old.includesItems
        facts.origin = old.origin
        facts.generation = old.generation + 1
    }

    /// Makes what is left of an older zone into rows that no zone has; events keep the names of their
    /// records, so that all devices send the same ones.
    private mutating func forgetRecords() throws(Storage.Failure) {
        try forEachRow { (turn, row) throws(Storage.Failure) in
            guard row.recordName != nil else { return }
            var row = row
            row.tag = nil
            row.edits = 0
            row.context = [:]
            row.isRefused = false
            if !row.donation.kind.isActivity { row.recordName = nil }
            try turn.storage.setRecord(row)
        }
    }

    /// The zone knows more of this device than it does itself: it was restored from a backup, and
    /// takes another name before anything else (R9). What it had not sent is numbered anew.
    mutating func rename() throws(Storage.Failure) {
        let own = try storage.ownDeletions(limit: .max)
        try storage.removeOwnDeletions()
        facts.device = entropy.hexadecimal(16)
        facts.sequence = 0
        facts.round = 0
        facts.isRegistered = false
        facts.confirmed = [:]
        for var deletion in own {
            facts.sequence += 1
            deletion.sequence = facts.sequence
            try storage.addOwnDeletion(deletion)
        }
    }

    /// A device's record arrives, perhaps this one's own.
    mutating func takeDevice(_ device: SyncDevice) throws(Storage.Failure) {
        facts.devices.removeAll { $0.name == device.name }
        facts.devices.append(device)
        guard device.name == facts.device else { return }
        if device.round > facts.round || device.context.number(of: device.name) > facts.sequence {
            try rename()
        } else {
            facts.isRegistered = true
            facts.confirmed = device.context
        }
    }
}
