import Foundation

/// Lets our client work in one world, and judges each command.
struct Driver {
    let host: WorldHost
    let folder: String

    /// What came of a world.
    struct Outcome: Sendable {
        var world: World
        var violations: [Violation] = []
        var statuses: [String] = []
        var tally = Tally()
    }

    func run(seed: UInt64) async throws -> Outcome {
        let place = "\(folder)/\(seed)"
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        var world = World(seed: seed, folder: place + "/store")
        let service = try WorldService(world.setup)
        try make(&world, in: service)
        host.serve(service)
        let shelf = try await FileShelf(world.files, host, service)
        if world.wish.isNamed {
            world.key = try service.admitKey()
            for container in world.containers { try service.declare(world.schema, in: container) }
        }
        let engine = try EngineSide(host, service, world, stateFolder: place + "/state")
        var outcome = Outcome(world: world)
        var play = Play(
            service: service, engine: engine, world: world, shelf: shelf, folder: place)
        for act in world.script { try await play.perform(act, &outcome) }
        try await play.finish(&outcome)
        return outcome
    }

    private func make(_ world: inout World, in service: WorldService) throws {
        for container in world.containers {
            world.wish.names[container] = try service.userRecordName(of: "ada", in: container)
        }
        for write in world.writes {
            guard write.body.contains("USERS-RECORD") else {
                try service.make(write)
                continue
            }
            let container = String(write.path.prefix { $0 != "/" })
            let name = try service.userRecordName(of: write.user, in: container)
            try service.make(
                DeviceWrite(
                    user: write.user, path: write.path,
                    body: write.body.replacing("USERS-RECORD", with: name)))
        }
        for share in world.shares { try service.admin("POST", "simulate", share) }
        for guest in world.guests {
            let owner = try service.userRecordName(of: "ben", in: guest.container)
            // Pages of operations may be as small as one.
            for draft in guest.drafts {
                try service.make(
                    Wire.save(
                        [draft], zone: World.sharedZone, owner: owner, user: "ada",
                        at: "\(guest.container)/development/shared"))
            }
        }
    }
}

/// One world under way.
struct Play {
    let service: WorldService
    private var engine: EngineSide
    private var world: World
    private let shelf: FileShelf
    let folder: String
    private var plans = 0
    private var latestPlan: String?
    private var memory = Memory()
    private var canResume = false
    /// Whether others than our client have done anything.
    private var hadOthers = false

    init(
        service: WorldService, engine: EngineSide, world: World, shelf: FileShelf, folder: String
    ) {
        self.service = service
        self.shelf = shelf
        self.engine = engine
        self.world = world
        self.folder = folder
    }

    /// Now all is calm: whatever was begun is finished, and whatever keeps a sweep from ending in 0 is
    /// dealt with as the report says. A tool that never says 0 would break no other rule.
    mutating func finish(_ outcome: inout Driver.Outcome) async throws {
        if canResume { try await resume(&outcome) }
        var isPartly = false
        for _ in 0..<Self.sweepsMax {
            memory.learnedLate = false
            guard let verdict = try await perform(World.Act(verb: .sweep), &outcome) else { return }
            if verdict.isDone { return try await verify(&outcome) }
            if verdict.status == .dataLeft, memory.learnedLate { continue }
            isPartly = verdict.status == .partlyFailed
            if isPartly, try grantAll() { continue }
            guard let others = world.wayOut(verdict, try service.contents()) else { break }
            try service.write(others)
            engine = try engine.with(world)
        }
        let last = try service.contents()
        if isPartly, world.isHeld(last) || world.isOutOfReach(last) { return }
        outcome.violations.append(
            Violation(
                kind: "a calm sweep does not end with 0", text: "\(outcome.statuses.suffix(3))"))
    }

    private static let sweepsMax = 8

    /// Lets the operator's key delete records of every type.
    ///
    /// - Returns: whether there was one that it could not.
    private mutating func grantAll() throws -> Bool {
        guard !world.ungranted.isEmpty else { return false }
        world.ungranted = []
        for container in world.containers { try service.declare(world.schema, in: container) }
        return true
    }

    /// S7: what was cut off, and nothing else happened to, ends in 0 once it is continued.
    private mutating func resume(_ outcome: inout Driver.Outcome) async throws {
        let verdict = try await perform(World.Act(verb: .resume), &outcome)
        guard let verdict, !verdict.isDone, let run = verdict.run,
            memory.runs[run]?.isPlain == true, !world.hasConflicts, !hadOthers,
            world.ungranted.isEmpty, !world.isOutOfReach(try service.contents()),
            !memory.learnedLate, world.unnamed(try service.contents()).isEmpty,
            world.wish.targets.allSatisfy({ $0.types != nil })
        else { return }
        outcome.violations.append(
            Violation(
                kind: "S7 a calm resume ends with \(verdict.status)", text: verdict.explanation))
    }

    /// The sweep has looked at everything twice itself; another look is for some.
    private mutating func verify(_ outcome: inout Driver.Outcome) async throws {
        guard world.seed % 4 == 0 else { return }
        let verdict = try await perform(World.Act(verb: .verify), &outcome)
        guard let verdict, !verdict.isDone else { return }
        outcome.violations.append(
            Violation(
                kind: "a calm verify ends with \(verdict.status)", text: verdict.explanation))
    }

    /// Runs a command and judges it.
    @discardableResult
    mutating func perform(
        _ act: World.Act, _ outcome: inout Driver.Outcome
    ) async throws -> Verdict? {
        if act.verb == .apply, latestPlan == nil { return nil }
        for device in act.before { try service.write(device) }
        let before = try service.contents()
        let halt = EngineSide.Halt()
        try service.begin(act.moments, faults: act.faults) { halt.request($0) }
        let began = service.now
        let verdict = await engine.run(act, plan: latestPlan, halt: halt)
        let (log, ledger) = try service.end()
        hadOthers = hadOthers || !ledger.isQuiet
        let after = try service.contents()
        outcome.statuses.append("\(act.verb.rawValue) \(verdict.status)")
        var judge = Judge(
            world: world, act: act, verdict: verdict, before: before, after: after, log: log,
            ledger: ledger, began: began, memory: memory)
        judge.judge()
        memory = judge.memory
        outcome.tally.add(judge.traits, isDone: verdict.isDone && act.verb != .plan)
        let files = try await shelf.violations(
            of: verdict, act, before, after, isQuiet: ledger.isQuiet)
        outcome.violations += (judge.violations + files).map {
            Violation(
                kind: $0.kind,
                text: "\($0.text) — after \(outcome.statuses.joined(separator: ", ")): "
                    + verdict.explanation)
        }
        if verdict.canResume { canResume = true }
        if verdict.isDone, act.verb != .verify { canResume = false }
        guard act.verb == .plan, verdict.status == .somethingToDelete else { return verdict }
        plans += 1
        let path = "\(folder)/plan\(plans).jsonl"
        try await engine.export(verdict, to: path)
        latestPlan = path
        return verdict
    }
}
