import CloudModel

/// Share records: saved as others are, and what is shared changes with them.
extension RecordBatch {
    /// Whether an operation is about a share.
    func isShare(_ operation: RecordOperation, _ record: StoredRecord?) -> Bool {
        if let record { return record.sharing != nil }
        return operation.recordType == Share.recordType
            || operation.recordName == Share.zoneWideName
    }

    /// Refuses what only a share can have.
    func checkIsNoShare(_ operation: RecordOperation) throws(CloudError) {
        if let type = operation.recordType, type != Share.recordType,
            type.lowercased() == Share.recordType
        {
            throw CloudError(
                .badRequest,
                reason: "there is no such record to share: the type of a share is spelled "
                    + Share.recordType)
        }
        guard operation.share == nil else {
            throw CloudError(
                .badRequest,
                reason: "forRecord, publicPermission and participants are of records of the type "
                    + "\(Share.recordType) only")
        }
    }

    /// Creates or changes a share.
    func saveShare(
        _ operation: RecordOperation, _ given: (place: Int64?, record: StoredRecord?)
    ) throws(CloudError) -> Record.Item {
        guard operation.recordType ?? Share.recordType == Share.recordType else {
            throw CloudError(
                .badRequest, reason: "the type of a share is \(Share.recordType)")
        }
        try checkShareTag(operation, given.record)
        let isNew = given.record == nil
        if isNew { try checkCanShare() } else { try checkMayChange(given.record) }
        let root = try isNew ? newRoot(operation) : given.record?.sharing?.root
        let checker = FieldChecker(
            types: types, session: session, options: options, recordType: Share.recordType)
        let fields = try claimAssets(
            in: checker.checked(operation.fields), of: operation.recordName ?? "",
            was: given.record)
        try checkZones(operation)
        var record =
            given.record
            ?? StoredRecord(
                name: operation.recordName ?? "", type: Share.recordType, seq: 0, tag: 0,
                created: session.stamp, modified: session.stamp)
        if operation.kind == .replace || operation.kind == .forceReplace { record.fields = [:] }
        for (key, field) in fields { record.fields[key] = field }
        record.modified = session.stamp
        var sharing =
            record.sharing ?? records.shares.newShare(of: root, by: session.database.key)
        try sharing.change(
            publicPermission: operation.share?.publicPermission,
            invitees: operation.share?.participants?.map(invitee), most: options.participantsMax
        ) { records.context.generator.uuid() }
        record.sharing = sharing
        try checkSize(record)
        try checkRoom(for: record, given)
        hasChangedShares = true
        guard isNew else {
            let number = shared?.share(named: record.name)?.number ?? 0
            let written = try writer.put(record, was: given.record, at: given.place)
            try relinkAssets(record.name, from: given.record?.assets ?? [], to: record.assets)
            try records.shares.setAccepted(sharing.accepted, of: number, in: writer)
            return .record(answer(written, to: operation))
        }
        _ = try records.shares.add(record.name, root: root, in: writer)
        record.shortGUID = records.shares.shortGUID(of: record, in: writer)
        let written = try writer.put(record, was: nil, at: given.place)
        try relinkAssets(record.name, from: [], to: record.assets)
        if let root { try mark(root, sharedBy: record.name) }
        return .record(answer(written, to: operation))
    }

    /// A share is saved only over the version that its writer has seen, however it is sent.
    private func checkShareTag(
        _ operation: RecordOperation, _ record: StoredRecord?
    ) throws(CloudError) {
        try checkPresence(operation, record)
        guard let record, operation.recordChangeTag != record.tagText else { return }
        throw .oldTag(operation, is: record).under(28)
    }

    // MARK: - A new share

    private func checkCanShare() throws(CloudError) {
        switch session.address.scope {
        case .private: break
        case .shared:
            throw CloudError(.accessDenied, reason: "only the owner of a zone can share it")
        case .public:
            throw CloudError(.badRequest, reason: "records of a public database cannot be shared")
        }
        guard !row.isDefault else {
            throw CloudError(
                .badRequest, reason: "the default zone cannot be shared: use a custom zone",
                rule: 15)
        }
    }

