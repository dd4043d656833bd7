import CloudModel

/// The feed of a database: which zones changed, and which are gone.
extension SyncMachine {
    /// Reads on in the feed.
    mutating func readDatabase(_ turn: inout Turn) throws(Storage.Failure) -> SyncAction {
        let token = try turn.storage.database(at: turn.address).token
        phase = .database(token)
        return .read(.databaseChanges(token: token, limit: nil))
    }

    /// The token was refused: reads the feed from its beginning, if the user is still the same.
    mutating func listAnew(_ turn: inout Turn) throws(Storage.Failure) -> SyncAction {
        var isStuck = false
        try turn.changeDatabase { database in
            database.abortedLists += database.isListing ? 1 : 0
            isStuck = database.abortedLists >= 3
            if isStuck { database.abortedLists = 0 }
            database.token = nil
            database.isListing = true
            database.isSweeping = false
            database.generation += 1
            database.repeats = 0
        }
        turn.report.rescans += 1
        try turn.readExchangeAnew()
        if isStuck { return try turn.wait(.stuckFeed) }
        try turn.doubtUser()
        return ask(then: .database)
    }

    /// A page of zones.
    mutating func takeZones(
        _ page: ZonePage, askedWith token: ChangeToken?, _ turn: inout Turn
    ) throws(Storage.Failure) -> SyncAction {
        guard try turn.storage.database(at: turn.address).token == token else {
            return try next(&turn)
        }
        try turn.resume()
        // What is gone first: a zone that was made again is there.
        for item in page.zones {
            switch item {
            case .deleted(let id, let reason): try turn.noteGone(id, reason)
            case .failure(let id, let error): try turn.noteUnlistable(id, error)
            case .zone: break
            }
        }
        for case .zone(let zone) in page.zones { try turn.noteListed(zone.id) }
        let isStuck = page.moreComing && (page.token == token || page.token.isUnusable)
        var isEnough = false
        try turn.changeDatabase { database in
            if !page.token.isUnusable { database.token = page.token }
            database.repeats = isStuck ? database.repeats + 1 : 0
            isEnough = database.repeats >= 3
            if isEnough { database.repeats = 0 }
            guard !page.moreComing, database.isListing else { return }
            database.isListing = false
            database.abortedLists = 0
            database.isSweeping = database.generation > 1
        }
        if isEnough { return try turn.wait(.stuckFeed) }
        if page.moreComing { return try readDatabase(&turn) }
        try turn.settleDoubts()
        return try next(&turn)
    }

    /// A zone was not found. When nothing else says so it may still be there: the database's feed
    /// is asked once more.
    mutating func missing(
        _ old: SyncZone, _ error: CloudError?, _ turn: inout Turn
    ) throws(Storage.Failure) -> SyncAction {
        var zone = old
        let said = error?.zoneDeletionReason ?? .deleted
        if zone.isUnlisted || said != .deleted {
            try turn.noteGone(zone.id, said)
            return try next(&turn)
        }
        zone.isDoubted = true
        zone.isDirty = false
        try turn.storage.setZone(zone, at: turn.address)
        return try readDatabase(&turn)
    }
}
