import CloudModel

/// Reads the zone's feed: what the zone's record, other devices, deletions and rows became.
struct ReadingStage<Storage: SyncStorage> {
    typealias Turn = ExchangeTurn<Storage>

    /// Pages in a row that came with the token they were asked with, and more to come.
    private var repeats = 0

    /// Such pages before the round waits.
    private static var repeatsMax: Int { 3 }

    /// Reads on in the feed.
    func next(_ turn: Turn) -> ExchangeAsk {
        let request = ZoneChangesRequest(zoneID: turn.zone.zoneID, token: turn.facts.token)
        return ExchangeAsk(request: .reading, action: .read(.zoneChanges([request])))
    }

    /// The feed could not be read.
    func failed(_ error: CloudError, _ turn: inout Turn) throws(Storage.Failure) -> StageResult {
        guard error.code == .badRequest, turn.facts.token != nil else {
            return try turn.refused(error)
        }
        // The token is too old, or of another incarnation: the zone's record tells.
        turn.facts.beginScan()
        turn.report.rescans += 1
        return .doubtZone
    }

    /// Takes a page: first what rows are judged by, then the rows.
    mutating func received(
        _ page: ZoneChangesPage, _ rows: inout RowReceiver<Storage>, _ turn: inout Turn
    ) throws(Storage.Failure) -> StageResult {
        let (incarnation, generation) = (turn.facts.incarnation, turn.facts.generation)
        let result = try takeRegister(page.records, &turn)
        guard case .proceed = result, turn.facts.incarnation == incarnation,
            turn.facts.generation == generation
        else { return result }
        let knowledge = try turn.knowledge()
        for item in page.records {
            switch item {
            case .record(let record):
                switch ExchangeRecordType(rawValue: record.recordType) {
                case .donation?, .savedActivity?, .searchItem?:
                    try rows.take(record, knowledge, &turn)
                case .zone?, .device?, .deletion?, nil: break
                }
            case .deleted(let name, _): try rows.takeDeleted(name, &turn)
            case .failure: turn.report.refuse(.unreadable)
            }
        }
        let token = page.token.rawValue.isEmpty ? turn.facts.token : page.token
        repeats = page.moreComing && token == turn.facts.token ? repeats + 1 : 0
        turn.facts.token = token
        guard page.moreComing else { return try finish(&turn) }
        turn.report.parked = Int64(try turn.storage.settleParkedRows())
        guard repeats < Self.repeatsMax else {
            return .stop(.wait(.stuckFeed, retryAfter: nil))
        }
        return .ask(next(turn))
    }

    /// The feed was read to its end. Only now, and only after a scan from the beginning, what was
    /// not delivered counts as deleted.
    private func finish(_ turn: inout Turn) throws(Storage.Failure) -> StageResult {
        if turn.facts.isScanning, turn.facts.zoneTag == nil {
            // Nothing says that it is the zone it was: it may be another one of the same name.
            try turn.leaveIncarnation()
            return .restart
        }
        if turn.facts.isScanning {
            while true {
                let rows = try turn.storage.rows(
                    unseenSince: turn.facts.generation, limit: turn.settings.sweepLimit)
                for row in rows { try turn.drop(row) }
                guard rows.count == turn.settings.sweepLimit else { break }
            }
            turn.facts.isScanning = false
        }
        try turn.storage.removeGoneWithoutTag()
        if let time = turn.facts.serverTime { try turn.storage.releaseGone(at: time, now: nil) }
        turn.report.parked = Int64(try turn.storage.settleParkedRows())
        turn.course.hasRead()
        return .proceed
    }

    /// The zone's record, the register and the deletions of a page: before its rows, so that rows
    /// are judged by all that is known.
    private func takeRegister(
        _ items: [Record.Item], _ turn: inout Turn
    ) throws(Storage.Failure) -> StageResult {
        var zoneRecord: Record?
        var deletions: [SyncDeletion] = []
        var devices: [SyncDevice] = []
        var gone: Set<String> = []
        for item in items {
            switch item {
            case .record(let record):
                do throws(SyncRefusal) {
                    switch ExchangeRecordType(rawValue: record.recordType) {
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
                turn.facts.forget(name)
                if ExchangeNames.deletion(named: name) != nil { gone.insert(name) }
            case .failure: continue
            }
        }
        let zone = zoneRecord.flatMap { try? ExchangeZoneRecord($0) }
        if zoneRecord != nil, (zone?.schema ?? .max) > ExchangeZoneRecord.schema {
            return .stop(.halted(.schemaRefused))
        }
        let tag = zoneRecord?.recordChangeTag ?? ""
        if let zone, zone.incarnation != turn.facts.incarnation {
            try turn.join(zone, tag: tag)
            return .restart
        }
        try turn.takeDeletions(deletions)
        for device in devices { try turn.takeDevice(device) }
        if let zone {
            let generation = turn.facts.generation
            try turn.join(zone, tag: tag)
            if turn.facts.generation != generation { turn.course.read(.now) }
        }
        try turn.takeGoneDeletions(gone)
        return .proceed
    }
}
