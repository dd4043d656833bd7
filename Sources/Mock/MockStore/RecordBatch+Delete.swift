import CloudModel
import CloudWire

extension RecordBatch {
    /// Deletes one record, and those that go with it.
    func delete(_ operation: RecordOperation) throws(CloudError) -> Record.Item {
        guard let name = operation.recordName, !name.isEmpty else {
            throw CloudError(.badRequest, reason: "recordName is missing")
        }
        let gone = Record.Item.deleted(recordName: name, recordChangeTag: nil)
        let found = try find(name)
        guard let record = try isVisible(name) ? found.record : nil else {
            if operation.kind == .forceDelete || cascaded.contains(name) { return gone }
            throw .noRecord.under(30)
        }
        guard record.type != KnownTypes.usersType else {
            throw CloudError(.accessDenied, reason: "Users records cannot be deleted")
        }
        guard types.allows(.write, on: record, session) else { throw .notPermitted(.write) }
        if operation.kind == .delete, operation.recordChangeTag != record.tagText {
            throw .oldTag(operation, is: record)
        }

        if record.sharing != nil, try takeLeave(of: record) { return gone }
        let isDelayed =
            row.isDefault && options.delaysDefaultZoneCascade
        let deleted = isDelayed ? [name] : try closure(of: name)
        try checkDeleting(deleted)
        try checkReferrers(of: deleted)
        for name in deleted {
            if let share = shared?.share(named: name) { try writer.checkEnd(of: share) }
        }
        if isDelayed {
            for source in try tables.links.sources(
                of: name, .deleteSelf, in: writer.row.incarnation)
            {
                try tables.cascades.add(source, in: writer.row.incarnation, session.database.id)
                session.database.hasCascades = true
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
            var sources = try tables.links.sources(
                of: members[next], .deleteSelf, in: writer.row.incarnation)
            // A share goes with its root.
            if let share = shared?.share(rootedAt: members[next]) {
                sources.append(share.recordName)
            }
            for source in sources where known.insert(source).inserted { members.append(source) }
            guard members.count <= options.cascadeMax else {
                throw CloudError(
                    .badRequest,
                    reason: "more than \(options.cascadeMax) records would be deleted too")
            }
            next += 1
        }
        return members
    }

    /// Refuses to leave behind a validated reference, or a child without its parent.
    private func checkReferrers(of deleted: [String]) throws(CloudError) {
        let going = Set(deleted)
        for target in deleted {
            for source in try tables.links.sources(
                of: target, .validate, in: writer.row.incarnation)
            where !going.contains(source) {
                throw .referredTo
            }
            for source in try tables.links.sources(of: target, .parent, in: writer.row.incarnation)
            where !going.contains(source) {
                guard try isDeletedFirst(source) else { throw .referredTo }
            }
        }
    }

    /// Turns a record into a tombstone.
    func leaveTombstone(_ name: String) throws(CloudError) {
        let found = try find(name)
        guard let record = found.record, let place = found.place else { return }
        if record.sharing != nil { try endShare(of: record) }
        try relinkAssets(name, from: record.assets, to: [])
        try writer.leaveTombstone(of: record, at: place, by: session.stamp)
        changes.append(RecordChange(event: .delete, record: record))
    }
}
