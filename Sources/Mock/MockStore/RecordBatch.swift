import CloudModel

/// The operations of one request on one zone.
///
/// Each operation looks at everything it needs before it writes anything, so a failed one leaves
/// nothing behind; an atomic batch is undone as a whole by a savepoint around it.
final class RecordBatch {
    package struct Outcome {
        let items: [Record.Item]
        /// Whether a batch of several was undone for the failure of some.
        let failedAtomically: Bool
    }

    let records: Records
    let session: Session
    let types: KnownTypes
    let operations: [RecordOperation]
    let desiredKeys: [String]?
    var tables: StoreTables { records.context.tables }
    var options: MockOptions { records.context.options }
    /// Where each name that is to be written stands in `operations`.
    private let writes: [String: Int]
    /// The names to be deleted.
    let deletions: Set<String>
    /// The zone as the session has reached it.
    let row: ZoneRow
    let writer: ZoneWriter
    /// Parents that have been touched: once a batch is enough.
    var touched: Set<String> = []
    /// Records that the batch would tie into a ring.
    let ring: RecordRing
    /// Records deleted because their target was.
    var cascaded: Set<String> = []
    /// Whether a share has come or gone, or its participants.
    var hasChangedShares = false
    /// What subscriptions may fire on.
    var changes: [RecordChange] = []
    let isWatched: Bool
    private var items: [Record.Item?]
    private var begun: Set<Int> = []

    init(
        _ records: Records, _ session: Session, _ row: ZoneRow, _ operations: [RecordOperation],
        desiredKeys: [String]?
    ) throws(CloudError) {
        self.records = records
        self.session = session
        self.row = row
        writer = try records.shares.writer(in: row, session)
        self.operations = operations
        self.desiredKeys = desiredKeys
        types = try records.containers.types(session)
        isWatched = try records.pushes.isWatched(writer.database)
        var writes: [String: Int] = [:]
        var deletions: Set<String> = []
        for (index, operation) in operations.enumerated() {
            guard let name = operation.recordName else { continue }
            if operation.kind.isDelete { deletions.insert(name) } else { writes[name] = index }
        }
        self.writes = writes
        self.deletions = deletions
        ring = RecordRing(operations)
        items = Array(repeating: nil, count: operations.count)
    }

    /// Carries out the operations in order.
    func run(atomic: Bool) throws(CloudError) -> Outcome {
        let before = writer.mark
        types.mark()
        let isUndoable = atomic && operations.count > 1
        if isUndoable { try tables.savepoint() }
        for index in operations.indices { try carryOut(index) }
        var items = items.compactMap { $0 }
        let failed = items.contains { if case .failure = $0 { true } else { false } }
        if atomic, failed {
            if isUndoable {
                tables.connection.rollbackToSavepoint()
                types.undo()
                try records.databases.savepointWasUndone()
                try records.context.quotas.reload()
                if hasChangedShares { try records.shares.reload() }
            }
            writer.undo(to: before)
            for (index, item) in items.enumerated() {
                if case .failure = item { continue }
                items[index] = .failure(recordName: item.recordName, .atomicSibling)
            }
            return Outcome(items: items, failedAtomically: operations.count > 1)
        }
        if isUndoable { try tables.releaseSavepoint() }
        guard writer.hasWritten else { return Outcome(items: items, failedAtomically: false) }
        try writer.save()
        try notify()
        return Outcome(items: items, failedAtomically: false)
    }

    /// Tells those who watch the store, and has the subscriptions of the zone's owner, or of everybody to a
    /// public database, fire.
    private func notify() throws(CloudError) {
        for change in changes {
            records.context.changes.note(
                StoreChange(
                    kind: StoreChange.Kind(change.event), database: writer.database.key,
                    zoneName: writer.row.name, recordName: change.record.name,
                    recordType: change.record.type))
        }
        guard isWatched else { return }
        let owner = records.shares.accounts.ownerName(of: writer.database.key)
        let zoneID =
            session.isShared
            ? RecordZone.ID(writer.row.name, ownerRecordName: owner) : session.zoneID(row.name)
        try records.pushes.note(
            changes, types, in: zoneID, of: writer.database, by: session.writer)
    }

    /// Whether this batch writes `name`; if it has not yet, it is done now: the order of parents
    /// and children in one request does not matter.
    func writeFirst(_ name: String) throws(CloudError) -> Bool {
        guard let index = writes[name] else { return false }
        try carryOut(index)
        return true
    }

    /// Whether this batch writes `name`.
    func isWritten(_ name: String) -> Bool { writes[name] != nil }

    /// Whether this batch has written `name`.
    func wasWritten(_ name: String) -> Bool {
        if let index = writes[name], case .record = items[index] { true } else { false }
    }

    /// Deletes first what this batch is to delete anyway; says whether it is gone, or about to go.
    func isDeletedFirst(_ name: String) throws(CloudError) -> Bool {
        let index = operations.firstIndex { $0.kind.isDelete && $0.recordName == name }
        guard let index else { return false }
        try carryOut(index)
        if case .failure = items[index] { return false }
        return true
    }

    /// Answers with a record as it is now that another operation has changed it again.
    func refresh(_ record: StoredRecord) {
        guard let index = writes[record.name], wasWritten(record.name) else { return }
        items[index] = .record(answer(record, to: operations[index]))
    }

    /// A record as an operation's answer; without its fields to who may write it and not read it.
    func answer(_ record: StoredRecord, to operation: RecordOperation) -> Record {
        var keys = (operation.desiredKeys ?? desiredKeys).map { Set($0) }
        if !types.allows(.read, on: record, session) { keys = [] }
        return record.record(
            in: session.zoneID(row.name), keys: keys,
            records.assets.downloads(in: writer.row.incarnation, session),
            for: session.callerName)
    }

    private func carryOut(_ index: Int) throws(CloudError) {
        guard begun.insert(index).inserted else { return }
        let operation = operations[index]
        do throws(CloudError) {
            if let reason = operation.malformation {
                throw CloudError(.badRequest, reason: reason)
            }
            items[index] =
                operation.kind.isDelete
                ? try delete(operation) : try save(operation)
        } catch {
            try tables.rethrowFailure(error)
            items[index] = .failure(recordName: operation.recordName ?? "", error)
        }
    }

    /// The record's place in the feed, and the record if it lives.
    func find(_ name: String) throws(CloudError) -> (place: Int64?, record: StoredRecord?) {
        guard let place = try tables.records.place(of: name, in: writer.row.incarnation) else {
            return (nil, records.usersRecord(name, row, session))
        }
        let entry = try tables.records.entry(at: place, in: writer.row.incarnation)
        return (place, entry?.record ?? records.usersRecord(name, row, session))
    }

    /// Whether the record lives and the session sees it.
    func exists(_ name: String) throws(CloudError) -> Bool {
        guard try find(name).record != nil else { return false }
        return try isVisible(name)
    }
}
