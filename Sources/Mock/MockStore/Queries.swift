import CloudModel
import CloudWire
import SQLite

/// Answers queries, page by page.
final class Queries: StorePart {
    private static let chunk = 250

    private let context: StoreContext
    private let containers: Containers
    private let zones: Zones
    private let shares: Shares
    private let assets: Assets
    private var indexes = SortIndexes()

    init(
        _ context: StoreContext, _ containers: Containers, _ zones: Zones, _ shares: Shares,
        _ assets: Assets
    ) {
        self.context = context
        self.containers = containers
        self.zones = zones
        self.shares = shares
        self.assets = assets
    }

    /// A place in a feed may have another record now.
    func reload() { indexes.removeAll() }

    /// One page of a query.
    func page(
        _ request: RecordQueryRequest, _ session: Session
    ) throws(CloudError) -> RecordPage {
        let types = try containers.types(session)
        let query = request.query
        let searched = try searched(by: request, session)
        let isFrozen = types.isFrozen(in: session.address.environment, context.options)
        guard types.knows(type: query.recordType, isFrozen: isFrozen) else {
            if context.options.unknownTypeIsEmpty { return RecordPage(records: []) }
            throw CloudError(.notFound, reason: "Did not find record type", rule: "unknown-type")
        }
        guard types.allows(.read, on: nil, type: query.recordType, session) else {
            throw .notPermitted(.read)
        }
        let checked = try QueryChecker(types: types).checked(query)
        let search = QuerySearch(
            evaluator: QueryEvaluator(
                query: checked, zoneID: .default,
                searchableFields: types.searchable(in: query.recordType)),
            zones: searched, types: types, session: session,
            reaches: searched.map {
                context.lags.index.reach(of: $0.incarnation, now: session.now, context.options)
            })
        // CloudKit JS names the default zone from the second page on.
        let place = request.isZoneWide ? "*" : session.rowName(request.zoneID ?? .default)
        let digest = QueryMarker.digest(checked, place, session.database.digest)
        var start = QueryMarker(digest: digest)
        if let text = request.continuationMarker, !text.isEmpty {
            guard let read = QueryMarker(text, digest: digest) else {
                throw CloudError(.badRequest, reason: "Invalid continuation marker")
            }
            start = read
        }
        let limit = max(1, min(request.limit ?? .max, context.options.recordsPageMax))
        let (found, next) =
            checked.sorts.isEmpty
            ? try scan(search, from: start, limit: limit)
            : try sorted(search, from: start, limit: limit)
        if request.continuationMarker?.isEmpty ?? true { count(search) }
        let keys = request.desiredKeys.map { Set($0) }
        return RecordPage(
            records: found.map { hit in
                .record(
                    hit.record.record(
                        in: session.zoneID(searched[hit.zone].name), keys: keys,
                        assets.downloads(in: searched[hit.zone].incarnation, session),
                        for: session.callerName))
            }, continuationMarker: next?.text)
    }

    /// Counts a query for those of its zones whose index follows by queries.
    private func count(_ search: QuerySearch) {
        guard !context.lags.index.isEmpty else { return }
        for zone in search.zones {
            context.lags.index.countQuery(
                of: zone.incarnation, now: search.session.now, context.options)
        }
    }

    /// The zones a query searches, oldest first.
    private func searched(
        by request: RecordQueryRequest, _ session: Session
    ) throws(CloudError) -> [ZoneRow] {
        guard request.isZoneWide else {
            return [try zones.find(request.zoneID ?? .default, session, under: 9)]
        }
        let rows = try context.tables.zones.every(in: session.database.id)
        return try (session.isShared ? shares.views(rows, session) : rows).sorted {
            $0.incarnation < $1.incarnation
        }
    }

