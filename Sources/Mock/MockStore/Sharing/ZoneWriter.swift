import CloudModel

/// Writes the records of one zone: gives places in its feed, keeps the feeds of its hierarchies, and
/// in the end tells the participants.
final class ZoneWriter {
    let context: StoreContext
    let databases: Databases
    let shares: Shares
    /// The owner's, which has the zone's tags and its row.
    let database: DatabaseState
    /// Whose client it is that writes, which gets no push for it; nil: nobody's.
    let author: PushWriter?
    /// The zone as its owner's database has it.
    private(set) var row: ZoneRow
    private(set) var hasWritten = false
    /// Where the zone's feed ended before.
    private let start: Int64
    /// Shares whose participants have something new to see.
    private var touched: Set<Int64> = []
    /// Records as they were before this writer changed them, for an index that follows later.
    private var replaced: [IndexLag.Version] = []
    private var tables: StoreTables { context.tables }

    init(
        _ context: StoreContext, _ databases: Databases, _ shares: Shares,
        _ database: DatabaseState, _ row: ZoneRow, by author: PushWriter?
    ) {
        self.context = context
        self.databases = databases
        self.shares = shares
        self.database = database
        self.row = row
        start = row.seq
        self.author = author
    }

    // MARK: - Writing

    /// The next place in the zone's feed. Gives the default zone its row when it has none.
    private func nextPlace() -> Int64 {
        if row.incarnation == 0 { row.incarnation = databases.nextIncarnation() }
        hasWritten = true
        row.seq += 1
        return row.seq
    }

    /// Writes a record, with a new tag and a new place.
    ///
    /// - Parameters:
    ///   - old: The record as it was.
    ///   - place: Where the feed has the record or its tombstone.
    /// - Returns: The record as it is now.
    func put(
        _ given: StoredRecord, was old: StoredRecord?, at place: Int64?
    ) throws(CloudError) -> StoredRecord {
        var record = given
        record.seq = nextPlace()
        record.tag = database.nextTag()
        if context.quotas.isLimited(database.key) {
            let bytes = place == nil ? 0 : old?.storedBytes ?? 0
            try context.quotas.note(record.storedBytes - bytes, in: database.key)
        }
        try tables.records.put(record, in: row.incarnation, oldPlace: place)
        if let old, old.seq == place, context.options.delaysIndex {
            replaced.append(
                IndexLag.Version(
                    record: old, next: record.seq, replaced: record.modified.timestamp))
        }
        if let guid = record.shortGUID, guid != old?.shortGUID {
            try tables.shortGUIDs.put(
                guid,
                ShortGUIDTable.Target(
                    owner: database.key, zoneName: row.name, incarnation: row.incarnation,
                    recordName: record.name))
        }
        try tables.links.relink(
            record.name, in: row.incarnation, from: old?.links ?? [], to: record.links)
        try follow(record)
        return record
    }

    /// Turns a record into a tombstone.
    func leaveTombstone(
        of record: StoredRecord, at place: Int64, by stamp: Record.Stamp
    ) throws(CloudError) {
        try tables.links.relink(record.name, in: row.incarnation, from: record.links, to: [])
        if context.quotas.isLimited(database.key) {
            try context.quotas.note(-record.storedBytes, in: database.key)
        }
        let (seq, tag) = (nextPlace(), database.nextTag())
        let remains = MockTombstone.remains(of: record, deleted: stamp)
        try tables.records.putTombstone(
            record.name, remains, tag: tag, seq: seq, in: row.incarnation, oldPlace: place)
        if let guid = record.shortGUID { try tables.shortGUIDs.delete(guid) }
        guard let zone = shares.zone(row.incarnation) else { return }
        if let whole = zone.whole { touched.insert(whole.number) }
        guard zone.hasHierarchies else { return }
        for old in try tables.hierarchies.places(of: record.name, in: row.incarnation)
        where old.tag == nil && zone.shares[old.feed] != nil {
            try move(record.name, old.feed, to: seq, tag: tag, old: old.seq)
        }
    }

    // MARK: - Hierarchies

    /// Which hierarchy a record is in; nil: none.
    func hierarchy(of name: String) throws(CloudError) -> ZoneShare? {
        guard let zone = shares.zone(row.incarnation), zone.hasHierarchies else { return nil }
        for place in try tables.hierarchies.places(of: name, in: row.incarnation)
        where place.tag == nil {
            if let share = zone.shares[place.feed] { return share }
        }
        return nil
    }

    /// Which hierarchy a record belongs to now; a root to its own, whatever its parent is in.
    private func home(of record: StoredRecord, _ zone: SharedZone) throws(CloudError) -> Int64? {
        if record.sharing != nil { return zone.share(named: record.name)?.number }
        if let own = zone.share(rootedAt: record.name) { return own.number }
        guard let parent = record.parent else { return nil }
        return try hierarchy(of: parent)?.number
    }

    /// Refuses a record that must not be written: one that would be below itself, or would take too
    /// much with it from one hierarchy to another.
    func check(_ record: StoredRecord, was old: StoredRecord?) throws(CloudError) {
        guard let zone = shares.zone(row.incarnation), zone.hasHierarchies,
            record.parent != old?.parent
        else { return }
        let home = try home(of: record, zone)
        let before = try hierarchy(of: record.name)
        guard home == before?.number else { return try checkMove(below: record.name) }
        guard old != nil, let before, before.root != record.name, let parent = record.parent else {
            return
        }
        try refuseLoop(from: parent, to: record.name, in: before)
    }

