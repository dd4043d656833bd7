import Basics

/// What queries do not find yet, because the index follows later: of each zone the writes since some place.
struct IndexLag {
    /// Writes that were made one after the other, and become visible together.
    private struct Writes {
        /// The zone's place before the first of them.
        let before: Int64
        /// Queries that will not see them.
        var queriesLeft: Int
        /// Whether they wait until it is simulated.
        let isHeld: Bool
        /// When the last of them was made.
        var last: Timestamp
    }

    /// A record as it was before a change that the index may not have yet.
    struct Version: Hashable {
        let record: StoredRecord
        /// The place in the feed of what replaced it.
        let next: Int64
        /// When it was replaced.
        let replaced: Timestamp
    }

    /// How far the index has come in a zone.
    struct Reach {
        /// The last place in the zone's feed that is in the index.
        let place: Int64
        /// The last time that is in the index; nil: every time is.
        let newest: Timestamp?

        func contains(_ seq: Int64, _ time: Timestamp) -> Bool {
            guard seq <= place else { return false }
            return newest.map { time <= $0 } ?? true
        }

        func contains(_ record: StoredRecord) -> Bool {
            contains(record.seq, record.modified.timestamp)
        }
    }

    /// The earlier versions of a zone's records.
    private struct Versions {
        /// By their place in the feed, where no other record is.
        var atPlace: [Int64: Version] = [:]
        /// How many there are of each record.
        var counts: [String: Int] = [:]
        /// Versions with the number that each was given, the oldest first.
        var numbers: [(number: Int64, place: Int64)] = []

        mutating func removeAll(where isOver: (Version) -> Bool) {
            for (place, version) in atPlace where isOver(version) {
                atPlace[place] = nil
                let left = (counts[version.record.name] ?? 1) - 1
                counts[version.record.name] = left > 0 ? left : nil
            }
            numbers.removeAll { atPlace[$0.place] == nil }
        }
    }

    /// Zones that can wait at once; what is written to others is seen at once.
    static let zonesMax = 10_000
    /// Earlier versions that are kept; with one more, the index of all zones is brought up to date.
    static let versionsMax = 100_000

    /// By the incarnation of the zone, the oldest first.
    private var writes: [Int64: [Writes]] = [:]
    /// Until when a zone's writes are in the index although the time of the lag has not passed.
    private var caughtUp: [Int64: Timestamp] = [:]
    /// By the incarnation of the zone.
    private var versions: [Int64: Versions] = [:]
    private var versionCount = 0
    private var lastNumber: Int64 = 0

    var isEmpty: Bool { writes.isEmpty }

    /// Takes note of a write to a zone.
    ///
    /// - Parameter replaced: Records of the zone as they were before.
    mutating func note(
        _ zone: Int64, before: Int64, replaced: [Version] = [], now: Timestamp,
        _ options: MockOptions
    ) {
        let isHeld = options.upkeep == .manual
        guard isHeld || options.indexLagQueries > 0 || options.indexLag > .zero,
            writes[zone] != nil || writes.count < Self.zonesMax
        else { return }
        var list = writes[zone] ?? []
        if let last = list.last, last.isHeld == isHeld, last.queriesLeft == options.indexLagQueries
        {
            list[list.count - 1].last = now
        } else {
            list.append(
                Writes(
                    before: before, queriesLeft: options.indexLagQueries, isHeld: isHeld, last: now)
            )
        }
        writes[zone] = list
        let first = list[list.count - 1].before
        // Within one group of writes only time tells a version from the next.
        keep(replaced.filter { $0.record.seq <= first || options.indexLag > .zero }, of: zone)
        if versionCount > Self.versionsMax {
            _ = catchUp(count: nil, now: now, options)
            versions.removeAll()
            versionCount = 0
        }
    }

    private mutating func keep(_ replaced: [Version], of zone: Int64) {
        guard !replaced.isEmpty else { return }
        for version in replaced {
            lastNumber += 1
            versions[zone, default: Versions()].atPlace[version.record.seq] = version
            versions[zone]?.counts[version.record.name, default: 0] += 1
            versions[zone]?.numbers.append((lastNumber, version.record.seq))
        }
        versionCount += replaced.count
    }

