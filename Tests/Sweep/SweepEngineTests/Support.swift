import AsyncOperations
import Basics
import CloudCourier
import CloudModel
import Configuration
import DeletionPlanning
import Foundation
import InProcessMock
import Journal
import MockStore
import SweepEngine
import Testing

struct BadIdentifier: Error {}

func container(_ text: String) throws -> Container.ID {
    guard let id = Container.ID("iCloud.com.example.\(text)") else { throw BadIdentifier() }
    return id
}

func address(
    _ container: Container.ID, _ scope: Database.Scope = .private
) -> Database.Address {
    Database.Address(container: container, environment: .development, scope: scope)
}

/// What a test does to one request.
enum Fault: Sendable {
    /// Fails and does nothing.
    case refuse(CloudError)
    /// Is carried out, and the answer is lost.
    case lose
    /// Is carried out, and something else is answered.
    case answer(@Sendable (CloudReply) -> CloudReply)
    /// Is not carried out, and this is answered.
    case replace(CloudReply)
    /// Is not carried out, and not answered until somebody gives up.
    case hang
}

/// What was asked of the databases, and what is to go wrong.
final class Tape: Sendable {
    struct Entry: Sendable {
        let address: Database.Address
        let command: CloudCommand
    }
    typealias Script = @Sendable (_ number: Int, Entry) -> Fault?

    private let entries = Locked<[Entry]>([])
    private let script: Script
    init(_ script: @escaping Script = { _, _ in nil }) { self.script = script }

    var all: [Entry] { entries.withLock { $0 } }
    var modifying: [Entry] { all.filter { $0.command.isModifying } }

    func note(_ entry: Entry) -> Fault? {
        let number = entries.withLock { entries in
            entries.append(entry)
            return entries.count - 1
        }
        return script(number, entry)
    }
}

struct TapedDatabase: CloudDatabase {
    let base: MockDatabase
    let tape: Tape
    var address: Database.Address { base.address }

    func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
        switch tape.note(Tape.Entry(address: address, command: command)) {
        case .refuse(let error): throw error
        case .lose:
            _ = try await base.perform(command)
            throw CloudError(.responseLost, reason: "cut")
        case .answer(let change): return change(try await base.perform(command))
        case .replace(let reply): return reply
        case .hang:
            let (silence, end) = AsyncStream<Never>.makeStream()
            await withTaskCancellationHandler {
                for await _ in silence {}
            } onCancel: {
                end.finish()
            }
            throw CloudError(.cancelled, reason: "given up")
        case nil: return try await base.perform(command)
        }
    }
}

/// A cloud, a state folder and a clock of its own for one test.
final class Bench: Sendable {
    static let now = Timestamp(milliseconds: 1_780_000_000_000)
    let cloud: MockCloud
    let clock = ManualClock(movesByItself: true)
    let folder =
        FileManager.default.temporaryDirectory
        .appendingPathComponent("cksweep-\(UUID().uuidString)").path
    let events = Locked<[SweepEvent]>([])

    /// - Parameter knowsAllTypes: Whether a record type that nobody used yet is an empty one, as
    ///   where a schema names it.
    init(_ options: MockOptions = MockOptions(), knowsAllTypes: Bool = true) throws {
        var options = options
        if knowsAllTypes { options.unknownTypeIsEmpty = true }
        cloud = try MockCloud(
            options: options, clock: .fixed(Self.now), users: ["ada", "eve"])
    }
    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func seed(
        _ container: Container.ID, _ zones: [String], user: String = "ada", records: Int = 3,
        scope: Database.Scope = .private, type: String = "Note"
    ) throws {
        try cloud.withStore { store in
            try store.seed(zones: zones, at: address(container, scope), user: user) { zone in
                (0..<records).map { SeedRecord("\(zone)-\($0)", type: type) }
            }
        }
    }

    func perform(
        _ command: CloudCommand, at address: Database.Address, user: String = "ada"
    ) throws {
        _ = try cloud.perform(command, at: address, by: .user(user))
    }

    /// How much a user has in private databases.
    func left(user: String = "ada") throws -> Int {
        try cloud.withStore { store in
            try store.summary().filter { $0.user == user }
                .reduce(0) { $0 + $1.zones + $1.records + $1.subscriptions }
        }
    }

    func dump(user: String) throws -> String {
        try cloud.withStore { try $0.dump(user: user) }
    }

    /// - Parameter moment: What the wall clock says when the bench's clock begins; it goes with that.
    func world(
        at moment: Timestamp = Bench.now, stop: StopSignal = StopSignal(),
        isAlive: @escaping @Sendable (ProcessIdentity) -> Bool = { $0.seemsAlive() },
        hook: SQLiteJournal.CommitHook? = nil
    ) -> SweepWorld {
        let clock = clock
        var world = SweepWorld(
            stateFolder: folder, clock: clock,
            wallClock: WallClock { moment.advanced(by: clock.now.sinceStart) }, seed: 7,
            toolVersion: "test", stop: stop,
            tell: { [events] event in events.withLock { $0.append(event) } })
        world.journalHook = hook
        world.isAlive = isAlive
        return world
    }

    func databases(_ tape: Tape = Tape(), user: String = "ada") -> WritableDatabases {
        { [cloud] in TapedDatabase(base: cloud.database(at: $0, user: user), tape: tape) }
    }

    func readable(_ tape: Tape = Tape(), user: String = "ada") -> ReadableDatabases {
        { [cloud] in
            ReadOnlyDatabase(
                TapedDatabase(base: cloud.database(at: $0, user: user), tape: tape))
        }
    }

    /// Sweeps with an approval of whatever is planned.
    func sweep(
        _ request: SweepRequest, _ tape: Tape = Tape(), world: SweepWorld? = nil
    ) async -> SweepReport {
        await Sweep(request, in: world ?? self.world()).run(on: databases(tape)) {
            $0.plan.map { .digest($0.digest) }
        }
    }
}

func request(
    _ containers: [Container.ID], types: [String]? = ["Note"],
    scopes: [Database.Scope] = [.private], policy: Policy = Policy()
) -> SweepRequest {
    var request = SweepRequest(
        environment: .development,
        targets: containers.map { .init(container: $0, recordTypes: types) }, scopes: scopes,
        policy: policy)
    request.limits.verifyTimeout = .seconds(30)
    return request
}

let approve: Sweep.Confirmation = { $0.plan.map { .digest($0.digest) } }
