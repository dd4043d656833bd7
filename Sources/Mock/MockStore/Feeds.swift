import CloudModel
import CloudWire

/// The feeds of databases and zones, and the lists of zones, which are pages of a database's feed.
struct Feeds {
    let context: StoreContext
    let databases: Databases
    let shares: Shares
    let histories: Histories
    let zones: Zones
    let assets: Assets

    // MARK: - zones/list

    /// One page of the database's zones, in the order of their last change: the token is one of
    /// the database's feed, so zones that come or go meanwhile shift nothing.
    func list(_ token: ChangeToken?, _ session: Session) throws(CloudError) -> ZonePage {
        let database = session.database
        var items: [RecordZone.Item] = []
        if session.isPublic {
            let zone = RecordZone(id: session.zoneID(ZoneRow.defaultName), isAtomic: false)
            return ZonePage(zones: [.zone(zone)], token: nil, moreComing: false)
        }
        let start = try databasePosition(token, session)
        if token == nil, context.options.listsDefaultZone, session.address.scope == .private {
            items.append(
                .zone(RecordZone(id: session.zoneID(ZoneRow.defaultName), isAtomic: false)))
        }
        let limit = max(1, context.options.zoneListPageMax)
        let rows = try context.tables.zones.live(
            in: database.id, after: start.sequence, limit: limit + 1)
        var page = try page(rows, limit: limit, from: start, to: database.seq, session)
        page.zones = items + page.zones
        return page
    }

    /// Where a database token stands; the beginning without one, the end with an empty one.
    private func databasePosition(
        _ token: ChangeToken?, _ session: Session
    ) throws(CloudError) -> FeedToken {
        let database = session.database
        guard let token, !token.rawValue.isEmpty else {
            var start = histories.token(at: token == nil ? 0 : database.seq, session)
            // Where the scan began tells its later pages that nothing was forgotten since.
            if token == nil, database.floor > 0 { start.scanStart = database.seq }
            return start
        }
        var read = try FeedToken(token.rawValue, kind: .database)
        guard read.digest == database.digest else { throw .foreignToken }
        guard try histories.expiry(of: read, in: database) == nil else { throw .expiredToken }
        read.epoch = histories.current
        return read
    }

    /// A page of a database's zones; more than `limit` rows show that there is more.
    private func page(
        _ rows: [ZoneRow], limit: Int, from start: FeedToken, to end: Int64, _ session: Session
    ) throws(CloudError) -> ZonePage {
        let hasMore = rows.count > limit
        let shown = Array(rows.prefix(limit))
        let views = session.isShared ? try shares.views(shown, session) : shown
        let items: [RecordZone.Item] = views.map { row in
            row.isLive
                ? .zone(zones.describe(row, session))
                : .deleted(session.zoneID(row.name), reason: row.deletion)
        }
        var next = histories.token(
            at: hasMore ? rows[limit - 1].dbSeq : end, session)
        if hasMore { next.scanStart = start.scanStart }
        return ZonePage(zones: items, token: next.changeToken, moreComing: hasMore)
    }

    // MARK: - changes/database and zones/changes

    func databaseChanges(
        _ token: ChangeToken?, _ limit: Int?, _ session: Session
    ) throws(CloudError) -> ZonePage {
        guard !session.isPublic else {
            throw CloudError(.badRequest, reason: "public databases have no change feed", rule: 93)
        }
        let database = session.database
        var start = try databasePosition(token, session)
        let end = context.end(
            of: -database.id, database.seq, floor: database.floor, for: session)
        start.sequence = min(start.sequence, end)
        let count = max(1, min(limit ?? .max, context.options.zoneChangesPageMax))
        let rows = try context.tables.zones.changed(
            in: database.id, after: start.sequence, limit: count + 1
        ).filter { $0.dbSeq <= end }
        return try page(rows, limit: count, from: start, to: end, session)
    }

    // MARK: - changes/zone

    func zoneChanges(
        _ requests: [ZoneChangesRequest], _ session: Session
    ) throws(CloudError) -> [ZoneChangesItem] {
        guard !session.isPublic else {
            throw CloudError(.badRequest, reason: "public databases have no change feed", rule: 93)
        }
        // One answer, however many zones are asked for; each gets on by a record at least.
        var records = WireLimits.feedPagesMax * context.options.recordsPageMax
        var bytes = WireLimits.feedPagesMax * WireLimits.pageBytesMax
        return try context.answers(to: requests) { request throws(CloudError) in
            .page(try changes(request, session, &records, &bytes))
        } failed: {
            .failure($0.zoneID, $1)
        }
    }

