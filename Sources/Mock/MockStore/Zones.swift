import CloudModel
import CloudWire

/// The rules of zones: what an ID means, and how zones come and go.
struct Zones {
    let context: StoreContext
    let databases: Databases
    let shares: Shares
    let histories: Histories
    let pushes: Pushes
    private var table: ZoneTable { context.tables.zones }

    init(
        _ context: StoreContext, _ databases: Databases, _ shares: Shares, _ histories: Histories,
        _ pushes: Pushes
    ) {
        self.context = context
        self.databases = databases
        self.shares = shares
        self.histories = histories
        self.pushes = pushes
    }

    /// The live zone an ID means.
    ///
    /// - Throws: ZONE_NOT_FOUND.
    func find(_ zoneID: RecordZone.ID, _ session: Session) throws(CloudError) -> ZoneRow {
        if session.isShared { return try shares.zone(zoneID, session) }
        guard session.owns(zoneID) else { throw .noZone }
        let row = try table.find(zoneID.zoneName, in: session.database.id)
        if let row, row.isLive { return row }
        if let row = context.lingering(zoneID.zoneName, session) { return row }
        // There without being made; its row comes with its first record.
        if zoneID.isDefault { return ZoneRow(zoneID.zoneName) }
        guard let row, row.deletion != .deleted else { throw .noZone }
        throw CloudError(
            .zoneNotFound, reason: row.deletion.errorReason,
            rule: row.deletion == .purged ? 12 : 13)
    }

    /// The same for what a rule refuses where the zone is missing.
    func find(
        _ zoneID: RecordZone.ID, _ session: Session, under rule: RuleName
    ) throws(CloudError) -> ZoneRow {
        do throws(CloudError) {
            return try find(zoneID, session)
        } catch {
            throw error.code == .zoneNotFound && error.cause == nil ? error.under(rule) : error
        }
    }

    /// A zone as answers show it.
    func describe(_ row: ZoneRow, _ session: Session) -> RecordZone {
        guard !row.isDefault else {
            return RecordZone(id: session.zoneID(row.name), isAtomic: false)
        }
        return RecordZone(
            id: session.zoneID(row.name), isAtomic: true,
            syncToken: histories.token(row, at: row.seq, session).changeToken)
    }

    // MARK: - zones/lookup

    func lookUp(
        _ zoneIDs: [RecordZone.ID], _ session: Session
    ) throws(CloudError) -> [RecordZone.Item] {
        try context.answers(to: zoneIDs) { zoneID throws(CloudError) in
            .zone(describe(try find(zoneID, session), session))
        } failed: {
            .failure($0, $1)
        }
    }

    // MARK: - zones/modify

    func modify(
        _ operations: [RecordZone.Operation], _ session: Session
    ) throws(CloudError) -> [RecordZone.Item] {
        try context.requireCount(operations.count)
        if operations.count > 1 {
            guard Set(operations.map { session.resolved($0.id) }).count == operations.count else {
                throw CloudError(.badRequest, reason: "two operations for one zone")
            }
        }
        try databases.beginWriting(session.database)
        return try context.answers(to: operations) { operation throws(CloudError) in
            switch operation {
            case .create(let zoneID): return .zone(try create(zoneID, session))
            case .delete(let zoneID):
                try delete(zoneID, session)
                return .deleted(session.zoneID(session.rowName(zoneID)))
            }
        } failed: {
            .failure($0.id, $1)
        }
    }

