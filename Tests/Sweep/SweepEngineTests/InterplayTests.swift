import AsyncOperations
import CloudCourier
import CloudModel
import DeletionPlanning
import Journal
import SweepEngine
import Testing

/// Two processes at one run, a server that goes away, and what progress says.
struct InterplayTests {
    private static let elsewhere = ProcessIdentity(
        host: "elsewhere", boot: "b", pid: 4242, startTicks: 1)

    /// Calls `meanwhile` once, while the first deleting request is under way.
    private struct Meanwhile: CloudDatabase {
        let base: any CloudDatabase
        let isDone: Locked<Bool>
        let meanwhile: @Sendable () async -> Void
        var address: Database.Address { base.address }

        func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
            if command.isModifying, isDone.withLock({ $0.exchangeTrue() }) { await meanwhile() }
            return try await base.perform(command)
        }
    }

    @Test func `S15 a run that another process works on is not resumed, and not disturbed`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, (0..<30).map { "zone \($0)" })
        let wanted = request([id])
        var other = bench.world(isAlive: { _ in true })
        other.process = Self.elsewhere
        let second = Locked<[SweepReport]>([])
        let isDone = Locked(false)
        let databases = bench.databases()
        let report = await Sweep(wanted, in: bench.world()).run(
            on: { [other] address in
                Meanwhile(base: databases(address), isDone: isDone) {
                    let sweep = Sweep(wanted, in: other)
                    let newest = await sweep.resume(run: nil, on: databases)
                    second.withLock { $0.append(newest) }
                }
            }, confirm: approve)
        #expect(report.status == .done, "\(report.explanation)")
        let refused = try #require(second.withLock { $0.first })
        #expect(refused.status == .locked)
        #expect(refused.explanation.contains(report.runID ?? "?"))
        let runs = try await SweepHistory(stateFolder: bench.folder).runs(limit: 9)
        #expect(runs.map(\.status) == [.done])
    }

    @Test func `a run that stopped before it deleted anything cannot be resumed, and says so`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let stop = StopSignal()
        let tape = Tape { _, _ in
            stop.request(.interrupt)
            return nil
        }
        let report = await bench.sweep(request([id]), tape, world: bench.world(stop: stop))
        #expect(report.status == .interrupted && !report.canResume)
        for run in [report.runID, nil] {
            let resumed = await Sweep(request([id]), in: bench.world()).resume(
                run: run, on: bench.databases())
            #expect(resumed.status == .usage)
            #expect(resumed.explanation.contains("with exit status 130: nothing was deleted"))
        }
    }

    @Test func `resuming after the end says how the newest run ended`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let nothing = await Sweep(request([id]), in: bench.world()).resume(
            run: nil, on: bench.databases())
        #expect(nothing.explanation == "there is no run to continue")
        let report = await bench.sweep(request([id]))
        #expect(report.status == .done && !report.canResume)
        let again = await Sweep(request([id]), in: bench.world()).resume(
            run: nil, on: bench.databases())
        #expect(again.status == .usage)
        #expect(again.explanation.contains("the newest, \(report.runID ?? "?"), ended at "))
        #expect(again.explanation.contains("with exit status 0"))
    }

    @Test func `a server that has gone away ends the run soon, and it can be resumed`() async throws
    {
        let bench = try Bench()
        let id = try container("one")
        // 30 deleting requests, 8 attempts each: 240 before anything else would give up.
        try bench.seed(id, (0..<6000).map { "zone \($0)" }, records: 0)
        let isGone = Locked(false)
        let tape = Tape { _, entry in
            if case .write(.modifyZones) = entry.command { isGone.withLock { $0 = true } }
            guard isGone.withLock({ $0 }) else { return nil }
            return .refuse(CloudError(.networkFailure, reason: "no connection"))
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .partlyFailed && report.canResume, "\(report.explanation)")
        #expect(report.explanation.contains("no connection"))
        let requestsMax: Int = 2 * 8 * 8 + 8
        #expect(tape.modifying.count <= requestsMax)
        #expect(try bench.left() > 0)
        let done = await Sweep(request([id]), in: bench.world()).resume(
            run: report.runID, on: bench.databases())
        #expect(done.status == .done, "\(done.explanation)")
        #expect(try bench.left() == 0)
    }

    @Test func `a server that was never reached is given up after five attempts`() async throws {
        let bench = try Bench()
        let ids = try ["one", "two", "three"].map { try container($0) }
        for id in ids { try bench.seed(id, ["a"]) }
        let tape = Tape { _, _ in
            .refuse(CloudError(.networkFailure, reason: "no address was found"))
        }
        let report = await bench.sweep(request(ids), tape)
        #expect(report.status == .discoveryIncomplete, "\(report.explanation)")
        #expect(report.explanation.contains("no address was found"))
        // One request of each container, and none of them longer than the others.
        #expect((5...15).contains(tape.all.count), "\(tape.all.count)")
        let attempts = bench.events.withLock { $0 }.compactMap { event -> (Int, Int)? in
            guard case .waiting(_, _, .networkFailure, _, let attempt, let of) = event else {
                return nil
            }
            return (attempt, of)
        }
        #expect(!attempts.isEmpty && attempts.allSatisfy { $0.0 < 5 && $0.1 == 5 })
    }

    @Test func `a server that was reached once gets every attempt`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let refusals = Locked(0)
        let tape = Tape { _, entry in
            guard case .read(.listZones) = entry.command else { return nil }
            let number = refusals.withLock { count in
                count += 1
                return count
            }
            return number < 8 ? .refuse(CloudError(.networkFailure, reason: "no route")) : nil
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .done, "\(report.explanation)")
    }

    @Test func `one request that never gets through does not end the run`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a", "b"])
        try bench.perform(
            .write(
                .modifySubscriptions([
                    .create(Subscription(subscriptionID: "all", kind: .database))
                ])), at: address(id))
        let tape = Tape { _, entry in
            guard case .write(.modifySubscriptions) = entry.command else { return nil }
            return .refuse(CloudError(.networkFailure, reason: "no connection"))
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .partlyFailed && report.failureCount == 1)
        #expect(!report.passes.isEmpty)
    }

    @Test func `progress counts a thing once, and never more in flight than allowed`() async throws
    {
        let bench = try Bench()
        let ids = try ["one", "two", "three"].map { try container($0) }
        for id in ids { try bench.seed(id, (0..<2500).map { "zone \($0)" }, records: 0) }
        let seen = Locked<[Int]>([])
        var wanted = request(ids)
        wanted.limits.parallelism = 5
        let report = await Sweep(wanted, in: bench.world()).run(on: bench.databases()) { asked in
            let counts = bench.events.withLock { $0 }.compactMap { event -> Int? in
                if case .progress(let progress) = event { progress.seen } else { nil }
            }
            seen.withLock { $0 = counts }
            return asked.plan.map { .digest($0.digest) }
        }
        #expect(report.status == .done, "\(report.explanation)")
        #expect(seen.withLock { $0.last } == 7500)
        let flights = bench.events.withLock { $0 }.compactMap { event -> Int? in
            if case .progress(let progress) = event { progress.inFlight } else { nil }
        }
        #expect(flights.max() ?? 0 <= 5 && flights.max() ?? 0 > 1 && flights.min() == 0)
    }
}

extension Bool {
    /// Becomes true; whether it was false.
    fileprivate mutating func exchangeTrue() -> Bool {
        defer { self = true }
        return !self
    }
}
