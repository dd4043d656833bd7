import AsyncOperations
import CloudClient
import CloudCourier
import CloudModel
import Configuration
import DeletionPlanning
import Foundation
import Journal
import SweepEngine

/// Our client, told of a world as a command of the tool is. The only file that knows the engine.
struct EngineSide {
    struct Cut: Error {}

    /// Asks a running command to end.
    struct Halt: Sendable {
        fileprivate let signal = StopSignal()
        func request(_ stop: Stop) {
            signal.request(stop == .interrupt ? .interrupt : .terminate)
        }
    }

    let host: WorldHost
    let service: WorldService
    let world: World
    let stateFolder: String
    private let request: SweepRequest

    init(_ host: WorldHost, _ service: WorldService, _ world: World, stateFolder: String) throws {
        self.host = host
        self.service = service
        self.world = world
        self.stateFolder = stateFolder
        request = try Self.request(world)
    }

    /// The same state folder and service, and what is asked for now.
    func with(_ world: World) throws -> EngineSide {
        try EngineSide(host, service, world, stateFolder: stateFolder)
    }

    private static func request(_ world: World) throws -> SweepRequest {
        func container(_ text: String) throws -> Container.ID {
            guard let id = Container.ID(text) else { throw WorldError("malformed: \(text)") }
            return id
        }
        var request = SweepRequest(
            environment: .development,
            targets: try world.wish.targets.map {
                SweepRequest.Target(
                    container: try container($0.container), zones: $0.zones, recordTypes: $0.types)
            })
        if !world.files.isEmpty {
            for index in request.targets.indices {
                request.targets[index].assetFields = PlaceStage.assetFields
            }
        }
        request.scopes = world.wish.scopes.compactMap { Database.Scope(rawValue: $0) }.sorted()
        request.policy.protect = try world.wish.rules.map {
            ProtectRule(
                container: try $0.container.map(container), zone: $0.zone, recordType: $0.type,
                reason: "kept for the test")
        }
        if world.wish.isNamed {
            request.namedPerson = world.containers.first.flatMap { world.wish.names[$0] }
        }
        if world.wish.deletesMine { request.policy.leaveShared = .deleteMine }
        if world.wish.othersMayGo { request.policy.othersByCascade = .allow }
        request.limits.parallelism = world.parallelism
        request.limits.verifyTimeout = .seconds(120)
        request.limits.maxDuration = .seconds(3600)
        return request
    }

    /// Runs one command.
    func run(_ act: World.Act, plan: String?, halt: Halt) async -> Verdict {
        Verdict(await report(act, plan, halt))
    }

    private func report(_ act: World.Act, _ plan: String?, _ halt: Halt) async -> SweepReport {
        let sweep = Sweep(request, in: sweepWorld(act, halt))
        let tokens = Locked<[Container.ID: WebAuthTokenStore]>([:])
        let databases: @Sendable (Database.Address) -> HTTPCloudDatabase = { address in
            let store = tokens.withLock { tokens in
                let store =
                    tokens[address.container]
                    ?? WebAuthTokenStore(token: service.token("ada"))
                tokens[address.container] = store
                return store
            }
            return HTTPCloudDatabase(
                address: address, endpoint: host.endpoint,
                credential: world.key ?? .apiToken(service.apiToken, web: store),
                client: host.client, clock: service.clock)
        }
        let confirm: Sweep.Confirmation = { report in
            report.plan.map { .digest($0.digest) }
        }
        switch act.verb {
        case .plan: return await sweep.plan(on: databases)
        case .verify: return await sweep.verify(run: nil, on: databases)
        case .sweep: return await sweep.run(on: databases, confirm: confirm)
        case .resume: return await sweep.resume(run: nil, on: databases)
        case .apply:
            return await sweep.apply(planFile: plan ?? "", on: databases, confirm: confirm)
        }
    }

    /// Writes the plan of a run to a file.
    func export(_ verdict: Verdict, to path: String) async throws {
        guard let run = verdict.run else { throw WorldError("a plan without a run") }
        try await Sweep(request, in: sweepWorld(World.Act(verb: .plan), Halt()))
            .exportPlan(run: run, to: path)
    }

    private func sweepWorld(_ act: World.Act, _ halt: Halt) -> SweepWorld {
        var made = SweepWorld(
            stateFolder: stateFolder, clock: service.pauses, wallClock: service.clock,
            seed: world.seed, toolVersion: "test",
            stop: halt.signal)
        // Whoever held a lock was killed.
        made.isAlive = { _ in false }
        made.assetProbe = AssetDownloads(endpoint: host.endpoint, client: host.client)
        if let cut = act.cut {
            let commits = Locked(0)
            made.journalHook = { isBefore in
                let now = commits.withLock { commits in
                    if isBefore { commits += 1 }
                    return commits
                }
                if now >= cut.commit && isBefore == cut.before { throw Cut() }
            }
        }
        return made
    }
}