    private func changes(
        _ request: ZoneChangesRequest, _ session: Session, _ recordsLeft: inout Int,
        _ bytesLeft: inout Int
    ) throws(CloudError) -> ZoneChangesPage {
        guard !request.zoneID.isDefault else {
            throw CloudError(
                .badRequest, reason: "AppDefaultZone does not support getChanges call", rule: 15)
        }
        let position = try zonePosition(request, session)
        let (row, token) = (position.row, position.token)
        let zoneID = session.zoneID(row.name)
        let limit = max(
            1, min(request.limit ?? .max, context.options.recordsPageMax, recordsLeft))
        // A part of a zone is told of from its oldest change only.
        let isReverse =
            token.isReverse
            || (request.reverse && request.token == nil && row.access.partialView == nil)
        let bytesMax = min(bytesLeft, WireLimits.pageBytesMax)
        let page =
            isReverse
            ? try context.tables.records.liveEntries(
                in: row.incarnation, before: token.isReverse ? token.sequence : row.seq + 1,
                limit: limit + 1, bytesMax: bytesMax)
            : try shares.entries(
                in: row, after: token.sequence, limit: limit + 1, bytesMax: bytesMax)
        recordsLeft -= page.rows.count
        bytesLeft -= page.bytes
        var entries = page.rows
        var more = page.hasMore
        if entries.count > limit { entries.removeLast() }
        // A feed that lags ends earlier.
        if session.lag > .zero, let cut = entries.firstIndex(where: { $0.seq > row.seq }) {
            entries.removeSubrange(cut...)
            more = false
        }
        let next =
            isReverse
            ? Self.next(after: token, reverseTo: more ? entries.last?.seq : nil, end: row.seq)
            : Self.next(after: token, at: more ? entries.last?.seq : nil, end: row.seq)
        let keys = request.desiredKeys.map { Set($0) }
        let downloads = assets.downloads(in: row.incarnation, session)
        let types =
            context.options.typeFilterLeaks ? nil : request.desiredRecordTypes.map { Set($0) }
        let items = entries.compactMap { entry -> Record.Item? in
            guard let record = entry.record else {
                if entry.seq <= token.scanStart ?? 0, isLeftOut(entry, row, session) {
                    return nil
                }
                return .deleted(
                    recordName: entry.name, recordChangeTag: StoredRecord.tagText(entry.tag))
            }
            guard types?.contains(record.type) ?? true else { return nil }
            return .record(
                record.record(in: zoneID, keys: keys, downloads, for: session.callerName))
        }
        return ZoneChangesPage(
            zoneID: zoneID, records: items, token: next.changeToken, moreComing: more)
    }

    /// The token for what follows a page: after a place, or at the end of the feed.
    private static func next(after token: FeedToken, at place: Int64?, end: Int64) -> FeedToken {
        var next = token
        next.sequence = place ?? end
        if place == nil { next.scanStart = nil }
        return next
    }

    /// The same in a scan that begins with the newest: at its end, the token is for what has changed since
    /// it began.
    private static func next(
        after token: FeedToken, reverseTo place: Int64?, end: Int64
    ) -> FeedToken {
        var next = token
        let began = token.isReverse ? token.scanStart ?? end : end
        next.isReverse = place != nil
        next.sequence = place ?? began
        next.scanStart = place == nil ? nil : began
        return next
    }

    /// Whether a scan leaves out a deletion of before it began.
    private func isLeftOut(
        _ entry: FeedEntry, _ row: ZoneRow, _ session: Session
    ) -> Bool {
        // What was deleted before a participant came was never theirs to see.
        if row.access.partialView != nil { return true }
        return switch context.options.initialScan {
        case .history: false
        case .live: true
        case .sameDevice:
            MockTombstone(entry)?.created.deviceID != session.stamp.deviceID
        }
    }

    /// Reads a zone's token; the first match of the table of cases decides.
    private func zonePosition(
        _ request: ZoneChangesRequest, _ session: Session
    ) throws(CloudError) -> (row: ZoneRow, token: FeedToken) {
        guard let text = request.token, !text.rawValue.isEmpty else {
            let row = inReplica(try zones.find(request.zoneID, session, under: 78), session)
            let isStart = request.token == nil
            var token = histories.token(row, at: isStart ? 0 : row.seq, session)
            // Where the scan began tells later pages which deletions it need not hear of, and
            // that none was forgotten since.
            if isStart,
                context.options.initialScan != .history || row.floor > 0
                    || row.access.partialView != nil
            {
                token.scanStart = row.seq
            }
            return (row, token)
        }
        var token = try FeedToken(text.rawValue, kind: .zone)
        let digest = FeedToken.digest(
            [session.rowName(request.zoneID)], from: session.database.digest)
        guard token.digest == digest else { throw .foreignToken }
        let row = try zones.find(request.zoneID, session, under: 78)
        guard try histories.expiry(of: token, in: row) == nil else { throw .expiredToken }
        token.epoch = histories.current
        let shown = inReplica(row, session)
        if !token.isReverse { token.sequence = min(token.sequence, shown.seq) }
        return (shown, token)
    }

    /// A zone as the region has it that a session is answered in.
    private func inReplica(_ row: ZoneRow, _ session: Session) -> ZoneRow {
        var row = row
        row.seq = context.end(of: row.incarnation, row.seq, floor: row.floor, for: session)
        return row
    }

    /// The token for the beginning or the end of a zone's feed, or of the database's.
    func token(
        of zoneID: RecordZone.ID?, atEnd: Bool, _ session: Session
    ) throws(CloudError) -> ChangeToken {
        let place = atEnd ? ChangeToken("") : nil
        guard let zoneID else { return try databasePosition(place, session).changeToken }
        return try zonePosition(ZoneChangesRequest(zoneID: zoneID, token: place), session)
            .token.changeToken
    }
}

extension CloudError {
    static let foreignToken = CloudError(
        .badRequest, reason: "the sync token is of another zone or database", rule: 76)
    static let expiredToken = CloudError(
        .badRequest, reason: "client knowledge differs from server knowledge", rule: 77)
}