    private func create(
        _ zoneID: RecordZone.ID, _ session: Session
    ) throws(CloudError) -> RecordZone {
        guard session.address.scope == .private else {
            throw CloudError(
                .badRequest, reason: "zones can be created in private databases only", rule: 16)
        }
        guard session.owns(zoneID) else {
            throw CloudError(.badRequest, reason: "a zone can be created for its owner only")
        }
        guard !zoneID.isDefault else {
            throw CloudError(.badRequest, reason: "the default zone cannot be created", rule: 15)
        }
        try context.options.check(zoneName: zoneID.zoneName)
        let database = session.database
        let row = ZoneRow(
            zoneID.zoneName, dbSeq: database.seq + 1, incarnation: databases.lastIncarnation + 1)
        // Most names are new: there is no need to look first.
        let isNew = try table.create(
            row.name, in: database.id, dbSeq: row.dbSeq, incarnation: row.incarnation)
        if !isNew {
            if let known = try table.live(row.name, in: database.id) {
                return describe(known, session)
            }
            try table.put(row, in: database.id)
        }
        context.lags.zones.forget(row.name, in: database.id)
        context.noteChange(of: database)
        _ = database.nextSeq()
        _ = databases.nextIncarnation()
        note(.create, row.name, in: database)
        try pushes.note(nil, in: session.zoneID(row.name), of: database, by: session.writer)
        return describe(row, session)
    }

    /// Deletes a zone in a time that does not depend on what it holds.
    private func delete(
        _ zoneID: RecordZone.ID, _ session: Session
    ) throws(CloudError) {
        let database = session.database
        guard !session.isPublic else {
            throw CloudError(.badRequest, reason: "public databases have no zones to delete")
        }
        if session.isShared { return try shares.leave(zoneID, session) }
        guard session.owns(zoneID) else { throw .noZone.under(8) }
        if zoneID.isDefault {
            return try deleteDefaultZone(session)
        }
        let (name, dbSeq) = (zoneID.zoneName, database.seq + 1)
        // Of an empty zone nothing has to be known, unless it can be shared or is to be found for a while.
        var isDeleted = false
        let lingers = LingeringZones.isAsked(context.options)
        if lingers, let row = try table.live(name, in: database.id) {
            context.noteDeletion(of: row, in: database)
        }
        if shares.isEmpty, !lingers {
            isDeleted = try table.deleteEmpty(name, in: database.id, dbSeq: dbSeq)
        }
        if !isDeleted {
            guard let deleted = try table.delete(name, in: database.id, dbSeq: dbSeq) else {
                _ = try find(zoneID, session, under: 8)
                return
            }
            if deleted.mayHoldRows { try remove(deleted.incarnation, from: database) }
            try shares.endAll(of: deleted.incarnation)
        }
        context.noteChange(of: database)
        _ = database.nextSeq()
        try context.tables.subscriptions.delete(boundTo: name, in: database)
        note(.delete, name, in: database)
        try pushes.note(nil, in: session.zoneID(name), of: database, by: session.writer)
    }

    /// Tells those who watch the store of a zone.
    private func note(_ kind: StoreChange.Kind, _ name: String, in database: DatabaseState) {
        context.changes.note(
            StoreChange(kind: kind, database: database.key, zoneName: name))
    }

    private func deleteDefaultZone(_ session: Session) throws(CloudError) {
        switch context.options.defaultZoneMode {
        case .refuse:
            throw CloudError(
                .badRequest, reason: "cannot delete default zone", rule: "default-zone-deletion")
        case .ignore: return
        case .purge:
            try emptyDefaultZone(session.database)
        }
    }

    // MARK: - Outside of requests

    /// Zones that one step of erasing them takes.
    private static let erasedAtOnceMax = 50

    /// Deletes some zones of a private database for another reason than an app's request, and after the last
    /// also what is in the default zone where the reason is `purged`.
    ///
    /// - Parameter walk: How far it has come, as zones that came later stay; nil before the first step and
    ///   after the last.
    /// - Returns: The zones that went.
    func eraseSome(
        in database: DatabaseState, _ walk: inout ZoneWalk?,
        _ reason: RecordZone.DeletionReason
    ) throws(CloudError) -> [ZoneRow] {
        var current = walk ?? ZoneWalk(upTo: databases.lastIncarnation, after: 0)
        let rows = try table.next(
            of: &current, in: database.id, limit: Self.erasedAtOnceMax)
        for row in rows { try erase(row, in: database, reason) }
        walk = current.isLive ? current : nil
        if walk == nil, reason == .purged { try emptyDefaultZone(database) }
        return rows
    }

