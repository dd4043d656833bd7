import CloudModel

/// One send, from its first question to its last event: decides what comes next.
struct SendRun: Sendable {
    private enum Stage {
        case beginning
        case tellingWill
        case zones([PendingZoneChange])
        case tellingZones([PendingZoneChange], [SyncResult])
        case batch
        case records(BatchPart)
        case tellingRecords(BatchPart, [SyncResult])
        case tellingDid
        case over
    }

    /// A zone or a record.
    private enum Item: Hashable {
        case zone(RecordZone.ID)
        case record(Record.ID)
    }

    let run: SyncRun
    private let scope: SyncScope
    private var stage = Stage.beginning
    /// What is left of the app's batch.
    private var parts: [BatchPart] = []
    private var end = SyncEnd.completed
    /// Whether the run ends early, and what is left waits for the next.
    private(set) var isStopped = false
    /// What has failed in this run, so that the app's answer was sent before.
    private var failed: Set<Item> = []
    /// What has failed and was not carried out later in this run.
    private var unresolved: Set<Item> = []
    /// The longest wait that was asked for.
    private(set) var retryAfter: Duration?

    /// Zones in one request.
    private static let zonesMax = 200

    init(_ run: SyncRun, _ scope: SyncScope) {
        self.run = run
        self.scope = scope
    }

    /// How the run ends, when it is over.
    var ending: SyncEnd? { if case .over = stage { end } else { nil } }

    /// What comes next; nil when the run is over.
    mutating func next(
        after answer: SyncAnswer, _ state: inout SyncState, isCancelled: Bool
    ) -> SyncEffect? {
        if isCancelled { (end, isStopped) = (.failed(.cancelled), true) }
        switch (stage, answer) {
        case (.beginning, _):
            stage = .tellingWill
            return .tell(.willSend(run))
        case (.tellingWill, _): return sendNext(&state)
        case (.zones(let changes), .results(let results)):
            return take(results, of: changes, &state)
        case (.tellingZones(let changes, let results), _):
            return took(results, of: changes, &state)
        case (.batch, .batch(let batch)): return take(batch, &state)
        case (.records(let part), .results(let results)): return take(results, of: part, &state)
        case (.tellingRecords(let part, let results), _):
            return took(results, of: part, &state)
        case (.tellingDid, _), (.over, _):
            stage = .over
            return nil
        case (.zones, _), (.batch, _), (.records, _):
            preconditionFailure("the response is to another request")
        }
    }

    /// Zones before the app's next batch: those that a batch needs go out first.
    private mutating func sendNext(_ state: inout SyncState) -> SyncEffect {
        guard !isStopped else { return finish(&state) }
        if !parts.isEmpty {
            let part = parts.removeFirst()
            stage = .records(part)
            return .sendRecords(part)
        }
        let scope = scope
        let meant = state.zoneChanges.changes.lazy.filter { scope.contains($0.id) }
        let changes = Array(meant.prefix(Self.zonesMax))
        guard changes.isEmpty else {
            state.take(changes)
            stage = .zones(changes)
            return .sendZones(changes)
        }
        stage = .batch
        return .askBatch(run)
    }

    // MARK: Zones

    private mutating func take(
        _ results: [SyncResult], of changes: [PendingZoneChange], _ state: inout SyncState
    ) -> SyncEffect {
        precondition(results.count == changes.count, "a result for each change")
        note(results, of: changes.map { .zone($0.id) })
        state.putBack(
            zip(changes, results).filter { $1.failure?.isRetried == true }.map(\.0))
        stage = .tellingZones(changes, results)
        return .tell(.sentZones(changes))
    }

    private mutating func took(
        _ results: [SyncResult], of changes: [PendingZoneChange], _ state: inout SyncState
    ) -> SyncEffect {
        state.drop(changes)
        for (change, result) in zip(changes, results) where result.failure == nil {
            switch change {
            case .save(let id):
                // So that its end is told, whichever device brings it about.
                state.zones[id, default: ZoneState()].isDoubted = false
            case .delete(let id): state.zones[id] = nil
            }
        }
        return sendNext(&state)
    }

    // MARK: Records

    private mutating func take(_ batch: SyncBatch?, _ state: inout SyncState) -> SyncEffect {
        guard let batch, !batch.changes.isEmpty else { return finish(&state) }
        state.take(batch.changes)
        parts = BatchPart.parts(of: batch)
        return sendNext(&state)
    }

    private mutating func take(
        _ results: [SyncResult], of part: BatchPart, _ state: inout SyncState
    ) -> SyncEffect {
        precondition(results.count == part.changes.count, "a result for each change")
        if results.allSatisfy({ $0 == .failed(.tooLarge) }), let halves = part.halves {
            parts = halves + parts
            return sendNext(&state)
        }
        note(results, of: part.changes.map { .record($0.id) })
        var unsent = zip(part.changes, results).filter { $1.failure?.isRetried == true }.map(\.0)
        if isStopped {
            unsent += parts.flatMap(\.changes)
            parts = []
        }
        state.putBack(unsent)
        stage = .tellingRecords(part, results)
        return .tell(.sentRecords(part))
    }

    private mutating func took(
        _ results: [SyncResult], of part: BatchPart, _ state: inout SyncState
    ) -> SyncEffect {
        state.drop(part.changes)
        for (change, result) in zip(part.changes, results) {
            let id = change.id
            // The default zone has no feed, and so nothing to be told later.
            guard !id.zoneID.isDefault else { continue }
            switch result {
            case .saved(let type):
                state.zones[id.zoneID, default: ZoneState()].known.note(
                    KnownRecords.Entry(name: id.recordName, type: type))
            case .deleted: state.zones[id.zoneID]?.known.forget(id.recordName)
            case .failed: continue
            }
        }
        return sendNext(&state)
    }

    // MARK: The end

    /// What was not sent is pending again.
    private mutating func finish(_ state: inout SyncState) -> SyncEffect {
        state.putBack(parts.flatMap(\.changes))
        parts = []
        stage = .tellingDid
        return .tell(.didSend(run))
    }

    /// What the engine retries ends the run. Any other failure is the app's, whose answer to it, such as a
    /// resolved conflict, is progress: the run sends it, too. It ends when a request brings no progress:
    /// nothing of it was carried out, and all of it had failed in this run before.
    private mutating func note(_ results: [SyncResult], of items: [Item]) {
        var isProgress = results.isEmpty
        for (item, result) in zip(items, results) {
            guard let failure = result.failure else {
                isProgress = true
                unresolved.remove(item)
                continue
            }
            unresolved.insert(item)
            if failure.isRetried { isStopped = true }
            if failed.insert(item).inserted { isProgress = true }
            if let wait = failure.retryAfter { retryAfter = max(retryAfter ?? .zero, wait) }
        }
        if !isProgress { isStopped = true }
        if case .failed = end { return }
        end = unresolved.isEmpty ? .completed : .partly
    }
}
