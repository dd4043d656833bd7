import CloudModel

/// The rules of records.
struct Records {
    let context: StoreContext
    let containers: Containers
    let databases: Databases
    let shares: Shares
    let histories: Histories
    let zones: Zones
    let sessions: Sessions
    let assets: Assets
    let pushes: Pushes

    // MARK: - records/lookup

    func lookUp(
        _ request: RecordLookupRequest, _ session: Session
    ) throws(CloudError) -> RecordsReply {
        try context.requireCount(request.recordNames.count)
        let row = try zones.find(request.zoneID, session, under: 9)
        let types = try containers.types(session)
        let keys = request.desiredKeys.map { Set($0) }
        let ownKeys = request.ownDesiredKeys.mapValues { Set($0) }
        let asked = Array(request.recordNames.enumerated())
        let items = try context.answers(to: asked) { asked throws(CloudError) in
            let (index, name) = asked
            guard
                let record = try context.tables.records.find(name, in: row.incarnation)
                    ?? usersRecord(name, row, session), try shares.shows(name, in: row)
            else { throw .noRecord.under(31) }
            guard types.allows(.read, on: record, session) else { throw .notPermitted(.read) }
            return Record.Item.record(
                record.record(
                    in: session.zoneID(row.name), keys: ownKeys[index] ?? keys,
                    assets.downloads(in: row.incarnation, session), for: session.callerName))
        } failed: {
            .failure(recordName: $0.element, $1)
        }
        return RecordsReply(records: items)
    }

    /// The record every user has in the public database of each container, until they write one.
    func usersRecord(_ name: String, _ row: ZoneRow, _ session: Session) -> StoredRecord? {
        guard session.isPublic, name.hasPrefix("_"), row.isDefault,
            let account = sessions.accounts.find(recordName: name, at: session.address)
        else { return nil }
        let stamp = Record.Stamp(timestamp: account.created, userRecordName: name, deviceID: "1")
        return StoredRecord(
            name: name, type: KnownTypes.usersType, seq: 0, tag: 0, created: stamp, modified: stamp)
    }

    // MARK: - records/modify

    func modify(
        _ request: RecordModifyRequest, _ session: Session
    ) throws(CloudError) -> RecordsReply {
        try context.requireCount(request.operations.count)
        guard session.caller != .anonymous else {
            throw CloudError(.authenticationRequired, reason: "sign in first")
        }
        try Self.check(request)
        var groups: [(zoneID: RecordZone.ID, operations: [(index: Int, RecordOperation)])] = []
        var groupOfZone: [RecordZone.ID: Int] = [:]
        var names: Set<Record.ID> = []
        for (index, given) in request.operations.enumerated() {
            var operation = given
            if operation.recordName?.isEmpty ?? true, !operation.kind.isDelete {
                operation.recordName = context.generator.uuid()
            }
            let zoneID = operation.zoneID ?? request.zoneID
            let name = operation.recordName ?? ""
            // One zone can be named with and without its owner.
            let zone = session.resolved(zoneID)
            guard names.insert(Record.ID(name, zoneID: zone)).inserted
            else {
                throw CloudError(.badRequest, reason: "two operations for one record", rule: 50)
            }
            if let group = groupOfZone[zone] {
                groups[group].operations.append((index, operation))
            } else {
                groupOfZone[zone] = groups.count
                groups.append((zoneID, [(index, operation)]))
            }
        }
        try databases.beginWriting(session.database)
        var items: [Record.Item?] = Array(repeating: nil, count: request.operations.count)
        var failedAtomically = false
        for group in groups {
            do throws(CloudError) {
                let row = try zones.find(group.zoneID, session, under: 9)
                let atomic = request.isAtomic(in: group.zoneID) && !session.isPublic
                let batch = try RecordBatch(
                    self, session, row, group.operations.map { $0.1 },
                    desiredKeys: request.desiredKeys)
                let outcome = try batch.run(atomic: atomic)
                failedAtomically = failedAtomically || outcome.failedAtomically
                for (place, item) in zip(group.operations, outcome.items) {
                    items[place.index] = item
                }
            } catch {
                try context.tables.rethrowFailure(error)
                for (index, operation) in group.operations {
                    items[index] = .failure(
                        recordName: operation.recordName ?? "", error)
                }
            }
        }
        let token = try? currentToken(request.zoneID, session)
        return RecordsReply(
            records: items.compactMap { $0 }, token: token,
            failedAtomically: failedAtomically && context.options.atomicFailure == .request)
    }

    /// Refuses the whole of a request that lacks something or asks for what cannot be.
    private static func check(_ request: RecordModifyRequest) throws(CloudError) {
        for operation in request.operations {
            if operation.kind.comparesTag, operation.recordChangeTag?.isEmpty ?? true {
                throw CloudError(
                    .badRequest, reason: "missing required field 'recordChangeTag'",
                    rule: "missing-tag")
            }
            let zoneID = operation.zoneID ?? request.zoneID
            if request.atomic == true, zoneID.isDefault {
                throw CloudError(
                    .badRequest, reason: "atomic operations not supported in default zone", rule: 15
                )
            }
        }
    }

    private func currentToken(
        _ zoneID: RecordZone.ID, _ session: Session
    ) throws(CloudError) -> ChangeToken? {
        guard !zoneID.isDefault, !session.isPublic else { return nil }
        let row = try zones.find(zoneID, session, under: 9)
        return histories.token(row, at: row.seq, session).changeToken
    }

