import CloudModel

extension RecordBatch {
    /// Creates or changes one record.
    func save(_ operation: RecordOperation) throws(CloudError) -> Record.Item {
        let name = operation.recordName ?? ""
        let isOwnUser = name == session.callerName && session.isPublic
        guard isOwnUser || records.usersRecord(name, row, session) == nil else {
            throw .notPermitted(.write)
        }
        try options.check(recordName: name, mayBeSystem: isOwnUser)
        let found = try find(name)
        try checkVisible(name, found.record, operation.kind)
        if isShare(operation, found.record) { return try saveShare(operation, found) }
        try checkIsNoShare(operation)
        // Who has no right to it is not told whether their tag is the latest.
        if !isOwnUser { try checkRight(to: operation, found.record) }
        try checkPresence(operation, found.record)
        let type = try recordType(operation, found.record, isUser: isOwnUser)
        let checker = FieldChecker(
            types: types, session: session, options: options, recordType: type)
        try checker.checkType()
        let fields = try claimAssets(
            in: checker.checked(operation.fields), of: name, was: found.record)

        let stamp = session.stamp
        var record = StoredRecord(
            name: name, type: type, seq: 0, tag: 0, created: found.record?.created ?? stamp,
            modified: stamp)
        record.share = found.record?.share
        record.shortGUID = found.record?.shortGUID
        if operation.kind == .update || operation.kind == .forceUpdate, let old = found.record {
            record.fields = old.fields
            record.parent = old.parent
        }
        for (key, field) in fields { record.fields[key] = field }
        if let parent = operation.parent { record.parent = parent.recordName }
        try checkZones(operation)
        guard !ring.names.contains(name) else {
            throw CloudError(
                .badRequest, reason: "records of the request refer to each other in a ring",
                rule: "record-ring")
        }
        try checkLinks(record, was: found.record)
        try checkWriting(record, was: found.record)
        try writer.check(record, was: found.record)
        if operation.createsShortGUID { try giveShortGUID(to: &record) }
        try checkSize(record)
        try checkRoom(for: record, found)
        return .record(try write(record, operation, found))
    }

    private func checkRight(
        to operation: RecordOperation, _ record: StoredRecord?
    ) throws(CloudError) {
        // What compares a tag and finds no record fails for that.
        if record == nil, operation.kind.comparesTag { return }
        guard let record, operation.kind != .create else {
            guard types.allows(.create, on: nil, type: operation.recordType, session) else {
                throw .notPermitted(.create)
            }
            return
        }
        guard types.allows(.write, on: record, session) else { throw .notPermitted(.write) }
    }

    /// Refuses a record that is too large to be stored.
    func checkSize(_ record: StoredRecord) throws(CloudError) {
        guard record.body.count <= options.recordBytesMax else {
            throw CloudError(
                .badRequest, reason: "record larger than \(options.recordBytesMax) bytes", rule: 49)
        }
    }

    /// Refuses a record for which there is no room.
    func checkRoom(
        for record: StoredRecord, _ found: (place: Int64?, record: StoredRecord?)
    ) throws(CloudError) {
        let (quotas, key) = (records.context.quotas, writer.database.key)
        guard quotas.isLimited(key) else { return }
        let old = found.place == nil ? 0 : found.record?.storedBytes ?? 0
        try quotas.require(record.storedBytes - old, in: key)
    }

    func checkPresence(
        _ operation: RecordOperation, _ record: StoredRecord?
    ) throws(CloudError) {
        if operation.kind == .create, record != nil {
            throw CloudError(.conflict, reason: "record to insert already exists", rule: 24)
        }
        guard operation.kind.comparesTag else { return }
        guard let record else { throw .noRecord.under(25) }
        guard record.tagText == operation.recordChangeTag else {
            throw .oldTag(operation, is: record)
        }
    }

    private func recordType(
        _ operation: RecordOperation, _ record: StoredRecord?, isUser: Bool
    ) throws(CloudError) -> String {
        if let record {
            guard operation.recordType ?? record.type == record.type else {
                throw CloudError(.badRequest, reason: "a record's type cannot be changed")
            }
            return record.type
        }
        guard let type = operation.recordType, !type.isEmpty else {
            throw CloudError(.badRequest, reason: "recordType is missing")
        }
        guard type != KnownTypes.usersType || isUser else {
            throw CloudError(.badRequest, reason: "Users records cannot be created")
        }
        return type
    }

    /// References of all kinds lead to the record's own zone.
    func checkZones(_ operation: RecordOperation) throws(CloudError) {
        func check(_ target: Record.Reference) throws(CloudError) {
            guard let zoneID = target.zoneID else { return }
            guard session.rowName(zoneID) == row.name, session.isShared || session.owns(zoneID)
            else {
                throw CloudError(.badRequest, reason: "a reference points to another zone")
            }
        }
        if let parent = operation.parent { try check(parent) }
        for case .some(let field) in operation.fields.values {
            switch field.value {
            case .reference(let target): try check(target)
            case .list(.reference, let elements):
                for case .reference(let target) in elements { try check(target) }
            default: break
            }
        }
    }

    private func checkLinks(
        _ record: StoredRecord, was old: StoredRecord?
    ) throws(CloudError) {
        let known = old?.links ?? []
        for link in record.links.subtracting(known).sorted() {
            switch link.kind {
            case .deleteSelf:
                let count = try tables.links.sourceCount(
                    of: link.target, .deleteSelf, in: writer.row.incarnation, except: record.name)
                guard count < options.referrersMax else {
                    throw CloudError(
                        .badRequest,
                        reason: "more than \(options.referrersMax) references to one record",
                        rule: 57)
                }
            case .validate:
                if link.target == record.name { continue }
                guard try exists(link.target) else { throw .danglingReference }
            case .parent:
                guard link.target != record.name else {
                    throw CloudError(.badRequest, reason: "a record cannot be its own parent")
                }
                if try !exists(link.target) {
                    _ = try writeFirst(link.target)
                    guard try exists(link.target) else { throw .danglingReference }
                }
            }
        }
    }

    private func write(
        _ record: StoredRecord, _ operation: RecordOperation,
        _ found: (place: Int64?, record: StoredRecord?)
    ) throws(CloudError) -> Record {
        try records.containers.learn(record, types, session)
        // A parent may have been written since this record was looked for; its place is the same.
        let written = try writer.put(record, was: found.record, at: found.place)
        try relinkAssets(
            record.name, from: found.record?.assets ?? [], to: record.assets)
        if let parent = record.parent, !isWritten(parent), touched.insert(parent).inserted {
            try touch(parent)
        }
        changes.append(
            RecordChange(event: found.record == nil ? .create : .update, record: written))
        return answer(written, to: operation)
    }

    /// A parent changes with its child: it gets a new tag and a new place in the feed.
    private func touch(_ name: String) throws(CloudError) {
        let found = try find(name)
        guard let parent = found.record else { return }
        _ = try writer.put(parent, was: parent, at: found.place)
    }
}
