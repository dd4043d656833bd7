import CloudModel

extension RecordBatch {
    /// Deletes one record, and those that go with it.
    func delete(_ operation: RecordOperation) throws(CloudError) -> Record.Item {
        guard let name = operation.recordName, !name.isEmpty else {
            throw CloudError(.badRequest, reason: "recordName is missing")
        }
        let gone = Record.Item.deleted(recordName: name, recordChangeTag: nil)
        if operation.kind == .delete {
            guard let tag = operation.recordChangeTag, !tag.isEmpty else {
                throw CloudError(.badRequest, reason: "recordChangeTag is missing")
            }
        }
        let found = try find(name)
        guard let record = found.record else {
            if operation.kind == .forceDelete || cascaded.contains(name) { return gone }
            throw .noRecord
        }
        if operation.kind == .delete, operation.recordChangeTag != record.tagText {
            throw CloudError(.conflict, reason: "client oplock error updating record")
        }
        guard record.type != "Users" else {
            throw CloudError(.accessDenied, reason: "Users records cannot be deleted")
        }
        guard store.mayUse(.write, record, types, session) else { throw .notPermitted(.write) }

        let isDelayed =
            row.name == MockStore.defaultZoneName && store.options.delaysDefaultZoneCascade
        let deleted = isDelayed ? [name] : try closure(of: name)
        try checkReferrers(of: deleted)
        if isDelayed {
            for source in try store.tables.sources(of: name, .deleteSelf, in: row.incarnation) {
                try store.queueCascade(source, target: name, zone: row, session.database)
            }
        }
        for name in deleted { try leaveTombstone(name) }
        cascaded.formUnion(deleted.dropFirst())
        return gone
    }

    /// A record and everything that goes when it goes, nearest first.
    private func closure(of name: String) throws(CloudError) -> [String] {
        var members = [name]
        var known: Set = [name]
        var next = 0
        while next < members.count {
            let sources = try store.tables.sources(
                of: members[next], .deleteSelf, in: row.incarnation)
            for source in sources where known.insert(source).inserted { members.append(source) }
            next += 1
        }
        return members
    }

    /// Refuses to leave behind a validated reference, or a child without its parent.
    private func checkReferrers(of deleted: [String]) throws(CloudError) {
        let going = Set(deleted)
        for target in deleted {
            for source in try store.tables.sources(of: target, .validate, in: row.incarnation)
            where !going.contains(source) {
                throw .referredTo
            }
            for source in try store.tables.sources(of: target, .parent, in: row.incarnation)
            where !going.contains(source) && !deletions.contains(source) {
                throw .referredTo
            }
        }
    }

    /// Turns a record into a tombstone.
    func leaveTombstone(_ name: String) throws(CloudError) {
        let found = try find(name)
        guard let record = found.record, let place = found.place else { return }
        try store.tables.relink(name, in: row.incarnation, from: record.links, to: [])
        let seq = nextPlace()
        let remains = MockTombstone.remains(of: record, deleted: session.stamp)
        try store.tables.putTombstone(
            name, remains, tag: session.database.nextTag(), seq: seq, in: row.incarnation,
            oldPlace: place)
    }
}

extension MockStore {
    /// Notes that a record of the default zone is to go later, because its target went.
    func queueCascade(
        _ source: String, target: String, zone: ZoneRow, _ database: DatabaseState
    ) throws(CloudError) {
        try tables.addCascade(source, in: zone.incarnation, database.id)
        database.hasCascades = true
    }

    /// Deletes what waits to be deleted in a database's default zone, one step of the cascade:
    /// what refers to that is queued in its turn.
    func runCascades(_ database: DatabaseState) throws(CloudError) {
        guard database.id != 0 else {
            database.hasCascades = false
            return
        }
        let cascades = try tables.cascades(in: database.id)
        guard !cascades.isEmpty else {
            database.hasCascades = false
            return
        }
        try beginWriting(database)
        let session = serviceSession(database)
        for cascade in cascades {
            try tables.delete(cascade)
            guard let zone = try tables.zone(Self.defaultZoneName, in: database.id),
                zone.incarnation == cascade.zone
            else { continue }
            let batch = try RecordBatch(
                self, session, zone, [.forceDelete(cascade.name)], desiredKeys: nil)
            // One that is validated by others stays.
            _ = try batch.run(atomic: false)
        }
    }

    /// The service acting by itself in a database.
    func serviceSession(_ database: DatabaseState) -> Session {
        let address = database.key.address
        let owner = userRecordName(
            of: database.key.user, in: address.container, address.environment)
        return Session(
            database: database, caller: .user(database.key.user), callerName: owner,
            ownerName: owner, now: clock.now, isService: true)
    }
}
