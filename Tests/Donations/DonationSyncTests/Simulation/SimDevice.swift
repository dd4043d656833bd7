import Basics
import CloudModel
import Donations

/// A row as the checks look at it.
struct SimRow: Hashable {
    let kind: DonationKind
    let tag: Int
    let isParked: Bool
}

/// What a device's sync does next in one of its databases.
enum SimLane {
    /// Nothing until it is started.
    case rest
    /// This is to be sent.
    case asked(CloudCommand)
    /// This is to be taken in.
    case answered(CloudCommand, Result<CloudReply, CloudError>)
    /// Nothing before this moment, by the device's own clock.
    case waiting(until: Timestamp)
}

/// How long the service asked to be left alone: by a device's clock, and by the true one.
struct SimWaiting {
    var until = Int64.min
    var trulyUntil = Int64.min
}

/// What a device knew when it made up a request.
struct SimAsked {
    var told: ErasureSet = 0
    var nonce: String?
    var mayCreateZone = true
    /// How long it still had to wait by then, as far as it could know; not more than zero is well.
    var early: Int64 = 0
}

/// What a device was told of content records, by what was delivered to it.
struct ContentTold {
    /// Names that are alive, by zone, and when each was created.
    var alive: [String: [String: Timestamp]] = [:]
    /// What was alive before the scan under way, and those that were cut short before it.
    var before: [String: [String: Timestamp]] = [:]
    /// What a scan under way has delivered.
    var scanned: [String: [String: Timestamp]] = [:]
    /// Names that were alive and that a complete scan did not deliver, and the step of its end.
    var missed: [String: [String: Int]] = [:]

    mutating func forget(_ zone: String) {
        alive[zone] = nil
        before[zone] = nil
        scanned[zone] = nil
    }
}

/// Where a call of the sync is cut short.
enum SimCrash {
    case none
    /// Before what it did is stored.
    case beforeCommit
    /// After what it did is stored, before anybody hears of it.
    case afterCommit
}

/// A device of a simulated world: an app's donations, and what keeps them in step with others'.
class SimDevice {
    let index: Int
    /// Who is signed in.
    var user: String
    /// Where its clock stands, beside the true one.
    var offset: Int64 = 0
    /// One for each database it follows.
    var lanes: [SimLane]
    let addresses: [Database.Address]
    /// Nothing may be asked before this moment of its own clock, unless as much time went by.
    var notBefore: [SimWaiting]
    /// What it knew when it made up the request that is under way.
    var asked: [SimAsked]
    /// Whether somebody said that it may create the donation zone.
    var mayCreateZone = true
    /// What it was told of content records.
    var told = ContentTold()
    /// The nonce of the zone it was in when it was looked at last.
    var knownNonce: String?
    /// Whom it belonged to when it was looked at last.
    var knownIdentity: String?
    /// Zones it was told to keep away from.
    var fenced: Set<String> = []
    /// Those of them that its sync has heard of.
    var fencesHeard: Set<String> = []
    /// Zones it was told the user erased, and not told are there again.
    var purged: Set<String> = []
    /// Whether it may be asked to sync at all.
    var isAway = false
    /// Tags that were taken away here only.
    var evicted: Set<Int> = []

    init(index: Int, user: String, addresses: [Database.Address]) {
        self.index = index
        self.user = user
        self.addresses = addresses
        lanes = addresses.map { _ in .rest }
        notBefore = addresses.map { _ in SimWaiting() }
        asked = addresses.map { _ in SimAsked() }
    }

    func now(_ clock: SimClock) -> Timestamp { Timestamp(milliseconds: clock.now + offset) }

    // MARK: For each kind of device

    /// The nonce of the donation zone, as far as it knows.
    var nonce: String? { nil }

    /// The record name of the user whose donations these are, as far as it knows.
    var identity: String? { nil }

    /// Whether its user wants the donation zone.
    var takesPart: Bool { true }

    /// Begins a round in one database.
    func start(_ lane: Int, now: Timestamp, crash: SimCrash) throws -> SimLane { .rest }

    /// Takes an answer in.
    func take(
        _ reply: Result<CloudReply, CloudError>, to command: CloudCommand, _ lane: Int,
        now: Timestamp, crash: SimCrash
    ) throws -> SimLane { .rest }

    /// Stores a donation of the app; false when it is refused.
    func donate(_ row: Donation, now: Timestamp) throws -> Bool { false }

    func erase(_ selector: DonationSelector, _ scope: DeletionScope, now: Timestamp) throws {}

    func expire(now: Timestamp) throws {}

    /// All rows of the app, parked ones too.
    func rows() throws -> [SimRow] { [] }

    /// The stored rows themselves.
    func donations() throws -> [Donation] { [] }

    func backUp() {}

    /// Returns whether there was a backup to come back from.
    func rollBack() -> Bool { false }

    func signOut(now: Timestamp) throws {}

    /// The program begins anew; of the one that was open nothing is left but what is stored.
    func restart() throws {}

    /// The user wants the donation zone, after it was lost or for the first time.
    func enable(now: Timestamp) throws {}

    func fence(_ zone: String, now: Timestamp) throws {}

    func liftFence(_ zone: String, now: Timestamp) throws {}

    /// Which of these names its files still hold.
    func remains(of names: [String]) throws -> [String] { [] }

    /// What was not brought to an end, in words; nil: nothing.
    func unfinished() throws -> String? { nil }
}
