extension ReplyCheck {
    /// A page of a query: records of one type, and failures that say whose.
    func check(_ page: RecordPage, _ request: RecordQueryRequest) throws(Mismatch) {
        guard page.records.count <= Self.recordsMax else { throw .tooMany }
        if page.continuationMarker?.isEmpty == true { throw .emptyToken }
        try check(page.token)
        if request.isZoneWide {
            try checkOwners(page.records.lazy.compactMap(\.zoneID))
            try checkNames(page.records) { $0.zoneID ?? .default }
        } else {
            try checkZones(page.records, are: request.zoneID ?? .default)
            try checkNames(page.records)
        }
        let creator = creator(in: request.query)
        for item in page.records {
            switch item {
            case .record(let record):
                guard record.recordType == request.query.recordType else { throw .otherType }
                // Also one that does not say: nobody can tell then whose it is.
                if let creator, maker(of: record) != creator { throw .otherCreator }
            case .deleted: throw .tombstone
            case .failure: continue
            }
        }
    }

    /// The answer to `records/lookup`: what is not there fails, and is not a deletion.
    func check(_ reply: RecordsReply, _ request: RecordLookupRequest) throws(Mismatch) {
        try checkCount(reply.records.count, request.recordNames.count)
        try check(reply.token)
        for (item, name) in zip(reply.records, request.recordNames) {
            guard item.recordName == name else { throw .notAsked }
            if case .deleted = item { throw .tombstone }
        }
        try checkZones(reply.records, are: request.zoneID)
    }

    /// The answer to `records/modify`.
    func check(_ reply: RecordsReply, _ request: RecordModifyRequest) throws(Mismatch) {
        try checkCount(reply.records.count, request.operations.count)
        try check(reply.token)
        try checkOwners(reply.records.lazy.compactMap(\.zoneID))
        for (item, operation) in zip(reply.records, request.operations) {
            guard operation.recordName == nil || item.recordName == operation.recordName else {
                throw .notAsked
            }
            switch item {
            case .record(let record) where !operation.kind.isDelete:
                try checkName(record.id.recordName)
                guard record.id.zoneID.fits(operation.zoneID ?? request.zoneID) else {
                    throw .otherZone
                }
            case .deleted where operation.kind.isDelete, .failure: continue
            case .record, .deleted: throw .otherOutcome
            }
        }
    }

    /// Every item of a page has a name, and each stands once in its zone.
    ///
    /// - Parameter zone: Where an item is; the same for all where only one zone was asked.
    func checkNames(
        _ items: [Record.Item], zone: (Record.Item) -> RecordZone.ID = { _ in .default }
    ) throws(Mismatch) {
        var seen: Set<Record.ID> = []
        for item in items {
            try checkName(item.recordName)
            let id = Record.ID(item.recordName, zoneID: zone(item))
            guard seen.insert(id).inserted else { throw .twice }
        }
    }

    /// Who created a record; empty where it does not say. In public a name that stands for the caller says
    /// nothing: the caller may be a key, and the query about somebody else.
    private func maker(of record: Record) -> String {
        let name = record.created.userRecordName
        guard !name.isEmpty, scope != .public, RecordZone.ID.callerPlaceholders.contains(name)
        else { return name }
        return person ?? name
    }

    /// Whose records alone a query asks for; nil for everybody's.
    private func creator(in query: Query) -> String? {
        for filter in query.filters
        where filter.comparator == .equals && filter.key == .system(.createdUserRecordName) {
            let name: String
            switch filter.value {
            case .reference(let reference): name = reference.recordName
            case .string(let text): name = text
            default: continue
            }
            return RecordZone.ID.callerPlaceholders.contains(name) ? person : name
        }
        return nil
    }

    func checkZones(_ items: [Record.Item], are zoneID: RecordZone.ID) throws(Mismatch) {
        for item in items {
            guard item.zoneID?.fits(zoneID) ?? true else { throw .otherZone }
        }
        try checkOwners(items.lazy.compactMap(\.zoneID))
    }
}

extension Record.Item {
    /// The zone of a record; nil for what is not one.
    fileprivate var zoneID: RecordZone.ID? {
        if case .record(let record) = self { record.id.zoneID } else { nil }
    }
}