    /// Deletes a zone of a private database for another reason than an app's request.
    func erase(
        _ row: ZoneRow, in database: DatabaseState, _ reason: RecordZone.DeletionReason
    ) throws(CloudError) {
        try databases.beginWriting(database)
        try delete(row, reason, database)
        note(StoreChange.Kind(reason), row.name, in: database)
        try pushes.note(nil, in: RecordZone.ID(row.name), of: database, by: nil)
    }

    /// Empties a whole database step by step, so that nothing tells of what was in it.
    ///
    /// - Parameter walk: How far it has come, as zones that came later stay; nil before the first step and
    ///   after the last.
    func emptySome(
        _ database: DatabaseState, _ walk: inout ZoneWalk?
    ) throws(CloudError) {
        try databases.beginWriting(database)
        // What a shared database shows goes with the shares, and has the numbers of its owners' zones.
        var current =
            walk
            ?? ZoneWalk(
                upTo: databases.lastIncarnation, isLive: database.key.address.scope != .shared)
        if walk == nil {
            context.lags.zones.forget(database: database.id)
            try context.tables.subscriptions.deleteAll(in: database.id)
            try context.tables.cascades.deleteAll(in: database.id)
            database.hasCascades = false
            try shares.leaveAll(database)
        }
        for row in try table.forgetSome(of: &current, in: database.id) {
            try shares.endAll(of: row.incarnation)
            try context.tables.subscriptions.delete(boundTo: row.name, in: database)
        }
        // Others ask for tokens between two steps, and there may be no next one.
        database.floor = database.nextSeq()
        walk = current.isDone ? nil : current
    }

    /// Empties one zone: a custom zone is deleted.
    func empty(_ row: ZoneRow, in database: DatabaseState) throws(CloudError) {
        try databases.beginWriting(database)
        guard row.isDefault else { return try delete(row, .deleted, database) }
        try remove(row.incarnation, from: database)
        try table.forget(row.name, in: database.id)
    }

    private func delete(
        _ row: ZoneRow, _ reason: RecordZone.DeletionReason, _ database: DatabaseState
    ) throws(CloudError) {
        context.noteChange(of: database)
        let deleted = try table.delete(
            row.name, in: database.id, dbSeq: database.nextSeq(), reason: reason)
        if deleted?.mayHoldRows == true {
            try remove(row.incarnation, from: database)
        }
        try shares.endAll(of: row.incarnation)
        try context.tables.subscriptions.delete(boundTo: row.name, in: database)
    }

    /// Has what a zone held be removed later; the room that it took up is free at once.
    private func remove(_ incarnation: Int64, from database: DatabaseState) throws(CloudError) {
        if context.quotas.isLimited(database.key) {
            let bytes = try QuotaTable(tables: context.tables).bytes(in: incarnation)
            try context.quotas.note(-bytes, in: database.key)
        }
        try context.tables.removals.schedule(incarnation)
    }

    /// Takes everything out of a default zone.
    private func emptyDefaultZone(_ database: DatabaseState) throws(CloudError) {
        guard var row = try table.find(ZoneRow.defaultName, in: database.id) else { return }
        try databases.beginWriting(database)
        try remove(row.incarnation, from: database)
        row.incarnation = databases.nextIncarnation()
        row.seq = 0
        try table.put(row, in: database.id)
        note(.empty, row.name, in: database)
    }
}

extension CloudError {
    static let noZone = CloudError(
        .zoneNotFound, reason: RecordZone.DeletionReason.deleted.errorReason)
    static let noRecord = CloudError(.notFound, reason: "Record not found")
}
