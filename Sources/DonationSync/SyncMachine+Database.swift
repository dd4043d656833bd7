import CloudModel

/// The feed of a database: which zones changed, and which are gone.
extension SyncMachine {
    /// Reads on in the feed.
    mutating func readDatabase(
        _ storage: inout Storage
    ) throws(Storage.Failure) -> SyncAction {
        let token = try storage.database(at: address).token
        phase = .database(token)
        return .read(.databaseChanges(token: token, limit: nil))
    }

    /// The token was refused: reads the feed from its beginning, if the user is still the same.
    mutating func listAnew(
        _ storage: inout Storage, _ now: Timestamp
    ) throws(Storage.Failure) -> SyncAction {
        var database = try storage.database(at: address)
        database.abortedLists += database.isListing ? 1 : 0
        let isStuck = database.abortedLists >= 3
        if isStuck { database.abortedLists = 0 }
        database.token = nil
        database.isListing = true
        database.isSweeping = false
        database.generation += 1
        database.repeats = 0
        try storage.setDatabase(database, at: address)
        delta.rescans += 1
        try readExchangeAnew(&storage)
        if isStuck { return try wait(.stuckFeed, nil, &storage, now) }
        guard rules.checksIdentity else { return try readDatabase(&storage) }
        try doubtUser(&storage)
        return ask(then: .database)
    }

    /// The service may have gone back in time, and rows that it took after what was read last are
    /// not there: no feed would tell.
    private func readExchangeAnew(_ storage: inout Storage) throws(Storage.Failure) {
        guard exchange != nil else { return }
        var facts = try storage.exchange()
        guard facts.incarnation != nil else { return }
        facts.beginScan()
        try storage.setExchange(facts)
    }

    /// A page of zones.
    mutating func take(
        _ page: ZonePage, askedWith token: ChangeToken?, _ storage: inout Storage,
        _ now: Timestamp
    ) throws(Storage.Failure) -> SyncAction {
        var database = try storage.database(at: address)
        guard database.token == token else { return try next(&storage, now) }
        try liftSuspension(&storage)
        for item in page.zones {
            switch item {
            case .deleted(let id, let reason): try listed(gone: id, reason, &storage, now)
            case .failure(let id, let error):
                if let reason = error.zoneDeletionReason {
                    try listed(gone: id, reason, &storage, now)
                } else if var zone = try storage.zone(address.stored(id), at: address),
                    zone.status == .live, zone.id != settings.donationZone?.zoneID
                {
                    // Its own feed will tell.
                    zone.isDirty = true
                    try storage.setZone(zone, at: address)
                }
            case .zone: break
            }
        }
        for case .zone(let zone) in page.zones { try listed(zone.id, &storage) }
        database = try storage.database(at: address)
        let isStuck = page.moreComing && (page.token == token || page.token.isUnusable)
        if let new = page.token, !page.token.isUnusable { database.token = new }
        database.repeats = isStuck ? database.repeats + 1 : 0
        if page.moreComing {
            let isEnough = database.repeats >= 3
            if isEnough { database.repeats = 0 }
            try storage.setDatabase(database, at: address)
            if isEnough { return try wait(.stuckFeed, nil, &storage, now) }
            return try readDatabase(&storage)
        }
        if database.isListing {
            database.isListing = false
            database.abortedLists = 0
            database.isSweeping = database.generation > 1 && rules.sweepsZoneList
        }
        try storage.setDatabase(database, at: address)
        try settleDoubts(&storage)
        return try next(&storage, now)
    }

    /// The feed was asked once more, and does not say that these zones are gone.
    private mutating func settleDoubts(_ storage: inout Storage) throws(Storage.Failure) {
        while var zone = try storage.firstZone(.doubted, at: address) {
            zone.isDoubted = false
            zone.isDirty = false
            zone.status = .unclear
            delta.zonesUnclear += 1
            try storage.setZone(zone, at: address)
        }
    }

    private func liftSuspension(_ storage: inout Storage) throws(Storage.Failure) {
        var account = try storage.account(at: address)
        guard account.isSuspended else { return }
        account.isSuspended = false
        try storage.resume(address.container)
        try storage.setAccount(account, at: address)
    }

    /// Zones that a complete list lacks are asked for themselves: two witnesses, since a list can
    /// be stale, and what is linked to a zone does not come back.
    /// - Returns: Whether all of them are marked.
    func doubtUnlistedZones(_ storage: inout Storage) throws(Storage.Failure) -> Bool {
        var database = try storage.database(at: address)
        for _ in 0..<200 {
            guard
                var zone = try storage.firstZone(
                    .unlisted(before: database.generation), at: address)
            else {
                database.isSweeping = false
                try storage.setDatabase(database, at: address)
                return true
            }
            zone.listGeneration = database.generation
            zone.isUnlisted = true
            if zone.id == settings.donationZone?.zoneID {
                database.isExchangeDirty = true
            } else {
                zone.isDirty = true
            }
            try storage.setZone(zone, at: address)
        }
        try storage.setDatabase(database, at: address)
        return false
    }

    // MARK: Zones of a page

    /// The feed names a zone that is there.
    private func listed(_ id: RecordZone.ID, _ storage: inout Storage) throws(Storage.Failure) {
        guard !id.isDefault else { return }
        let id = address.stored(id)
        var database = try storage.database(at: address)
        var zone = try storage.zone(id, at: address) ?? SyncZone(id)
        if case .gone = zone.status {
            let user = try storage.account(at: address).identity
            for part in address.part(id, user: user) { try storage.allowLinks(into: part) }
            zone.scanAnew()
        }
        zone.status = .live
        zone.listGeneration = database.generation
        zone.isDoubted = false
        zone.isUnlisted = false
        if id == settings.donationZone?.zoneID {
            database.isExchangeDirty = true
            try storage.setDatabase(database, at: address)
        } else {
            zone.isDirty = !DonationZone.isDonationZone(id)
        }
        try storage.setZone(zone, at: address)
    }

    /// The feed names a zone that is gone.
    private mutating func listed(
        gone id: RecordZone.ID, _ reason: RecordZone.DeletionReason, _ storage: inout Storage,
        _ now: Timestamp
    ) throws(Storage.Failure) {
        guard !id.isDefault else { return }
        try gone(address.stored(id), SyncGoneReason(reason, in: address.scope), &storage, now)
    }
}

extension ChangeToken? {
    /// Whether it must not be stored: none, or the empty one, which would mean "caught up".
    var isUnusable: Bool { self?.rawValue.isEmpty ?? true }
}

extension SyncGoneReason {
    /// Why a zone of a database is gone: in a shared one all that is known is that it left.
    init(_ reason: RecordZone.DeletionReason, in scope: Database.Scope) {
        self =
            switch reason {
            case .deleted: scope == .shared ? .unshared : .deleted
            case .purged: .purged
            case .encryptedDataReset: .encryptedDataReset
            }
    }
}

extension SyncZone {
    /// Forgets where its feed was read to, as for a zone never seen.
    mutating func scanAnew() {
        token = nil
        generation += 1
        isScanning = true
        isSweeping = false
        isDirty = false
        abortedScans = 0
        repeats = 0
        newest = nil
        floor = nil
        hasSurvivor = false
    }
}
