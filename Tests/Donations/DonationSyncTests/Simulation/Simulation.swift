import CloudModel
import DonationSync
import Donations
import InProcessMock
import MockStore

/// One world, one thread: devices, the service, and what goes wrong between them, all drawn from
/// one seed and checked at every step.
final class Simulation {
    let plan: SimPlan
    let clock = SimClock()
    let cloud: MockCloud
    var truth: Truth
    var journal: SimJournal
    var devices: [SimDevice] = []
    /// Devices of another user and of another app, whom nothing here may touch.
    var bystanders: [Bystander] = []
    var opponents: [SimOpponent] = []

    // Each stream of choices is its own, so that one more choice here moves none there.
    var schedule: SimRandom
    var acts: SimRandom
    var network: SimRandom
    var entropy: SimRandom

    /// Users by the names of their records.
    private let users: [String: String]
    /// What goes wrong now; nothing while the world comes to rest.
    var mix: FaultMix
    /// Requests that a proxy sends a second time, later.
    var late:
        [(
            address: Database.Address, command: CloudCommand, user: String, device: Int,
            nonce: String?
        )] = []
    /// The nonce of the donation zone as it is at the service.
    var serverNonce: String?
    /// Nonces of zones that are lost for good.
    var lostNonces: Set<String> = []
    /// The moment of the latest deletion, for no two are at one moment.
    var latestErasure: Int64 = 0
    /// Devices that are in the zone's register, and were all the time since they first were; and
    /// what was collected before.
    var members: [Int: ErasureSet] = [:]
    /// The step at which each came to be in the register, and that of each device's latest reading
    /// of the zone.
    var registrations: [Int: Int] = [:]
    var readings: [Int: Int] = [:]
    /// When the service last stored each device's record in the register.
    var heardOf: [String: Int64] = [:]
    /// What is collected in the zone.
    var serverBase: ErasureSet = 0
    /// Devices that ever came back from a backup.
    var rolledBack: Set<Int> = []
    /// The step of the latest loss of the donation zone.
    var latestLoss = -1
    /// Content zones that some device takes no links into, or once took none.
    var closedZones: Set<String> = []
    /// Names of live content records, by zone.
    var content: [String: Set<String>] = [:]
    var requests = 0
    /// Calls of syncs: the places at which a program can die.
    var calls = 0
    /// Writes that reached the service, so that rest can be told.
    var writes = 0
    /// Whether the world is coming to rest.
    var isSettling = false
    /// The copy the service may go back to.
    var snapshot: ServiceCopy?
    /// Whether the service lost what it had acknowledged.
    var lostHistory = false
    /// Donations that came to the service after the copy that it went back to.
    var lostByService: Set<Int> = []

    init(_ plan: SimPlan, linesMax: Int = 0) throws {
        self.plan = plan
        var random = SimRandom(seed: plan.seed ^ 0xABCD_EF01_2345_6789)
        schedule = random.fork()
        acts = random.fork()
        network = random.fork()
        entropy = random.fork()
        mix = plan.mix
        truth = Truth(devices: plan.devices)
        journal = SimJournal(linesMax: linesMax)
        cloud = try MockCloud(
            options: plan.options, clock: clock.wall, seed: plan.seed, users: ["ada", "bob"])
        var users: [String: String] = [:]
        for user in ["ada", "bob"] {
            users[
                try cloud.withStore {
                    $0.userRecordName(of: user, in: SimWorld.container, .production)
                }] = user
        }
        self.users = users
        for index in 0..<plan.devices {
            let zone =
                plan.defects.contains(.otherBundle) ? SimWorld.otherZone : SimWorld.zone
            devices.append(try device(index, user: "ada", zone: zone, plan))
        }
        try addBystanders()
        opponents = plan.opponents.map { SimOpponent($0) }
    }

    private func device(
        _ index: Int, user: String, zone: DonationZone, _ plan: SimPlan
    ) throws -> SimDevice {
        switch plan.engine {
        case .ours where plan.hasStore(index):
            try StoreDevice(index: index, user: user, plan: plan, zone: zone) {
                [unowned self] in entropy.next()
            }
        case .ours:
            MemoryDevice(index: index, user: user, plan: plan, zone: zone) { [unowned self] in
                entropy.next()
            }
        case .naive:
            NaiveDevice(index: index, user: user) { [unowned self] in truth.made[$0].row }
        }
    }

