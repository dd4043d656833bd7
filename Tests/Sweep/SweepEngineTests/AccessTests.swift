import AsyncOperations
import Basics
import CloudCourier
import CloudModel
import DeletionPlanning
import Evidence
import Foundation
import InProcessMock
import MockStore
import SweepEngine
import Testing

/// Access is restricted for the person that was meant, in every container, and evidence says in which.
struct AccessTests {
    private func world(of bench: Bench, stop: StopSignal = StopSignal()) -> SweepWorld {
        var world = bench.world(stop: stop)
        let clock = bench.clock
        world.wallClock = WallClock { Bench.now.advanced(by: clock.now.sinceStart) }
        world.server = .apple
        world.serverKey = { String(repeating: "5e", count: 32) }
        return world
    }

    private func access(
        _ bench: Bench, _ wanted: SweepRequest, stop: StopSignal = StopSignal()
    ) -> AccessControl {
        Sweep(wanted, in: world(of: bench, stop: stop)).access
    }

    private func isRestricted(_ bench: Bench, _ id: Container.ID) -> Bool {
        do {
            try bench.perform(.read(.listZones(token: nil)), at: address(id))
            return false
        } catch {
            return true
        }
    }

    private func swept(
        _ bench: Bench, _ ids: [Container.ID]
    ) async throws -> (report: SweepReport, request: SweepRequest) {
        for id in ids { try bench.seed(id, ["a"]) }
        let wanted = request(ids)
        let report = await bench.sweep(wanted, world: world(of: bench))
        #expect(report.status == .done, "\(report.explanation)")
        return (report, wanted)
    }

