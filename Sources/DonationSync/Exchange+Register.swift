import CloudModel
import Donations

extension Exchange {
    // MARK: Confirming

    /// Tells the zone what this device has seen; nil: it was refused too often in this round.
    mutating func confirm(_ turn: inout ExchangeTurn) -> ExchangeStep? {
        guard round.refusedConfirmations < 5, let device = turn.facts.device else { return nil }
        turn.facts.round += 1
        let known = turn.facts.devices.first { $0.name == device }
        open = .confirm(turn.facts.context)
        return write(
            [
                RecordOperation(
                    known == nil ? .create : .update, recordName: ExchangeNames.device(device),
                    recordType: ExchangeRecordType.device.rawValue, recordChangeTag: known?.tag,
                    fields: SyncDevice.fields(
                        turn.facts.context, round: turn.facts.round, at: turn.now))
            ], atomic: false)
    }

    mutating func confirmed<Storage: SyncStorage>(
        _ context: DeletionContext, _ items: [Record.Item], _ storage: inout Storage,
        _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep? {
        switch items.first {
        case .record(let record):
            turn.facts.note(record.modified.timestamp)
            // What is uploaded from now on lacks only deletions that come after this: whoever
            // collects one of those has seen that this device has not confirmed it.
            if !turn.facts.isRegistered { round.mustRead = true }
            turn.facts.isRegistered = true
            turn.facts.confirmed = context
            let name = turn.facts.device ?? ""
            turn.facts.devices.removeAll { $0.name == name }
            turn.facts.devices.append(
                SyncDevice(
                    name: name, context: context, round: turn.facts.round,
                    tag: record.recordChangeTag, seenAt: record.modified.timestamp))
            return nil
        case .failure(_, let error):
            round.refusedConfirmations += 1
            switch error.code {
            case .exists, .conflict, .atomicError:
                // The feed brings what is there: this device's own, if an answer was lost. When it
                // does not, the service went back to before it: everything is read again.
                round.mustRead = true
                if round.refusedConfirmations == 2 { turn.facts.beginScan() }
                return nil
            case .notFound:
                // Dropped from the register.
                turn.facts.devices.removeAll { $0.name == turn.facts.device }
                turn.facts.isRegistered = false
                round.mustRead = true
                return nil
            default: return try refused(error, &storage, &turn)
            }
        default: return Self.unexpected
        }
    }

    // MARK: Collecting

    /// Drops devices that were silent too long, and collects what all others have confirmed (R6,
    /// R7); nil: there is nothing to do.
    mutating func collect<Storage: SyncStorage>(
        _ storage: inout Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep? {
        guard round.collects, turn.facts.isRegistered else { return nil }
        // The service went back to before it: what is collected is not to be sent again.
        if turn.facts.zoneLacksBase, rules.raisesBase { return raise(turn.facts.base, turn) }
        let deletions = try storage.deletions().filter { !$0.isCollected }
        let old = deletions.filter { $0.sequence <= turn.facts.base.number(of: $0.device) }
        if !old.isEmpty { return removeRecords(of: Array(old.prefix(200))) }
        if let step = dropSilent(deletions, turn) { return step }

        let base = confirmedByAll(deletions, turn)
        let ready = deletions.filter { $0.sequence <= base.number(of: $0.device) }
        guard !ready.isEmpty, ready.count > settings.deletionsKept, isCollector(turn) else {
            return nil
        }
        guard turn.facts.checkedGeneration == turn.facts.generation else {
            // Everything in the zone is judged once more before it is too late to judge it.
            turn.facts.beginScan()
            turn.facts.checkedGeneration = turn.facts.generation
            return readFeed(turn)
        }
        guard rules.raisesBase else { return removeRecords(of: Array(ready.prefix(200))) }
        return raise(turn.facts.base.joined(with: base), turn)
    }

    private mutating func raise(_ base: DeletionContext, _ turn: ExchangeTurn) -> ExchangeStep {
        let record = ExchangeZoneRecord(
            incarnation: turn.facts.incarnation ?? "", key: turn.facts.zoneKey ?? [], base: base)
        open = .raiseBase(record)
        return write(
            [
                RecordOperation(
                    .update, recordName: ExchangeNames.zone,
                    recordType: ExchangeRecordType.zone.rawValue,
                    recordChangeTag: turn.facts.zoneTag, fields: record.fields)
            ], atomic: false)
    }

    private mutating func removeRecords(of deletions: [SyncDeletion]) -> ExchangeStep {
        open = .collect(deletions)
        return write(deletions.map { .forceDelete($0.recordName) }, atomic: false)
    }

    /// What every registered device has confirmed of the deletions known.
    private func confirmedByAll(
        _ deletions: [SyncDeletion], _ turn: ExchangeTurn
    ) -> DeletionContext {
        var base: DeletionContext = [:]
        for device in Set(deletions.map(\.device)) {
            let confirmed = turn.facts.devices.map { $0.context.number(of: device) }
            base[device] =
                rules.collectsOnlyConfirmed
                ? confirmed.min() ?? 0 : turn.facts.context.number(of: device)
        }
        return base
    }

    /// One device collects: the first of the register.
    private func isCollector(_ turn: ExchangeTurn) -> Bool {
        turn.facts.devices.map(\.name).min() == turn.facts.device
            || !rules.collectsOnlyConfirmed
    }

    /// Devices that have not confirmed a deletion for the time of retention, nor said a word.
    private mutating func dropSilent(
        _ deletions: [SyncDeletion], _ turn: ExchangeTurn
    ) -> ExchangeStep? {
        guard let time = turn.facts.serverTime else { return nil }
        let overdue = deletions.filter { deletion in
            deletion.storedAt.map { time.since($0) > settings.retention } ?? false
        }
        let silent = turn.facts.devices.filter { device in
            device.name != turn.facts.device && time.since(device.seenAt) > settings.retention
                && overdue.contains { $0.sequence > device.context.number(of: $0.device) }
        }.prefix(200)
        guard !silent.isEmpty else { return nil }
        open = .dropDevices(silent.map(\.name))
        return write(
            silent.map {
                RecordOperation(
                    .delete, recordName: ExchangeNames.device($0.name), recordChangeTag: $0.tag)
            }, atomic: false)
    }

    mutating func dropped(
        _ names: [String], _ items: [Record.Item], _ turn: inout ExchangeTurn
    ) {
        for (name, item) in zip(names, items) {
            switch item {
            case .deleted: turn.facts.devices.removeAll { $0.name == name }
            case .failure(_, let error) where error.code == .notFound:
                turn.facts.devices.removeAll { $0.name == name }
            default:
                // It is back, or the service has other worries: the feed tells.
                round.collects = false
                round.mustRead = true
            }
        }
    }

    mutating func raised<Storage: SyncStorage>(
        _ record: ExchangeZoneRecord, _ items: [Record.Item], _ storage: inout Storage,
        _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep? {
        switch items.first {
        case .record(let answer):
            turn.facts.note(answer.modified.timestamp)
            turn.facts.zoneTag = answer.recordChangeTag
            turn.facts.zoneLacksBase = false
            try take(base: record.base, &storage, &turn)
            return nil
        case .failure(_, let error):
            round.collects = false
            switch error.code {
            case .conflict, .notFound, .atomicError:
                // Perhaps the service went back to before the zone's record was as it is known.
                turn.facts.beginScan()
                return nil
            default: return try refused(error, &storage, &turn)
            }
        default: return Self.unexpected
        }
    }

    mutating func collected<Storage: SyncStorage>(
        _ deletions: [SyncDeletion], _ items: [Record.Item], _ storage: inout Storage,
        _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep? {
        var done: Set<String> = []
        var refusal: CloudError?
        for (deletion, item) in zip(deletions, items) {
            if case .failure(_, let error) = item, error.code != .notFound {
                round.collects = false
                if error.code == .atomicError || error.code == .accessDenied { continue }
                refusal = error
                break
            }
            done.insert(deletion.recordName)
        }
        try remember(done, &storage)
        if let refusal { return try refused(refusal, &storage, &turn) }
        return nil
    }

    /// Deletions whose records are gone for good: they are remembered for a while, because somebody
    /// may save again what they covered.
    func remember<Storage: SyncStorage>(
        _ collected: Set<String>, _ storage: inout Storage
    ) throws(Storage.Failure) {
        var remembered: [SyncDeletion] = []
        for var deletion in try storage.deletions() {
            if !deletion.isCollected, collected.contains(deletion.recordName) {
                deletion.generation = SyncDeletion.collected
                try storage.putDeletion(deletion)
            }
            if deletion.isCollected { remembered.append(deletion) }
        }
        let count = rules.remembersCollected ? settings.deletionsRemembered : 0
        guard remembered.count > count else { return }
        remembered.sort { ($0.at, $0.recordName) < ($1.at, $1.recordName) }
        for deletion in remembered.dropLast(count) {
            try storage.removeDeletion(of: deletion.device, sequence: deletion.sequence)
        }
    }
}