    // MARK: - Earlier versions

    /// Whether a zone has records as they were before.
    func hasVersions(of zone: Int64) -> Bool { versions[zone] != nil }

    /// Whether a record of a zone is kept as it was before.
    func hasVersions(ofRecord name: String, in zone: Int64) -> Bool {
        versions[zone]?.counts[name] != nil
    }

    /// The record that was at a place of a zone's feed.
    func version(at place: Int64, in zone: Int64) -> Version? { versions[zone]?.atPlace[place] }

    /// The records that were at some places of a zone's feed, in its order.
    func versions(in zone: Int64, after start: Int64, upTo end: Int64) -> [Version] {
        guard let known = versions[zone] else { return [] }
        return known.atPlace.values.filter { $0.record.seq > start && $0.record.seq <= end }
            .sorted { $0.record.seq < $1.record.seq }
    }

    /// The versions of a zone with a greater number, and the greatest number.
    func versions(
        in zone: Int64, numberedAfter number: Int64
    ) -> (versions: [Version], last: Int64) {
        guard let known = versions[zone] else { return ([], lastNumber) }
        return (
            known.numbers.reversed().prefix { $0.number > number }.compactMap {
                known.atPlace[$0.place]
            }, lastNumber
        )
    }

    /// Forgets the versions of a zone that the index has left behind.
    private mutating func forgetVersions(of zone: Int64, now: Timestamp, _ options: MockOptions) {
        guard var known = versions[zone] else { return }
        let reach = reach(of: zone, now: now, options)
        versionCount -= known.atPlace.count
        known.removeAll { reach.contains($0.next, $0.replaced) }
        versionCount += known.atPlace.count
        versions[zone] = known.atPlace.isEmpty ? nil : known
    }

    /// How far the index has come in a zone.
    func reach(of zone: Int64, now: Timestamp, _ options: MockOptions) -> Reach {
        let waiting = writes[zone]?.first {
            $0.queriesLeft > 0 || $0.isHeld && options.upkeep == .manual
        }
        var newest =
            options.indexLag == .zero ? nil : now.advanced(by: .zero - options.indexLag)
        if let limit = newest, let caughtUp = caughtUp[zone] { newest = max(limit, caughtUp) }
        return Reach(place: waiting?.before ?? .max, newest: newest)
    }

    /// Counts a query of a zone, and forgets what is visible from now on.
    mutating func countQuery(of zone: Int64, now: Timestamp, _ options: MockOptions) {
        guard var list = writes[zone] else { return }
        for index in list.indices where list[index].queriesLeft > 0 {
            list[index].queriesLeft -= 1
        }
        list.removeAll { !Self.isWaiting($0, now, options) }
        writes[zone] = list.isEmpty ? nil : list
        forgetVersions(of: zone, now: now, options)
    }

    private static func isWaiting(
        _ writes: Writes, _ now: Timestamp, _ options: MockOptions
    ) -> Bool {
        writes.queriesLeft > 0 || writes.isHeld && options.upkeep == .manual
            || now < writes.last.advanced(by: options.indexLag)
    }

    /// How many zones have something that queries do not find yet.
    func waiting(now: Timestamp, _ options: MockOptions) -> Int {
        writes.values.count { $0.contains { Self.isWaiting($0, now, options) } }
    }

    /// Brings the index up to date, the oldest zones first.
    ///
    /// - Returns: Of how many zones.
    mutating func catchUp(count: Int?, now: Timestamp, _ options: MockOptions) -> Int {
        let zones = writes.filter { $0.value.contains { Self.isWaiting($0, now, options) } }.keys
            .sorted().prefix(count ?? .max)
        for zone in zones {
            writes[zone] = nil
            if options.indexLag > .zero { caughtUp[zone] = now }
            versionCount -= versions.removeValue(forKey: zone)?.atPlace.count ?? 0
        }
        if caughtUp.count > Self.zonesMax {
            caughtUp = caughtUp.filter { now < $0.value.advanced(by: options.indexLag) }
        }
        return zones.count
    }
}
