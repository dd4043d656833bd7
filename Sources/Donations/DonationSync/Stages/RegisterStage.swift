import CloudModel

/// Tells the zone which deletions this device has seen, and that it is alive.
struct RegisterStage<Storage: SyncStorage> {
    typealias Turn = ExchangeTurn<Storage>

    private var refusals = 0
    /// Whether the service's clock was seen in this round.
    private var hasTime = false

    /// Refused confirmations before the rest of the round does without.
    private static var refusalsMax: Int { 5 }

    /// Whether the service should be told that this device is alive before it writes rows, so that
    /// it is not dropped from the register meanwhile.
    func needsSignOfLife(_ turn: Turn) -> Bool {
        guard let time = turn.facts.serverTime, refusals == 0,
            let own = turn.facts.devices.first(where: { $0.name == turn.facts.device })
        else { return false }
        return time.since(own.seenAt) > turn.settings.retention / 2
    }

    /// Whether a record may be past its time by the service's clock, which is to be seen first. The
    /// service writes it on whatever it stores.
    func needsTime(_ turn: Turn) throws(Storage.Failure) -> Bool {
        guard !hasTime, turn.facts.incarnation != nil,
            let moment = try turn.storage.releaseMoment()
        else { return false }
        return moment <= turn.now
    }

    /// Confirms what this device has seen; nil: it was refused too often in this round.
    func confirm(_ turn: inout Turn) -> ExchangeAsk? {
        guard refusals < Self.refusalsMax, let device = turn.facts.device else { return nil }
        turn.facts.round += 1
        let known = turn.facts.devices.first { $0.name == device }
        let operation = RecordOperation(
            known == nil ? .create : .update, recordName: ExchangeNames.device(device),
            recordType: ExchangeRecordType.device.rawValue, recordChangeTag: known?.tag,
            fields: SyncDevice.fields(turn.facts.context, round: turn.facts.round, at: turn.now))
        return turn.modify([operation], for: .registration(turn.facts.context))
    }

    mutating func received(
        _ item: Record.Item?, to context: DeletionContext, _ turn: inout Turn
    ) throws(Storage.Failure) -> StageResult {
        switch item {
        case .record(let record):
            turn.facts.note(record.modified.timestamp)
            hasTime = true
            try turn.storage.releaseGone(at: record.modified.timestamp, now: turn.now)
            // What is uploaded from now on can only lack deletions made after this. A device that
            // collects one of those sees that this device has not confirmed it.
            if !turn.facts.isRegistered { turn.course.read(.now) }
            turn.facts.isRegistered = true
            turn.facts.confirmed = context
            let name = turn.facts.device ?? ""
            turn.facts.devices.removeAll { $0.name == name }
            turn.facts.devices.append(
                SyncDevice(
                    name: name, context: context, round: turn.facts.round,
                    tag: record.recordChangeTag, seenAt: record.modified.timestamp))
            return .proceed
        case .failure(_, let error):
            refusals += 1
            switch error.code {
            case .exists, .conflict, .atomicError:
                // The feed brings what is there: this device's own, if an answer was lost. When it
                // does not, the service went back to before it: everything is read again.
                if refusals == 2 { turn.facts.beginScan() }
            case .notFound:
                // Dropped from the register.
                turn.facts.devices.removeAll { $0.name == turn.facts.device }
                turn.facts.isRegistered = false
            default: return try turn.refused(error)
            }
            turn.course.read(.now)
            return .proceed
        case .deleted, nil: return .stop(.unexpected)
        }
    }
}