    /// A device of another app of the same user, and one of the same app of another user.
    private func addBystanders() throws {
        guard plan.engine == .ours, plan.hasBystanders else { return }
        var theirs = plan
        theirs.defects = []
        for (user, zone) in [("ada", SimWorld.otherZone), ("bob", SimWorld.zone)] {
            let index = devices.count + bystanders.count
            let bystander = Bystander(try device(index, user: user, zone: zone, theirs))
            try bystander.donate(["@1", "@2", "@3"], now: bystander.device.now(clock))
            bystanders.append(bystander)
        }
    }

    /// Runs to the end.
    ///
    /// - Throws: A ``Breach`` of the first invariant that does not hold.
    func run() throws {
        for zone in SimWorld.contentZones { try appCreatesZone(zone) }
        for _ in 0..<plan.steps { try step() }
        try settle()
        try checkAtRest()
    }

    /// One step: somebody acts, or one device's sync does one thing.
    func step() throws {
        journal.nextStep()
        clock.advance(Int64(schedule.within(1...400)))
        if mix.strikes(.compaction, &network) {
            journal.note(1, words: "the service forgets old deletions")
            _ = try cloud.withStore { try $0.compactTombstones() }
        }
        if !late.isEmpty, schedule.chance(0.2) { sendLate() }
        if !opponents.isEmpty, schedule.chance(0.15) {
            return try schedule.pick(opponents).act(in: self)
        }
        if schedule.chance(plan.actRate) { return try act() }
        let device = schedule.pick(devices)
        if mix.strikes(.clockJump, &network) {
            device.offset += network.pick([-86_400_000, 86_400_000])
            journal.note(2, words: "device \(device.index): clock now \(device.offset) ms off")
        }
        if mix.strikes(.restoredBackup, &network) { try rollBack(device) }
        guard !device.isAway else { return }
        if !bystanders.isEmpty, schedule.chance(0.08) {
            let bystander = schedule.pick(bystanders)
            try move(bystander.device, schedule.below(bystander.device.lanes.count))
            return try bystander.check(besides: isBobs, mayLose: lostHistory)
        }
        try move(device, schedule.below(device.lanes.count))
    }

    // MARK: One thing of one device's sync

    /// - Returns: Whether there was anything to do.
    @discardableResult
    func move(_ device: SimDevice, _ lane: Int) throws -> Bool {
        let now = device.now(clock)
        switch device.lanes[lane] {
        case .waiting(let until) where now < until: return false
        case .rest, .waiting:
            let crash = crash()
            device.lanes[lane] = try device.start(lane, now: now, crash: crash)
            if crash != .beforeCommit { device.fencesHeard = device.fenced }
            forgetLeftZone(device)
            try afterCommit(device, lane)
        case .asked(let command):
            try checkRequest(command, device, lane, now)
            let result = exchange(
                command, at: device.addresses[lane], by: device.user, device: device.index)
            if let breach { throw breach }
            device.lanes[lane] = .answered(command, result)
        case .answered(let command, let result):
            let crash = crash()
            device.lanes[lane] = try device.take(
                result, to: command, lane, now: now, crash: crash)
            forgetLeftZone(device)
            if crash != .beforeCommit { try learned(result, of: command, device, lane, now) }
            try afterCommit(device, lane)
        }
        return true
    }

    /// For traces: what each device held when it was looked at last.
    private var lastRows: [Int: Set<Int>] = [:]

    /// Tells a trace what came to a device and what went.
    func noteRows(_ device: SimDevice) {
        guard journal.linesMax > 0, let rows = try? device.rows() else { return }
        let now = Set(rows.map(\.tag))
        let before = lastRows[device.index] ?? []
        lastRows[device.index] = now
        guard now != before else { return }
        let came = now.subtracting(before).sorted().map { "+#\($0)" }
        let went = before.subtracting(now).sorted().map { "-#\($0)" }
        journal.note(words: "    device \(device.index): \((came + went).joined(separator: " "))")
    }

    /// Whose donations a device holds: of whom it was told last, or else who is signed in.
    func owner(of device: SimDevice) -> String {
        device.identity.flatMap { users[$0] } ?? device.user
    }

