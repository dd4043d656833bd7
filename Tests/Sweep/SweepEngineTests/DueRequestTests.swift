import Basics
import CloudCourier
import CloudModel
import DeletionPlanning
import Journal
import SQLite
import SweepEngine
import Testing

/// Which requests are open, until when, and what meets one.
struct DueRequestTests {
    /// The day of ``Bench/now``.
    private static let today = CivilDate(
        daysSince1970: Int(Bench.now.milliseconds.quotientFloor(86_400_000)))

    private func request(_ daysAgo: Int, _ regime: Regime = .gdpr) -> ErasureRequest {
        ErasureRequest(receivedOn: Self.today.adding(days: -daysAgo), regime: regime)
    }

    private func wanted(_ request: ErasureRequest?, _ name: String = "one") throws -> SweepRequest {
        var wanted = SweepEngineTests.request([try container(name)])
        wanted.conditions.request = request
        return wanted
    }

    private func due(_ bench: Bench) async throws -> [DueRequest] {
        try await SweepHistory(stateFolder: bench.folder).dueRequests()
    }

    @Test func `a request is open until a run about it has ended with 0`() async throws {
        let bench = try Bench()
        try bench.seed(try container("one"), ["a"])
        #expect(try await due(bench).isEmpty)
        let asked = request(3)
        let plan = await Sweep(try wanted(asked), in: bench.world()).plan(on: bench.readable())
        #expect(plan.status == .somethingToDelete && plan.erasureRequest == asked)
        let declined = await Sweep(try wanted(asked), in: bench.world()).run(
            on: bench.databases()
        ) { _ in nil }
        #expect(declined.status == .refused)
        let open = try await due(bench)
        #expect(open.map(\.request) == [asked])
        #expect(open.first?.runID == declined.runID, "the newest run stands for the request")
        let done = await bench.sweep(try wanted(asked))
        #expect(done.status == .done)
        #expect(try await due(bench).isEmpty)
    }

    @Test func `an empty plan, another container and an older sweep meet nothing`() async throws {
        let bench = try Bench()
        try bench.seed(try container("one"), ["a"])
        try bench.seed(try container("two"), ["a"])
        // Swept five days ago, and asked again three days ago.
        let before = bench.world(at: Bench.now.advanced(by: .seconds(-5 * 86_400)))
        #expect(await bench.sweep(try wanted(nil), world: before).status == .done)
        let asked = request(3)
        let plan = await Sweep(try wanted(asked), in: bench.world()).plan(on: bench.readable())
        #expect(plan.status == .done, "there is nothing to delete any more")
        #expect(await bench.sweep(try wanted(nil, "two")).status == .done)
        #expect(try await due(bench).map(\.request) == [asked])
        let verified = await Sweep(try wanted(nil), in: bench.world()).verify(
            run: nil, on: bench.readable())
        #expect(verified.status == .done)
        #expect(try await due(bench).isEmpty)
    }