    private func facts(_ path: String?) throws -> [String: Any] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: try #require(path)))
        let statement = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
        let predicate = statement?["predicate"] as? [String: Any]
        return try #require(predicate?["access"] as? [String: Any])
    }

    @Test func `access is restricted in every container, and given back`() async throws {
        let bench = try Bench()
        let ids = [try container("one"), try container("two")]
        let (report, wanted) = try await swept(bench, ids)
        let done = await access(bench, wanted).change(
            .restrict, run: report.runID, on: bench.databases())
        #expect(done.status == .done, "\(done.explanation)")
        for id in ids { #expect(isRestricted(bench, id)) }
        #expect(try facts(done.addendum)["change"] as? String == "restrict")
        // Once more is the same as once.
        let again = await access(bench, wanted).change(
            .restrict, run: nil, on: bench.databases())
        #expect(again.status == .done && again.addendum == nil)
        let back = await access(bench, wanted).change(
            .unrestrict, run: report.runID, on: bench.databases())
        #expect(back.status == .done)
        #expect(back.addendum?.hasSuffix("addendum-2.json") == true)
        for id in ids { #expect(!isRestricted(bench, id)) }
    }

    @Test func `a container that refuses is told, and keeps none of the others from it`()
        async throws
    {
        let bench = try Bench()
        let ids = [try container("one"), try container("two")]
        let (report, wanted) = try await swept(bench, ids)
        let tape = Tape { _, entry in
            guard case .write(.restrict) = entry.command, entry.address.container == ids[0] else {
                return nil
            }
            return .refuse(CloudError(.accessDenied, reason: "not this one"))
        }
        let done = await access(bench, wanted).change(
            .restrict, run: report.runID, on: bench.databases(tape))
        #expect(done.status == .partlyFailed, "\(done.explanation)")
        #expect(done.rows.map { $0.refusal?.code } == [.accessDenied, nil])
        #expect(!isRestricted(bench, ids[0]) && isRestricted(bench, ids[1]))
        let said = try facts(done.addendum)["containers"] as? [[String: Any]] ?? []
        #expect(said.map { $0["done"] as? Bool } == [false, true])
        // The server's words stay out of what others are shown.
        let text = try String(contentsOfFile: try #require(done.addendum), encoding: .utf8)
        #expect(!text.contains("not this one"))
    }

    @Test func `S8 a throttle is waited for, and a lost answer asked for again`() async throws {
        let bench = try Bench()
        let ids = [try container("one")]
        let (_, wanted) = try await swept(bench, ids)
        let tries = Locked(0)
        let tape = Tape { _, entry in
            guard case .write(.restrict) = entry.command else { return nil }
            let number = tries.withLock { tries in
                tries += 1
                return tries
            }
            switch number {
            case 1: return .refuse(CloudError(.throttled, retryAfter: .seconds(7)))
            case 2: return .lose
            default: return nil
            }
        }
        let before = bench.clock.now.sinceStart
        let done = await access(bench, wanted).change(
            .restrict, run: nil, on: bench.databases(tape))
        #expect(done.status == .done, "\(done.explanation)")
        #expect(tries.withLock { $0 } == 3)
        #expect(bench.clock.now.sinceStart - before >= .seconds(7))
    }

    @Test func `nobody else's access is restricted`() async throws {
        let bench = try Bench()
        let ids = [try container("one")]
        let (report, wanted) = try await swept(bench, ids)
        let tape = Tape()
        let other = await access(bench, wanted).change(
            .restrict, run: report.runID, on: bench.databases(tape, user: "eve"))
        #expect(other.status == .refused, "\(other.explanation)")
        #expect(tape.modifying.isEmpty)
        // Somebody else signs in between the question and the change.
        let asked = Locked(0)
        let cloud = bench.cloud
        struct Swapping: CloudDatabase {
            let databases: [any CloudDatabase]
            let asked: Locked<Int>
            var address: Database.Address { databases[0].address }
            func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
                let turn = asked.withLock { asked in
                    if case .read(.caller) = command { asked += 1 }
                    return asked
                }
                return try await databases[min(turn - 1, 1)].perform(command)
            }
        }
        let swapped = await access(bench, wanted).change(.restrict, run: nil) { address in
            Swapping(
                databases: ["ada", "eve"].map { cloud.database(at: address, user: $0) },
                asked: asked)
        }
        #expect(swapped.status == .refused, "\(swapped.explanation)")
        for user in ["ada", "eve"] {
            let database = cloud.database(at: address(ids[0]), user: user)
            await #expect(throws: Never.self) { _ = try await database.zones() }
        }
    }

    @Test func `who says no changes nothing`() async throws {
        let bench = try Bench()
        let ids = [try container("one")]
        let (report, wanted) = try await swept(bench, ids)
        let tape = Tape()
        let seen = Locked<[PlanFacts.Subject]>([])
        let no = await access(bench, wanted).change(
            .unrestrict, run: report.runID, on: bench.databases(tape)
        ) { subjects in
            seen.withLock { $0 = subjects }
            return false
        }
        #expect(no.status == .refused && no.addendum == nil)
        #expect(tape.modifying.isEmpty)
        #expect(
            seen.withLock { $0 }.map(\.userPseudonym) == report.subjects.map(\.userPseudonym))
    }

    @Test func `a stop in the middle is told, with what was done by then`() async throws {
        let bench = try Bench()
        let ids = [try container("one"), try container("two")]
        let (report, wanted) = try await swept(bench, ids)
        let stop = StopSignal()
        let tape = Tape { _, entry in
            if case .write(.restrict) = entry.command { stop.request(.interrupt) }
            return nil
        }
        let cut = await access(bench, wanted, stop: stop).change(
            .restrict, run: report.runID, on: bench.databases(tape))
        #expect(cut.status == .interrupted, "\(cut.explanation)")
        #expect(cut.rows.map { $0.refusal == nil } == [true, false])
        let said = try facts(cut.addendum)["containers"] as? [[String: Any]] ?? []
        #expect(said.map { $0["done"] as? Bool } == [true, false])
    }

    @Test func `what was done is told though the evidence cannot be added to`() async throws {
        let bench = try Bench()
        let ids = [try container("one"), try container("two")]
        let (report, wanted) = try await swept(bench, ids)
        // A folder stands where the addendum would.
        let run = try #require(report.runID)
        try FileManager.default.createDirectory(
            atPath: "\(world(of: bench).stateFolder)/evidence/\(run).addendum-1.json",
            withIntermediateDirectories: true)
        let done = await access(bench, wanted).change(
            .restrict, run: run, on: bench.databases())
        #expect(done.status == .followUpFailed, "\(done.explanation)")
        #expect(done.explanation.contains("addendum"))
        #expect(done.rows.map(\.container) == ids && done.rows.allSatisfy { $0.refusal == nil })
        #expect(done.addendum == nil)
        for id in ids { #expect(isRestricted(bench, id)) }
    }

    @Test func `a sign-in that has ended is told as one`() async throws {
        let bench = try Bench()
        let wanted = request([try container("one")])
        let out = Tape { _, _ in .refuse(CloudError(.authenticationRequired)) }
        let report = await access(bench, wanted).change(
            .restrict, run: nil, on: bench.databases(out))
        #expect(report.status == .notSignedIn, "\(report.explanation)")
    }
}
