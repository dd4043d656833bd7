package import CloudModel
import Donations

extension Exchange {
    // MARK: Incarnations

    /// Takes the zone's record for the truth about the zone.
    func join<Storage: SyncStorage>(
        _ record: ExchangeZoneRecord, tag: String, _ storage: inout Storage,
        _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep? {
        if let known = turn.facts.incarnation, known != record.incarnation {
            try leaveIncarnation(&storage, &turn)
        }
        turn.facts.zoneTag = tag
        turn.facts.zoneLacksBase = !record.base.includes(turn.facts.base)
        if turn.facts.incarnation == nil {
            turn.facts.incarnation = record.incarnation
            turn.facts.zoneKey = record.key
            if turn.facts.device == nil { turn.facts.device = turn.entropy.hexadecimal(16) }
            if turn.facts.origin == nil { turn.facts.origin = turn.entropy.hexadecimal(16) }
            turn.facts.beginScan()
        }
        try take(base: record.base, &storage, &turn)
        return nil
    }

    /// Takes what was collected for seen. Who has not seen all of it can no longer tell which of
    /// his rows were deleted: all go, and what the zone has is read again (R6).
    func take<Storage: SyncStorage>(
        base: DeletionContext, _ storage: inout Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) {
        turn.facts.base = turn.facts.base.joined(with: base)
        guard !turn.facts.context.includes(turn.facts.base) else { return }
        // More deletions of its own than it sent: those of a former life (R9). Its numbers are taken.
        if let device = turn.facts.device, rules.renamesAfterRollBack,
            turn.facts.base.number(of: device) > turn.facts.context.number(of: device)
        {
            try rename(&storage, &turn)
        }
        turn.facts.context = turn.facts.context.joined(with: turn.facts.base)
        let removed = try storage.removeExchangedRows(includingItems: turn.facts.includesItems)
        turn.report.remove(removed, .remoteDeletion)
        _ = try storage.removeAllGone()
        turn.facts.beginScan()
    }

    /// The zone this device took part in is no longer: its rows go (R8), and with them all that
    /// was known of it.
    func leaveIncarnation<Storage: SyncStorage>(
        _ storage: inout Storage, _ turn: inout ExchangeTurn, keepsRows: Bool = false
    ) throws(Storage.Failure) {
        if !keepsRows, rules.dropsOldIncarnation {
            let removed = try storage.removeExchangedRows(includingItems: turn.facts.includesItems)
            turn.report.remove(removed, .zoneGone)
        }
        try forgetRecords(&storage)
        let pending = try storage.removeAllGone() + storage.ownDeletions(limit: 100_000).count
        if pending > 0 {
            try storage.rescue(
                SyncRescue(
                    at: turn.now, cause: .zoneGone, zone: zone.zoneID, changes: Int64(pending)))
            turn.report.rescued += Int64(pending)
        }
        try storage.removeAllDeletions()
        let old = turn.facts
        turn.facts = ExchangeFacts()
        turn.facts.isOn = old.isOn
        turn.facts.includesItems = old.includesItems
        turn.facts.origin = old.origin
        turn.facts.generation = old.generation + 1
    }

    /// Makes what is left of an older zone into rows that no zone has; events keep the names of their
    /// records, so that all devices send the same ones.
    private func forgetRecords<Storage: SyncStorage>(
        _ storage: inout Storage
    ) throws(Storage.Failure) {
        var last: RowID?
        while true {
            let rows = try storage.rows(after: last, limit: 500)
            for var row in rows where row.recordName != nil {
                row.tag = nil
                row.edits = 0
                row.context = [:]
                row.isRefused = false
                if row.donation.kind != .activity, row.donation.kind != .savedActivity {
                    row.recordName = nil
                }
                try storage.setRecord(row)
            }
            guard rows.count == 500, let end = rows.last else { return }
            last = end.id
        }
    }

    // MARK: Roll-back

    /// The zone knows more of this device than it does itself: it was restored from a backup, and
    /// takes another name before anything else (R9). What it had not sent is numbered anew.
    func rename<Storage: SyncStorage>(
        _ storage: inout Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) {
        let own = try storage.ownDeletions(limit: .max)
        try storage.removeOwnDeletions()
        turn.facts.device = turn.entropy.hexadecimal(16)
        turn.facts.sequence = 0
        turn.facts.round = 0
        turn.facts.isRegistered = false
        turn.facts.confirmed = [:]
        for var deletion in own {
            turn.facts.sequence += 1
            deletion.sequence = turn.facts.sequence
            try storage.addOwnDeletion(deletion)
        }
    }

    // MARK: Losing the zone

    /// The donation zone is gone, or fenced: what the exchange manages goes (5.5). The machine
    /// stores the zone's status itself.
    package mutating func zoneLost<Storage: SyncStorage>(
        _ reason: SyncGoneReason, _ storage: inout Storage, now: Timestamp,
        report: inout SyncReport
    ) throws(Storage.Failure) {
        let facts = try storage.exchange()
        open = nil
        round = ExchangeRound()
        guard facts.incarnation != nil else { return }
        var turn = ExchangeTurn(
            facts: facts, entropy: SyncEntropy(SeededGenerator(seed: 0)), now: now, report: report)
        let keeps = reason == .encryptedDataReset && settings.keepsDonationsOnReset
        try leaveIncarnation(&storage, &turn, keepsRows: keeps)
        try storage.setExchange(turn.facts)
        report = turn.report
    }

    /// The donation zone is fenced: nothing is sent, and record deletes go to the rescue log.
    /// Deletions wait: they hold nothing of what was erased, and their numbers know no gap.
    package mutating func zoneFenced<Storage: SyncStorage>(
        _ storage: inout Storage, now: Timestamp, report: inout SyncReport
    ) throws(Storage.Failure) {
        let pending = try storage.removeAllGone()
        open = nil
        round = ExchangeRound()
        guard pending > 0 else { return }
        try storage.rescue(
            SyncRescue(at: now, cause: .fenced, zone: zone.zoneID, changes: Int64(pending)))
        report.rescued += Int64(pending)
    }
}
