import CloudModel

/// Failures and waits.
extension SyncMachine {
    /// The wait that still stands.
    func standingWait(
        _ storage: inout Storage, _ now: Timestamp
    ) throws(Storage.Failure) -> SyncAction? {
        guard rules.keepsWaits else { return nil }
        var database = try storage.database(at: address)
        guard var until = database.notBefore, until > now else { return nil }
        if let since = database.waitsSince, now < since {
            // The clock was turned back: the wait begins anew rather than last for days.
            until = now.advanced(by: until.since(since))
            database.notBefore = until
            database.waitsSince = now
            try storage.setDatabase(database, at: address)
        }
        return .wait(until: until, database.wait ?? .unavailable)
    }

    /// Waits, as long as the service asks and at least as long as chance says.
    mutating func wait(
        _ reason: SyncWait, _ retryAfter: Duration?, _ storage: inout Storage, _ now: Timestamp
    ) throws(Storage.Failure) -> SyncAction {
        phase = .rest
        var database = try storage.database(at: address)
        let most = min(120_000, 2000 << min(database.failures, 6))
        database.failures = min(database.failures + 1, 20)
        let chance = Duration.milliseconds(1 + Int64(entropy.unit() * Double(most)))
        let asked = min(max(retryAfter ?? .zero, .zero), .seconds(366 * 86_400))
        var until = now.advanced(by: max(asked, chance))
        delta.waits += 1
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
    mutating func halt(
        _ reason: SyncHalt, _ storage: inout Storage
    ) throws(Storage.Failure) -> SyncAction {
        phase = .rest
        var database = try storage.database(at: address)
        database.halt = reason
        try storage.setDatabase(database, at: address)
        return .halted(reason)
    }

    /// An answer came: the next failure waits less.
    func noteSuccess(_ storage: inout Storage) throws(Storage.Failure) {
        var database = try storage.database(at: address)
        guard database.failures > 0 || database.notBefore != nil else { return }
        database.failures /= 2
        database.notBefore = nil
        database.waitsSince = nil
        database.wait = nil
        try storage.setDatabase(database, at: address)
    }

    /// A request failed as a whole.
    mutating func failed(
        _ error: CloudError, _ asked: Phase, _ storage: inout Storage, _ now: Timestamp
    ) throws(Storage.Failure) -> SyncAction {
        let failure = SyncFailure(error.code)
        switch failure {
        case .passing(let reason): return try wait(reason, error.retryAfter, &storage, now)
        case .lasting(let reason):
            if reason == .notAuthenticated { try doubtUser(&storage) }
            if reason == .quotaExceeded, asked == .exchange {
                return try exchangeReceived(.failure(error), &storage, now)
            }
            return try halt(reason, &storage)
        case .refused, .zoneMissing, .denied: break
        }
        switch asked {
        case .exchange:
            guard failure != .denied else { return try halt(.refused, &storage) }
            return try exchangeReceived(.failure(error), &storage, now)
        case .database(.some) where failure == .refused:
            return try listAnew(&storage, now)
        case .zone(let id, let token) where failure != .denied:
            return try take(.failure(id, error), of: id, askedWith: token, &storage, now)
        case .rest, .chunk, .identity, .database, .zone:
            guard failure == .denied else { return try halt(.refused, &storage) }
            return try suspend(&storage)
        }
    }

    /// The container is restricted: its donations rest until a read succeeds again.
    private mutating func suspend(_ storage: inout Storage) throws(Storage.Failure) -> SyncAction {
        var account = try storage.account(at: address)
        if !account.isSuspended {
            account.isSuspended = true
            try storage.suspend(address.container)
            try storage.setAccount(account, at: address)
        }
        return try halt(.restricted, &storage)
    }
}
