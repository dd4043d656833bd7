import Basics

/// Zones that are deleted, and that requests which only read still find for a while.
struct LingeringZones {
    private struct Key: Hashable {
        let database: Int64
        let name: String
    }

    private struct Zone {
        /// As it was.
        let row: ZoneRow
        /// Requests that will find it.
        var readsLeft: Int
        /// Until when others will.
        let end: Timestamp
        /// Whether it waits until that is simulated.
        let isHeld: Bool

        func isThere(_ now: Timestamp, _ options: MockOptions) -> Bool {
            readsLeft > 0 || now < end || isHeld && options.upkeep == .manual
        }
    }

    /// Zones that can linger at once; others are gone when they are deleted.
    static let countMax = 10_000

    private var zones: [Key: Zone] = [:]

    var isEmpty: Bool { zones.isEmpty }

    /// Whether deleted zones are to be found for a while.
    static func isAsked(_ options: MockOptions) -> Bool {
        options.zoneDeletionLag > 0 || options.zoneDeletionLagTime > .zero
            || options.upkeep == .manual
    }

    /// Takes note of a zone that is deleted.
    mutating func note(
        _ row: ZoneRow, in database: Int64, now: Timestamp, _ options: MockOptions
    ) {
        guard zones.count < Self.countMax else { return }
        zones[Key(database: database, name: row.name)] = Zone(
            row: row, readsLeft: options.zoneDeletionLag,
            end: now.advanced(by: options.zoneDeletionLagTime),
            isHeld: options.upkeep == .manual)
    }

    /// The zone as it was, for a request that reads; counts it.
    mutating func read(
        _ name: String, in database: Int64, now: Timestamp, _ options: MockOptions
    ) -> ZoneRow? {
        let key = Key(database: database, name: name)
        guard let zone = zones[key] else { return nil }
        guard zone.isThere(now, options) else {
            zones[key] = nil
            return nil
        }
        if zone.readsLeft > 0 { zones[key]?.readsLeft -= 1 }
        return zone.row
    }

    /// Forgets a zone: there is one of its name again.
    mutating func forget(_ name: String, in database: Int64) {
        guard !zones.isEmpty else { return }
        zones[Key(database: database, name: name)] = nil
    }

    /// Forgets the zones of a database.
    mutating func forget(database: Int64) {
        guard !zones.isEmpty else { return }
        zones = zones.filter { $0.key.database != database }
    }

    /// Whether what a deleted zone held is still read.
    func holds(_ incarnation: Int64, now: Timestamp, _ options: MockOptions) -> Bool {
        zones.values.contains { $0.row.incarnation == incarnation && $0.isThere(now, options) }
    }

    /// How many there are.
    func waiting(now: Timestamp, _ options: MockOptions) -> Int {
        zones.values.count { $0.isThere(now, options) }
    }

    /// Has zones be gone, the oldest first.
    ///
    /// - Returns: How many.
    mutating func end(count: Int?, now: Timestamp, _ options: MockOptions) -> Int {
        let ending = zones.filter { $0.value.isThere(now, options) }
            .sorted { $0.value.row.incarnation < $1.value.row.incarnation }.prefix(count ?? .max)
        for zone in ending { zones[zone.key] = nil }
        return ending.count
    }
}
