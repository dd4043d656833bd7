import CloudModel

/// Sends own deletions: in the order of their numbers, all or none of a request, before any row.
struct DeletionStage<Storage: SyncStorage> {
    typealias Turn = ExchangeTurn<Storage>

    /// Deletions that were in conflict too often are left for another round.
    private var conflicts = RecordConflicts()
    private var doubted: [SyncDeletion] = []

    /// About half the digests that a request may hold.
    private static var digestsMax: Int { 10_000 }

    /// What is to be asked about deletions; nil: nothing.
    mutating func next(_ turn: Turn) throws(Storage.Failure) -> ExchangeAsk? {
        if !doubted.isEmpty {
            let asked = doubted
            doubted = []
            return turn.lookUp(asked.map(\.recordName), for: .deletions(.lookUp(asked)))
        }
        var sent: [SyncDeletion] = []
        var digests = 0
        for deletion in try unsent(turn, limit: turn.course.batch) {
            digests += deletion.keys.count
            guard sent.isEmpty || digests <= Self.digestsMax else { break }
            sent.append(deletion)
        }
        guard !sent.isEmpty else { return nil }
        let operations = sent.map {
            RecordOperation(
                .create, recordName: $0.recordName,
                recordType: ExchangeRecordType.deletion.rawValue, fields: $0.fields)
        }
        return turn.modify(operations, atomic: sent.count > 1, for: .deletions(.push(sent)))
    }

    /// Deletions that the zone has not got: own new ones, and those that vanished from it before
    /// all devices had confirmed them. At most `limit`.
    func unsent(_ turn: Turn, limit: Int) throws(Storage.Failure) -> [SyncDeletion] {
        guard let device = turn.facts.device, turn.facts.incarnation != nil else { return [] }
        let keys = turn.keys
        let own = try turn.storage.ownDeletions(limit: limit + conflicts.heldCount).compactMap {
            SyncDeletion($0, device: device, keys)
        }.filter { !conflicts.isHeld($0.recordName) }.prefix(limit)
        guard own.count < limit, !turn.facts.isScanning else { return Array(own) }
        let lost = try turn.storage.deletions().filter {
            $0.generation < turn.facts.generation
                && $0.sequence > turn.facts.base.number(of: $0.device)
                && !conflicts.isHeld($0.recordName)
        }
        return Array(own) + lost.prefix(limit - own.count)
    }

    mutating func received(
        _ items: [Record.Item], to request: DeletionRequest, _ turn: inout Turn
    ) throws(Storage.Failure) -> StageResult {
        switch request {
        case .push(let deletions): return try pushed(deletions, items, &turn)
        case .lookUp(let deletions): return try compared(deletions, items, &turn)
        }
    }

    private mutating func pushed(
        _ deletions: [SyncDeletion], _ items: [Record.Item], _ turn: inout Turn
    ) throws(Storage.Failure) -> StageResult {
        turn.course.read(.beforeUpload)
        for (var deletion, item) in zip(deletions, items) {
            switch item {
            case .record(let record):
                turn.facts.note(record.modified.timestamp)
                deletion.storedAt = record.created.timestamp
                try turn.markSent(deletion)
            case .failure(_, let error):
                switch error.code {
                case .exists, .conflict:
                    doubted = deletions
                    if !conflicts.mayTryAgain(deletion.recordName) {
                        turn.report.refuse(.conflicts)
                    }
                case .atomicError: continue
                default: return try turn.refused(error)
                }
            case .deleted: return .stop(.unexpected)
            }
        }
        try turn.closeGaps(deletions)
        return .proceed
    }

    /// What the zone has under the names of deletions that it would not take.
    private func compared(
        _ deletions: [SyncDeletion], _ items: [Record.Item], _ turn: inout Turn
    ) throws(Storage.Failure) -> StageResult {
        for (deletion, item) in zip(deletions, items) {
            guard case .record(let record) = item else { continue }
            let there = try? SyncDeletion(record)
            // Somebody else's record has the name: it is left alone, and not asked for again.
            if there == nil { turn.report.refuse(.unreadable) }
            let isSame = there?.isSame(as: deletion) ?? false
            if !isSame, deletion.device == turn.facts.device {
                try turn.rename()
                return .proceed
            }
            try turn.markSent(there ?? deletion)
        }
        try turn.closeGaps(deletions)
        return .proceed
    }
}
