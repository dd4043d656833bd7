import CloudModel

/// A way through the feeds of all live zones that a scope covers, in steps of bounded size.
struct FeedWalk {
    enum Step {
        /// A database, before its zones; comes again as long as it is not done.
        case database(DatabaseState)
        /// Places of a zone's feed: after the first number, up to the second. The first step of a zone is
        /// after 0, and there is one even when the feed is empty.
        case places(DatabaseState, ZoneRow, after: Int64, upTo: Int64)
    }

    private static let placesMax: Int64 = 2_000
    private static let zonesMax = 200

    private let scope: ResetScope
    /// A slice has no other step after this time.
    private let sliceMax: Duration
    /// What is left, the next at the end.
    private var keys: [DatabaseKey]?
    private var zones: [ZoneRow] = []
    /// The database whose zones are gone through in the order of their last change, and the last. Its
    /// state is asked for anew at each step, as a restore between two slices replaces it.
    private var current: (key: DatabaseKey, last: Int64)?
    /// Zones that were gone through: one that changes meanwhile comes once more.
    private var seen: Set<Int64> = []
    private var place: Int64 = 0
    /// Whether the step of the current database is to come again.
    private var isUnfinished = false

    init(_ scope: ResetScope, sliceMax: Duration = .milliseconds(15)) {
        self.scope = scope
        self.sliceMax = sliceMax
    }

    /// Takes a step or more; says whether there may be others.
    ///
    /// - Parameter body: Says whether there is more to do with a database before its zones.
    mutating func runSlice(
        _ store: MockStore, _ body: (Step) throws(CloudError) -> Bool
    ) throws(MockStoreError) -> Bool {
        try store.slice(upTo: sliceMax) { () throws(CloudError) in
            guard let step = try next(store) else { return false }
            isUnfinished = try body(step)
            return true
        }
    }

    private mutating func next(_ store: MockStore) throws(CloudError) -> Step? {
        let tables = store.context.tables
        if isUnfinished, let key = current?.key {
            return .database(try store.databases.state(key))
        }
        if keys == nil { keys = try tables.databases.keys().filter(scope.covers).reversed() }
        while true {
            guard let (key, last) = current else {
                guard let key = keys?.popLast() else { return nil }
                // The place of the default zone is 0.
                current = (key, -1)
                seen.removeAll()
                return .database(try store.databases.state(key))
            }
            let database = try store.databases.state(key)
            guard let zone = zones.last else {
                let found = try zones(of: database.id, after: last, tables)
                current = found.last.map { (key, $0.dbSeq) }
                zones = found.filter { seen.insert($0.incarnation).inserted }.reversed()
                continue
            }
            let (start, end) = (place, try tables.records.end(of: zone.incarnation))
            place = min(end, start + Self.placesMax)
            let step = Step.places(database, zone, after: start, upTo: place)
            if place == end {
                zones.removeLast()
                place = 0
            }
            return step
        }
    }

    private func zones(
        of db: Int64, after place: Int64, _ tables: StoreTables
    ) throws(CloudError) -> [ZoneRow] {
        guard let wanted = scope.zoneName else {
            return try tables.zones.live(in: db, after: place, limit: Self.zonesMax)
        }
        return place >= 0 ? [] : try tables.zones.live(wanted, in: db).map { [$0] } ?? []
    }
}