    /// Whether a donation on one of the second user's devices came from another one of his.
    func isBobs(_ title: String) -> Bool {
        guard let tag = Int(title.dropFirst()), truth.made.indices.contains(tag) else {
            return false
        }
        return title.hasPrefix("#") && truth.made[tag].user != "ada"
    }

    /// A device that left its account, or the zone it was in, forgets the deletions of it with its
    /// rows (R8).
    private func forgetLeftZone(_ device: SimDevice) {
        defer { device.knownNonce = device.nonce }
        if let identity = device.identity, identity != device.knownIdentity {
            if device.knownIdentity != nil, device.index < plan.devices { forgetAccount(device) }
            device.knownIdentity = identity
        }
        guard device.index < plan.devices, let known = device.knownNonce, known != device.nonce
        else { return }
        truth.knowledge[device.index] = Truth.Knowledge()
        truth.doubt { $0.device == device.index }
    }

    /// A breach seen while a request was carried out.
    var breach: Breach?

    private func crash() -> SimCrash {
        defer { calls += 1 }
        if let crash = plan.crash, crash.call == calls { return crash.how }
        if mix.strikes(.crashBeforeCommit, &network) { return .beforeCommit }
        if mix.strikes(.crashAfterCommit, &network) { return .afterCommit }
        return .none
    }

    private func afterCommit(_ device: SimDevice, _ lane: Int) throws {
        journal.note(
            3, UInt64(device.index), UInt64(lane),
            words: "device \(device.index).\(lane): \(Self.describe(device.lanes[lane]))")
        guard device.index < plan.devices else { return }
        if case .asked = device.lanes[lane] {
            let wait = device.notBefore[lane]
            let isEarly = device.now(clock).milliseconds < wait.until
            device.asked[lane] = SimAsked(
                told: truth.knowledge[device.index].told, nonce: device.nonce,
                mayCreateZone: device.mayCreateZone,
                early: isEarly ? wait.trulyUntil - clock.now : 0)
        }
        try check(device)
    }

    func rollBack(_ device: SimDevice) throws {
        guard let since = backups[device.index], device.rollBack() else { return }
        journal.note(4, words: "device \(device.index): back from its backup")
        let index = device.index
        rolledBack.insert(index)
        members[index] = nil
        // What it made since may be lost; what it had seen since, it has not seen.
        truth.doubt { $0.device == index }
        truth.knowledge[index] = since.knowledge
        device.told = since.told
        device.purged = since.purged
        device.fenced = since.fenced
        device.fencesHeard = since.fencesHeard
        device.knownNonce = device.nonce
        device.knownIdentity = device.identity
        device.notBefore = device.addresses.map { _ in SimWaiting() }
        device.lanes = device.addresses.map { _ in .rest }
        try check(device)
    }

    /// What is known of a device's backup.
    struct Backup {
        var knowledge: Truth.Knowledge
        var told: ContentTold
        var purged: Set<String>
        var fenced: Set<String>
        var fencesHeard: Set<String>
    }
    var backups: [Int: Backup] = [:]

    func backUp(_ device: SimDevice) {
        // Whoever goes back to before he first joined begins as a new device, and his events with
        // him: that is said in the documentation, and no breach.
        guard device.nonce != nil || plan.engine == .naive else { return }
        device.backUp()
        backups[device.index] = Backup(
            knowledge: truth.knowledge[device.index], told: device.told, purged: device.purged,
            fenced: device.fenced, fencesHeard: device.fencesHeard)
    }

    static func describe(_ lane: SimLane) -> String {
        switch lane {
        case .rest: "at rest"
        case .waiting(let until): "waits until \(until.milliseconds)"
        case .asked(let command): "asks \(describe(command))"
        case .answered(let command, .success): "has an answer to \(command.operationPath)"
        case .answered(let command, .failure(let error)):
            "has \(error.code.rawValue) to \(command.operationPath)"
        }
    }

    static func describe(_ command: CloudCommand) -> String {
        switch command {
        case .write(.modifyRecords(let request)):
            "records/modify "
                + request.operations.map {
                    "\($0.kind.rawValue) \(($0.recordName ?? "").prefix(12))"
                }.joined(separator: ", ")
        case .read(.zoneChanges(let requests)):
            "changes/zone "
                + requests.map {
                    "\($0.zoneID.zoneName) from \($0.token == nil ? "the beginning" : "a token")"
                }.joined(separator: ", ")
        default: command.operationPath
        }
    }
}
