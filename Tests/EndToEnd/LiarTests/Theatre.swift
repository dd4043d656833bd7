import AsyncOperations
import Basics
import CloudClient
import CloudCourier
import CloudModel
import Configuration
import DeletionPlanning
import Foundation
import HTTPClient
import Liar
import SweepEngine

/// The real engine and the real client, over TLS, before the liar: everything a run takes place in.
final class Theatre: Sendable {
    static let certificates = Result {
        try Certificates(now: Int64(Date().timeIntervalSince1970))
    }
    /// In memory where there is such a place: what a crash of the machine leaves is not tested.
    private static let stateFolders =
        FileManager.default.isWritableFile(atPath: "/dev/shm")
        ? "/dev/shm" : FileManager.default.temporaryDirectory.path

    private let row: Row
    let population: Population
    let liar: Liar
    let folder = stateFolders + "/cksweep-liar-" + UUID().uuidString
    private let oracle: Oracle
    private let server: LiarServer
    private let client: HTTPClient
    private let endpoint: CloudEndpoint
    private let tokens: [String: WebAuthTokenStore]
    private let clock = ManualClock(movesByItself: true)

    init(_ row: Row) throws {
        self.row = row
        let certificates = try Self.certificates.get()
        population = try Population(row.places, row.twist, isWide: row.isWide, isNamed: row.isNamed)
        oracle = try Oracle(population)
        let liar = Liar(row.lies, row.connectionLie, about: population, certificates)
        self.liar = liar
        server = try LiarServer(greet: { liar.greet() }, say: { liar.say($0) })
        let trust = HTTPClientConfiguration.Trust.pem(certificates.authority)
        guard
            let endpoint = CloudEndpoint("https://localhost:\(server.port)", trust: trust)
        else { throw LiarError("there is no endpoint") }
        self.endpoint = endpoint
        var configuration = HTTPClientConfiguration(trust: trust)
        configuration.requestTimeout = row.requestTimeout
        configuration.responseBytesMax = 2 << 20
        client = HTTPClient(configuration: configuration)
        var tokens: [String: WebAuthTokenStore] = [:]
        for user in [Population.person, Population.other] {
            tokens[user] = WebAuthTokenStore(token: population.upstream.tokens(of: user).web)
        }
        self.tokens = tokens
    }

    /// Closes everything, and says what became of the data.
    func close() throws -> Oracle.Verdict {
        client.shutdown()
        server.stop()
        try? FileManager.default.removeItem(atPath: folder)
        return try oracle.verdict()
    }

    /// What became of the data so far.
    func verdict() throws -> Oracle.Verdict { try oracle.verdict() }

    /// Every thing that was there before the run and still is, a line each.
    func stayed() throws -> Set<String> { try oracle.stayed() }

    // MARK: What the engine is given

    /// - Parameter user: Whose credential is used.
    func databases(of user: String = Population.person) -> WritableDatabases {
        { self.database($0, user) }
    }

    /// The same, to be looked at only.
    func readableDatabases(of user: String = Population.person) -> ReadableDatabases {
        { ReadOnlyDatabase(self.database($0, user)) }
    }

    private func database(_ address: Database.Address, _ user: String) -> any CloudDatabase {
        let credential: Credential =
            if let key = population.key {
                .serverKey(id: key.id, key.key)
            } else {
                .apiToken(population.upstream.tokens(of: user).api, web: tokens[user])
            }
        return HTTPCloudDatabase(
            address: address, endpoint: endpoint, credential: credential, client: client,
            clock: .fixed(Population.now))
    }

    /// - Parameter tells: Whether the liar is told where the run stands.
    func world(_ stop: StopSignal = StopSignal(), tells: Bool = false) -> SweepWorld {
        let clock = clock
        var world = SweepWorld(
            stateFolder: folder, clock: clock,
            wallClock: WallClock { Population.now.advanced(by: clock.now.sinceStart) }, seed: 7,
            toolVersion: "test", stop: stop,
            tell: { [liar] event in
                guard tells else { return }
                switch event {
                case .phaseBegan(.inventory), .phaseBegan(.plan): liar.begin(.look)
                case .phaseBegan(.delete): liar.begin(.delete)
                case .phaseBegan(.verify): liar.begin(.pass(1))
                case .passEnded(let pass): liar.begin(.pass(pass.number + 1))
                default: break
                }
            })
        world.assetProbe = AssetDownloads(
            endpoint: endpoint, client: client, probeTimeout: row.requestTimeout)
        world.serverKey = { [endpoint, client] in endpoint.serverKey(seenBy: client) }
        return world
    }

    var request: SweepRequest {
        var request = SweepRequest(
            environment: .development,
            targets: population.swept.compactMap { Container.ID($0) }.map {
                SweepRequest.Target(
                    container: $0, zones: Population.namedZones,
                    recordTypes: Population.recordTypes)
            }, scopes: Database.Scope.allCases)
        if row.twist == .files {
            request.targets[0].assetFields = AssetFields(
                ["Note": ["photo"], "Tag": [], "Receipt": [], "Draft": []])
        }
        if row.isNamed {
            request.namedPerson = population.names[Population.person]?[Population.first]
            request.scopes = [.public]
        }
        request.policy.leaveShared = .deleteMine
        if population.isProtected {
            request.policy.protect = [
                ProtectRule(recordType: Population.protectedType, reason: "kept for the test")
            ]
            // A rule that nothing matches is a mistake.
            if !row.isNamed {
                request.policy.protect.append(
                    ProtectRule(zone: Population.protectedZone, reason: "kept for the test"))
            }
        }
        request.limits.verifyTimeout = .seconds(20)
        request.limits.maxDuration = .seconds(3600)
        request.limits.attemptsMax = 3
        request.limits.pagesMax = 200
        return request
    }

    static let approve: Sweep.Confirmation = { $0.plan.map { .digest($0.digest) } }

    // MARK: What comes before

    /// What an honest command left for the next one, or its report when it went no further.
    enum Prelude: Sendable {
        /// The plan's file, or the run.
        case ready(String)
        case ended(SweepReport)

        func get() throws -> String {
            switch self {
            case .ready(let text): return text
            case .ended(let report):
                throw LiarError("it ended with \(report.status): \(report.explanation)")
            }
        }
    }

    /// Makes a plan honestly and writes it to a file.
    func writePlan() async throws -> Prelude {
        let sweep = Sweep(request, in: world())
        let report = await sweep.plan(on: readableDatabases())
        guard report.status == .somethingToDelete, let run = report.runID else {
            return .ended(report)
        }
        let file = folder + "/plan"
        try await sweep.exportPlan(run: run, to: file)
        return .ready(file)
    }

    /// When a run is interrupted that is to be continued.
    enum Cut: Sendable {
        case whenApproved
        /// Once the outcome of a step is on disk.
        case amongSteps
    }

    /// Begins a run honestly that is interrupted, and can be continued.
    func beginRun(_ cut: Cut = .whenApproved) async -> Prelude {
        let stop = StopSignal()
        var world = world(stop)
        world.tell = { event in
            switch (event, cut) {
            case (.approved, .whenApproved), (.stepEnded, .amongSteps): stop.request(.interrupt)
            default: break
            }
        }
        let report = await Sweep(request, in: world).run(
            on: databases(), confirm: Self.approve)
        guard report.status == .interrupted, let run = report.runID else {
            return .ended(report)
        }
        return .ready(run)
    }
}

extension Row {
    /// What one request may take.
    fileprivate var requestTimeout: Duration { needsPatience ? .milliseconds(400) : .seconds(8) }
}
