package import CloudModel

extension MockStore {
    // MARK: - Tokens

    func zoneToken(_ row: ZoneRow, sequence: Int64, _ session: Session) -> FeedToken {
        FeedToken(
            kind: .zone, incarnation: row.share ?? row.incarnation, sequence: sequence,
            digest: FeedToken.digest([row.name], from: session.database.digest), epoch: epoch)
    }

    func databaseToken(_ sequence: Int64, _ session: Session) -> FeedToken {
        var token = FeedToken(
            kind: .database, sequence: sequence, digest: session.database.digest, epoch: epoch)
        if options.databaseTokenJitter {
            token.nonce = UInt16(truncatingIfNeeded: generator.next())
        }
        return token
    }

    /// Where a database token stands; the beginning without one, the end with an empty one.
    func databasePosition(
        _ token: ChangeToken?, _ session: Session
    ) throws(CloudError) -> FeedToken {
        let database = session.database
        guard let token, !token.rawValue.isEmpty else {
            var start = databaseToken(token == nil ? 0 : database.seq, session)
            // Where the scan began tells its later pages that nothing was forgotten since.
            if token == nil, database.floor > 0 { start.scanStart = database.seq }
            return start
        }
        var read = try Self.read(token, .database)
        guard read.digest == database.digest else { throw .foreignToken }
        let reached = max(read.sequence, read.scanStart ?? 0)
        guard reached >= database.floor, read.sequence >= 0, read.sequence <= database.seq,
            try isHistory(read.epoch, place: -database.id, upTo: reached)
        else { throw .expiredToken }
        read.epoch = epoch
        return read
    }

    /// A page of a database's feed, which ends at `end`, or with the feed.
    private func feedPage(
        _ items: [RecordZone.Item], end: Int64?, _ start: FeedToken, _ session: Session
    ) -> ZonePage {
        var page = page(items, end: end, start, session)
        if takeEmpty(session.database, hasItems: !items.isEmpty) {
            page = ZonePage(zones: [], token: start.changeToken, moreComing: true)
        } else if takeRepeat(session.database, hasItems: !items.isEmpty) {
            (page.token, page.moreComing) = (start.changeToken, true)
        }
        return page
    }

    /// A page of a database's zones, which ends at `end`, or with the list.
    func page(
        _ items: [RecordZone.Item], end: Int64?, _ start: FeedToken, _ session: Session
    ) -> ZonePage {
        let database = session.database
        var next = databaseToken(end ?? database.seq, session)
        if end != nil { next.scanStart = start.scanStart }
        return ZonePage(zones: items, token: next.changeToken, moreComing: end != nil)
    }

    private static func read(
        _ token: ChangeToken, _ kind: FeedToken.Kind
    ) throws(CloudError) -> FeedToken {
        do throws(FeedToken.Problem) {
            return try FeedToken(token.rawValue, kind: kind)
        } catch {
            switch error {
            case .unknownType:
                throw CloudError(.badRequest, reason: "Unknown sync continuation type")
            case .invalidFormat:
                throw CloudError(.badRequest, reason: "Invalid continuation format")
            }
        }
    }

    // MARK: - changes/database and zones/changes

    func databaseChanges(
        _ token: ChangeToken?, _ limit: Int?, _ session: Session
    ) throws(CloudError) -> ZonePage {
        guard !session.isPublic else {
            throw CloudError(.badRequest, reason: "public databases have no change feed")
        }
        let database = session.database
        let start = try databasePosition(token, session)
        let count = max(1, min(limit ?? .max, options.zoneChangesPageMax))
        var rows = try tables.changedZones(in: database.id, after: start.sequence, limit: count + 1)
        let more = rows.count > count
        if more { rows.removeLast() }
        if session.isShared { rows = try views(rows, session) }
        let items: [RecordZone.Item] = rows.map { row in
            row.isLive
                ? .zone(describe(row, session))
                : .deleted(session.zoneID(row.name), reason: row.deletion)
        }
        return feedPage(items, end: more ? rows[rows.count - 1].dbSeq : nil, start, session)
    }

    // MARK: - changes/zone

    func zoneChanges(
        _ requests: [ZoneChangesRequest], _ session: Session
    ) throws(CloudError) -> [ZoneChangesItem] {
        guard !session.isPublic else {
            throw CloudError(.badRequest, reason: "public databases have no change feed")
        }
        try requireCount(requests.count)
        var items: [ZoneChangesItem] = []
        for request in requests {
            do throws(CloudError) {
                items.append(.page(try changes(request, session)))
            } catch {
                try rethrowFailure(error)
                items.append(.failure(request.zoneID, error))
            }
        }
        return items
    }

