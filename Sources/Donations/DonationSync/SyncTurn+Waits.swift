/// Waits and halts: stored, so that a restart keeps them.
extension SyncTurn {
    /// The wait that still stands.
    mutating func standingWait() throws(Storage.Failure) -> SyncAction? {
        var database = try storage.database(at: address)
        guard var until = database.notBefore, until > now else { return nil }
        if let since = database.waitsSince, now < since {
            // The clock was turned back: the wait begins anew rather than last for days.
            until = now.advanced(by: until.since(since))
            (database.notBefore, database.waitsSince) = (until, now)
            try storage.setDatabase(database, at: address)
        }
        return .wait(until: until, database.wait ?? .unavailable)
    }

    /// Waits, as long as the service asks and at least as long as chance says.
    mutating func wait(
        _ reason: SyncWait, _ retryAfter: Duration? = nil
    ) throws(Storage.Failure) -> SyncAction {
        var database = try storage.database(at: address)
        let most = min(120_000, 2000 << min(database.failures, 6))
        database.failures = min(database.failures + 1, 20)
        let chance = Duration.milliseconds(1 + Int64(entropy.unit() * Double(most)))
        let asked = min(max(retryAfter ?? .zero, .zero), .seconds(366 * 86_400))
        var until = now.advanced(by: max(asked, chance))
        report.waits += 1
        if let standing = database.notBefore, standing > until {
            until = standing
        } else {
            database.notBefore = until
            database.waitsSince = now
            database.wait = reason
        }
        try storage.setDatabase(database, at: address)
        return .wait(until: until, database.wait ?? reason)
    }

    /// Stops, and says why.
    mutating func halt(_ reason: SyncHalt) throws(Storage.Failure) -> SyncAction {
        try changeDatabase { $0.halt = reason }
        return .halted(reason)
    }

    /// An answer came: the next failure waits less.
    mutating func noteSuccess() throws(Storage.Failure) {
        try changeDatabase {
            $0.failures /= 2
            $0.notBefore = nil
            $0.waitsSince = nil
            $0.wait = nil
        }
    }
}
