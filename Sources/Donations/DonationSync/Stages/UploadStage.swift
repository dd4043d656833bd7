import CloudModel
import Donations

/// Sends rows that the zone has not got as they are here, and looks at what it has instead.
struct UploadStage<Storage: SyncStorage> {
    typealias Turn = ExchangeTurn<Storage>

    private var conflicts = RecordConflicts()
    /// Rows that are left for another round.
    private var postponed: Set<RowID> = []
    /// Rows to be sent without a reference to their item.
    private var unreferenced: Set<RowID> = []
    /// Records whose server copy is to be looked at.
    private var doubted: [String] = []

    /// The bytes of one request, about three quarters of what the service takes.
    private static var requestBytesMax: Int { 1_500_000 }

    // MARK: Asking

    /// What the zone has under names that were in conflict; nil: there were none.
    mutating func lookUp(_ turn: Turn) -> ExchangeAsk? {
        guard !doubted.isEmpty else { return nil }
        let names = Array(doubted.prefix(turn.course.batch))
        doubted.removeFirst(names.count)
        return turn.lookUp(names, for: .rows(.lookUp(names)))
    }

    /// The next rows to upload, those left for another round not among them.
    func waiting(_ turn: Turn, limit: Int) throws(Storage.Failure) -> [SyncedRow] {
        guard turn.facts.isOn else { return [] }
        var found: [SyncedRow] = []
        var last: RowID?
        while found.count < limit {
            let rows = try turn.storage.rowsToUpload(
                after: last, includingItems: turn.facts.includesItems, limit: limit)
            found += rows.filter { !postponed.contains($0.id) }
            guard rows.count == limit, let end = rows.last else { break }
            last = end.id
        }
        return Array(found.prefix(limit))
    }

    /// Sends the next rows; nil: there are none.
    func upload(_ turn: inout Turn) throws(Storage.Failure) -> ExchangeAsk? {
        let keys = turn.keys
        var sent: [Upload] = []
        var operations: [RecordOperation] = []
        var names: Set<String> = []
        var size = 0
        for var row in try waiting(turn, limit: turn.course.batch) {
            let (made, name) = turn.carried(row, keys)
            let item = try itemRecord(row, turn)
            let fields: [String: Field?]
            do throws(SyncRefusal) {
                fields = try made.fields(keys, item: item)
            } catch {
                try turn.park(row, error)
                continue
            }
            guard names.insert(name).inserted else { continue }
            size += 2 * made.donation.exchangePayload.count + 4096
            guard operations.isEmpty || size < Self.requestBytesMax else { break }
            let isCreate = row.tag == nil
            operations.append(
                RecordOperation(
                    isCreate ? .create : .update, recordName: name,
                    recordType: ExchangeRow.type(of: row.donation.kind).rawValue,
                    recordChangeTag: row.tag,
                    fields: isCreate ? fields.filter { $0.value != nil } : fields))
            sent.append(Upload(id: row.id, name: name, edits: row.edits, isCreate: isCreate))
            if row.recordName != name {
                row.recordName = name
                try turn.storage.setRecord(row)
            }
        }
        guard !operations.isEmpty else { return nil }
        return turn.modify(operations, for: .rows(.upload(sent)))
    }

    /// The record of the item that an activity is strongly related to, when both are in the zone.
    private func itemRecord(_ row: SyncedRow, _ turn: Turn) throws(Storage.Failure) -> String? {
        guard turn.facts.includesItems, row.donation.kind.isActivity,
            !unreferenced.contains(row.id), let related = row.donation.relatedIdentifier
        else { return nil }
        let item = Donation(.searchableItem, identifier: related, type: "", at: turn.now)
        let found = try turn.storage.row(like: item)
        return found?.tag == nil ? nil : found?.recordName
    }

    // MARK: Answers

    mutating func received(
        _ items: [Record.Item], to request: UploadRequest, _ receiver: inout RowReceiver<Storage>,
        _ turn: inout Turn
    ) throws(Storage.Failure) -> StageResult {
        switch request {
        case .upload(let sent): return try uploaded(sent, items, &turn)
        case .lookUp:
            try lookedUp(items, &receiver, &turn)
            return .proceed
        }
    }

