import CloudModel

/// Finds the zone's record, or creates the zone and its record: what all other stages build on.
struct ZoneStage<Storage: SyncStorage> {
    typealias Turn = ExchangeTurn<Storage>

    /// Whether only the zone's record can tell if it is the zone it was: the token was refused.
    private var isDoubted = false

    /// The zone may be another one of the same name.
    mutating func doubt() { isDoubted = true }

    /// What is to be asked about the zone before anything else; nil: it is known.
    func next(_ turn: Turn) -> ExchangeAsk? {
        if turn.facts.incarnation == nil || isDoubted {
            return turn.lookUp([ExchangeNames.zone], for: .zone(.lookUp))
        }
        guard turn.facts.zoneTag == nil, !turn.facts.isScanning else { return nil }
        // The feed says that somebody deleted the zone's record: this device knows what was in it.
        return create(turn.zoneRecord(turn.facts.base), turn)
    }

    private func create(_ record: ExchangeZoneRecord, _ turn: Turn) -> ExchangeAsk {
        let operation = RecordOperation(
            .create, recordName: ExchangeNames.zone,
            recordType: ExchangeRecordType.zone.rawValue, fields: record.fields)
        return turn.modify([operation], for: .zone(.createRecord(record)))
    }

    /// The zone was created, or was there already.
    func created(
        _ item: RecordZone.Item?, _ turn: inout Turn
    ) throws(Storage.Failure) -> StageResult {
        if case .failure(_, let error)? = item, error.code != .exists {
            return try turn.refused(error)
        }
        // From now on it is one that was there, and is not created again by itself (5.6).
        let address = turn.settings.address
        var known =
            try turn.storage.zone(turn.zone.zoneID, at: address) ?? SyncZone(turn.zone.zoneID)
        known.status = .live
        known.listGeneration = try turn.storage.database(at: address).generation
        try turn.storage.setZone(known, at: address)
        return .proceed
    }

    /// The zone's record was looked up, or created.
    mutating func received(
        _ item: Record.Item?, to request: ZoneRequest, _ turn: inout Turn
    ) throws(Storage.Failure) -> StageResult {
        switch item {
        case .record(let record):
            var zoneRecord = try? ExchangeZoneRecord(record)
            if case .createRecord(let sent) = request { zoneRecord = sent }
            guard let zoneRecord, zoneRecord.schema <= ExchangeZoneRecord.schema else {
                return .stop(.halted(.schemaRefused))
            }
            isDoubted = false
            turn.facts.note(record.modified.timestamp)
            try turn.join(zoneRecord, tag: record.recordChangeTag)
            return .proceed
        case .failure(_, let error):
            switch error.code {
            case .exists:
                // Another device was faster: its record counts.
                turn.facts.zoneTag = turn.facts.zoneTag ?? ""
                return .doubtZone
            case .notFound:
                if turn.facts.incarnation != nil, isDoubted {
                    // The token was refused and the record is gone: not the zone it was.
                    isDoubted = false
                    try turn.leaveIncarnation()
                }
                guard turn.facts.isOn else { return .stop(.finished) }
                let fresh = ExchangeZoneRecord(
                    incarnation: turn.entropy.hexadecimal(32), key: turn.entropy.bytes(32))
                return .ask(create(fresh, turn))
            case .badRequest:
                // A type or field that the container's schema has not got.
                return .stop(.halted(.schemaRefused))
            default: return try turn.refused(error)
            }
        case .deleted, nil: return .stop(.unexpected)
        }
    }
}
