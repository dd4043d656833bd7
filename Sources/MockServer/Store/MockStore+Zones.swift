import CloudModel
import CloudWire

extension MockStore {
    static let defaultZoneName = "_defaultZone"

    /// The live zone an ID means.
    ///
    /// - Throws: ZONE_NOT_FOUND.
    func zone(_ zoneID: RecordZone.ID, _ session: Session) throws(CloudError) -> ZoneRow {
        if session.isShared { return try sharedZone(zoneID, session) }
        guard session.owns(zoneID) else { throw .noZone }
        let row = try tables.zone(zoneID.zoneName, in: session.database.id)
        if let row, row.isLive { return row }
        if zoneID.isDefault {
            // There without being made; its row comes with its first record.
            return ZoneRow(
                name: zoneID.zoneName, isLive: true, dbSeq: 0, incarnation: 0, seq: 0, floor: 0)
        }
        guard let row, row.deletion != .deleted else { throw .noZone }
        throw CloudError(.zoneNotFound, reason: row.deletion.errorReason)
    }

    /// A zone as answers show it.
    func describe(_ row: ZoneRow, _ session: Session) -> RecordZone {
        guard row.name != Self.defaultZoneName else {
            return RecordZone(id: session.zoneID(row.name), isAtomic: false)
        }
        return RecordZone(
            id: session.zoneID(row.name), isAtomic: true,
            syncToken: zoneToken(row, sequence: row.seq, session).changeToken)
    }

    // MARK: - zones/list

    /// One page of the database's zones, in the order of their last change: the token is one of
    /// the database's feed, so zones that come or go meanwhile shift nothing.
    func listZones(_ token: ChangeToken?, _ session: Session) throws(CloudError) -> ZonePage {
        let database = session.database
        var items: [RecordZone.Item] = []
        if session.isPublic {
            let zone = RecordZone(id: session.zoneID(Self.defaultZoneName), isAtomic: false)
            return ZonePage(zones: [.zone(zone)], token: nil, moreComing: false)
        }
        let start = try databasePosition(token, session)
        if token == nil {
            if options.listsDefaultZone, session.address.scope == .private {
                items.append(
                    .zone(RecordZone(id: session.zoneID(Self.defaultZoneName), isAtomic: false)))
            }
            items += showGhosts(session)
        }
        let limit = max(1, options.zoneListPageMax)
        var rows = try tables.liveZones(in: database.id, after: start.sequence, limit: limit + 1)
        let more = rows.count > limit
        if more { rows.removeLast() }
        if session.isShared { rows = try views(rows, session) }
        items += rows.map { .zone(describe($0, session)) }
        return page(items, end: more ? rows[rows.count - 1].dbSeq : nil, start, session)
    }

    /// Deleted zones that lists still have, one list fewer after this one.
    private func showGhosts(_ session: Session) -> [RecordZone.Item] {
        guard !session.database.ghosts.isEmpty else { return [] }
        let names = session.database.ghosts.keys.sorted()
        for name in names {
            let left = session.database.ghosts[name, default: 1] - 1
            session.database.ghosts[name] = left > 0 ? left : nil
        }
        return names.map { .zone(RecordZone(id: session.zoneID($0), isAtomic: true)) }
    }

    // MARK: - zones/lookup

    func lookUpZones(
        _ zoneIDs: [RecordZone.ID], _ session: Session
    ) throws(CloudError) -> [RecordZone.Item] {
        try requireCount(zoneIDs.count)
        var items: [RecordZone.Item] = []
        for zoneID in zoneIDs {
            do throws(CloudError) {
                items.append(.zone(describe(try zone(zoneID, session), session)))
            } catch {
                try rethrowFailure(error)
                items.append(.failure(zoneID, error))
            }
        }
        return items
    }

    // MARK: - zones/modify

    func modifyZones(
        _ operations: [RecordZone.Operation], _ session: Session
    ) throws(CloudError) -> [RecordZone.Item] {
        try requireCount(operations.count)
        try CommandShape.check(operations)
        if operations.count > 1 {
            guard Set(operations.map { session.rowName($0.id) }).count == operations.count else {
                throw CloudError(.badRequest, reason: "two operations for one zone")
            }
        }
        try beginWriting(session.database)
        var items: [RecordZone.Item] = []
        items.reserveCapacity(operations.count)
        for operation in operations {
            do throws(CloudError) {
                switch operation {
                case .create(let zoneID): items.append(.zone(try create(zoneID, session)))
                case .delete(let zoneID):
                    try delete(zoneID, session)
                    items.append(.deleted(session.zoneID(session.rowName(zoneID))))
                }
            } catch {
                try rethrowFailure(error)
                items.append(.failure(operation.id, error))
            }
        }
        return items
    }