    /// Refuses to end a share with which too much would come into the hierarchy above its root.
    func checkEnd(of share: ZoneShare) throws(CloudError) {
        guard let root = share.root,
            let parent = try tables.records.find(root, in: row.incarnation)?.parent,
            try hierarchy(of: parent) != nil
        else { return }
        try checkMove(below: root)
    }

    /// Refuses to move too much with one request.
    func checkMove(below name: String) throws(CloudError) {
        let most = max(0, context.options.hierarchyMovesMax - context.moved)
        guard
            try tables.hierarchies.findRecords(below: name, in: row.incarnation, limit: most + 1)
                <= most
        else {
            throw CloudError(
                .badRequest,
                reason: "more than \(context.options.hierarchyMovesMax) records would enter or "
                    + "leave a shared hierarchy in one request", rule: "hierarchy-moves")
        }
    }

    /// Puts a record that was written where it belongs, and what is below it.
    private func follow(_ record: StoredRecord) throws(CloudError) {
        guard let zone = shares.zone(row.incarnation) else { return }
        if let whole = zone.whole { touched.insert(whole.number) }
        guard zone.hasHierarchies else { return }
        let home = try home(of: record, zone)
        let places = try tables.hierarchies.places(of: record.name, in: row.incarnation)
        let old = places.first { $0.tag == nil && zone.shares[$0.feed] != nil }
        if let old, old.feed != home {
            try move(record.name, old.feed, to: record.seq, tag: record.tag, old: old.seq)
        }
        if let home {
            try move(
                record.name, home, to: record.seq, tag: nil,
                old: places.first { $0.feed == home }?.seq)
        }
        guard old?.feed != home else { return }
        try moveRecords(below: record.name, from: old?.feed, to: home)
    }

    private func move(
        _ name: String, _ feed: Int64, to seq: Int64, tag: Int64?, old: Int64?
    ) throws(CloudError) {
        try tables.hierarchies.put(
            name, in: row.incarnation, feed: feed, seq: seq, tag: tag, old: old)
        touched.insert(feed)
    }

    /// Takes what is below a record from one hierarchy to another, or out of it, or into it. That it is
    /// not too much was checked before anything was written.
    private func moveRecords(
        below name: String, from old: Int64?, to new: Int64?
    ) throws(CloudError) {
        let count = try tables.hierarchies.findRecords(
            below: name, in: row.incarnation, limit: .max)
        guard count > 0 else { return }
        context.moved += count
        if let old { try putFound(count, feed: old, haveLeft: true) }
        if let new { try putFound(count, feed: new, haveLeft: false) }
    }

    /// Gives the records found places in a feed.
    private func putFound(_ count: Int, feed: Int64, haveLeft: Bool) throws(CloudError) {
        hasWritten = true
        try tables.hierarchies.putFound(
            in: row.incarnation, feed: feed, after: row.seq, haveLeft: haveLeft)
        row.seq += Int64(count)
    }

    /// Refuses a parent that is below the record: what hangs in a loop is in no hierarchy.
    private func refuseLoop(
        from parent: String, to name: String, in share: ZoneShare
    ) throws(CloudError) {
        var next: String? = parent
        while let above = next {
            guard above != name else {
                throw CloudError(.badRequest, reason: "a record cannot be below itself")
            }
            context.moved += 1
            guard context.moved <= context.options.hierarchyMovesMax else {
                throw CloudError(
                    .badRequest,
                    reason:
                        "more than \(context.options.hierarchyMovesMax) records are above those "
                        + "of one request")
            }
            guard above != share.root else { return }
            next = try tables.records.find(above, in: row.incarnation)?.parent
        }
    }

    // MARK: - Participants

    /// A share has something new to see.
    func touch(_ share: Int64) { touched.insert(share) }

    /// Tells a participant who has other shares in this zone of all that is in one more, or in one
    /// less; false where that is too much to tell.
    ///
    /// - Parameter since: Of one less, since when it was theirs; nil of one more.
    func tell(_ view: ZoneView, of share: Int64, since: Int64?) throws(CloudError) -> Bool {
        let most = max(0, context.options.hierarchyMovesMax - context.moved)
        let count = try tables.hierarchies.findRecords(
            of: share, leftAfter: since ?? .max, notShownTo: view.user, limit: most + 1)
        guard count <= most else { return false }
        context.moved += count
        try putFound(count, feed: view.number, haveLeft: since != nil)
        return true
    }

    // MARK: - The end

    /// A place to come back to when a batch fails as a whole.
    struct Mark {
        fileprivate let row: ZoneRow
        fileprivate let hasWritten: Bool
        fileprivate let replacedCount: Int
    }
    var mark: Mark {
        Mark(row: row, hasWritten: hasWritten, replacedCount: replaced.count)
    }

    /// Forgets what was written since a mark, which the tables have forgotten.
    func undo(to mark: Mark) {
        row = mark.row
        hasWritten = mark.hasWritten
        replaced.removeLast(replaced.count - mark.replacedCount)
        touched = []
    }

    /// Has the zone be there and count as changed, though no record may be written.
    func noteZone() { hasWritten = true }

    /// Writes the zone's row, and tells the participants.
    func save() throws(CloudError) {
        guard hasWritten else { return }
        context.noteChange(of: row.incarnation, before: start, replaced: replaced)
        if !row.isDefault {
            context.noteChange(of: database)
            row.dbSeq = database.nextSeq()
        }
        try tables.zones.put(row, in: database.id)
        if !touched.isEmpty {
            try shares.noteChange(of: touched, in: row.incarnation, by: author)
        }
    }
}
