import CloudModel

/// Drops devices that were silent too long, and collects what all others have confirmed (R6, R7).
struct CollectionStage<Storage: SyncStorage> {
    typealias Turn = ExchangeTurn<Storage>

    /// Whether something stood in the way, so that it is left for another round.
    private var isGivenUp = false

    /// What is to be dropped or collected; nil: nothing, or the feed is to be read from its beginning
    /// before that.
    func next(_ turn: inout Turn) throws(Storage.Failure) -> ExchangeAsk? {
        guard !isGivenUp, turn.facts.isRegistered else { return nil }
        // The service went back to before it: what is collected is not to be sent again.
        if turn.facts.zoneLacksBase { return raise(turn.facts.base, turn) }
        let deletions = try turn.storage.deletions().filter { !$0.isCollected }
        let old = deletions.filter { $0.sequence <= turn.facts.base.number(of: $0.device) }
        if !old.isEmpty { return removeRecords(of: old, turn) }
        let silent = silent(deletions, turn)
        if !silent.isEmpty { return drop(silent, turn) }

        let base = confirmedByAll(deletions, turn)
        let ready = deletions.filter { $0.sequence <= base.number(of: $0.device) }
        // One device collects: the first of the register.
        guard !ready.isEmpty, ready.count > turn.settings.deletionsKept,
            turn.facts.devices.map(\.name).min() == turn.facts.device
        else { return nil }
        guard turn.facts.checkedGeneration == turn.facts.generation else {
            // Everything in the zone is judged once more before it is too late to judge it.
            turn.facts.beginScan()
            turn.facts.checkedGeneration = turn.facts.generation
            return nil
        }
        return raise(turn.facts.base.joined(with: base), turn)
    }

    private func raise(_ base: DeletionContext, _ turn: Turn) -> ExchangeAsk {
        let record = turn.zoneRecord(base)
        let operation = RecordOperation(
            .update, recordName: ExchangeNames.zone,
            recordType: ExchangeRecordType.zone.rawValue, recordChangeTag: turn.facts.zoneTag,
            fields: record.fields)
        return turn.modify([operation], for: .collection(.raiseBase(record)))
    }

    private func removeRecords(of deletions: [SyncDeletion], _ turn: Turn) -> ExchangeAsk {
        let some = Array(deletions.prefix(turn.course.batch))
        return turn.modify(
            some.map { .forceDelete($0.recordName) }, for: .collection(.removeRecords(some)))
    }

    private func drop(_ devices: [SyncDevice], _ turn: Turn) -> ExchangeAsk {
        let operations = devices.map {
            RecordOperation(
                .delete, recordName: ExchangeNames.device($0.name), recordChangeTag: $0.tag)
        }
        return turn.modify(operations, for: .collection(.dropDevices(devices.map(\.name))))
    }

    /// What every registered device has confirmed of the deletions known.
    private func confirmedByAll(_ deletions: [SyncDeletion], _ turn: Turn) -> DeletionContext {
        var base: DeletionContext = [:]
        for device in Set(deletions.map(\.device)) {
            base[device] = turn.facts.devices.map { $0.context.number(of: device) }.min() ?? 0
        }
        return base
    }

    /// Devices that have not confirmed a deletion for the time of retention, nor said a word.
    private func silent(_ deletions: [SyncDeletion], _ turn: Turn) -> [SyncDevice] {
        guard let time = turn.facts.serverTime else { return [] }
        let retention = turn.settings.retention
        let overdue = deletions.filter { deletion in
            deletion.storedAt.map { time.since($0) > retention } ?? false
        }
        return Array(
            turn.facts.devices.filter { device in
                device.name != turn.facts.device && time.since(device.seenAt) > retention
                    && overdue.contains { $0.sequence > device.context.number(of: $0.device) }
            }.prefix(turn.course.batch))
    }

    // MARK: Answers

    mutating func received(
        _ items: [Record.Item], to request: CollectionRequest, _ turn: inout Turn
    ) throws(Storage.Failure) -> StageResult {
        switch request {
        case .dropDevices(let names):
            for (name, item) in zip(names, items) { dropped(name, item, &turn) }
            return .proceed
        case .raiseBase(let record): return try raised(record, items.first, &turn)
        case .removeRecords(let deletions): return try removed(deletions, items, &turn)
        }
    }

    private mutating func dropped(_ name: String, _ item: Record.Item, _ turn: inout Turn) {
        switch item {
        case .deleted: turn.facts.devices.removeAll { $0.name == name }
        case .failure(_, let error) where error.code == .notFound:
            turn.facts.devices.removeAll { $0.name == name }
        case .failure, .record:
            // It is back, or the service has other worries: the feed tells.
            isGivenUp = true
            turn.course.read(.now)
        }
    }

    private mutating func raised(
        _ record: ExchangeZoneRecord, _ item: Record.Item?, _ turn: inout Turn
    ) throws(Storage.Failure) -> StageResult {
        switch item {
        case .record(let answer):
            turn.facts.note(answer.modified.timestamp)
            turn.facts.zoneTag = answer.recordChangeTag
            turn.facts.zoneLacksBase = false
            try turn.takeBase(record.base)
            return .proceed
        case .failure(_, let error):
            isGivenUp = true
            switch error.code {
            case .conflict, .notFound, .atomicError:
                // Perhaps the service went back to before the zone's record was as it is known.
                turn.facts.beginScan()
                return .proceed
            default: return try turn.refused(error)
            }
        case .deleted, nil: return .stop(.unexpected)
        }
    }

    private mutating func removed(
        _ deletions: [SyncDeletion], _ items: [Record.Item], _ turn: inout Turn
    ) throws(Storage.Failure) -> StageResult {
        var done: Set<String> = []
        var refusal: CloudError?
        for (deletion, item) in zip(deletions, items) {
            if case .failure(_, let error) = item, error.code != .notFound {
                isGivenUp = true
                if error.code == .atomicError || error.code == .accessDenied { continue }
                refusal = error
                break
            }
            done.insert(deletion.recordName)
        }
        try turn.rememberCollected(done)
        if let refusal { return try turn.refused(refusal) }
        return .proceed
    }
}
