package import CloudModel
import Donations

/// Follows one database: a small value that decides, and asks its driver to act.
///
/// Everything that must survive lies in the storage. Each call runs inside one transaction of it
/// (see ``SyncStorage``); when that fails, the driver goes on with its copy of the machine from
/// before the call. One request is open at a time.
package struct SyncMachine<Storage: SyncStorage>: Sendable {
    /// What the open request asks for.
    enum Phase: Hashable {
        /// No request is open.
        case rest
        /// No request is open; the next start goes on where this one stopped.
        case chunk
        case identity(After)
        /// The token that was sent.
        case database(ChangeToken?)
        case zone(RecordZone.ID, ChangeToken?)
        case exchange
    }
    /// What follows when the user is known.
    enum After: Hashable {
        case database
        case next
        /// A request of the exchange, to read.
        case action(SyncAction)
    }

    package let settings: SyncSettings
    /// What was counted since this value was made; the storage has the sum of all.
    package private(set) var report = SyncReport()
    /// What was counted in this call.
    var delta = SyncReport()
    var entropy: SyncEntropy
    var exchange: Exchange?
    var phase = Phase.rest
    /// The account's epoch at the beginning of the round.
    private var epoch: Int64 = 0
    /// Whether the user was asked for in this round.
    var isIdentified = false
    /// How often the round went back to the database's feed.
    var detours = 0

    var address: Database.Address { settings.address }
    var rules: SyncRules { settings.rules }

    /// A machine for a database.
    package init(_ settings: SyncSettings, entropy: SyncEntropy, digest: SyncDigest) {
        self.settings = settings
        self.entropy = entropy
        exchange = settings.donationZone.map {
            Exchange(zone: $0, settings: settings, digest: digest)
        }
    }

    /// Begins a round, also after a wait, a crash or a lost driver: decides from the storage.
    package mutating func start(
        _ storage: inout Storage, now: Timestamp
    ) throws(Storage.Failure) -> SyncAction {
        let action = try begin(&storage, now)
        try count(&storage)
        return action
    }

    /// Takes the answer to the request that was asked for last.
    package mutating func received(
        _ reply: Result<CloudReply, CloudError>, _ storage: inout Storage, now: Timestamp
    ) throws(Storage.Failure) -> SyncAction {
        delta.requests += 1
        let action = try take(reply, &storage, now)
        try count(&storage)
        return action
    }

    /// The user signed out: deletes what is linked to the container, on this device only, and
    /// forgets everything about its databases.
    package mutating func signOut(
        _ storage: inout Storage, now: Timestamp
    ) throws(Storage.Failure) {
        try leaveAccount(for: nil, &storage)
        phase = .rest
        try count(&storage)
    }

    private mutating func count(_ storage: inout Storage) throws(Storage.Failure) {
        guard !delta.isEmpty else { return }
        try storage.addReport(delta, at: address)
        report.add(delta)
        delta = SyncReport()
    }

    // MARK: A round

    private mutating func begin(
        _ storage: inout Storage, _ now: Timestamp
    ) throws(Storage.Failure) -> SyncAction {
        guard address.scope != .public else { return .halted(.noFeed) }
        // Deletes here only, and so waits for nobody.
        try applyFences(&storage, now)
        var account = try storage.account(at: address)
        if let wait = try standingWait(&storage, now) {
            phase = .rest
            return wait
        }
        if phase == .chunk, account.epoch == epoch { return try next(&storage, now) }
        phase = .rest
        epoch = account.epoch
        isIdentified = false
        detours = 0
        if exchange != nil, !account.hasDonationZone {
            account.hasDonationZone = true
            try storage.setAccount(account, at: address)
        }
        let isNew = try storage.database(at: address).token == nil
        if rules.checksIdentity, account.isDoubted || isNew { return ask(then: .database) }
        return try readDatabase(&storage)
    }

    private mutating func take(
        _ reply: Result<CloudReply, CloudError>, _ storage: inout Storage, _ now: Timestamp
    ) throws(Storage.Failure) -> SyncAction {
        let asked = phase
        phase = .rest
        // Another machine of the container may have left the account meanwhile.
        guard try storage.account(at: address).epoch == epoch else {
            return try begin(&storage, now)
        }
        let error: CloudError
        switch reply {
        case .failure(let failure): error = failure
        case .success(let answer):
            switch (asked, answer) {
            case (.rest, _), (.chunk, _): return try begin(&storage, now)
            case (.identity(let after), .user(let user)):
                try noteSuccess(&storage)
                return try identified(user.userRecordName, after, &storage, now)
            case (.database(let token), .zonePage(let page)):
                try noteSuccess(&storage)
                return try take(page, askedWith: token, &storage, now)
            case (.zone(let id, let token), .zoneChanges(let items)) where items.count == 1:
                return try take(items[0], of: id, askedWith: token, &storage, now)
            case (.exchange, _):
                try noteSuccess(&storage)
                return try exchangeReceived(reply, &storage, now)
            default: error = CloudError(.unexpectedResponse, reason: "another kind of answer")
            }
        }
        return try failed(error, asked, &storage, now)
    }

    /// What is left to do in this round, now that the database's feed was read.
    mutating func next(
        _ storage: inout Storage, _ now: Timestamp
    ) throws(Storage.Failure) -> SyncAction {
        phase = .rest
        if try storage.database(at: address).isSweeping {
            guard try doubtUnlistedZones(&storage) else {
                phase = .chunk
                return .again
            }
        }
        while var zone = try storage.firstZone(.dirty, at: address) {
            if zone.isSweeping { return try sweep(zone, &storage, now) }
            if zone.status == .live || zone.isUnlisted { return read(zone) }
            zone.isDirty = false
            try storage.setZone(zone, at: address)
        }
        return try runExchange(&storage, now)
    }

    /// Ends the round.
    mutating func finish(
        _ storage: inout Storage, _ now: Timestamp
    ) throws(Storage.Failure) -> SyncAction {
        phase = .rest
        var database = try storage.database(at: address)
        database.halt = nil
        database.lastRound = now
        try storage.setDatabase(database, at: address)
        return .idle
    }
}