    private func create(
        _ zoneID: RecordZone.ID, _ session: Session
    ) throws(CloudError) -> RecordZone {
        guard session.address.scope == .private else {
            throw CloudError(
                .badRequest, reason: "zones can be created in private databases only")
        }
        guard session.owns(zoneID) else {
            throw CloudError(.badRequest, reason: "a zone can be created for its owner only")
        }
        guard !zoneID.isDefault else {
            throw CloudError(.badRequest, reason: "the default zone cannot be created")
        }
        guard Self.isValid(zoneName: zoneID.zoneName) else {
            throw CloudError(
                .badRequest,
                reason: "a zone name is 1 to 255 ASCII characters and does not begin with _")
        }
        let database = session.database
        let row = ZoneRow(
            name: zoneID.zoneName, isLive: true, dbSeq: database.seq + 1,
            incarnation: lastIncarnation + 1, seq: 0, floor: 0)
        // Most names are new: there is no need to look first.
        let isNew = try tables.create(
            row.name, in: database.id, dbSeq: row.dbSeq, incarnation: row.incarnation)
        if !isNew {
            if let known = try tables.zone(row.name, in: database.id), known.isLive {
                return describe(known, session)
            }
            try tables.put(row, in: database.id)
        }
        _ = database.nextSeq()
        _ = nextIncarnation()
        if !database.ghosts.isEmpty { database.ghosts[row.name] = nil }
        return describe(row, session)
    }

    /// Deletes a zone in a time that does not depend on what it holds.
    func delete(
        _ zoneID: RecordZone.ID, _ session: Session
    ) throws(CloudError) {
        let database = session.database
        guard !session.isPublic else {
            throw CloudError(.badRequest, reason: "public databases have no zones to delete")
        }
        if session.isShared { return try leave(zoneID, session) }
        guard session.owns(zoneID) else { throw .noZone }
        if zoneID.isDefault {
            return try deleteDefaultZone(session)
        }
        let (name, dbSeq) = (zoneID.zoneName, database.seq + 1)
        // Of an empty zone nothing has to be known, unless it can be shared.
        var isDone = false
        if shares.isEmpty {
            isDone = try tables.markEmptyDeleted(
                name, in: database.id, dbSeq: dbSeq, reason: .deleted)
        }
        if !isDone {
            guard
                let deleted = try tables.markDeleted(
                    name, in: database.id, dbSeq: dbSeq, reason: .deleted)
            else {
                _ = try zone(zoneID, session)
                return
            }
            if deleted.mayHoldRecords { try tables.scheduleRemoval(of: deleted.incarnation) }
            if !shares.isEmpty { try endShares(of: deleted.incarnation) }
        }
        _ = database.nextSeq()
        try deleteSubscriptions(boundTo: name, database)
        if options.zoneListLag > 0 { database.ghosts[name] = options.zoneListLag }
    }

    private func deleteDefaultZone(_ session: Session) throws(CloudError) {
        switch options.defaultZoneMode {
        case .refuse: throw CloudError(.badRequest, reason: "cannot delete default zone")
        case .ignore: return
        case .purge:
            try emptyDefaultZone(session.database)
        }
    }

    static func isValid(zoneName: String) -> Bool {
        (1...WireLimits.zoneNameMax).contains(zoneName.utf8.count) && !zoneName.hasPrefix("_")
            && zoneName.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    // MARK: - Shared by all commands

    func requireCount(_ count: Int) throws(CloudError) {
        guard count <= options.operationsMax else {
            throw CloudError(
                .badRequest, reason: "more than \(options.operationsMax) items in one request")
        }
    }

    /// An item's failure is answered beside the others; a failure of the store ends the command.
    func rethrowFailure(_ error: CloudError) throws(CloudError) {
        if tables.failure != nil { throw error }
    }
}

extension CloudError {
    static let noZone = CloudError(
        .zoneNotFound, reason: RecordZone.DeletionReason.deleted.errorReason)
    static let noRecord = CloudError(.notFound, reason: "Record not found")
}
