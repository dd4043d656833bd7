package import CloudModel
import Donations

/// What becomes of zones, and of what is linked to them.
extension SyncTurn {
    /// Deletes what is linked to a zone or to a record in it.
    mutating func dropLinks(
        to zone: SyncZone, _ cause: SyncReport.Cause
    ) throws(Storage.Failure) {
        let rows = try storage.deleteLinked(try parts(of: zone.id), .everywhere)
        report.remove(rows, cause)
    }

    /// The ways in which donations may name a zone.
    func parts(of zone: RecordZone.ID) throws(Storage.Failure) -> [ContentLink] {
        address.part(zone, user: try storage.account(at: address).identity)
    }

    /// What is known of a zone.
    func known(_ id: RecordZone.ID) throws(Storage.Failure) -> SyncZone {
        try storage.zone(id, at: address) ?? SyncZone(id)
    }

    // MARK: Zones that a list names

    /// A list names a zone that is there.
    mutating func noteListed(_ id: RecordZone.ID) throws(Storage.Failure) {
        guard !id.isDefault else { return }
        let id = address.stored(id)
        var zone = try known(id)
        if case .gone = zone.status {
            for part in try parts(of: id) { try storage.allowLinks(into: part) }
            zone.scanAnew()
        }
        zone.status = .live
        zone.listGeneration = try storage.database(at: address).generation
        zone.isDoubted = false
        zone.isUnlisted = false
        zone.isDirty = !DonationZone.isDonationZone(id)
        if id == settings.donationZone?.zoneID {
            try changeDatabase { $0.isExchangeDirty = true }
        }
        try storage.setZone(zone, at: address)
    }

    /// A list names a zone that is gone.
    mutating func noteGone(
        _ id: RecordZone.ID, _ reason: RecordZone.DeletionReason
    ) throws(Storage.Failure) {
        guard !id.isDefault else { return }
        try loseZone(address.stored(id), SyncGoneReason(reason, in: address.scope))
    }

    /// A list names a zone of which it cannot say more.
    mutating func noteUnlistable(
        _ id: RecordZone.ID, _ error: CloudError
    ) throws(Storage.Failure) {
        if let reason = error.zoneDeletionReason { return try noteGone(id, reason) }
        guard var zone = try storage.zone(address.stored(id), at: address), zone.status == .live,
            zone.id != settings.donationZone?.zoneID
        else { return }
        // Its own feed will tell.
        zone.isDirty = true
        try storage.setZone(zone, at: address)
    }

    /// A zone is gone.
    mutating func loseZone(
        _ id: RecordZone.ID, _ reason: SyncGoneReason
    ) throws(Storage.Failure) {
        var zone = try known(id)
        let isNews = zone.status != .gone(reason)
        zone.scanAnew()
        zone.status = .gone(reason)
        zone.isDoubted = false
        zone.isUnlisted = false
        zone.listGeneration = try storage.database(at: address).generation
        try storage.setZone(zone, at: address)
        if isNews { report.zonesGone[reason, default: 0] += 1 }
        let isKept = reason == .encryptedDataReset && settings.keepsDonationsOnReset
        if let zone = settings.donationZone, id == zone.zoneID {
            try changeDatabase { $0.isExchangeDirty = false }
            // A zone that was begun anew can be lost a second time, and for the same reason.
            let facts = try storage.exchange()
            guard facts.incarnation != nil else { return }
            var turn = ExchangeTurn(self, facts, zone)
            try turn.leaveIncarnation(keepsRows: isKept)
            try turn.storage.setExchange(turn.facts)
            self = turn.sync
            return
        }
        try storage.forgetNames(in: id, at: address)
        if reason == .purged {
            for part in try parts(of: id) { try storage.refuseLinks(into: part) }
        }
        if !isKept { try dropLinks(to: zone, .zoneGone) }
    }

    // MARK: Zones that no list names

    /// The feed was asked once more, and does not say that these zones are gone.
    mutating func settleDoubts() throws(Storage.Failure) {
        while var zone = try storage.firstZone(.doubted, at: address) {
            zone.isDoubted = false
            zone.isDirty = false
            zone.status = .unclear
            report.zonesUnclear += 1
            try storage.setZone(zone, at: address)
        }
    }

    /// Zones that a complete list lacks are asked for themselves: two witnesses, since a list can
    /// be stale, and what is linked to a zone does not come back.
    /// - Returns: Whether all of them are marked.
    mutating func doubtUnlistedZones() throws(Storage.Failure) -> Bool {
        let generation = try storage.database(at: address).generation
        for _ in 0..<200 {
            guard var zone = try storage.firstZone(.unlisted(before: generation), at: address)
            else {
                try changeDatabase { $0.isSweeping = false }
                return true
            }
            zone.listGeneration = generation
            zone.isUnlisted = true
            if zone.id == settings.donationZone?.zoneID {
                try changeDatabase { $0.isExchangeDirty = true }
            } else {
                zone.isDirty = true
            }
            try storage.setZone(zone, at: address)
        }
        return false
    }

    /// A zone that a whole list lacks, or that no list has named yet, has answered itself, and so
    /// is there.
    mutating func noteAnswer(of id: RecordZone.ID) throws(Storage.Failure) {
        var zone = try known(id)
        guard zone.isUnlisted || zone.status == .unknown else { return }
        if zone.status == .unknown {
            zone.listGeneration = try storage.database(at: address).generation
        }
        zone.status = .live
        zone.isUnlisted = false
        try storage.setZone(zone, at: address)
    }

    // MARK: Fences

    /// Deletes what is linked to zones that were fenced since the last round.
    ///
    /// Into a fenced donation zone nothing is sent, and record deletes go to the rescue log. Its
    /// deletions wait: they hold nothing of what was erased, and their numbers know no gap.
    mutating func applyFences() throws(Storage.Failure) {
        for fence in try latestFences() {
            let id = address.stored(fence.zone)
            var zone = try known(id)
            guard zone.fencedBy != fence.run else { continue }
            zone.fencedBy = fence.run
            try storage.setZone(zone, at: address)
            if let zone = settings.donationZone, id == zone.zoneID {
                let pending = try storage.removeAllGone()
                var turn = ExchangeTurn(self, ExchangeFacts(), zone)
                try turn.rescue(.fenced, changes: pending)
                self = turn.sync
            } else {
                try dropLinks(to: zone, .fenced)
            }
        }
    }

    /// The latest fence around each zone.
    private func latestFences() throws(Storage.Failure) -> [SyncFence] {
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

extension SyncGoneReason {
    /// Why a zone of a database is gone: in a shared one all that is known is that it left.
    fileprivate init(_ reason: RecordZone.DeletionReason, in scope: Database.Scope) {
        self =
            switch reason {
            case .deleted: scope == .shared ? .unshared : .deleted
            case .purged: .purged
            case .encryptedDataReset: .encryptedDataReset
            }
    }
}
