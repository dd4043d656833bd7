import AsyncOperations
import CloudCourier
import CloudModel
import DeletionPlanning
import MockStore
import SweepEngine
import Testing

/// S16: the numbers add up in every row of every report.
struct CountTests {
    static func check(
        _ report: SweepReport, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for row in report.rows {
            #expect(
                row.found == row.deleted + row.alreadyGone + row.kept + row.left + row.failed,
                "\(row)", sourceLocation: sourceLocation)
        }
    }

    @Test func `S16 a run of lost answers and one resumption counts each thing once`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, (0..<230).map { "zone \($0)" }, records: 0)
        try bench.seed(id, ["_defaultZone"], records: 30)
        let writes = Locked(0)
        let stop = StopSignal()
        let tape = Tape { _, entry in
            guard entry.command.isModifying else { return nil }
            let now = writes.withLock { writes in
                writes += 1
                return writes
            }
            if now == 2 { stop.request(.interrupt) }
            return now == 1 ? .lose : nil
        }
        let first = await bench.sweep(request([id]), tape, world: bench.world(stop: stop))
        Self.check(first)
        let done = await Sweep(request([id]), in: bench.world()).resume(
            run: first.runID, on: bench.databases())
        #expect(done.status == .done, "\(done.explanation)")
        Self.check(done)
        #expect(done.tally.found == 260)
        #expect(done.tally.deleted == 260)
    }

    @Test func `S16 what a run deleted before it was cut off counts as deleted by it`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a", "b"])
        let stop = StopSignal()
        let tape = Tape { _, entry in
            guard case .write(.modifyZones(let list)) = entry.command, !list[0].id.isDefault
            else { return nil }
            stop.request(.interrupt)
            return .lose
        }
        let first = await bench.sweep(request([id]), tape, world: bench.world(stop: stop))
        #expect(first.status == .interrupted, "\(first.explanation)")
        #expect(try bench.left() == 0)
        let done = await Sweep(request([id]), in: bench.world()).resume(
            run: first.runID, on: bench.databases())
        #expect(done.status == .done, "\(done.explanation)")
        Self.check(done)
        #expect(done.rows.first { $0.kind == .customZones }?.deleted == 2)
        #expect(done.tally.alreadyGone == 0)
    }

    @Test func `S16 what comes late takes nothing away from what was deleted`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["_defaultZone"])
        let tape = Tape { _, entry in
            guard case .write(.modifyRecords) = entry.command else { return nil }
            return .answer { reply in
                #expect(throws: Never.self) {
                    try bench.perform(
                        .write(
                            .modifyRecords(
                                RecordModifyRequest(operations: [
                                    RecordOperation(
                                        .forceReplace, recordName: "late", recordType: "Note")
                                ]))), at: address(id))
                }
                return reply
            }
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .dataLeft, "\(report.explanation)")
        let row = report.rows.first { $0.kind == .defaultZone }
        #expect(row?.deleted == 3 && row?.left == 1 && row?.found == 4, "\(report.rows)")
    }

    @Test func `S8 a long chain of references is taken apart without a failure`() async throws {
        let bench = try Bench()
        let id = try container("one")
        for start in stride(from: 0, to: 260, by: 100) {
            let operations = (start..<min(start + 100, 260)).map { number in
                var operation = RecordOperation(
                    .create, recordName: "r\(1000 + number)", recordType: "Note")
                if number > 0 {
                    operation.fields = [
                        "next": Field(
                            .reference(
                                Record.Reference("r\(1000 + number - 1)", action: .validate)))
                    ]
                }
                return operation
            }
            try bench.perform(
                .write(.modifyRecords(RecordModifyRequest(operations: operations))),
                at: address(id))
        }
        #expect(try bench.left() == 260)
        let report = await bench.sweep(request([id]))
        #expect(report.status == .done, "\(report.explanation)")
        Self.check(report)
        #expect(report.tally.deleted == 260)
        #expect(try bench.left() == 0)
    }

    @Test func `S1 deletions of records that did nothing are found by name`() async throws {
        for scope in [Database.Scope.private, .public] {
            let bench = try Bench()
            let id = try container("one")
            try bench.seed(id, ["_defaultZone"], scope: scope)
            let began = Locked(false)
            // Deletions are acknowledged and not carried out, and the index says empty.
            let tape = Tape { _, entry in
                switch entry.command {
                case .write(.modifyRecords(let request)):
                    began.withLock { $0 = true }
                    return .replace(
                        .records(
                            RecordsReply(
                                records: request.operations.map {
                                    .deleted(
                                        recordName: $0.recordName ?? "", recordChangeTag: nil)
                                })))
                case .read(.queryRecords) where began.withLock({ $0 }):
                    return .answer { _ in .recordPage(RecordPage(records: [])) }
                default: return nil
                }
            }
            let report = await bench.sweep(
                request([id], scopes: [.private, .public]), tape)
            #expect(report.status == .dataLeft, "\(scope): \(report.explanation)")
            CountTests.check(report)
            #expect(report.tally.left == 3)
        }
    }

    @Test func `what cannot be proven is said at the plan, and in what is approved`() async throws {
        for hasZone in [true, false] {
            let bench = try Bench()
            let id = try container("one")
            if hasZone { try bench.seed(id, ["a"]) }
            let wanted = request([id], types: nil)
            let plan = await Sweep(wanted, in: bench.world()).plan(on: bench.readable())
            #expect(plan.status == .discoveryIncomplete, "\(plan.explanation)")
            #expect(plan.plan?.totals.unproven == 1)
            CountTests.check(plan)
            let report = await bench.sweep(wanted)
            #expect(report.status == .partlyFailed, "\(report.explanation)")
            #expect(try bench.left() == 0)
            CountTests.check(report)
        }
    }

    @Test func `nobody who did not look says that something is empty`() async throws {
        let bench = try Bench()
        let id = try container("one")
        let stop = StopSignal()
        stop.request(.interrupt)
        let report = await Sweep(
            request([id], scopes: [.private, .shared, .public]), in: bench.world(stop: stop)
        ).plan(on: bench.readable())
        #expect(report.status == .interrupted)
        #expect(!report.rows.contains { $0.outcome == .empty })
        #expect(report.rows.filter { $0.outcome == .notLookedAt }.count >= 7)
        var token = request([id])
        token.limits.attemptsMax = 1
        let tape = Tape { _, _ in .refuse(CloudError(.authenticationRequired)) }
        let refused = await bench.sweep(token, tape)
        #expect(refused.status == .notSignedIn)
        #expect(!refused.rows.contains { $0.outcome == .empty })
    }
}