    /// The root of a new share, which must be there as its writer has seen it, and in no other share;
    /// nil for a whole zone.
    private func newRoot(_ operation: RecordOperation) throws(CloudError) -> String? {
        let root = operation.share?.root
        if operation.recordName == Share.zoneWideName {
            guard root == nil else {
                throw CloudError(
                    .badRequest,
                    reason: "\(Share.zoneWideName) shares the whole zone and takes no forRecord")
            }
            guard shared?.hasHierarchies != true else {
                throw CloudError(
                    .badRequest,
                    reason: "a zone in which hierarchies are shared cannot be shared as a whole",
                    rule: "shared-already")
            }
            return nil
        }
        guard let root else {
            throw CloudError(
                .badRequest,
                reason: "a new share needs forRecord, with the recordName and recordChangeTag of "
                    + "its root, or the name \(Share.zoneWideName) for the whole zone", rule: 94)
        }
        guard shared?.whole == nil else {
            throw CloudError(
                .badRequest, reason: "the zone is shared as a whole: no hierarchy of it can be",
                rule: "shared-already")
        }
        _ = try writeFirst(root.recordName)
        guard let record = try find(root.recordName).record else {
            throw CloudError(
                .notFound,
                reason: "forRecord names no record of this zone: save the root before its share, "
                    + "or in the same request", rule: 94)
        }
        guard record.sharing == nil else {
            throw CloudError(.badRequest, reason: "forRecord names a share: a share has no share")
        }
        if !wasWritten(root.recordName) {
            guard let tag = root.recordChangeTag else {
                throw CloudError(
                    .badRequest,
                    reason: "forRecord.recordChangeTag is missing: it can be left out only where "
                        + "the same request saves the root", rule: 94)
            }
            guard tag == record.tagText else {
                throw CloudError(
                    .conflict, reason: "client oplock error: the root has changed", rule: 23)
            }
        }
        try checkIsNotShared(root.recordName)
        return root.recordName
    }

    /// Refuses to share what is in a shared hierarchy, or has one below it.
    private func checkIsNotShared(_ root: String) throws(CloudError) {
        let alreadyShared = CloudError(
            .exists, reason: "already shared: the record, one above it or one below it has a share",
            rule: "shared-already")
        guard try writer.hierarchy(of: root) == nil else { throw alreadyShared }
        try writer.checkMove(below: root)
        guard shared?.hasHierarchies == true else { return }
        if try tables.hierarchies.foundHaveRootsBelow(root, in: writer.row.incarnation) {
            throw alreadyShared
        }
    }

    private func invitee(_ given: ShareParticipant) -> StoredShare.Invitee {
        let accounts = records.sessions.accounts
        guard let info = given.identity.wanted,
            let user = accounts.find(info, at: session.address)
        else { return (nil, given) }
        var known = given
        known.identity = accounts.identity(
            of: user.name, at: session.address, foundBy: given.identity.lookupInfo)
        return (user.name, known)
    }

    /// Writes into a root which share it has, or that it has none any more.
    private func mark(_ root: String, sharedBy share: String?) throws(CloudError) {
        let found = try find(root)
        guard var record = found.record else { return }
        record.share = share
        refresh(try writer.put(record, was: found.record, at: found.place))
    }

    // MARK: - A share that is there

    /// Of participants only administrators change a share.
    private func checkMayChange(_ record: StoredRecord?) throws(CloudError) {
        guard session.permission == .participant else { return }
        let me = record?.sharing?.participant(session.database.key.user)
        guard me?.shown.role == .administrator else {
            throw CloudError(
                .accessDenied,
                reason: "only the owner and administrators change a share; delete its record to "
                    + "leave it")
        }
    }

    /// A participant who deletes a share leaves it. An owner's deletion goes on, after what else
    /// the batch does with the root.
    ///
    /// - Returns: Whether there is nothing left to delete.
    func takeLeave(of record: StoredRecord) throws(CloudError) -> Bool {
        hasChangedShares = true
        guard session.permission != .participant else {
            try records.shares.remove(
                session.database.key.user, from: record, by: session.stamp, in: writer)
            return true
        }
        guard let root = record.sharing?.root else { return false }
        _ = try isDeletedFirst(root)
        _ = try writeFirst(root)
        return try find(record.name).record == nil
    }

    /// Ends a share whose record is about to go.
    func endShare(of record: StoredRecord) throws(CloudError) {
        guard let share = shared?.share(named: record.name) else { return }
        hasChangedShares = true
        try records.shares.remove(share, in: writer)
        if let root = share.root { try mark(root, sharedBy: nil) }
    }

    // MARK: - Short GUIDs

    /// Gives a record what it can be found by.
    func giveShortGUID(to record: inout StoredRecord) throws(CloudError) {
        guard session.address.scope == .private, !row.isDefault else {
            throw CloudError(
                .badRequest,
                reason: "createShortGUID is for records in custom zones of the private database")
        }
        record.shortGUID = records.shares.shortGUID(of: record, in: writer)
    }
}
