package import CloudModel
import Donations

/// Zones that are gone, missing, or fenced.
extension SyncMachine {
    /// Deletes what is linked to a zone or to a record in it.
    mutating func dropLinks(
        to zone: SyncZone, _ cause: SyncReport.Cause, _ storage: inout Storage
    ) throws(Storage.Failure) {
        let user = try storage.account(at: address).identity
        let rows = try storage.deleteLinked(address.part(zone.id, user: user), .everywhere)
        delta.remove(rows, cause)
    }

    /// A zone is gone.
    mutating func gone(
        _ id: RecordZone.ID, _ reason: SyncGoneReason, _ storage: inout Storage,
        _ now: Timestamp
    ) throws(Storage.Failure) {
        var zone = try storage.zone(id, at: address) ?? SyncZone(id)
        let isNews = zone.status != .gone(reason)
        zone.scanAnew()
        zone.status = .gone(reason)
        zone.isDoubted = false
        zone.isUnlisted = false
        zone.listGeneration = try storage.database(at: address).generation
        try storage.setZone(zone, at: address)
        if isNews { delta.zonesGone[reason, default: 0] += 1 }
        if id == settings.donationZone?.zoneID {
            var database = try storage.database(at: address)
            database.isExchangeDirty = false
            try storage.setDatabase(database, at: address)
            // A zone that was begun anew can be lost a second time, and for the same reason.
            let isJoined = try storage.exchange().incarnation != nil
            if isNews || isJoined, var exchange {
                try exchange.zoneLost(reason, &storage, now: now, report: &delta)
                self.exchange = exchange
            }
            return
        }
        try storage.forgetNames(in: id, at: address)
        if reason == .purged, rules.refusesPurgedZones {
            let user = try storage.account(at: address).identity
            for part in address.part(id, user: user) { try storage.refuseLinks(into: part) }
        }
        let isKept = reason == .encryptedDataReset && settings.keepsDonationsOnReset
        if rules.followsZoneDeletions, !isKept { try dropLinks(to: zone, .zoneGone, &storage) }
    }

    /// A zone was not found. When nothing else says so it may still be there: the database's feed
    /// is asked once more.
    mutating func missing(
        _ old: SyncZone, _ error: CloudError?, _ storage: inout Storage, _ now: Timestamp
    ) throws(Storage.Failure) -> SyncAction {
        var zone = old
        let said = error?.zoneDeletionReason ?? .deleted
        if zone.isUnlisted || said != .deleted || !rules.unclearDeletesNothing {
            try gone(zone.id, SyncGoneReason(said, in: address.scope), &storage, now)
            return try next(&storage, now)
        }
        zone.isDoubted = true
        zone.isDirty = false
        try storage.setZone(zone, at: address)
        detours += 1
        guard detours <= 1000 else { return try wait(.stuckFeed, nil, &storage, now) }
        return try readDatabase(&storage)
    }

    /// Deletes what is linked to zones that were fenced since the last round.
    func latestFences(_ storage: Storage) throws(Storage.Failure) -> [SyncFence] {
        var latest: [RecordZone.ID: SyncFence] = [:]
        for fence in try storage.fences(at: address) {
            let id = address.stored(fence.zone)
            if let known = latest[id], (known.since, known.run) > (fence.since, fence.run) {
                continue
            }
            latest[id] = fence
        }
        return latest.values.sorted { $0.zone.zoneName < $1.zone.zoneName }
    }

    /// Deletes what is linked to zones that were fenced since the last round.
    mutating func applyFences(
        _ storage: inout Storage, _ now: Timestamp
    ) throws(Storage.Failure) {
        guard rules.honoursFences else { return }
        for fence in try latestFences(storage) {
            let id = address.stored(fence.zone)
            var zone = try storage.zone(id, at: address) ?? SyncZone(id)
            guard zone.fencedBy != fence.run else { continue }
            zone.fencedBy = fence.run
            try storage.setZone(zone, at: address)
            if id == settings.donationZone?.zoneID {
                if var exchange {
                    try exchange.zoneFenced(&storage, now: now, report: &delta)
                    self.exchange = exchange
                }
            } else {
                try dropLinks(to: zone, .fenced, &storage)
            }
        }
    }
}

extension SyncStorage {
    /// Lifts all fences around a zone: the user's act. The zone is read from its beginning then,
    /// and a donation zone that was lost may be created again.
    /// - Returns: How many fences there were.
    package mutating func unfence(
        _ zone: RecordZone.ID, at address: Database.Address
    ) throws(Failure) -> Int {
        let id = address.stored(zone)
        let lifted = try liftFences(around: id, at: address)
        guard lifted > 0, var zone = try self.zone(id, at: address) else { return lifted }
        zone.fencedBy = nil
        zone.scanAnew()
        try forgetNames(in: id, at: address)
        if DonationZone.isDonationZone(id) {
            if case .gone = zone.status { zone.status = .unknown }
            var database = try database(at: address)
            database.isExchangeDirty = true
            try setDatabase(database, at: address)
        } else {
            zone.isDirty = zone.status == .live
        }
        try setZone(zone, at: address)
        return lifted
    }
}
