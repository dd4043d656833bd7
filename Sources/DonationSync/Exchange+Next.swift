import CloudModel
import Donations

extension Exchange {
    /// Whether anything may be asked of the zone as things are.
    func mayRun<Storage: SyncStorage>(
        _ storage: Storage, _ turn: ExchangeTurn
    ) throws(Storage.Failure) -> Bool {
        guard turn.facts.isOn || turn.facts.incarnation != nil else { return false }
        guard try !storage.isFenced(zone.zoneID, at: settings.address) else { return false }
        let known = try storage.zone(zone.zoneID, at: settings.address)
        switch known?.status ?? .unknown {
        case .unknown, .live, .gone(.encryptedDataReset): return true
        // A whole list of zones lacks it too: its feed is asked once more, and has the last word.
        case .unclear where known?.isUnlisted ?? false: return true
        case .gone, .unclear: return !rules.leavesLostZones
        }
    }

    /// Whether the zone may be created.
    private func mayCreate<Storage: SyncStorage>(
        _ storage: Storage, _ turn: ExchangeTurn
    ) throws(Storage.Failure) -> Bool {
        guard turn.facts.isOn else { return false }
        switch try storage.zone(zone.zoneID, at: settings.address)?.status ?? .unknown {
        case .unknown, .gone(.encryptedDataReset): return true
        case .live, .gone, .unclear: return !rules.leavesLostZones
        }
    }

    /// Whether there is something to do though the feed has nothing new.
    func hasWork<Storage: SyncStorage>(
        _ storage: Storage, _ turn: ExchangeTurn
    ) throws(Storage.Failure) -> Bool {
        let facts = turn.facts
        if facts.incarnation == nil { return true }
        if facts.token == nil || facts.isScanning || facts.zoneTag == nil { return true }
        if facts.zoneLacksBase { return true }
        if !facts.isRegistered || facts.confirmed != facts.context { return true }
        if try !storage.pendingDeletes(limit: 1).isEmpty { return true }
        if try !unsentDeletions(storage, turn, limit: 1).isEmpty { return true }
        return try !uploads(storage, turn, limit: 1).isEmpty
    }

