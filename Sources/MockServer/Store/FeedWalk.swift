import CloudModel

/// A way through the feeds of all live zones that a scope covers, in steps of bounded size.
struct FeedWalk {
    enum Step {
        /// A database, before its zones.
        case database(DatabaseState)
        /// Places of a zone's feed: after the first number, up to the second. The first step of a zone is
        /// after 0, and there is one even when the feed is empty.
        case places(DatabaseState, ZoneRow, after: Int64, upTo: Int64)
    }

    /// How long the steps of one slice may take.
    private static let sliceMax = Duration.milliseconds(15)
    private static let placesMax: Int64 = 2_000
    private static let zonesMax = 200

    private let scope: ResetScope
    /// What is left, the next at the end.
    private var keys: [DatabaseKey]?
    private var zones: [ZoneRow] = []
    /// The database whose zones are gone through, and the last of them by name. Its state is asked for
    /// anew at each step, as a restore between two slices replaces it.
    private var current: (key: DatabaseKey, lastName: String)?
    private var place: Int64 = 0

    init(_ scope: ResetScope) { self.scope = scope }

    /// Takes steps for some milliseconds; says whether there are more.
    mutating func runSlice(
        _ store: MockStore, _ body: (Step) throws(CloudError) -> Void
    ) throws(MockStoreError) -> Bool {
        try store.stored { () throws(CloudError) in
            let began = ContinuousClock.now
            while ContinuousClock.now - began < Self.sliceMax {
                guard let step = try next(store) else { return false }
                try body(step)
            }
            return true
        }
    }

    private mutating func next(_ store: MockStore) throws(CloudError) -> Step? {
        let tables = store.context.tables
        if keys == nil { keys = try tables.databases.keys().filter(scope.covers).reversed() }
        while true {
            guard let (key, lastName) = current else {
                guard let key = keys?.popLast() else { return nil }
                current = (key, "")
                return .database(try store.databases.state(key))
            }
            let database = try store.databases.state(key)
            guard let zone = zones.last else {
                zones = try zones(of: database.id, after: lastName, tables).reversed()
                current = zones.first.map { (key, $0.name) }
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
        of db: Int64, after name: String, _ tables: StoreTables
    ) throws(CloudError) -> [ZoneRow] {
        guard let wanted = scope.zoneName else {
            return try tables.zones.live(in: db, afterName: name, limit: Self.zonesMax)
        }
        return name == wanted ? [] : try tables.zones.live(wanted, in: db).map { [$0] } ?? []
    }
}
