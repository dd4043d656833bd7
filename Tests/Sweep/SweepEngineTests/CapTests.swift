import AsyncOperations
import CloudModel
import Configuration
import DeletionPlanning
import SweepEngine
import Testing

/// Caps: what goes with a zone counts, when a plan is made and when it is carried out.
struct CapTests {
    private func bench(_ zones: [String: Int]) throws -> (Bench, Container.ID) {
        let bench = try Bench()
        let id = try container("one")
        for (zone, records) in zones { try bench.seed(id, [zone], records: records) }
        return (bench, id)
    }

    private func isFeed(_ command: CloudCommand) -> Bool {
        if case .read(.zoneChanges) = command { true } else { false }
    }

    @Test(arguments: [(450, true), (451, true), (449, false)])
    func `records in zones count, over many pages and zones`(cap: Int, isEnough: Bool) async throws
    {
        var zones = ["big": 400]
        for number in 0..<24 { zones["small \(number)"] = 2 }
        let (bench, id) = try bench(zones)
        try bench.seed(id, ["_defaultZone"], records: 2)
        let tape = Tape()
        let wanted = request([id], policy: Policy(caps: Caps(records: cap)))
        let plan = await Sweep(wanted, in: bench.world()).plan(on: bench.readable(tape))
        #expect(plan.status == (isEnough ? .somethingToDelete : .refused), "\(plan.explanation)")
        #expect(isEnough || plan.explanation.contains("deletes 450 records"))
        // Twenty zones in one request, and one more page of the large one.
        #expect(tape.all.count { isFeed($0.command) } <= 4)
        let sweep = await bench.sweep(wanted, tape)
        #expect(sweep.status == (isEnough ? .done : .refused), "\(sweep.explanation)")
        #expect(isEnough || tape.modifying.isEmpty)
    }

    @Test(arguments: [(90, true), (89, false)])
    func `a rule that keeps less than was meant is noticed`(
        percent: Int, isEnough: Bool
    ) async throws {
        let (bench, id) = try bench(["a": 50, "b": 38, "kept": 10])
        try bench.seed(id, ["_defaultZone"], records: 2)
        let policy = Policy(
            protect: [ProtectRule(zone: "kept", reason: "law")], caps: Caps(percent: percent))
        let tape = Tape()
        let report = await bench.sweep(request([id], policy: policy), tape)
        #expect(report.status == (isEnough ? .done : .refused), "\(report.explanation)")
        #expect(isEnough || report.explanation.contains("90 of 100 records"))
        #expect(isEnough || tape.modifying.isEmpty)
    }

    @Test func `what came since the plan counts when it is carried out`() async throws {
        let (bench, id) = try bench(["a": 3])
        let wanted = request([id], policy: Policy(caps: Caps(records: 3)))
        let sweep = Sweep(wanted, in: bench.world())
        let plan = await sweep.plan(on: bench.readable())
        #expect(plan.status == .somethingToDelete, "\(plan.explanation)")
        let path = bench.folder + "/the.plan"
        try await sweep.exportPlan(run: try #require(plan.runID), to: path)
        // The zone was approved as a whole; what it holds was not looked at by the plan's lines.
        try bench.perform(
            .write(
                .modifyRecords(
                    RecordModifyRequest(
                        operations: [.init(.create, recordName: "new", recordType: "Note")],
                        zoneID: RecordZone.ID("a")))), at: address(id))
        let tape = Tape()
        let report = await Sweep(wanted, in: bench.world()).apply(
            planFile: path, on: bench.databases(tape), confirm: approve)
        #expect(report.status == .refused, "\(report.explanation)")
        #expect(report.explanation.contains("deletes 4 records"), "\(report.explanation)")
        #expect(tape.modifying.isEmpty)
    }

    @Test(arguments: [nil, "they are known"])
    func `S2 a zone that cannot be counted is refused, allowed to be partial or not`(
        allowed: String?
    ) async throws {
        let (bench, id) = try bench(["a": 3, "b": 3])
        let tape = Tape { _, entry in
            guard case .read(.zoneChanges) = entry.command else { return nil }
            return .refuse(CloudError(.accessDenied))
        }
        var wanted = request([id], policy: Policy(caps: Caps(records: 1000)))
        wanted.allowPartial = allowed
        let report = await bench.sweep(wanted, tape)
        #expect(
            report.status == (allowed == nil ? .discoveryIncomplete : .refused),
            "\(report.explanation)")
        #expect(tape.modifying.isEmpty)
    }

