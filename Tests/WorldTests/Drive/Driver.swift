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
        let engine = try EngineSide(host, service, world, stateFolder: place + "/state")
        var outcome = Outcome(world: world)
        var play = Play(service: service, engine: engine, world: world, folder: place)
        for act in world.script { try await play.perform(act, &outcome) }
        // Now all is calm, and whatever was begun can be finished.
        if play.canResume { try await play.perform(World.Act(verb: .resume), &outcome) }
        try await play.perform(World.Act(verb: .sweep), &outcome, isLast: true)
        // It has looked at everything twice itself; another look is for some.
        if seed % 4 == 0 {
            try await play.perform(World.Act(verb: .verify), &outcome, isLast: true)
        }
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
        for share in world.shares { try service.admin("POST", "act", share) }
    }
}

/// One world under way.
struct Play {
    let service: WorldService
    let engine: EngineSide
    let world: World
    let folder: String
    private var plans = 0
    private var latestPlan: String?
    private var memory = Memory()
    private(set) var canResume = false

    init(service: WorldService, engine: EngineSide, world: World, folder: String) {
        self.service = service
        self.engine = engine
        self.world = world
        self.folder = folder
    }

    /// Runs a command and judges it.
    mutating func perform(
        _ act: World.Act, _ outcome: inout Driver.Outcome, isLast: Bool = false
    ) async throws {
        if act.verb == .apply, latestPlan == nil { return }
        for device in act.before { try service.write(device) }
        let before = try service.contents()
        let halt = EngineSide.Halt()
        try service.begin(act.moments, faults: act.faults) { halt.request($0) }
        let began = service.now
        let verdict = await engine.run(act, plan: latestPlan, halt: halt)
        let (log, ledger) = try service.end()
        let after = try service.contents()
        outcome.statuses.append("\(act.verb.rawValue) \(verdict.status)")
        var judge = Judge(
            world: world, act: act, verdict: verdict, before: before, after: after, log: log,
            ledger: ledger, began: began, memory: memory, isLast: isLast)
        judge.judge()
        memory = judge.memory
        outcome.violations += judge.violations.map {
            Violation(
                kind: $0.kind,
                text: "\($0.text) — after \(outcome.statuses.joined(separator: ", ")): "
                    + verdict.explanation)
        }
        if verdict.canResume { canResume = true }
        if verdict.status == "done", act.verb != .verify { canResume = false }
        guard act.verb == .plan, verdict.status == "somethingToDelete" else { return }
        plans += 1
        let path = "\(folder)/plan\(plans).jsonl"
        try await engine.export(verdict, to: path)
        latestPlan = path
    }
}
