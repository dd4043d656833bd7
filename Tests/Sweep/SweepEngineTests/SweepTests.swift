import CloudCourier
import CloudModel
import DeletionPlanning
import MockStore
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
            .write(
                .modifySubscriptions([
                    .create(Subscription(subscriptionID: "all", kind: .database))
                ])), at: address(one))
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

    @Test func `S12 a plan of nothing is done, and complete is no word for it`() async throws {
        let bench = try Bench()
        let report = await Sweep(request([try container("one")]), in: bench.world()).plan(
            on: bench.readable())
        #expect(report.status == .done, "\(report.explanation)")
        #expect(String(decoding: report.json(), as: UTF8.self).contains("\"complete\":false"))
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
            guard case .read(.listZones) = entry.command else { return nil }
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
            case .read(.listZones), .read(.databaseChanges):
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
            if case .write(.modifyZones) = $0.command { true } else { false }
        }
        #expect(zoneRequests.count == 4)
        // One that is refused keeps no other from being deleted.
        let records = tape.modifying.compactMap {
            if case .write(.modifyRecords(let request)) = $0.command { request } else { nil }
        }
        #expect(records.allSatisfy { $0.atomic == false })
        #expect(tape.modifying.count == 4 + 6)
    }

    @Test func `public records and subscriptions that the user made go, others stay`() async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["_defaultZone"], records: 5, scope: .public)
        try bench.perform(
            .write(
                .modifyRecords(
                    RecordModifyRequest(
                        operations: [.init(.create, recordName: "eve's", recordType: "Note")],
                        atomic: false))), at: address(id, .public), user: "eve")
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
        #expect(row?.outcome == .unproven)
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
        // The type of the records in the zones is asked for in the default zone, too.
        #expect(tape.all.count <= 27 * ids.count, "\(tape.all.count) requests")
        #expect(report.requests == tape.all.count)
    }

    /// S9: "not found" says something only about the user who was asked for.
    @Test func `S9 each container's user is checked before anything is deleted there`()
        async throws
    {
        let bench = try Bench()
        let ids = [try container("one"), try container("two")]
        for id in ids { try bench.seed(id, ["a"]) }
        let tape = Tape()
        let stop = StopSignal()
        let first = await Sweep(request(ids), in: bench.world(stop: stop)).run(
            on: bench.databases(tape)
        ) { report in
            #expect(report.subjects.map(\.container) == ids)
            return report.plan.map { .digest($0.digest) }
        }
        #expect(first.status == .done, "\(first.explanation)")
        for id in ids {
            let commands = tape.all.filter { $0.address.container == id }.map(\.command)
            #expect(commands.first == .read(.caller))
        }
    }

    @Test func `S9 another user than the interrupted run's cannot resume it`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        try bench.seed(id, ["a"], user: "eve")
        let stop = StopSignal()
        let tape = Tape { _, entry in
            if entry.command.isModifying { stop.request(.interrupt) }
            return nil
        }
        let first = await bench.sweep(request([id]), tape, world: bench.world(stop: stop))
        #expect(first.status == .interrupted)
        let eve = try bench.dump(user: "eve")
        let report = await Sweep(request([id]), in: bench.world()).resume(
            run: first.runID, on: bench.databases(Tape(), user: "eve"))
        #expect(report.status == .refused, "\(report.explanation)")
        #expect(try bench.dump(user: "eve") == eve)
    }

    @Test func `the user's own record is cleared, and a refusal is said`() async throws {
        let id = try container("one")
        for refuses in [false, true] {
            let bench = try Bench()
            let name = try bench.cloud.withStore {
                $0.userRecordName(of: "ada", in: id, .development)
            }
            let fields: [String: Field?] = ["nickname": Field(.string("Countess"))]
            try bench.perform(
                .write(
                    .modifyRecords(
                        RecordModifyRequest(
                            operations: [
                                RecordOperation(
                                    .forceUpdate, recordName: name, recordType: "Users",
                                    fields: fields)
                            ], atomic: false))), at: address(id, .public))
            let tape = Tape { _, entry in
                guard case .write(.modifyRecords) = entry.command, refuses else { return nil }
                return .refuse(CloudError(.accessDenied))
            }
            let report = await bench.sweep(request([id], scopes: [.private, .public]), tape)
            let row = report.rows.first { $0.kind == .userRecord }
            let dump = try bench.cloud.withStore { try $0.dump(user: nil) }
            if refuses {
                #expect(report.status == .partlyFailed, "\(report.explanation)")
                #expect(row?.outcome == .failed)
            } else {
                #expect(report.status == .done, "\(report.explanation)")
                #expect(row?.outcome == .deleted)
                #expect(!dump.contains("Countess"))
            }
        }
    }

    @Test func `without any run there is no history, and no error`() async throws {
        let bench = try Bench()
        #expect(try await SweepHistory(stateFolder: bench.folder).runs() == [])
    }

    @Test func `a finished run is listed with its status`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let report = await bench.sweep(request([id]))
        let runs = try await SweepHistory(stateFolder: bench.folder).runs()
        #expect(runs.map(\.runID) == [report.runID])
        #expect(runs.first?.status == .done)
        #expect(runs.first?.canResume == false)
        #expect(runs.first?.containers == [id])
    }
}