    @Test func `S2 an error in the middle of many counts is no small number`() async throws {
        let (bench, id) = try bench(["a": 3, "b": 3])
        let tape = Tape { _, entry in
            guard case .read(.zoneChanges) = entry.command else { return nil }
            return .answer { reply in
                guard case .zoneChanges(var items) = reply else { return reply }
                items[1] = .failure(RecordZone.ID("b"), CloudError(.internalError))
                return .zoneChanges(items)
            }
        }
        let report = await bench.sweep(
            request([id], policy: Policy(caps: Caps(records: 1000))), tape)
        #expect(report.status == .discoveryIncomplete, "\(report.explanation)")
        #expect(tape.modifying.isEmpty)
    }

    // MARK: Counts for the plan

    @Test func `a plan says how many records are in its zones, and so does the report`()
        async throws
    {
        let (bench, id) = try bench(["a": 3, "b": 210, "kept": 7])
        try bench.seed(id, ["_defaultZone"], records: 2)
        let wanted = request(
            [id], policy: Policy(protect: [ProtectRule(zone: "kept", reason: "law")]))
        let plan = await Sweep(wanted, in: bench.world()).plan(on: bench.readable())
        #expect(plan.recordsInZones == 213, "\(plan.explanation)")
        #expect(plan.plan?.totals.records == 2)
        #expect(
            plan.explanation.contains("2 zones with 213 records and 2 other records"),
            "\(plan.explanation)")
        let file = bench.folder + "/the.plan"
        try await Sweep(wanted, in: bench.world()).exportPlan(
            run: try #require(plan.runID), to: file)
        let report = await Sweep(wanted, in: bench.world()).apply(
            planFile: file, on: bench.databases(),
            confirm: {
                $0.recordsInZones == 213 ? await approve($0) : nil
            })
        #expect(report.status == .done && report.recordsInZones == 213, "\(report.explanation)")
        let kept = try await SweepHistory(stateFolder: bench.folder).report(
            run: try #require(report.runID))
        #expect(kept?.recordsInZones == 213)
    }

    @Test func `S2 a zone whose records cannot be counted for the plan stops the sweep`()
        async throws
    {
        let (bench, id) = try bench(["a": 3, "b": 3])
        let tape = Tape { _, entry in
            guard case .read(.zoneChanges) = entry.command else { return nil }
            return .refuse(CloudError(.badRequest))
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .discoveryIncomplete, "\(report.explanation)")
        #expect(tape.modifying.isEmpty)
        #expect(report.recordsInZones == nil)
    }

    @Test func `zones that are read for assets are counted on the way`() async throws {
        let scene = try AssetScene()
        let tape = Tape()
        let plan = await Sweep(scene.wanted, in: scene.bench.world()).plan(
            on: scene.bench.readable(tape))
        #expect(plan.recordsInZones == 2, "\(plan.explanation)")
        #expect(tape.all.count { isFeed($0.command) } == 1)
    }

    @Test func `a run that is resumed counts nothing again`() async throws {
        let (bench, id) = try bench(["a": 3])
        let failing = Tape { _, entry in
            guard case .write = entry.command else { return nil }
            return .refuse(CloudError(.accessDenied))
        }
        let first = await bench.sweep(request([id]), failing)
        #expect(first.canResume && first.recordsInZones == 3, "\(first.explanation)")
        let tape = Tape()
        let report = await Sweep(request([id]), in: bench.world()).resume(
            run: first.runID, on: bench.databases(tape))
        #expect(report.status == .done && report.recordsInZones == nil, "\(report.explanation)")
        #expect(!tape.all.prefix { !$0.command.isModifying }.contains { isFeed($0.command) })
    }
}
