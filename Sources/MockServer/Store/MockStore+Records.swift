import CloudModel

extension MockStore {
    // MARK: - records/lookup

    func lookUpRecords(
        _ request: RecordLookupRequest, _ session: Session
    ) throws(CloudError) -> RecordsReply {
        try requireCount(request.recordNames.count)
        let row = try zone(request.zoneID, session)
        let types = try types(session)
        let keys = request.desiredKeys.map { Set($0) }
        var items: [Record.Item] = []
        for name in request.recordNames {
            guard
                let record = try tables.record(name, in: row.incarnation)
                    ?? usersRecord(name, row, session)
            else {
                items.append(.failure(recordName: name, .noRecord))
                continue
            }
            guard mayUse(.read, record, types, session) else {
                items.append(.failure(recordName: name, .notPermitted(.read)))
                continue
            }
            items.append(.record(record.record(in: session.zoneID(row.name), keys: keys)))
        }
        return RecordsReply(records: items)
    }

    /// The record every user has in the public database of each container, until he writes one.
    func usersRecord(_ name: String, _ row: ZoneRow, _ session: Session) -> StoredRecord? {
        guard session.isPublic, name.hasPrefix("_"), row.name == Self.defaultZoneName else {
            return nil
        }
        let address = session.address
        let account = accounts.values.first {
            userRecordName(of: $0.user.name, in: address.container, address.environment) == name
        }
        guard let account else { return nil }
        let stamp = Record.Stamp(timestamp: account.created, userRecordName: name, deviceID: "1")
        return StoredRecord(
            name: name, type: "Users", seq: 0, tag: 0, created: stamp, modified: stamp)
    }

    /// Whether the caller may do something with a record, or with any of its type.
    func mayUse(
        _ right: Schema.Right, _ record: StoredRecord?, type: String? = nil,
        _ types: KnownTypes, _ session: Session
    ) -> Bool {
        guard session.isPublic, !session.isService else { return true }
        let type = record?.type ?? type ?? ""
        if case .serverKey = session.caller {
            // A key creates only where creators and signed-in users both may.
            if right == .create {
                return types.grants(.create, to: "_creator", type: type)
                    && types.grants(.create, to: "_icloud", type: type)
            }
        }
        if types.grants(right, to: "_world", type: type) { return true }
        guard session.caller != .anonymous else { return false }
        if types.grants(right, to: "_icloud", type: type) { return true }
        guard types.grants(right, to: "_creator", type: type) else { return false }
        guard let record else { return true }
        return record.created.userRecordName == session.callerName
    }

    // MARK: - records/modify

    func modifyRecords(
        _ request: RecordModifyRequest, _ session: Session
    ) throws(CloudError) -> RecordsReply {
        try requireCount(request.operations.count)
        try CommandShape.check(request.operations)
        guard session.caller != .anonymous else {
            throw CloudError(.authenticationRequired, reason: "sign in first")
        }
        var groups: [(zoneID: RecordZone.ID, operations: [(index: Int, RecordOperation)])] = []
        var groupOfZone: [String: Int] = [:]
        var names: Set<Record.ID> = []
        for (index, given) in request.operations.enumerated() {
            var operation = given
            if operation.recordName?.isEmpty ?? true, !operation.kind.isDelete {
                operation.recordName = generator.uuid()
            }
            let zoneID = operation.zoneID ?? request.zoneID
            let name = operation.recordName ?? ""
            guard names.insert(Record.ID(name, zoneID: RecordZone.ID(zoneID.zoneName))).inserted
            else {
                throw CloudError(.badRequest, reason: "two operations for one record")
            }
            let key = zoneID.zoneName + "\n" + (zoneID.ownerRecordName ?? "")
            if let group = groupOfZone[key] {
                groups[group].operations.append((index, operation))
            } else {
                groupOfZone[key] = groups.count
                groups.append((zoneID, [(index, operation)]))
            }
        }
        try beginWriting(session.database)
        var items: [Record.Item?] = Array(repeating: nil, count: request.operations.count)
        var failedAtomically = false
        for group in groups {
            do throws(CloudError) {
                let row = try zone(group.zoneID, session)
                // Shares are for reading.
                guard row.share == nil else { throw .notPermitted(.write) }
                let atomic = request.atomic && !group.zoneID.isDefault && !session.isPublic
                let batch = try RecordBatch(
                    self, session, row, group.operations.map { $0.1 },
                    desiredKeys: request.desiredKeys)
                let outcome = try batch.run(atomic: atomic)
                failedAtomically = failedAtomically || outcome.failedAtomically
                for (place, item) in zip(group.operations, outcome.items) {
                    items[place.index] = item
                }
            } catch {
                try rethrowFailure(error)
                for (index, operation) in group.operations {
                    items[index] = .failure(
                        recordName: operation.recordName ?? "", error)
                }
            }
        }
        let token = try? currentToken(request.zoneID, session)
        return RecordsReply(
            records: items.compactMap { $0 }, token: token, failedAtomically: failedAtomically)
    }

    private func currentToken(
        _ zoneID: RecordZone.ID, _ session: Session
    ) throws(CloudError) -> ChangeToken? {
        guard !zoneID.isDefault, !session.isPublic else { return nil }
        let row = try zone(zoneID, session)
        return zoneToken(row, sequence: row.seq, session).changeToken
    }
}

extension CloudError {
    static func notPermitted(_ right: Schema.Right) -> CloudError {
        CloudError(.accessDenied, reason: "\(right.rawValue) operation not permitted")
    }
    static let danglingReference = CloudError(
        .validatingReferenceError, reason: "Reference to a record that does not exist")
    static let referredTo = CloudError(
        .validatingReferenceError,
        reason: "Record delete would violate validating reference, rejecting update")
    static let atomicSibling = CloudError(
        .atomicError, reason: "another operation of the batch failed")
}