    private mutating func uploaded(
        _ sent: [Upload], _ items: [Record.Item], _ turn: inout Turn
    ) throws(Storage.Failure) -> StageResult {
        turn.course.read(.atEnd)
        var result = StageResult.proceed
        let vanished = turn.report.removed[.recordVanished]
        for (upload, item) in zip(sent, items) {
            switch item {
            case .record(let record): try stored(upload, record, &turn)
            case .deleted: return .stop(.unexpected)
            case .failure(_, let error):
                if let found = try failed(upload, error, &turn) { result = found }
            }
        }
        if turn.report.removed[.recordVanished] != vanished {
            // Items may be among them.
            _ = try turn.storage.settleParkedRows()
        }
        return result
    }

    /// A row is in the zone, in the version that was sent.
    private func stored(
        _ upload: Upload, _ record: Record, _ turn: inout Turn
    ) throws(Storage.Failure) {
        turn.report.uploaded += 1
        guard var row = try turn.storage.row(upload.id), row.recordName == upload.name else {
            // It went from here meanwhile.
            if var gone = try turn.storage.gone(upload.name), gone.tag == nil {
                gone.tag = record.recordChangeTag
                try turn.storage.putGone([gone])
            }
            return
        }
        row.tag = record.recordChangeTag
        row.device = nil
        row.generation = turn.facts.generation
        if row.edits == upload.edits { row.edits = 0 }
        try turn.storage.setRecord(row)
    }

    /// A row was not taken; nil: it has been seen to.
    private mutating func failed(
        _ upload: Upload, _ error: CloudError, _ turn: inout Turn
    ) throws(Storage.Failure) -> StageResult? {
        guard var row = try turn.storage.row(upload.id), row.recordName == upload.name else {
            return nil
        }
        switch error.code {
        case .exists, .conflict:
            guard conflicts.mayTryAgain(upload.name) else {
                postponed.insert(upload.id)
                turn.report.refuse(.conflicts)
                return nil
            }
            doubted.append(upload.name)
        case .atomicError:
            if !conflicts.mayTryAgain(upload.name) { postponed.insert(upload.id) }
        case .notFound where !upload.isCreate:
            // Deleted there: never inserted again (R4).
            row.edits = max(row.edits, 1)
            try turn.drop(row)
        case .validatingReferenceError where unreferenced.insert(upload.id).inserted,
            .badRequest where unreferenced.insert(upload.id).inserted:
            // Perhaps its item went, or has as many referrers as it may have: sent once without.
            break
        case .notFound, .validatingReferenceError, .badRequest, .accessDenied:
            try turn.park(row, .byService)
            try turn.rescue(.refused, recordName: upload.name)
        default: return try turn.refused(error)
        }
        return nil
    }

    /// Records that were in conflict, as the zone has them.
    private mutating func lookedUp(
        _ items: [Record.Item], _ receiver: inout RowReceiver<Storage>,
        _ turn: inout Turn
    ) throws(Storage.Failure) {
        let knowledge = try turn.knowledge()
        for item in items {
            switch item {
            case .record(let record):
                if mustReadFirst(record, &turn) { continue }
                try receiver.take(record, knowledge, &turn)
                if let row = try turn.storage.row(named: record.id.recordName),
                    row.tag != record.recordChangeTag
                {
                    postponed.insert(row.id)
                }
            case .failure(let name, let error) where error.code == .notFound:
                if let row = try turn.storage.row(named: name), row.tag != nil {
                    try turn.drop(row)
                }
            case .failure, .deleted: continue
            }
        }
        _ = try turn.storage.settleParkedRows()
    }

    /// Whether a record's maker had seen deletions that have not come here yet: they are read
    /// first. A row that is here and goes with them must not take the place of the record before.
    private mutating func mustReadFirst(_ record: Record, _ turn: inout Turn) -> Bool {
        let name = record.id.recordName
        guard let seen = (try? ExchangeRow(record))?.context,
            !seen.beyond(turn.facts.context).isEmpty, conflicts.mayTryAgain(name)
        else { return false }
        doubted.append(name)
        turn.course.read(.beforeUpload)
        return true
    }
}
