extension ReplyCheck {
    /// A page of `zones/list`: zones, and nothing else.
    func checkList(_ page: ZonePage) throws(Mismatch) {
        for item in page.zones {
            switch item {
            case .zone: continue
            case .deleted: throw .tombstone
            case .failure: throw .errorItem
            }
        }
        try checkChanges(page)
    }

    /// A page of a feed of zones, which tells of deleted and unreadable ones too.
    func checkChanges(_ page: ZonePage) throws(Mismatch) {
        try check(page.token)
        if page.moreComing, page.token == nil { throw .noToken }
        guard page.zones.count <= Self.listMax else { throw .tooMany }
        try checkOwners(page.zones.lazy.map(\.id))
        try checkSharers(page.zones)
        var seen = Set<RecordZone.ID>(minimumCapacity: page.zones.count)
        for item in page.zones {
            try check(item)
            // A private database has one owner, whether an item says so or not.
            let id = scope == .private ? RecordZone.ID(item.id.zoneName) : item.id
            guard seen.insert(id).inserted else { throw .twice }
        }
    }

    /// The answer to `zones/lookup`: what is not there fails, and is not a deletion.
    func check(_ items: [RecordZone.Item], lookedUp ids: [RecordZone.ID]) throws(Mismatch) {
        try checkCount(items.count, ids.count)
        try checkOwners(items.lazy.compactMap(\.idOfSuccess))
        for (item, id) in zip(items, ids) {
            try check(item)
            guard item.id.fits(id) else { throw .notAsked }
            if case .deleted = item { throw .tombstone }
        }
    }

    /// The answer to `zones/modify`.
    func check(
        _ items: [RecordZone.Item], _ operations: [RecordZone.Operation]
    ) throws(Mismatch) {
        try checkCount(items.count, operations.count)
        try checkOwners(items.lazy.compactMap(\.idOfSuccess))
        for (item, operation) in zip(items, operations) {
            try check(item)
            guard item.id.fits(operation.id) else { throw .notAsked }
            switch (operation, item) {
            case (.create, .zone), (.delete, .deleted), (_, .failure): continue
            case (.create, .deleted), (.delete, .zone): throw .otherOutcome
            }
        }
    }

    /// The answer to `changes/zone`: a page or a failure for each zone, deletions within pages.
    func check(
        _ items: [ZoneChangesItem], _ requests: [ZoneChangesRequest]
    ) throws(Mismatch) {
        try checkCount(items.count, requests.count)
        try checkOwners(items.lazy.compactMap(\.idOfSuccess))
        for (item, request) in zip(items, requests) {
            try checkName(item.zoneID.zoneName)
            guard item.zoneID.fits(request.zoneID) else { throw .notAsked }
            guard case .page(let page) = item else { continue }
            try check(page.token)
            guard page.records.count <= Self.recordsMax else { throw .tooMany }
            try checkNames(page.records)
            try checkZones(page.records, are: page.zoneID)
        }
    }

    /// A private database is one person's, and all owners that an answer names are the same.
    func checkOwners(_ ids: some Sequence<RecordZone.ID>) throws(Mismatch) {
        guard scope == .private else { return }
        var owner = person
        for id in ids {
            guard let said = id.ownerRecordName else { continue }
            guard said == owner ?? said else { throw .otherOwner }
            owner = said
        }
    }

    /// A shared database lists zones of others only, each with its owner: nobody could ask about
    /// it otherwise.
    private func checkSharers(_ items: [RecordZone.Item]) throws(Mismatch) {
        guard scope == .shared else { return }
        for item in items {
            guard let owner = item.id.ownerRecordName else { throw .noOwner }
            guard owner != person else { throw .otherOwner }
        }
    }

    private func check(_ item: RecordZone.Item) throws(Mismatch) {
        // A refusal may be of the very name that is too long.
        if case .failure = item { return }
        try checkName(item.id.zoneName)
        if case .zone(let zone) = item { try check(zone.syncToken) }
    }
}

extension RecordZone.Item {
    /// The ID of what is not a failure: those repeat what was asked.
    fileprivate var idOfSuccess: RecordZone.ID? {
        switch self {
        case .zone(let zone): zone.id
        case .deleted(let id, _): id
        case .failure: nil
        }
    }
}

extension ZoneChangesItem {
    fileprivate var idOfSuccess: RecordZone.ID? {
        if case .page(let page) = self { page.zoneID } else { nil }
    }

    fileprivate var zoneID: RecordZone.ID {
        switch self {
        case .page(let page): page.zoneID
        case .failure(let id, _): id
        }
    }
}

extension RecordZone.ID {
    /// Whether this can be the zone that was asked for: owners count where both sides say one.
    package func fits(_ asked: RecordZone.ID) -> Bool {
        guard zoneName == asked.zoneName else { return false }
        guard let owner = ownerRecordName, let wanted = asked.ownerRecordName else { return true }
        return owner == wanted || asked.namesCaller
    }
}
