import CloudModel
import Donations

extension Exchange {
    // MARK: Deletions

    /// Sends deletions, in the order of their numbers and all or none of a batch; nil: there are
    /// none.
    mutating func pushDeletions<Storage: SyncStorage>(
        _ storage: inout Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep? {
        let unsent = try unsentDeletions(storage, turn, limit: round.batch)
        guard !unsent.isEmpty else { return nil }
        guard rules.keepsDeletions else {
            try storage.removeOwnDeletions()
            return nil
        }
        // About half of what a request may hold.
        var batch: [SyncDeletion] = []
        var digests = 0
        for deletion in unsent {
            digests += deletion.keys.count
            guard batch.isEmpty || digests <= 10_000 else { break }
            batch.append(deletion)
        }
        open = .pushDeletions(batch)
        return write(
            batch.map {
                RecordOperation(
                    .create, recordName: $0.recordName,
                    recordType: ExchangeRecordType.deletion.rawValue, fields: $0.fields)
            }, atomic: batch.count > 1)
    }

    /// A deletion is in the zone.
    func markSent<Storage: SyncStorage>(
        _ deletion: SyncDeletion, _ storage: inout Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) {
        var deletion = deletion
        deletion.generation = turn.facts.generation
        try storage.putDeletion(deletion)
        guard deletion.device == turn.facts.device else { return }
        try storage.removeOwnDeletion(deletion.sequence)
        turn.report.deletionsSent += 1
        // One before it may still wait: the context never runs ahead of what is in the zone.
        guard deletion.sequence == turn.facts.context.number(of: deletion.device) + 1 else {
            return
        }
        turn.facts.context[deletion.device] = deletion.sequence
    }

    mutating func sent<Storage: SyncStorage>(
        _ deletions: [SyncDeletion], _ items: [Record.Item], _ storage: inout Storage,
        _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep? {
        round.mustReadBeforeUpload = true
        var isStored = false
        for (var deletion, item) in zip(deletions, items) {
            switch item {
            case .record(let record):
                isStored = true
                turn.facts.note(record.modified.timestamp)
                deletion.storedAt = record.created.timestamp
                try markSent(deletion, &storage, &turn)
            case .failure(_, let error):
                switch error.code {
                case .exists, .conflict:
                    round.doubtedDeletions = deletions
                    if !round.mayTryAgain(deletion.recordName) { turn.report.refuse(.conflicts) }
                case .atomicError: continue
                default: return try refused(error, &storage, &turn)
                }
            case .deleted: return Self.unexpected
            }
        }
        if !isStored { round.setbacks += 1 }
        try closeGaps(deletions, storage, &turn)
        return nil
    }

    /// Deletions that were sent before one that had to wait count once that one is in the zone too.
    private func closeGaps<Storage: SyncStorage>(
        _ asked: [SyncDeletion], _ storage: Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) {
        guard let device = turn.facts.device,
            asked.contains(where: {
                $0.device == device && $0.sequence > turn.facts.context.number(of: device)
            })
        else { return }
        let sent = try storage.deletions().filter { $0.device == device }
        turn.facts.context = Self.context(turn.facts.context, with: sent)
    }

    /// What the zone has under the names of deletions that it would not take.
    func compared<Storage: SyncStorage>(
        _ deletions: [SyncDeletion], _ items: [Record.Item], _ storage: inout Storage,
        _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) {
        for (deletion, item) in zip(deletions, items) {
            guard case .record(let record) = item else { continue }
            guard var there = try? SyncDeletion(record) else {
                // Somebody else's record has the name: it is left alone, and not asked for again.
                turn.report.refuse(.unreadable)
                guard deletion.device == turn.facts.device else {
                    try markSent(deletion, &storage, &turn)
                    continue
                }
                return try rename(&storage, &turn)
            }
            there.generation = turn.facts.generation
            if there.isSame(as: deletion) {
                try markSent(there, &storage, &turn)
            } else if deletion.device == turn.facts.device, rules.renamesAfterRollBack {
                return try rename(&storage, &turn)
            } else {
                try markSent(there, &storage, &turn)
            }
        }
        try closeGaps(deletions, storage, &turn)
    }

    // MARK: Records of rows that went

    /// Deletes records, each only in the version that its row was; nil: there are none.
    mutating func deleteRecords<Storage: SyncStorage>(
        _ storage: Storage
    ) throws(Storage.Failure) -> ExchangeStep? {
        let gone = try storage.pendingDeletes(limit: round.batch)
        guard !gone.isEmpty else { return nil }
        open = .deleteRecords(gone)
        return write(
            gone.map {
                RecordOperation(.delete, recordName: $0.recordName, recordChangeTag: $0.tag)
            }, atomic: false)
    }

    mutating func deleted<Storage: SyncStorage>(
        _ gone: [GoneRecord], _ items: [Record.Item], _ storage: inout Storage,
        _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep? {
        round.mustReadAfter = true
        var done: [String] = []
        var step: ExchangeStep?
        for (record, item) in zip(gone, items) {
            if case .failure(_, let error) = item {
                switch error.code {
                case .notFound, .conflict:
                    // Gone already; or another version, which the feed brings to be judged.
                    break
                case .atomicError:
                    round.setbacks += 1
                    continue
                case .validatingReferenceError, .accessDenied, .badRequest:
                    turn.report.refuse(.byService)
                default:
                    step = try refused(error, &storage, &turn)
                    continue
                }
            }
            done.append(record.recordName)
        }
        try storage.removeGone(done)
        return step
    }

    // MARK: Rows

    /// Sends rows that the zone has not got as they are here; nil: there are none.
    mutating func upload<Storage: SyncStorage>(
        _ storage: inout Storage, _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) -> ExchangeStep? {
        let rows = try uploads(storage, turn, limit: round.batch)
        let keys = keys(turn)
        var sent: [ExchangeRequest.Upload] = []
        var operations: [RecordOperation] = []
        var names: Set<String> = []
        var size = 0
        for var row in rows {
            let (made, name) = carried(row, keys, turn)
            let item = try itemRecord(row, keys, storage, turn)
            let fields: [String: Field?]
            do throws(SyncRefusal) {
                fields = try made.fields(keys, item: item)
            } catch {
                try park(row, error, &storage, &turn)
                continue
            }
            guard names.insert(name).inserted else { continue }
            size += 2 * made.donation.exchangePayload.count + 4096
            guard operations.isEmpty || size < 1_500_000 else { break }
            let isCreate = row.tag == nil
            operations.append(
                RecordOperation(
                    isCreate ? .create : .update, recordName: name,
                    recordType: ExchangeRow.type(of: row.donation.kind).rawValue,
                    recordChangeTag: row.tag,
                    fields: isCreate ? fields.filter { $0.value != nil } : fields))
            sent.append(.init(id: row.id, name: name, edits: row.edits, isCreate: isCreate))
            if row.recordName != name {
                row.recordName = name
                try storage.setRecord(row)
            }
        }
        guard !operations.isEmpty else { return nil }
        open = .upload(sent)
        return write(operations, atomic: false)
    }

    /// A row with all that its record tells of it, and the record's name.
    func carried(
        _ row: SyncedRow, _ keys: ExchangeKeys, _ turn: ExchangeTurn
    ) -> (row: ExchangeRow, name: String) {
        let origin = turn.facts.origin ?? ""
        let saved = row.donation.kind == .activity ? row.donation.savedKey : nil
        let made = ExchangeRow(
            row.donation, device: turn.facts.device ?? "",
            context: turn.facts.context.joined(with: row.context),
            savedName: saved.map { ExchangeRow.savedName($0, keys, origin: origin) })
        return (
            made, row.recordName ?? made.name(keys) ?? made.ownName(keys, origin: origin)
        )
    }

    /// The record of the item that an activity is strongly related to, when both are in the zone.
    private func itemRecord<Storage: SyncStorage>(
        _ row: SyncedRow, _ keys: ExchangeKeys, _ storage: Storage, _ turn: ExchangeTurn
    ) throws(Storage.Failure) -> String? {
        guard turn.facts.includesItems, row.donation.kind.isActivity,
            !round.unreferenced.contains(row.id), let related = row.donation.relatedIdentifier
        else { return nil }
        let item = Donation(.searchableItem, identifier: related, type: "", at: turn.now)
        let found = try storage.row(like: item)
        return found?.tag == nil ? nil : found?.recordName
    }

    /// A row that cannot be sent as it is: kept here, and reported (R11).
    func park<Storage: SyncStorage>(
        _ row: SyncedRow, _ refusal: SyncRefusal, _ storage: inout Storage,
        _ turn: inout ExchangeTurn
    ) throws(Storage.Failure) {
        var row = row
        row.isRefused = true
        try storage.setRecord(row)
        turn.report.refuse(refusal)
    }
}