    /// A page of a query without sorts: in the order of the last change, zone by zone.
    private func scan(
        _ search: QuerySearch, from start: QueryMarker, limit: Int
    ) throws(CloudError) -> ([QuerySearch.Hit], QueryMarker?) {
        var hits: [QuerySearch.Hit] = []
        var (scanned, bytes) = (0, 0)
        let reached = start.place ?? SortIndex.Place(key: [], zone: 0, seq: 0)
        for (index, zone) in search.zones.enumerated() where zone.incarnation >= reached.zone {
            var seq = zone.incarnation == reached.zone ? reached.seq : 0
            while true {
                let page = try context.tables.records.records(
                    of: search.evaluator.query.recordType, in: zone.incarnation, after: seq,
                    limit: Self.chunk)
                let rows = withVersions(
                    page.rows, of: search.evaluator.query.recordType, in: zone.incarnation,
                    after: seq, upTo: page.hasMore ? page.rows.last?.seq ?? seq : .max)
                for row in rows {
                    if try finds(row, in: index, search) {
                        // One more than asked for shows that there is more.
                        if hits.count == limit {
                            return (hits, QueryMarker(start.digest, zone, seq))
                        }
                        hits.append(QuerySearch.Hit(record: row, zone: index))
                    }
                    seq = row.seq
                }
                // A zone without any costs a look too.
                scanned += rows.count + 1
                bytes += page.bytes
                let isEnough = scanned >= WireLimits.scannedMax || bytes > WireLimits.pageBytesMax
                guard page.hasMore else {
                    if isEnough, index + 1 < search.zones.count {
                        return (hits, QueryMarker(start.digest, zone, seq))
                    }
                    break
                }
                // Enough for one answer: a page that found little still says where to go on.
                if isEnough { return (hits, QueryMarker(start.digest, zone, seq)) }
            }
        }
        return (hits, nil)
    }

