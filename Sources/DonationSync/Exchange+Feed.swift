import CloudModel
import Donations

extension Exchange {
    /// A page of the zone's feed.
    mutating func take<Storage: SyncStorage>(
        _ page: ZoneChangesPage, isFirst: Bool, _ storage: inout Storage,
        _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep? {
        let incarnation = turn.facts.incarnation
        let generation = turn.facts.generation
        if let step = try takeExchange(page.records, &storage, &turn) { return step }
        guard turn.facts.incarnation == incarnation, turn.facts.generation == generation else {
            return nil
        }
        let knowledge = try knowledge(storage, turn)
        for item in page.records {
            switch item {
            case .record(let record):
                switch ExchangeRecordType(rawValue: record.recordType) {
                case .donation?, .savedActivity?, .searchItem?:
                    try take(record, knowledge, &storage, &turn)
                case .zone?, .device?, .deletion?, nil: break
                }
            case .deleted(let name, _): try takeDeleted(name, &storage, &turn)
            case .failure: turn.report.refuse(.unreadable)
            }
        }
        let token = page.token.rawValue.isEmpty ? turn.facts.token : page.token
        guard page.moreComing else {
            turn.facts.token = token
            turn.facts.repeats = 0
            return try finishFeed(&storage, &turn)
        }
        turn.report.parked = Int64(try storage.settleParkedRows())
        turn.facts.repeats = token == turn.facts.token ? turn.facts.repeats + 1 : 0
        turn.facts.token = token
        guard turn.facts.repeats < 3 else {
            turn.facts.repeats = 0
            return .wait(.stuckFeed, retryAfter: nil)
        }
        return readFeed(turn)
    }

    /// The feed was read to its end. Only now, and only after a scan from the beginning, what was
    /// not delivered counts as deleted.
    private mutating func finishFeed<Storage: SyncStorage>(
        _ storage: inout Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep? {
        if turn.facts.isScanning, turn.facts.zoneTag == nil, rules.dropsOldIncarnation {
            // Nothing says that it is the zone it was: it may be another one of the same name.
            try leaveIncarnation(&storage, &turn)
            round.restart()
            return nil
        }
        if turn.facts.isScanning {
            while true {
                let rows = try storage.rows(
                    unseenSince: turn.facts.generation, limit: settings.sweepLimit)
                for row in rows { try drop(row, &storage, &turn) }
                guard rows.count == settings.sweepLimit else { break }
            }
            turn.facts.isScanning = false
        }
        try storage.removeGoneWithoutTag()
        turn.report.parked = Int64(try storage.settleParkedRows())
        round.mustRead = false
        round.mustReadBeforeUpload = false
        round.mustReadAfter = false
        return nil
    }

    /// The zone's record, the register and the deletions of a page: before its rows, so that rows
    /// are judged by all that is known.
    private mutating func takeExchange<Storage: SyncStorage>(
        _ items: [Record.Item], _ storage: inout Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep? {
        var zoneRecord: Record?
        var deletions: [SyncDeletion] = []
        var devices: [SyncDevice] = []
        var gone: Set<String> = []
        for item in items {
            switch item {
            case .record(let record):
                let type = ExchangeRecordType(rawValue: record.recordType)
                do throws(SyncRefusal) {
                    switch type {
                    case .zone? where record.id.recordName == ExchangeNames.zone:
                        zoneRecord = record
                    case .device?: devices.append(try SyncDevice(record))
                    case .deletion?: deletions.append(try SyncDeletion(record))
                    default: continue
                    }
                } catch {
                    turn.report.refuse(error)
                }
                turn.facts.note(record.modified.timestamp)
            case .deleted(let name, _):
                takeGone(name, &turn)
                if ExchangeNames.deletion(named: name) != nil { gone.insert(name) }
            case .failure: continue
            }
        }
        let incarnation = turn.facts.incarnation
        let generation = turn.facts.generation
        if let zoneRecord {
            guard let decoded = try? ExchangeZoneRecord(zoneRecord),
                decoded.schema <= ExchangeZoneRecord.schema
            else { return .halted(.schemaRefused) }
            if decoded.incarnation != incarnation {
                _ = try join(decoded, tag: zoneRecord.recordChangeTag, &storage, &turn)
                round.restart()
                round.mustRead = true
                return nil
            }
        }
        try take(deletions, &storage, &turn)
        for device in devices { try take(device, &storage, &turn) }
        if let zoneRecord, let decoded = try? ExchangeZoneRecord(zoneRecord) {
            _ = try join(decoded, tag: zoneRecord.recordChangeTag, &storage, &turn)
            if turn.facts.generation != generation { round.mustRead = true }
        }
        try takeGone(deletions: gone, &storage, turn)
        return nil
    }

    /// The feed says that a record of the exchange is gone.
    private func takeGone(_ name: String, _ turn: inout ExchangeTurn) {
        if name == ExchangeNames.zone {
            turn.facts.zoneTag = nil
        } else if let device = ExchangeNames.device(named: name) {
            turn.facts.devices.removeAll { $0.name == device }
            if device == turn.facts.device { turn.facts.isRegistered = false }
        }
    }

    /// The feed says that records of deletions are gone: collected, or else sent again, because
    /// nobody may collect them yet.
    private func takeGone<Storage: SyncStorage>(
        deletions names: Set<String>, _ storage: inout Storage, _ turn: ExchangeTurn
    ) throws(Storage.Failure) {
        guard !names.isEmpty else { return }
        var collected: Set<String> = []
        for var deletion in try storage.deletions()
        where !deletion.isCollected && names.contains(deletion.recordName) {
            if deletion.sequence <= turn.facts.base.number(of: deletion.device)
                || !rules.raisesBase
            {
                collected.insert(deletion.recordName)
            } else {
                deletion.generation = 0
                try storage.putDeletion(deletion)
            }
        }
        try remember(collected, &storage)
    }

    // MARK: The register

    private func take<Storage: SyncStorage>(
        _ device: SyncDevice, _ storage: inout Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) {
        turn.facts.devices.removeAll { $0.name == device.name }
        turn.facts.devices.append(device)
        guard device.name == turn.facts.device else { return }
        let knowsMore =
            device.round > turn.facts.round
            || device.context.number(of: device.name) > turn.facts.sequence
        if knowsMore, rules.renamesAfterRollBack {
            try rename(&storage, &turn)
        } else {
            turn.facts.isRegistered = true
            turn.facts.confirmed = device.context
            turn.facts.round = max(turn.facts.round, device.round)
        }
    }

    // MARK: Deletions

    /// Takes deletions of a page; each new one is applied to all rows once.
    private func take<Storage: SyncStorage>(
        _ arrived: [SyncDeletion], _ storage: inout Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) {
        guard !arrived.isEmpty else { return }
        var known: [String: SyncDeletion] = [:]
        for deletion in try storage.deletions() { known[deletion.recordName] = deletion }
        var fresh: [SyncDeletion] = []
        for var deletion in arrived.sorted(by: { $0.sequence < $1.sequence }) {
            deletion.generation = turn.facts.generation
            if deletion.device == turn.facts.device {
                let isOurs = try takeOwn(deletion, known[deletion.recordName], &storage, &turn)
                if isOurs { continue }
            }
            let isKnown = known.updateValue(deletion, forKey: deletion.recordName) != nil
            try storage.putDeletion(deletion)
            if isKnown { continue }
            let isOld = deletion.sequence <= turn.facts.context.number(of: deletion.device)
            if !isOld { fresh.append(deletion) }
        }
        turn.facts.context = Self.context(turn.facts.context, with: known.values)
        guard !fresh.isEmpty else { return }
        turn.report.deletionsReceived += Int64(fresh.count)
        try prune(fresh, &storage, &turn)
    }

    /// A deletion under this device's name. False: it is of a former life of this device, which
    /// has another name now (R9).
    private func takeOwn<Storage: SyncStorage>(
        _ deletion: SyncDeletion, _ known: SyncDeletion?, _ storage: inout Storage,
        _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> Bool {
        guard rules.renamesAfterRollBack else {
            try storage.putDeletion(deletion)
            return known != nil
        }
        if let known {
            if known.isSame(as: deletion) {
                try storage.putDeletion(deletion)
                return true
            }
        } else if deletion.sequence <= turn.facts.base.number(of: deletion.device) {
            try storage.putDeletion(deletion)
            return true
        } else if deletion.sequence <= turn.facts.sequence,
            let own = try storage.ownDeletions(limit: .max).first(where: {
                $0.sequence == deletion.sequence
            }), let sent = SyncDeletion(own, device: deletion.device, keys(turn)),
            sent.isSame(as: deletion)
        {
            // Sent, and the answer was lost.
            try markSent(deletion, &storage, &turn)
            return true
        }
        try rename(&storage, &turn)
        return false
    }

    /// A context with what can be added to it without a gap.
    static func context(
        _ context: DeletionContext, with deletions: some Sequence<SyncDeletion>
    ) -> DeletionContext {
        var context = context
        for deletion in deletions.sorted(by: { $0.sequence < $1.sequence })
        where deletion.sequence == context.number(of: deletion.device) + 1 {
            context[deletion.device] = deletion.sequence
        }
        return context
    }

    /// Applies new deletions to all rows.
    private func prune<Storage: SyncStorage>(
        _ deletions: [SyncDeletion], _ storage: inout Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) {
        let knowledge = ExchangeKnowledge(
            deletions, own: [], keys(turn), rules)
        var last: RowID?
        while true {
            let rows = try storage.rows(after: last, limit: 500)
            var doomed: [RowID] = []
            for row in rows {
                let item = try item(of: row.donation, storage)
                if knowledge.covers(row.donation, seen: row.context, item: item) {
                    doomed.append(row.id)
                    try storage.putGone(
                        row.recordName.map { [GoneRecord($0, tag: row.tag, isToDelete: true)] }
                            ?? [])
                } else if knowledge.scrubs(row.donation, seen: row.context) {
                    var row = row
                    row.donation.nestedActivity = nil
                    row.edits += row.recordName == nil ? 0 : 1
                    row.isRefused = false
                    try storage.putRow(row)
                }
            }
            try storage.removeRows(doomed)
            turn.report.remove(doomed.count, .remoteDeletion)
            guard rows.count == 500, let end = rows.last else { return }
            last = end.id
        }
    }
}
