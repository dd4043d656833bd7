package import CloudModel

extension MockStore {
    // MARK: - Tokens

    func zoneToken(_ row: ZoneRow, sequence: Int64, _ session: Session) -> FeedToken {
        FeedToken(
            kind: .zone, incarnation: row.incarnation, sequence: sequence,
            digest: FeedToken.digest(session.database.digest, row.name), epoch: epoch)
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
    func databasePosition(_ token: ChangeToken?, _ session: Session) throws(CloudError) -> Int64 {
        guard let token else { return 0 }
        guard !token.rawValue.isEmpty else { return session.database.seq }
        let read = try Self.read(token, .database)
        guard read.digest == session.database.digest else { throw .foreignToken }
        guard read.epoch == epoch, read.sequence >= session.database.floor,
            read.sequence <= session.database.seq
        else { throw .expiredToken }
        return read.sequence
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
        var rows = try tables.changedZones(in: database.id, after: start, limit: count + 1)
        let more = rows.count > count
        if more { rows.removeLast() }
        let items: [RecordZone.Item] = rows.map { row in
            row.isLive ? .zone(describe(row, session)) : .deleted(session.zoneID(row.name))
        }
        let end = more ? rows[rows.count - 1].dbSeq : database.seq
        return ZonePage(
            zones: items, token: databaseToken(end, session).changeToken, moreComing: more)
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
        if !entries.isEmpty, Int(token.emptyPagesGiven) < min(255, options.emptyPages) {
            // On to just before the next entry: over the gaps that coalescing leaves.
            next.sequence = entries[0].seq - 1
            next.emptyPagesGiven = token.emptyPagesGiven + 1
            return ZoneChangesPage(
                zoneID: zoneID, records: [], token: next.changeToken, moreComing: true)
        }
        let more = page.hasMore
        if entries.count > limit { entries.removeLast() }
        next.sequence = more ? entries[entries.count - 1].seq : row.seq
        if !more { next.scanStart = nil }
        let keys = request.desiredKeys.map { Set($0) }
        let types = options.typeFilterLeaks ? nil : request.desiredRecordTypes.map { Set($0) }
        let items = entries.compactMap { entry -> Record.Item? in
            guard let record = entry.record else {
                if options.initialScan == .live, entry.seq <= token.scanStart ?? 0 { return nil }
                return .deleted(
                    recordName: entry.name, recordChangeTag: StoredRecord.tagText(entry.tag))
            }
            guard types?.contains(record.type) ?? true else { return nil }
            return .record(record.record(in: zoneID, keys: keys))
        }
        return ZoneChangesPage(
            zoneID: zoneID, records: items, token: next.changeToken, moreComing: more)
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
            if isStart, options.initialScan == .live || row.floor > 0 {
                token.scanStart = row.seq
            }
            return (row, token)
        }
        let token = try Self.read(text, .zone)
        let digest = FeedToken.digest(session.database.digest, request.zoneID.zoneName)
        guard token.digest == digest else { throw .foreignToken }
        let row = try zone(request.zoneID, session)
        guard token.incarnation == row.incarnation, token.epoch == epoch,
            max(token.sequence, token.scanStart ?? 0) >= row.floor, token.sequence >= 0,
            token.sequence <= row.seq
        else { throw .expiredToken }
        return (row, token)
    }

    /// The token of a query's zone, for requests that ask for it beside the result.
    ///
    /// - Returns: nil where the zone has no feed.
    package func currentSyncToken(
        of zoneID: RecordZone.ID?, at address: Database.Address, by caller: Caller
    ) throws(CloudError) -> ChangeToken? {
        guard let zoneID, !zoneID.isDefault, address.scope != .public else { return nil }
        let session = try openSession(.lookUpZones([]), at: address, by: caller)
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