    @Test func `no number of newer runs hides an open request, a plan or a run to continue`()
        async throws
    {
        let bench = try Bench()
        try bench.seed(try container("one"), ["a"])
        let asked = request(20)
        let stop = StopSignal()
        let tape = Tape { _, entry in
            guard entry.command.isModifying else { return nil }
            stop.request(.interrupt)
            return .refuse(CloudError(.throttled))
        }
        let cut = await bench.sweep(try wanted(asked), tape, world: bench.world(stop: stop))
        #expect(cut.canResume)
        _ = await Sweep(try wanted(nil, "two"), in: bench.world()).plan(on: bench.readable())
        // Copies of the newer run, which is about another container.
        let connection = try Connection(.file(bench.folder + "/journal.sqlite"))
        try connection.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
            INSERT INTO runs(id, verb, environment, containers, server, rehearsal, began, ended, stage,
              status, events, head, subjects)
            SELECT id || i, verb, environment, containers, server, rehearsal, began, ended, stage,
              status, events, head, subjects
            FROM runs, n WHERE key = (SELECT max(key) FROM runs)
            """)
        let history = SweepHistory(stateFolder: bench.folder)
        #expect(try await history.dueRequests().map(\.runID) == [cut.runID])
        #expect(try await history.runs().last?.runID == cut.runID)
        #expect(try await history.runs(limit: 3).count == 3)
        let done = await Sweep(try wanted(nil), in: bench.world()).resume(
            run: nil, on: bench.databases())
        #expect(done.runID == cut.runID && done.status == .done, "\(done.explanation)")
        #expect(try await history.dueRequests().isEmpty)
    }

    @Test func `the one that is due first is first, and each law counts for itself`() async throws {
        let bench = try Bench()
        try bench.seed(try container("one"), ["a"])
        for asked in [request(1), request(40, .ccpa), request(29), request(40, .ccpa)] {
            _ = await Sweep(try wanted(asked), in: bench.world()).plan(on: bench.readable())
        }
        #expect(
            try await due(bench).map(\.request)
                == [request(29), request(40, .ccpa), request(1)]
                .sorted { $0.due < $1.due })
    }

    @Test func `a run takes its request from the plan, and refuses another one`() async throws {
        let bench = try Bench()
        try bench.seed(try container("one"), ["a"])
        let asked = request(3)
        let sweep = Sweep(try wanted(asked), in: bench.world())
        let plan = await sweep.plan(on: bench.readable())
        #expect(plan.plan?.conditions.request == asked)
        let path = bench.folder + "/the.plan"
        try await sweep.exportPlan(run: try #require(plan.runID), to: path)
        let other = await Sweep(try wanted(request(4)), in: bench.world()).apply(
            planFile: path, on: bench.databases(), confirm: approve)
        #expect(other.status == .usage, "\(other.explanation)")
        let done = await Sweep(try wanted(nil), in: bench.world()).apply(
            planFile: path, on: bench.databases(), confirm: approve)
        #expect(done.status == .done && done.erasureRequest == asked, "\(done.explanation)")
        let report = try await SweepHistory(stateFolder: bench.folder).report(
            run: try #require(done.runID))
        #expect(report?.erasureRequest == asked)
    }

    @Test func `S17 the day on which somebody asked stays when names are forgotten`() async throws {
        let bench = try Bench()
        try bench.seed(try container("one"), ["a"])
        let plan = await Sweep(try wanted(request(3)), in: bench.world()).plan(
            on: bench.readable())
        let forgetter = RunForgetter(
            stateFolder: bench.folder, wallClock: .fixed(Bench.now))
        _ = try await forgetter.forget(try #require(plan.runID), abandons: false)
        await forgetter.close()
        #expect(try await due(bench).map(\.request) == [request(3)])
    }

    @Test func `S17 what was met stays met, and what is open is one, when names are forgotten`()
        async throws
    {
        for isMet in [true, false] {
            let bench = try Bench()
            try bench.seed(try container("one"), ["a"])
            let asked = request(3)
            var runs: [String] = []
            for _ in 0..<2 {
                let plan = await Sweep(try wanted(asked), in: bench.world()).plan(
                    on: bench.readable())
                runs.append(try #require(plan.runID))
            }
            if isMet { #expect(await bench.sweep(try wanted(nil)).status == .done) }
            let forgetter = RunForgetter(stateFolder: bench.folder, wallClock: .fixed(Bench.now))
            let forgotten = try await forgetter.forget(runs[0], abandons: false).runs
            await forgetter.close()
            #expect(forgotten.count == (isMet ? 3 : 2))
            #expect(try await due(bench).map(\.runID) == (isMet ? [] : [runs[1]]))
        }
    }

    @Test func `a plan is refused before the time that it names, and good a day from then`()
        async throws
    {
        let bench = try Bench()
        try bench.seed(try container("one"), ["a"])
        let day = Duration.seconds(86_400)
        let time = Bench.now.advanced(by: day * 7)
        var wanted = try wanted(nil)
        wanted.conditions.notBefore = time
        let sweep = Sweep(wanted, in: bench.world())
        let plan = await sweep.plan(on: bench.readable())
        let path = bench.folder + "/the.plan"
        try await sweep.exportPlan(run: try #require(plan.runID), to: path)
        for (moment, status) in [
            (Bench.now, ExitStatus.refused), (time.advanced(by: .seconds(-1)), .refused),
            (time.advanced(by: day), .refused), (time.advanced(by: .seconds(3600)), .done),
        ] {
            let tape = Tape()
            let report = await Sweep(try self.wanted(nil), in: bench.world(at: moment)).apply(
                planFile: path, on: bench.databases(tape), confirm: approve)
            #expect(report.status == status, "\(report.explanation)")
            #expect(tape.modifying.isEmpty == (status == .refused))
            if moment < time { #expect(report.explanation.contains(time.iso8601)) }
        }
    }
}
