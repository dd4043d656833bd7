import AsyncOperations
import Basics
import CloudCourier
import CloudModel
import Configuration
import DeletionPlanning
import InProcessMock
import Journal
import MockStore
import SweepEngine
import Testing

/// S7: cut off at any commit, then resumed until done: the same end.
struct CrashTests {
    struct Cut: Error {}

    /// Cuts the journal off at the `number`th commit, before or after it.
    private func cut(at number: Int, before: Bool) -> (SQLiteJournal.CommitHook, Locked<Int>) {
        let commits = Locked(0)
        return (
            { isBefore in
                let now = commits.withLock { commits in
                    if isBefore { commits += 1 }
                    return commits
                }
                if now >= number && isBefore == before { throw Cut() }
            }, commits
        )
    }

    private func filled() throws -> (Bench, SweepRequest, Container.ID) {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, (0..<230).map { "zone \($0)" }, records: 1)
        try bench.seed(id, ["_defaultZone"], records: 230)
        try bench.seed(id, ["Receipts"], records: 2)
        try bench.seed(id, ["zone 1"], user: "eve")
        try bench.perform(
            .write(
                .modifySubscriptions([
                    .create(Subscription(subscriptionID: "all", kind: .database))
                ])), at: address(id))
        var wanted = request([id])
        wanted.policy.protect = [ProtectRule(zone: "Receipts", reason: "tax law")]
        return (bench, wanted, id)
    }

    @Test(arguments: [true, false])
    func `S7 a run cut off at any commit and resumed ends like an undisturbed one`(
        before: Bool
    ) async throws {
        let (calm, wanted, _) = try filled()
        let (counting, commits) = cut(at: .max, before: true)
        let calmReport = await calm.sweep(wanted, world: calm.world(hook: counting))
        #expect(calmReport.status == .done, "\(calmReport.explanation)")
        let total = commits.withLock { $0 }
        #expect(total > 15)
        let end = try calm.dump(user: "ada")
        #expect(end.contains("Receipts-1"))
        var resumed = 0
        for number in 1...total {
            let (bench, wanted, _) = try filled()
            let eve = try bench.dump(user: "eve")
            let (hook, _) = cut(at: number, before: before)
            let first = await bench.sweep(wanted, world: bench.world(hook: hook))
            // The lock of the run that was cut off is that of a process that is gone.
            let after = bench.world(isAlive: { _ in false })
            let sweep = Sweep(wanted, in: after)
            var report = await sweep.resume(run: nil, on: bench.databases())
            if report.status == .usage {
                // Nothing was approved yet, or all was done: nothing to continue.
                report = await sweep.run(on: bench.databases(), confirm: approve)
            } else {
                resumed += 1
                #expect(report.runID == first.runID)
            }
            #expect(report.status == .done, "commit \(number): \(report.explanation)")
            #expect(try bench.dump(user: "ada") == end, "commit \(number)")
            #expect(try bench.dump(user: "eve") == eve, "commit \(number)")
            let fences = try await SQLiteJournal(
                folder: bench.folder, readOnly: true
            ).fences(limit: 1000)
            #expect(fences.count == 230)
            if first.status == .done { #expect(number == total, "told before it was on disk") }
        }
        #expect(resumed > 5)
    }

    /// Cuts again and again at random commits, with the same run resumed each time.
    @Test(arguments: 0..<12)
    func `S7 a run cut off many times keeps one chain of evidence`(seed: UInt64) async throws {
        let (bench, wanted, _) = try filled()
        var random = SeededGenerator(seed: seed)
        var report: SweepReport?
        var runs: Set<String> = []
        for round in 0..<40 {
            let number = round == 39 ? Int.max : 5 + Int(random.next() % 14)
            let (hook, _) = cut(at: number, before: random.next() % 2 == 0)
            let world = bench.world(isAlive: { _ in false }, hook: hook)
            let sweep = Sweep(wanted, in: world)
            let next =
                runs.isEmpty
                ? await sweep.run(on: bench.databases(), confirm: approve)
                : await sweep.resume(run: runs.first, on: bench.databases())
            report = next
            let history = SweepHistory(stateFolder: bench.folder)
            let resumable = (try? await history.runs().filter(\.canResume)) ?? []
            if let run = resumable.first { runs.insert(run.runID) }
            if next.status == .done { break }
        }
        #expect(report?.status == .done, "seed \(seed): \(report?.explanation ?? "")")
        #expect(runs.count <= 1, "seed \(seed)")
        #expect(report?.chainHead?.count == 64)
    }

    @Test func `S7 resume refuses what the approved plan did not cover`() async throws {
        let (bench, wanted, id) = try filled()
        let stop = StopSignal()
        let tape = Tape { _, entry in
            if case .write(.modifyZones) = entry.command { stop.request(.interrupt) }
            return nil
        }
        let first = await bench.sweep(wanted, tape, world: bench.world(stop: stop))
        #expect(first.status == .interrupted, "\(first.explanation)")
        try bench.seed(id, ["new since"])
        let refused = await Sweep(wanted, in: bench.world()).resume(
            run: first.runID, on: bench.databases())
        #expect(refused.status == .refused, "\(refused.explanation)")
        #expect(try bench.dump(user: "ada").contains("new since"))
        try bench.perform(
            .write(.modifyZones([.delete(RecordZone.ID("new since"))])), at: address(id))
        let done = await Sweep(wanted, in: bench.world()).resume(
            run: first.runID, on: bench.databases())
        #expect(done.status == .done, "\(done.explanation)")
    }

    @Test func `a finished run cannot be resumed`() async throws {
        let (bench, wanted, _) = try filled()
        let report = await bench.sweep(wanted)
        let again = await Sweep(wanted, in: bench.world()).resume(
            run: report.runID, on: bench.databases())
        #expect(again.status == .usage)
    }

    /// S6: when the request arrives, its intent is on disk.
    @Test func `S6 the approved plan is on disk before anything of it is sent`() async throws {
        let (bench, wanted, _) = try filled()
        let missing = Locked(0)
        let folder = bench.folder
        struct Checking: CloudDatabase {
            let base: MockDatabase
            let folder: String
            let missing: Locked<Int>
            var address: Database.Address { base.address }
            func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
                guard command.isModifying else { return try await base.perform(command) }
                do {
                    // What another process could read from the disk now.
                    let journal = SQLiteJournal(folder: folder, readOnly: true)
                    let run = try await journal.run(key: 1)
                    let lines = try await journal.planLines(run: 1, from: 0, limit: 99)
                    let approval = try await journal.approval(run: 1)
                    if run.stage != .deleting || lines.isEmpty || approval == nil {
                        missing.withLock { $0 += 1 }
                    }
                } catch {
                    missing.withLock { $0 += 1 }
                }
                return try await base.perform(command)
            }
        }
        let report = await Sweep(wanted, in: bench.world()).run(
            on: { [cloud = bench.cloud] in
                Checking(
                    base: cloud.database(at: $0, user: "ada"), folder: folder, missing: missing)
            }, confirm: approve)
        #expect(report.status == .done, "\(report.explanation)")
        #expect(missing.withLock { $0 } == 0)
    }

    /// S6: whoever is told of an outcome may act on it, so a cut must not undo it.
    @Test func `S6 an outcome is on disk before anyone is told of it`() async throws {
        let id = try container("one")
        var told = 0
        var number = 0
        var end: SweepReport?
        while end?.status != .done {
            number += 1
            let bench = try Bench()
            try bench.seed(id, ["a"])
            let (hook, _) = cut(at: number, before: true)
            end = await bench.sweep(request([id], types: []), world: bench.world(hook: hook))
            let outcomes = bench.events.withLock { $0 }.count {
                if case .stepEnded = $0 { true } else { false }
            }
            guard outcomes > 0 else { continue }
            told += 1
            let settled = try await SQLiteJournal(folder: bench.folder, readOnly: true).steps(
                run: 1, container: 0, scope: .private, from: 0,
                in: Set(StepState.allCases.filter(\.isSettled)), limit: 99)
            #expect(settled.count >= outcomes, "commit \(number)")
        }
        #expect(told > 1)
    }

    @Test func `S15 a second run on the same data is refused with the holder`() async throws {
        let (bench, wanted, _) = try filled()
        let inner = Locked<SweepReport?>(nil)
        let report = await Sweep(wanted, in: bench.world()).run(on: bench.databases()) { asked in
            let second = await bench.sweep(wanted)
            inner.withLock { $0 = second }
            return asked.plan.map { .digest($0.digest) }
        }
        #expect(report.status == .done, "\(report.explanation)")
        let second = inner.withLock { $0 }
        #expect(second?.status == .locked)
        #expect(second?.explanation.contains("process") == true)
    }
}
