import CloudModel
import DeletionPlanning
import MockServer
import SweepEngine
import Testing

/// Whole sweeps, in process.
struct SweepTests {
    @Test(arguments: MockOptions.DefaultZoneMode.allCases, [true, false])
    func `a sweep leaves nothing of the user and all of another`(
        mode: MockOptions.DefaultZoneMode, listsDefaultZone: Bool
    ) async throws {
        var options = MockOptions()
        options.defaultZoneMode = mode
        options.listsDefaultZone = listsDefaultZone
        options.emptyPages = 2
        options.zoneListPageMax = 3
        let bench = try Bench(options)
        let (one, two) = (try container("one"), try container("two"))
        for id in [one, two] {
            try bench.seed(id, (0..<10).map { "zone \($0)" } + ["_defaultZone"])
            try bench.seed(id, ["zone 1", "other", "_defaultZone"], user: "eve")
        }
        try bench.perform(
            .modifySubscriptions([
                .create(Subscription(subscriptionID: "all", kind: .database))
            ]), at: address(one))
        let eve = try bench.dump(user: "eve")
        let report = await bench.sweep(request([one, two]))
        #expect(report.status == .done, "\(report.explanation)")
        #expect(try bench.left() == 0)
        #expect(try bench.dump(user: "eve") == eve)
        #expect(report.passes.count == 2)
        #expect(report.passes.allSatisfy { $0.isClean })
        #expect(report.rows.allSatisfy { $0.outcome.isClean })
        let zones = report.rows.filter { $0.kind == .customZones }
        #expect(zones.map(\.deleted) == [10, 10])
    }

    @Test func `a sweep of nothing deletes nothing and asks nobody`() async throws {
        let bench = try Bench()
        let tape = Tape()
        let report = await Sweep(request([try container("one")]), in: bench.world()).run(
            on: bench.databases(tape)
        ) { _ in
            Issue.record("asked")
            return nil
        }
        #expect(report.status == .done, "\(report.explanation)")
        #expect(tape.modifying.isEmpty)
    }

    @Test func `without a yes nothing is deleted`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a", "b"])
        for approval in [nil, Approval.digest("wrong"), .typed("delete 3 zones in \(id)")] {
            let tape = Tape()
            let report = await Sweep(request([id]), in: bench.world()).run(
                on: bench.databases(tape)
            ) { _ in approval }
            #expect(report.status == .refused)
            #expect(tape.modifying.isEmpty)
        }
        let report = await Sweep(request([id]), in: bench.world()).run(on: bench.databases()) { _ in
            .typed("delete 2 zones in \(id)")
        }
        #expect(report.status == .done, "\(report.explanation)")
    }

    @Test func `a zone that only one of the two feeds shows is found`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["hidden", "shown"])
        let tape = Tape { _, entry in
            guard case .listZones = entry.command else { return nil }
            return .answer { reply in
                guard case .zonePage(var page) = reply else { return reply }
                page.zones.removeAll { $0.id.zoneName == "hidden" }
                return .zonePage(page)
            }
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .done, "\(report.explanation)")
        #expect(try bench.left() == 0)
    }

    @Test func `a zone named in the list is found even when no feed shows it`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["named"])
        let tape = Tape { _, entry in
            switch entry.command {
            case .listZones, .databaseChanges:
                .answer { _ in .zonePage(ZonePage(zones: [], token: nil, moreComing: false)) }
            default: nil
            }
        }
        var wanted = request([id])
        wanted.targets[0].zones = ["named", "never there"]
        let report = await bench.sweep(wanted, tape)
        #expect(report.status == .done, "\(report.explanation)")
        #expect(try bench.left() == 0)
    }

    @Test func `more than a page of records and more than a batch of zones go`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, (0..<450).map { "zone \($0)" }, records: 1)
        try bench.seed(id, ["_defaultZone"], records: 1001)
        let tape = Tape()
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .done, "\(report.explanation)")
        #expect(try bench.left() == 0)
        let zoneRequests = tape.modifying.filter {
            if case .modifyZones = $0.command { true } else { false }
        }
        #expect(zoneRequests.count == 4)
        #expect(tape.modifying.count == 4 + 6)
    }

    @Test func `public records and subscriptions that the user made go, others stay`() async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["_defaultZone"], records: 5, scope: .public)
        try bench.perform(
            .modifyRecords(
                RecordModifyRequest(
                    operations: [.init(.create, recordName: "eve's", recordType: "Note")],
                    atomic: false)), at: address(id, .public), user: "eve")
        let report = await bench.sweep(request([id], scopes: [.private, .public]))
        #expect(report.status == .done, "\(report.explanation)")
        let dump = try bench.cloud.withStore { try $0.dump(user: nil) }
        #expect(dump.contains("eve's"))
        #expect(!dump.contains("_defaultZone-"))
    }

    @Test func `record types that nobody named keep a run from ending with 0`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["zone"])
        let report = await bench.sweep(request([id], types: nil))
        #expect(report.status == .partlyFailed)
        let row = report.rows.first { $0.kind == .defaultZone }
        #expect(row?.outcome == .unreachable)
        #expect(row?.reason?.contains("recordTypes") == true)
    }

    @Test func `a report is the same after it was kept`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let report = await bench.sweep(request([id], types: nil))
        let run = try #require(report.runID)
        let kept = try #require(
            try await SweepHistory(stateFolder: bench.folder).report(run: run))
        #expect(kept.json() == report.json())
        #expect(kept.rows == report.rows)
        #expect(kept.plan == report.plan)
    }

    @Test func `few requests are enough`() async throws {
        let bench = try Bench()
        let ids = try (0..<5).map { try container("c\($0)") }
        for id in ids { try bench.seed(id, (0..<100).map { "zone \($0)" }, records: 1) }
        let tape = Tape()
        let report = await bench.sweep(request(ids, types: []), tape)
        #expect(report.status == .done, "\(report.explanation)")
        #expect(tape.all.count <= 14 * ids.count, "\(tape.all.count) requests")
        #expect(report.requests == tape.all.count)
    }
}
