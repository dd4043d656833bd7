package import CloudModel
package import DonationSync
package import Donations

extension MemoryStorage {
    // MARK: Databases

    private static func owner(_ address: Database.Address) -> Database.Address {
        Database.Address(
            container: address.container, environment: address.environment, scope: .private)
    }

    private static func isBeside(_ one: Database.Address, _ other: Database.Address) -> Bool {
        owner(one) == owner(other)
    }

    /// The user of a container and environment.
    package func account(at address: Database.Address) -> SyncAccount {
        accounts[Self.owner(address)] ?? SyncAccount()
    }

    /// Stores the user of a container and environment.
    package mutating func setAccount(_ account: SyncAccount, at address: Database.Address) {
        accounts[Self.owner(address)] = account
    }

    /// The state of a database.
    package func database(at address: Database.Address) -> SyncDatabase {
        databases[address] ?? SyncDatabase()
    }

    /// Stores the state of a database.
    package mutating func setDatabase(_ database: SyncDatabase, at address: Database.Address) {
        databases[address] = database
    }

    /// Forgets all databases of a container and environment.
    package mutating func forgetDatabases(beside address: Database.Address) {
        for (key, state) in databases where Self.isBeside(key, address) {
            var fresh = SyncDatabase()
            fresh.notBefore = state.notBefore
            fresh.waitsSince = state.waitsSince
            fresh.wait = state.wait
            fresh.failures = state.failures
            databases[key] = fresh
        }
        zones = zones.filter { !Self.isBeside($0.key.address, address) }
        names = names.filter { !Self.isBeside($0.key.address, address) }
        refused = refused.filter { !$0.container.isSame(as: address.container.rawValue) }
    }

    /// All that was ever counted for a database.
    package func report(at address: Database.Address) -> SyncReport {
        reports[address] ?? SyncReport()
    }

    /// Adds to what was counted.
    package mutating func addReport(_ report: SyncReport, at address: Database.Address) {
        reports[address, default: SyncReport()].add(report)
    }

    // MARK: Zones

    /// A zone's state.
    package func zone(_ id: RecordZone.ID, at address: Database.Address) -> SyncZone? {
        zones[ZoneKey(address: address, zone: id)]
    }

    /// Stores a zone's state.
    package mutating func setZone(_ zone: SyncZone, at address: Database.Address) {
        zones[ZoneKey(address: address, zone: zone.id)] = zone
    }

    /// One of the zones of a kind.
    package func firstZone(
        _ filter: SyncZoneFilter, at address: Database.Address
    ) -> SyncZone? {
        zones(at: address, limit: .max).first { filter.holds(for: $0) }
    }

    /// All zones in the order of owner and name.
    package func zones(at address: Database.Address, limit: Int) -> [SyncZone] {
        let own = zones.filter { $0.key.address == address }.values
        return Array(
            own.sorted {
                let left = ($0.id.ownerRecordName ?? "", $0.id.zoneName)
                return left < ($1.id.ownerRecordName ?? "", $1.id.zoneName)
            }.prefix(limit))
    }

    // MARK: Names

    /// Notes that records of these names are alive.
    package mutating func note(
        _ names: [String], in zone: RecordZone.ID, at address: Database.Address,
        generation: Int64
    ) {
        let key = ZoneKey(address: address, zone: zone)
        for name in names { self.names[key, default: [:]][name] = generation }
    }

    /// Those of these names that an older generation noted last.
    package func notedNames(
        among names: [String], in zone: RecordZone.ID, at address: Database.Address,
        before generation: Int64
    ) -> [String] {
        let noted = self.names[ZoneKey(address: address, zone: zone)] ?? [:]
        return names.filter { (noted[$0] ?? .max) < generation }
    }

    /// Forgets that these names were alive.
    package mutating func forgetNames(
        _ names: [String], in zone: RecordZone.ID, at address: Database.Address
    ) {
        let key = ZoneKey(address: address, zone: zone)
        for name in names { self.names[key]?[name] = nil }
    }

    /// Forgets all names of a zone.
    package mutating func forgetNames(in zone: RecordZone.ID, at address: Database.Address) {
        names[ZoneKey(address: address, zone: zone)] = nil
    }

    /// Treats names of older generations as deleted.
    package mutating func sweepNames(
        in zone: RecordZone.ID, at address: Database.Address, before generation: Int64,
        links: [ContentLink], limit: Int
    ) -> SyncSweep {
        let key = ZoneKey(address: address, zone: zone)
        let old = (names[key] ?? [:]).filter { $0.value < generation }.keys.sorted()
        let chunk = old.prefix(max(1, limit))
        let parts = chunk.flatMap { name in
            links.map { link in
                var link = link
                link.record = name
                return link
            }
        }
        let rows = deleteLinked(parts, .everywhere)
        forgetNames(Array(chunk), in: zone, at: address)
        return SyncSweep(rows: rows, isFinished: chunk.count == old.count)
    }

    // MARK: Fences

    /// The standing fences of a database.
    package func fences(at address: Database.Address) -> [SyncFence] {
        let user = account(at: address).identity
        return standingFences.filter { $0.key.address == address }.values.joined()
            .filter { $0.stands(for: user) }
            .sorted { ($0.zone.zoneName, $0.run) < ($1.zone.zoneName, $1.run) }
    }

    /// Adds fences; lifted ones stay lifted.
    package mutating func setFences(_ fences: [SyncFence]) {
        for fence in fences {
            let key = ZoneKey(address: fence.address, zone: fence.zone)
            let wasLifted = liftedFences.contains {
                $0.address == fence.address && $0.zone == fence.zone && $0.run == fence.run
            }
            if wasLifted { continue }
            guard let place = standingFences[key]?.firstIndex(where: { $0.run == fence.run }) else {
                standingFences[key, default: []].append(fence)
                continue
            }
            if standingFences[key]?[place].user == nil { standingFences[key]?[place] = fence }
        }
    }

    /// Lifts all fences around a zone.
    package mutating func liftFences(
        around zone: RecordZone.ID, at address: Database.Address
    ) -> Int {
        let user = account(at: address).identity
        let key = ZoneKey(address: address, zone: zone)
        let lifted = standingFences[key, default: []].filter { $0.stands(for: user) }
        standingFences[key]?.removeAll { $0.stands(for: user) }
        if standingFences[key]?.isEmpty ?? true { standingFences[key] = nil }
        liftedFences.formUnion(lifted)
        return lifted.count
    }

    /// Whether a zone is fenced.
    package func isFenced(_ zone: RecordZone.ID, at address: Database.Address) -> Bool {
        let user = account(at: address).identity
        return standingFences[ZoneKey(address: address, zone: zone)]?
            .contains { $0.stands(for: user) } ?? false
    }

    /// Adds to the rescue log.
    package mutating func rescue(_ entry: SyncRescue) { rescueLog.append(entry) }

    /// The latest entries of the rescue log.
    package func rescues(limit: Int) -> [SyncRescue] { Array(rescueLog.suffix(limit)) }
}

extension SyncFence {
    /// Whether it stands while this user, or nobody, is known.
    fileprivate func stands(for user: String?) -> Bool {
        guard let own = self.user, let user else { return true }
        return own.isSame(as: user)
    }
}

extension SyncZoneFilter {
    /// Whether a zone is one of those looked for.
    package func holds(for zone: SyncZone) -> Bool {
        switch self {
        case .dirty: zone.isDirty || zone.isSweeping
        case .doubted: zone.isDoubted
        case .unlisted(let generation):
            zone.listGeneration < generation && (zone.status == .live || zone.status == .unclear)
        }
    }
}