    private func changes(
        _ request: ZoneChangesRequest, _ session: Session
    ) throws(CloudError) -> ZoneChangesPage {
        guard !request.zoneID.isDefault else {
            throw CloudError(
                .badRequest, reason: "AppDefaultZone does not support getChanges call")
        }
        let position = try zonePosition(request, session)
        let (row, token) = (position.row, position.token)
        let zoneID = session.zoneID(row.name)
        let limit = max(1, min(request.limit ?? .max, options.recordsPageMax))
        let page = try tables.entries(
            in: row.incarnation, after: token.sequence, limit: limit + 1)
        var entries = page.rows
        var next = token
        next.emptyPagesGiven = 0
        let isSwitched = Int(token.emptyPagesGiven) < min(255, options.emptyPages)
        if !entries.isEmpty, isSwitched || takeEmpty(session.database, hasItems: true) {
            // On to just before the next entry: over the gaps that coalescing leaves.
            next.sequence = entries[0].seq - 1
            next.emptyPagesGiven = token.emptyPagesGiven &+ (isSwitched ? 1 : 0)
            return ZoneChangesPage(
                zoneID: zoneID, records: [], token: next.changeToken, moreComing: true)
        }
        let more = page.hasMore
        if entries.count > limit { entries.removeLast() }
        next.sequence = more ? entries[entries.count - 1].seq : row.seq
        if !more { next.scanStart = nil }
        let isRepeated = takeRepeat(session.database, hasItems: !entries.isEmpty)
        let keys = request.desiredKeys.map { Set($0) }
        let types = options.typeFilterLeaks ? nil : request.desiredRecordTypes.map { Set($0) }
        let items = entries.compactMap { entry -> Record.Item? in
            guard let record = entry.record else {
                if entry.seq <= token.scanStart ?? 0, isLeftOut(entry, session) { return nil }
                return .deleted(
                    recordName: entry.name, recordChangeTag: StoredRecord.tagText(entry.tag))
            }
            guard types?.contains(record.type) ?? true else { return nil }
            return .record(record.record(in: zoneID, keys: keys))
        }
        return ZoneChangesPage(
            zoneID: zoneID, records: items, token: (isRepeated ? token : next).changeToken,
            moreComing: more || isRepeated)
    }

    /// Whether a scan leaves out a deletion of before it began.
    private func isLeftOut(_ entry: FeedEntry, _ session: Session) -> Bool {
        switch options.initialScan {
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
            let row = try zone(request.zoneID, session)
            let isStart = request.token == nil
            var token = zoneToken(row, sequence: isStart ? 0 : row.seq, session)
            // Where the scan began tells later pages which deletions it need not hear of, and
            // that none was forgotten since.
            if isStart, options.initialScan != .history || row.floor > 0 {
                token.scanStart = row.seq
            }
            return (row, token)
        }
        var token = try Self.read(text, .zone)
        let digest = FeedToken.digest(
            [session.rowName(request.zoneID)], from: session.database.digest)
        guard token.digest == digest else { throw .foreignToken }
        let row = try zone(request.zoneID, session)
        let reached = max(token.sequence, token.scanStart ?? 0)
        guard token.incarnation == row.share ?? row.incarnation, reached >= row.floor,
            token.sequence >= 0, token.sequence <= row.seq,
            try isHistory(token.epoch, place: token.incarnation, upTo: reached)
        else { throw .expiredToken }
        token.epoch = epoch
        return (row, token)
    }

    /// The token of a query's zone, for requests that ask for it beside the result.
    ///
    /// - Returns: nil where the zone has no feed.
    package func currentSyncToken(
        of zoneID: RecordZone.ID?, at address: Database.Address, by caller: Caller
    ) throws(CloudError) -> ChangeToken? {
        guard let zoneID, !zoneID.isDefault, address.scope != .public else { return nil }
        let session = try openSession(.read(.lookUpZones([])), at: address, by: caller)
        let row = try zone(zoneID, session)
        return zoneToken(row, sequence: row.seq, session).changeToken
    }
}

extension CloudError {
    static let foreignToken = CloudError(
        .badRequest, reason: "the token is of another zone or database")
    static let expiredToken = CloudError(
        .badRequest, reason: "client knowledge differs from server knowledge")
}
