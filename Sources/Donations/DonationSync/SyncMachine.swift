package import Basics
package import CloudModel
import Donations

/// Follows one database: a small value that decides, and asks its driver to act.
///
/// Everything that must survive lies in the storage. Each call runs inside one transaction of it
/// (see ``SyncStorage``); when that fails, the driver goes on with its copy of the machine from
/// before the call. One request is open at a time.
package struct SyncMachine<Storage: SyncStorage>: Sendable {
    typealias Turn = SyncTurn<Storage>

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
    private let digest: SyncDigest
    private var entropy: SyncEntropy
    var exchange: ExchangeRound<Storage>?
    var phase = Phase.rest
    /// The account's epoch at the beginning of the round.
    private var epoch: Int64 = 0
    /// Whether the user was asked for in this round.
    private(set) var isIdentified = false
    /// How many answers came in this round.
    private var answers = 0

    /// Answers to one round. What is left waits for the next: so no service, whatever it says, keeps
    /// one going for ever.
    private static var answersMax: Int { 2000 }

    /// A machine for a database.
    package init(_ settings: SyncSettings, entropy: SyncEntropy, digest: SyncDigest) {
        self.settings = settings
        self.entropy = entropy
        self.digest = digest
        exchange = settings.donationZone.map { ExchangeRound(zone: $0) }
    }

    /// Begins a round, also after a wait, a crash or a lost driver: decides from the storage.
    package mutating func start(
        _ storage: inout Storage, now: Timestamp
    ) throws(Storage.Failure) -> SyncAction {
        if phase != .chunk { answers = 0 }
        return try call(&storage, now) { (machine, turn) throws(Storage.Failure) in
            try machine.begin(&turn)
        }
    }

    /// Takes the answer to the request that was asked for last.
    package mutating func received(
        _ reply: Result<CloudReply, CloudError>, _ storage: inout Storage, now: Timestamp
    ) throws(Storage.Failure) -> SyncAction {
        answers += 1
        return try call(&storage, now) { (machine, turn) throws(Storage.Failure) in
            turn.report.requests += 1
            let action = try machine.take(reply, &turn)
            guard machine.answers >= Self.answersMax else { return action }
            switch action {
            case .read, .write:
                machine.phase = .rest
                return try turn.wait(.longRound)
            case .wait, .again, .idle, .halted: return action
            }
        }
    }

    /// The user signed out: deletes what is linked to the container, on this device only, and
    /// forgets everything about its databases.
    package mutating func signOut(
        _ storage: inout Storage, now: Timestamp
    ) throws(Storage.Failure) {
        phase = .rest
        _ = try call(&storage, now) { (_, turn) throws(Storage.Failure) in
            try turn.leaveAccount(for: nil)
            return .idle
        }
    }

    /// Runs a call with the storage at hand, and counts what it did.
    private mutating func call(
        _ storage: inout Storage, _ now: Timestamp,
        _ body: (inout SyncMachine, inout Turn) throws(Storage.Failure) -> SyncAction
    ) throws(Storage.Failure) -> SyncAction {
        var turn = Turn(
            storage: consume storage, settings: settings, digest: digest, entropy: entropy,
            now: now)
        let action: Result<SyncAction, Storage.Failure>
        do throws(Storage.Failure) {
            let next = try body(&self, &turn)
            if !turn.report.isEmpty {
                try turn.storage.addReport(turn.report, at: settings.address)
            }
            action = .success(next)
        } catch {
            action = .failure(error)
        }
        entropy = turn.entropy
        report.add(turn.report)
        storage = turn.storage
        return try action.get()
    }

    // MARK: A round

    private mutating func begin(_ turn: inout Turn) throws(Storage.Failure) -> SyncAction {
        guard settings.address.scope != .public else { return .halted(.noFeed) }
        // Deletes here only, and so waits for nobody.
        try turn.applyFences()
        if let wait = try turn.standingWait() {
            phase = .rest
            return wait
        }
        let account = try turn.storage.account(at: turn.address)
        if phase == .chunk, account.epoch == epoch { return try next(&turn) }
        phase = .rest
        epoch = account.epoch
        isIdentified = false
        if exchange != nil { try turn.changeAccount { $0.hasDonationZone = true } }
        let isNew = try turn.storage.database(at: turn.address).token == nil
        if account.isDoubted || isNew { return ask(then: .database) }
        return try readDatabase(&turn)
    }

    private mutating func take(
        _ reply: Result<CloudReply, CloudError>, _ turn: inout Turn
    ) throws(Storage.Failure) -> SyncAction {
        let asked = phase
        phase = .rest
        // Another machine of the container may have left the account meanwhile.
        guard try turn.storage.account(at: turn.address).epoch == epoch else {
            return try begin(&turn)
        }
        let error: CloudError
        switch reply {
        case .failure(let failure): error = failure
        case .success(let answer):
            switch (asked, answer) {
            case (.rest, _), (.chunk, _): return try begin(&turn)
            case (.identity(let after), .user(let user)):
                try turn.noteSuccess()
                return try identified(user.userRecordName, after, &turn)
            case (.database(let token), .zonePage(let page)):
                try turn.noteSuccess()
                return try takeZones(page, askedWith: token, &turn)
            case (.zone(let id, let token), .zoneChanges(let items)) where items.count == 1:
                return try takeChanges(items[0], of: id, askedWith: token, &turn)
            case (.exchange, _):
                try turn.noteSuccess()
                return try exchangeReceived(reply, &turn)
            default: error = CloudError(.unexpectedResponse, reason: "another kind of answer")
            }
        }
        return try failed(error, asked, &turn)
    }

    /// A request failed as a whole.
    mutating func failed(
        _ error: CloudError, _ asked: Phase, _ turn: inout Turn
    ) throws(Storage.Failure) -> SyncAction {
        let failure = SyncFailure(error.code)
        switch failure {
        case .passing(let reason): return try turn.wait(reason, error.retryAfter)
        case .lasting(let reason):
            if reason == .notAuthenticated { try turn.doubtUser() }
            if reason == .quotaExceeded, asked == .exchange {
                return try exchangeReceived(.failure(error), &turn)
            }
            return try turn.halt(reason)
        case .refused, .zoneMissing, .denied: break
        }
        switch asked {
        case .exchange:
            guard failure != .denied else { return try turn.halt(.refused) }
            return try exchangeReceived(.failure(error), &turn)
        case .database(.some) where failure == .refused: return try listAnew(&turn)
        case .zone(let id, let token) where failure != .denied:
            return try takeChanges(.failure(id, error), of: id, askedWith: token, &turn)
        case .rest, .chunk, .identity, .database, .zone:
            guard failure == .denied else { return try turn.halt(.refused) }
            try turn.suspend()
            return try turn.halt(.restricted)
        }
    }

    /// What is left to do in this round, now that the database's feed was read.
    mutating func next(_ turn: inout Turn) throws(Storage.Failure) -> SyncAction {
        phase = .rest
        if try turn.storage.database(at: turn.address).isSweeping {
            guard try turn.doubtUnlistedZones() else {
                phase = .chunk
                return .again
            }
        }
        while var zone = try turn.storage.firstZone(.dirty, at: turn.address) {
            if zone.isSweeping { return try sweep(zone, &turn) }
            if zone.status == .live || zone.isUnlisted { return readChanges(of: zone) }
            zone.isDirty = false
            try turn.storage.setZone(zone, at: turn.address)
        }
        return try runExchange(&turn)
    }

    /// Ends the round.
    func finish(_ turn: inout Turn) throws(Storage.Failure) -> SyncAction {
        let now = turn.now
        try turn.changeDatabase {
            $0.halt = nil
            $0.lastRound = now
        }
        return .idle
    }

    // MARK: Who is signed in

    /// Asks who is signed in.
    mutating func ask(then after: After) -> SyncAction {
        phase = .identity(after)
        return .read(.caller)
    }

    /// The user is known.
    private mutating func identified(
        _ user: String, _ after: After, _ turn: inout Turn
    ) throws(Storage.Failure) -> SyncAction {
        let account = try turn.storage.account(at: turn.address)
        if let known = account.identity, !known.isSame(as: user) {
            try turn.leaveAccount(for: user)
            return try begin(&turn)
        }
        try turn.changeAccount {
            $0.identity = user
            $0.isDoubted = false
        }
        isIdentified = true
        switch after {
        case .database: return try readDatabase(&turn)
        case .next: return try next(&turn)
        case .action(let action):
            phase = .exchange
            return action
        }
    }
}