    /// A page of a query with sorts, in their order. While the index is being made, pages are empty.
    private func sorted(
        _ search: QuerySearch, from start: QueryMarker, limit: Int
    ) throws(CloudError) -> ([QuerySearch.Hit], QueryMarker?) {
        let query = search.evaluator.query
        let key = SortIndexes.Key(
            database: search.session.database.id,
            zone: search.zones.count == 1 ? search.zones[0].incarnation : nil,
            recordType: query.recordType, sorts: query.sorts)
        let index = try context.tables.guarded { () throws(SQLiteError) in try indexes.index(key) }
        guard try bringUpToDate(index, search) else { return ([], start) }
        let zones = Dictionary(
            search.zones.enumerated().map { ($0.element.incarnation, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        var place = start.place
        var hits: [QuerySearch.Hit] = []
        var marker: QueryMarker { QueryMarker(digest: start.digest, place: place) }
        var (scanned, bytes) = (0, 0)
        while true {
            let next = try context.tables.guarded { () throws(SQLiteError) in
                try index.places(after: place, limit: Self.chunk)
            }
            for found in next {
                guard let zone = zones[found.zone],
                    let record = try record(at: found),
                    record.type == query.recordType
                else {
                    // A zone that comes back is to be indexed again.
                    if zones[found.zone] == nil { index.leave(found.zone) }
                    try context.tables.guarded { () throws(SQLiteError) in try index.remove(found) }
                    continue
                }
                if try finds(record, in: zone, search) {
                    // One more than asked for shows that there is more.
                    if hits.count == limit { return (hits, marker) }
                    hits.append(QuerySearch.Hit(record: record, zone: zone))
                }
                place = found
                bytes += record.body.count
                if bytes > WireLimits.pageBytesMax { return (hits, marker) }
            }
            scanned += next.count
            if next.count < Self.chunk { return (hits, nil) }
            if scanned >= WireLimits.scannedMax { return (hits, marker) }
        }
    }

    /// Adds what the zones have had since; says whether that is all of it.
    private func bringUpToDate(
        _ index: SortIndex, _ search: QuerySearch
    ) throws(CloudError) -> Bool {
        var scanned = 0
        for zone in search.zones {
            while index.reached(in: zone) < zone.seq {
                guard scanned < WireLimits.indexedMax else { return false }
                let page = try context.tables.records.records(
                    of: search.evaluator.query.recordType, in: zone.incarnation,
                    after: index.reached(in: zone), limit: Self.chunk)
                let places = page.rows.map { row in
                    SortIndex.Place(
                        key: search.evaluator.sortKey(of: row), zone: zone.incarnation,
                        seq: row.seq)
                }
                let end = page.hasMore ? page.rows.last?.seq ?? zone.seq : zone.seq
                try context.tables.guarded { () throws(SQLiteError) in
                    try index.add(places, in: zone, upTo: end)
                }
                scanned += page.rows.count + 1
            }
            try addVersions(of: zone, to: index, search)
        }
        index.completed()
        return true
    }

    // MARK: - Delayed indexes

    /// Whether a query finds a record, which may be an earlier version of one.
    ///
    /// - Parameter zone: Index into the zones searched.
    private func finds(
        _ record: StoredRecord, in zone: Int, _ search: QuerySearch
    ) throws(CloudError) -> Bool {
        guard try isIndexed(record, in: zone, search), search.matches(record) else { return false }
        return try shares.shows(record.name, in: search.zones[zone])
    }

    /// Whether the index has a record as given, and nothing newer of it.
    private func isIndexed(
        _ record: StoredRecord, in zone: Int, _ search: QuerySearch
    ) throws(CloudError) -> Bool {
        let (reach, incarnation) = (search.reaches[zone], search.zones[zone].incarnation)
        if let version = context.lags.index.version(at: record.seq, in: incarnation) {
            guard reach.contains(record), !reach.contains(version.next, version.replaced),
                let current = try context.tables.records.find(record.name, in: incarnation),
                current.created == record.created
            else { return false }
            return !reach.contains(current)
        }
        if reach.contains(record) { return true }
        // It was changed before the delay was set, so no earlier version is known.
        guard let newest = reach.newest, record.seq <= reach.place,
            record.created.timestamp <= newest
        else { return false }
        return !context.lags.index.hasVersions(ofRecord: record.name, in: incarnation)
    }

    /// Records with the earlier versions of others between them, in the order of their places.
    private func withVersions(
        _ rows: [StoredRecord], of type: String, in zone: Int64, after start: Int64,
        upTo end: Int64
    ) -> [StoredRecord] {
        guard context.lags.index.hasVersions(of: zone) else { return rows }
        let versions = context.lags.index.versions(in: zone, after: start, upTo: end)
            .map(\.record).filter { $0.type == type }
        return (rows + versions).sorted { $0.seq < $1.seq }
    }

    private func addVersions(
        of zone: ZoneRow, to index: SortIndex, _ search: QuerySearch
    ) throws(CloudError) {
        guard context.lags.index.hasVersions(of: zone.incarnation) else { return }
        let (versions, last) = context.lags.index.versions(
            in: zone.incarnation, numberedAfter: index.versionsReached(in: zone))
        let places = versions.filter { $0.record.type == search.evaluator.query.recordType }.map {
            SortIndex.Place(
                key: search.evaluator.sortKey(of: $0.record), zone: zone.incarnation,
                seq: $0.record.seq)
        }
        try context.tables.guarded { () throws(SQLiteError) in
            try index.addVersions(places, in: zone, upTo: last)
        }
    }

    /// The record at a place of a sort index, or the earlier version of one.
    private func record(at place: SortIndex.Place) throws(CloudError) -> StoredRecord? {
        try context.tables.records.entry(at: place.seq, in: place.zone)?.record
            ?? context.lags.index.version(at: place.seq, in: place.zone)?.record
    }
}

/// A query under way.
struct QuerySearch {
    struct Hit {
        let record: StoredRecord
        /// Index into the zones searched.
        let zone: Int
    }

    let evaluator: QueryEvaluator
    let zones: [ZoneRow]
    let types: KnownTypes
    let session: Session
    /// How far the index has come in each of the zones.
    let reaches: [IndexLag.Reach]

    func matches(_ record: StoredRecord) -> Bool {
        evaluator.matches(record) && types.allows(.read, on: record, session)
    }
}