    /// What is to be done next.
    mutating func next<Storage: SyncStorage>(
        _ storage: inout Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep {
        guard turn.facts.incarnation != nil, !round.mustLookUpZone else { return lookUpZone() }
        if turn.facts.zoneTag == nil, !turn.facts.isScanning { return recreateZoneRecord(turn) }
        if !rules.fetchesDeletionsFirst, turn.facts.isRegistered, !turn.facts.isScanning,
            let step = try upload(&storage, &turn)
        {
            return step
        }
        if round.mustRead || turn.facts.isScanning { return readFeed(turn) }
        if !round.doubtedDeletions.isEmpty { return lookUpDeletions() }
        if let step = try pushDeletions(&storage, &turn) { return step }
        if let step = try deleteRecords(storage) { return step }
        if round.mustReadBeforeUpload { return readFeed(turn) }
        if !round.doubted.isEmpty { return lookUpRows() }
        let hasUploads = try !uploads(storage, turn, limit: 1).isEmpty
        if hasUploads, !turn.facts.isRegistered || needsSignOfLife(turn) {
            if let step = confirm(&turn) { return step }
        } else if hasUploads, let step = try upload(&storage, &turn) {
            return step
        }
        if round.mustReadAfter { return readFeed(turn) }
        if !turn.facts.isRegistered || turn.facts.confirmed != turn.facts.context,
            let step = confirm(&turn)
        {
            return step
        }
        if let step = try collect(&storage, &turn) { return step }
        return .finished
    }

    // MARK: The zone and its record

    private mutating func lookUpZone() -> ExchangeStep {
        open = .lookUpZone
        return .act(
            .read(
                .lookUpRecords(
                    RecordLookupRequest(recordNames: [ExchangeNames.zone], zoneID: zone.zoneID))))
    }

    /// The feed says that somebody deleted the zone's record: this device knows what was in it.
    private mutating func recreateZoneRecord(_ turn: ExchangeTurn) -> ExchangeStep {
        create(
            ExchangeZoneRecord(
                incarnation: turn.facts.incarnation ?? "", key: turn.facts.zoneKey ?? [],
                base: turn.facts.base))
    }

    private mutating func create(_ record: ExchangeZoneRecord) -> ExchangeStep {
        open = .createZoneRecord(record)
        return write(
            [
                RecordOperation(
                    .create, recordName: ExchangeNames.zone,
                    recordType: ExchangeRecordType.zone.rawValue, fields: record.fields)
            ], atomic: false)
    }

    func write(_ operations: [RecordOperation], atomic: Bool) -> ExchangeStep {
        .act(.write(.modify(operations, atomic: atomic, in: zone)))
    }

    /// The zone's record was looked up, or created.
    mutating func takeZone<Storage: SyncStorage>(
        _ item: Record.Item?, created: ExchangeZoneRecord?, _ storage: inout Storage,
        _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep? {
        switch item {
        case .record(let record):
            guard let zoneRecord = created ?? (try? ExchangeZoneRecord(record)) else {
                return .halted(.schemaRefused)
            }
            guard zoneRecord.schema <= ExchangeZoneRecord.schema else {
                return .halted(.schemaRefused)
            }
            round.mustLookUpZone = false
            turn.facts.note(record.modified.timestamp)
            return try join(zoneRecord, tag: record.recordChangeTag, &storage, &turn)
        case .failure(_, let error):
            switch error.code {
            case .exists:
                // Another device was faster: its record counts.
                turn.facts.zoneTag = turn.facts.zoneTag ?? ""
                round.setbacks += 1
                round.mustLookUpZone = true
                return nil
            case .notFound:
                if turn.facts.incarnation != nil, round.mustLookUpZone {
                    // The token was refused and the record is gone: not the zone it was.
                    round.mustLookUpZone = false
                    try leaveIncarnation(&storage, &turn)
                }
                guard turn.facts.isOn else { return .finished }
                return create(
                    ExchangeZoneRecord(
                        incarnation: turn.entropy.hexadecimal(32), key: turn.entropy.bytes(32)))
            case .badRequest:
                // A type or field that the container's schema has not got.
                return .halted(.schemaRefused)
            default: return try refused(error, &storage, &turn)
            }
        default: return Self.unexpected
        }
    }

    /// An answer that says the zone is not there.
    mutating func zoneMissing<Storage: SyncStorage>(
        _ storage: inout Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep {
        if turn.facts.incarnation != nil, rules.leavesLostZones { return .zoneNotFound }
        guard try mayCreate(storage, turn) else {
            return turn.facts.isOn ? .zoneNotFound : .finished
        }
        if turn.facts.incarnation != nil { try leaveIncarnation(&storage, &turn) }
        open = .createZone
        return .act(.write(.createZone(zone)))
    }

    /// Whether the service should be told that this device is alive before it writes rows, so that
    /// it is not dropped from the register meanwhile.
    private func needsSignOfLife(_ turn: ExchangeTurn) -> Bool {
        guard let time = turn.facts.serverTime, round.refusedConfirmations == 0,
            let own = turn.facts.devices.first(where: { $0.name == turn.facts.device })
        else { return false }
        return time.since(own.seenAt) > settings.retention / 2
    }

    // MARK: Reading

    mutating func readFeed(_ turn: ExchangeTurn) -> ExchangeStep {
        open = .feed(isFirst: turn.facts.token == nil)
        return .act(
            .read(
                .zoneChanges([
                    ZoneChangesRequest(
                        zoneID: zone.zoneID, token: turn.facts.token, limit: settings.pageLimit)
                ])))
    }

    private mutating func lookUpRows() -> ExchangeStep {
        let names = Array(round.doubted.prefix(200))
        round.doubted.removeFirst(names.count)
        open = .lookUpRows(names)
        return .act(
            .read(
                .lookUpRecords(RecordLookupRequest(recordNames: names, zoneID: zone.zoneID))))
    }

    private mutating func lookUpDeletions() -> ExchangeStep {
        let deletions = round.doubtedDeletions
        round.doubtedDeletions = []
        open = .lookUpDeletions(deletions)
        return .act(
            .read(
                .lookUpRecords(
                    RecordLookupRequest(
                        recordNames: deletions.map(\.recordName), zoneID: zone.zoneID))))
    }
}
