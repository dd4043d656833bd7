import CloudModel

/// What a participant sees.
extension Shares {
    /// The zone of another owner that an ID means in a shared database.
    func zone(_ zoneID: RecordZone.ID, _ session: Session) throws(CloudError) -> ZoneRow {
        guard !isEmpty,
            let row = try tables.zones.live(session.rowName(zoneID), in: session.database.id)
        else { throw .noZone }
        return try view(row, session)
    }

    /// Rows of a shared database with what the owners' zones are now.
    func views(_ rows: [ZoneRow], _ session: Session) throws(CloudError) -> [ZoneRow] {
        var views: [ZoneRow] = []
        for row in rows { views.append(row.isLive ? try view(row, session) : row) }
        return views
    }

    private func view(_ row: ZoneRow, _ session: Session) throws(CloudError) -> ZoneRow {
        guard let view = zone(row.incarnation)?.views[session.database.key.user],
            let zone = try tables.zones.find(
                view.zoneName, in: try databases.state(view.owner).id)
        else { throw .noZone }
        var shown = row
        (shown.seq, shown.floor, shown.access) = (zone.seq, zone.floor, .participant(view))
        return shown
    }

    /// Whether a session that has reached a zone sees a record of it.
    func shows(_ name: String, in row: ZoneRow) throws(CloudError) -> Bool {
        guard let view = row.access.partialView else { return true }
        return try tables.hierarchies.places(of: name, in: row.incarnation).contains {
            $0.tag == nil && view.shares[$0.feed] != nil
        }
    }

    /// A row of a database as the database's user reaches the zone.
    func reached(_ row: ZoneRow, in database: DatabaseState) -> ZoneRow {
        guard database.key.address.scope == .shared,
            let view = zone(row.incarnation)?.views[database.key.user]
        else { return row }
        var reached = row
        reached.access = .participant(view)
        return reached
    }

    /// How many live records a zone shows at some places of its feed; all at the first ones, where
    /// it shows some hierarchies only.
    func count(
        in row: ZoneRow, after start: Int64, upTo end: Int64
    ) throws(CloudError) -> Int {
        guard let view = row.access.partialView else {
            return try tables.records.count(in: row.incarnation, after: start, upTo: end)
        }
        guard start == 0 else { return 0 }
        var count = 0
        for share in view.shares.keys { count += try tables.hierarchies.count(of: share) }
        return count
    }

    /// The same of the assets that those records have, and of their bytes.
    func assetCount(
        in row: ZoneRow, after start: Int64, upTo end: Int64
    ) throws(CloudError) -> (count: Int, bytes: Int64) {
        guard let view = row.access.partialView else {
            return try tables.assets.count(in: row.incarnation, after: start, upTo: end)
        }
        var sum: (count: Int, bytes: Int64) = (0, 0)
        for share in start == 0 ? Array(view.shares.keys) : [] {
            let more = try tables.hierarchies.assetCount(of: share)
            sum = (sum.count + more.count, sum.bytes + more.bytes)
        }
        return sum
    }

    // MARK: - The feed

    /// The next entries of a zone's feed as a session that has reached the zone sees it.
    func entries(
        in row: ZoneRow, after seq: Int64, limit: Int, bytesMax: Int
    ) throws(CloudError) -> RowPage<FeedEntry> {
        guard let view = row.access.partialView else {
            return try tables.records.entries(
                in: row.incarnation, after: seq, limit: limit, bytesMax: bytesMax)
        }
        let feeds = view.shares.sorted { $0.key < $1.key }.map { ($0.key, $0.value.since) }
        var merge = FeedMerge(feeds: [(view.number, 0)] + feeds, after: seq, limit)
        var page = RowPage<FeedEntry>()
        while let place = try merge.next(tables.hierarchies) {
            guard let entry = try entry(place, view) else { continue }
            page.rows.append(entry)
            page.bytes += entry.bytes
            page.hasMore = page.rows.count == limit || page.bytes > bytesMax
            if page.hasMore { break }
        }
        return page
    }

    /// What a view's feed tells at a place; nil where it tells of the record later.
    private func entry(
        _ place: HierarchyTable.Entry, _ view: ZoneView
    ) throws(CloudError) -> FeedEntry? {
        var (isShown, tag) = (false, Int64(0))
        for known in try tables.hierarchies.places(of: place.name, in: view.incarnation)
        where view.tells(of: known) {
            if known.seq > place.seq { return nil }
            if known.tag == nil, known.feed != view.number { isShown = true }
            if known.seq == place.seq { tag = known.tag ?? tag }
        }
        if isShown,
            let seq = try tables.records.place(of: place.name, in: view.incarnation),
            let entry = try tables.records.entry(at: seq, in: view.incarnation),
            entry.record != nil
        {
            return FeedEntry(
                seq: place.seq, name: place.name, tag: entry.tag, record: entry.record,
                remains: [], bytes: entry.bytes)
        }
        return FeedEntry(
            seq: place.seq, name: place.name, tag: tag, record: nil, remains: [], bytes: 0)
    }
}

/// Several feeds as one, in the order of their places.
struct FeedMerge {
    private struct Source {
        let feed: Int64
        /// What has left it up to here is left out.
        let since: Int64
        /// What was read and not taken yet.
        var ready: ArraySlice<HierarchyTable.Entry> = []
        /// Up to where it was read.
        var reached: Int64
        var isAtEnd = false
    }

    private var sources: [Source]
    /// Places read of one feed at a time.
    private let chunk: Int
    private var last: Int64

    /// - Parameter wanted: About how many places will be taken.
    init(feeds: [(number: Int64, since: Int64)], after seq: Int64, _ wanted: Int) {
        sources = feeds.map { Source(feed: $0.number, since: $0.since, reached: seq) }
        chunk = wanted / max(1, feeds.count) + 1
        last = seq
    }

    /// The next place; one that several feeds have comes once.
    mutating func next(_ table: HierarchyTable) throws(CloudError) -> HierarchyTable.Entry? {
        var first: (index: Int, seq: Int64)?
        for index in sources.indices {
            try fill(index, table)
            guard let seq = sources[index].ready.first?.seq, seq < first?.seq ?? .max else {
                continue
            }
            first = (index, seq)
        }
        guard let first, let entry = sources[first.index].ready.popFirst() else { return nil }
        last = entry.seq
        return entry
    }

    private mutating func fill(_ index: Int, _ table: HierarchyTable) throws(CloudError) {
        while sources[index].ready.first.map({ $0.seq <= last }) == true {
            sources[index].ready.removeFirst()
        }
        guard sources[index].ready.isEmpty, !sources[index].isAtEnd else { return }
        let read = try table.entries(
            of: sources[index].feed, leftAfter: sources[index].since,
            after: max(last, sources[index].reached), limit: chunk)
        sources[index].isAtEnd = read.count < chunk
        sources[index].reached = read.last?.seq ?? sources[index].reached
        sources[index].ready = read[...]
    }
}