    // MARK: - Cascades

    /// Deletes what waits to be deleted in a database's default zone because its target was, one step of
    /// the cascade: what refers to that is queued in its turn.
    ///
    /// - Returns: How many waited that are done with.
    @discardableResult
    func runCascades(
        in database: DatabaseState, limit: Int = CascadeTable.stepRows
    ) throws(CloudError) -> Int {
        let cascades =
            database.id == 0
            ? [] : try context.tables.cascades.next(in: database.id, limit: limit)
        guard !cascades.isEmpty else {
            database.hasCascades = false
            return 0
        }
        try databases.beginWriting(database)
        let session = sessions.service(database)
        for cascade in cascades {
            try context.tables.cascades.delete(cascade)
            guard let zone = try context.tables.zones.find(ZoneRow.defaultName, in: database.id),
                zone.incarnation == cascade.zone
            else { continue }
            let batch = try RecordBatch(
                self, session, zone, [.forceDelete(cascade.name)], desiredKeys: nil)
            // One that is validated by others stays.
            _ = try batch.run(atomic: false)
        }
        return cascades.count
    }

    /// Finishes the cascades of all databases.
    func finishCascades() throws(CloudError) {
        for database in try databases.all(ResetScope()) {
            while database.hasCascades { try runCascades(in: database) }
        }
    }

    // MARK: - Outside of requests

    /// The records that were deleted from a zone and are not forgotten, in the order of their
    /// deletion.
    func tombstones(in zone: String, of key: DatabaseKey) throws(CloudError) -> [MockTombstone] {
        let database = try databases.state(key)
        guard let row = try context.tables.zones.live(zone, in: database.id) else { return [] }
        var found: [MockTombstone] = []
        var seq: Int64 = 0
        while true {
            let page = try context.tables.records.entries(
                in: row.incarnation, after: seq, limit: 500)
            found += page.rows.compactMap { MockTombstone($0) }
            guard page.hasMore, let last = page.rows.last else { return found }
            seq = last.seq
        }
    }

    /// Puts records into a zone, which is made unless it is there: all of them, or where one is refused
    /// none; see ``MockStore/seed(zones:at:user:records:)``.
    func seed(
        _ name: String, _ records: [SeedRecord], _ session: Session
    ) throws(CloudError) {
        let isDefault = name == ZoneRow.defaultName
        guard isDefault || session.address.scope == .private && context.options.allows(name: name)
        else { throw CloudError(.badRequest, reason: "no such zone can be seeded") }
        let tables = context.tables
        let row =
            try tables.zones.live(name, in: session.database.id)
            ?? ZoneRow(name, incarnation: databases.nextIncarnation())
        let shared = shares.zone(row.incarnation)
        guard
            records.allSatisfy({
                $0.recordType != Share.recordType && shared?.share(named: $0.recordName) == nil
            })
        else { throw CloudError(.badRequest, reason: "shares cannot be seeded, nor written over") }
        let writer = ZoneWriter(context, databases, shares, session.database, row, by: nil)
        writer.noteZone()
        let types = try containers.types(session)
        types.mark()
        try tables.savepoint()
        do throws(CloudError) {
            for seed in records { try put(seed, types, session, in: writer) }
            try writer.save()
        } catch {
            try tables.rethrowFailure(error)
            tables.connection.rollbackToSavepoint()
            types.undo()
            try databases.savepointWasUndone()
            try context.quotas.reload()
            throw error
        }
        try tables.releaseSavepoint()
    }

    private func put(
        _ seed: SeedRecord, _ types: KnownTypes, _ session: Session, in writer: ZoneWriter
    ) throws(CloudError) {
        let (tables, zone, isEmpty) = (
            context.tables, writer.row.incarnation, writer.row.seq == 0
        )
        let place = isEmpty ? nil : try tables.records.place(of: seed.recordName, in: zone)
        let known = place == nil ? nil : try tables.records.find(seed.recordName, in: zone)
        var record = StoredRecord(
            name: seed.recordName, type: seed.recordType, seq: 0, tag: 0,
            created: session.stamp, modified: session.stamp, parent: seed.parent?.recordName)
        record.fields = seed.fields.mapValues { Field($0) }
        record.share = known?.share
        record.shortGUID = known?.shortGUID
        try containers.learn(record, types, session)
        try writer.check(record, was: known)
        _ = try writer.put(record, was: known, at: place)
        try tables.assets.relink(
            record.name, in: zone, from: known?.assets ?? [], to: record.assets)
        if known?.assets.isEmpty == false { assets.mayHaveGarbage = true }
    }
}

extension CloudError {
    /// - Parameter record: As the server has it.
    static func oldTag(_ operation: RecordOperation, is record: StoredRecord) -> CloudError {
        CloudError(
            .conflict, reason: "client oplock error updating record", rule: 23,
            facts:
                "tag \(operation.recordChangeTag?.prefix(40) ?? "none"), server \(record.tagText)")
    }
    static func notPermitted(_ right: Schema.Right) -> CloudError {
        CloudError(.accessDenied, reason: "\(right.rawValue) operation not permitted")
    }
    static let danglingReference = CloudError(
        .validatingReferenceError, reason: "Reference to a record that does not exist", rule: 51)
    static let referredTo = CloudError(
        .validatingReferenceError,
        reason: "Record delete would violate validating reference, rejecting update", rule: 53)
    static let atomicSibling = CloudError(
        .atomicError, reason: "another operation of the batch failed", rule: 38)
}
