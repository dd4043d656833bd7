import AsyncOperations
import Basics
import CloudCourier
import CloudModel
import DeletionPlanning
import MockStore
import SweepEngine
import Testing

/// The one retry rule, seen from outside: what is sent, when, and how the run ends.
struct ErrorPolicyTests {
    /// The deleting request for custom zones.
    private static func deletesZones(_ entry: Tape.Entry) -> Bool {
        guard case .write(.modifyZones(let operations)) = entry.command else { return false }
        return !operations.contains { $0.id.isDefault }
    }

    /// How a sweep ends when deleting the zones fails with this code for ever.
    static func lasting(_ code: CloudError.Code) -> Basics.ExitStatus {
        switch code {
        case .authenticationFailed, .authenticationRequired: .notSignedIn
        case .throttled, .tryAgainLater, .internalError, .networkFailure, .responseLost,
            .unexpectedResponse, .unknown, .badRequest, .quotaExceeded, .atomicError, .conflict,
            .notFound, .zoneNotFound, .validatingReferenceError, .accessDenied, .exists,
            .certificateUntrusted, .cancelled, .answerTooLarge:
            .partlyFailed
        }
    }

    @Test(arguments: CloudError.Code.allCases)
    func `S8 a refusal for ever ends, deletes nothing else, and never with 0`(
        code: CloudError.Code
    ) async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a", "b", "c"])
        let tape = Tape { _, entry in
            Self.deletesZones(entry) ? .refuse(CloudError(code, reason: "for ever")) : nil
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == Self.lasting(code), "\(report.explanation)")
        #expect(try bench.left() == 12)
        #expect(tape.modifying.filter(Self.deletesZones).count < 220)
    }

    /// Whether the same request is worth sending again.
    static func passes(_ code: CloudError.Code) -> Bool {
        switch code {
        case .throttled, .tryAgainLater, .internalError, .networkFailure, .responseLost,
            .unexpectedResponse, .unknown, .conflict, .badRequest, .quotaExceeded, .atomicError,
            .validatingReferenceError, .answerTooLarge:
            true
        case .accessDenied, .authenticationFailed, .authenticationRequired, .exists, .notFound,
            .zoneNotFound, .certificateUntrusted, .cancelled:
            false
        }
    }

    @Test(arguments: CloudError.Code.allCases)
    func `S8 a refusal that passes is repeated, any other is not`(
        code: CloudError.Code
    ) async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a", "b", "c"])
        let refused = Locked(false)
        let tape = Tape { _, entry in
            guard Self.deletesZones(entry),
                refused.withLock({ was in
                    defer { was = true }
                    return !was
                })
            else { return nil }
            return .refuse(CloudError(code))
        }
        let report = await bench.sweep(request([id]), tape)
        let deleting = tape.modifying.filter(Self.deletesZones)
        if Self.passes(code) {
            #expect(report.status == .done, "\(report.explanation)")
            #expect(try bench.left() == 0)
        } else {
            #expect(report.status != .done)
            #expect(deleting.count == 1)
        }
    }

    @Test func `S10 a report counts all failures, and shows the first`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, (0..<1100).map { "zone \($0)" }, records: 0)
        let tape = Tape { _, entry in
            guard Self.deletesZones(entry),
                case .write(.modifyZones(let operations)) = entry.command
            else { return nil }
            return .replace(
                .zones(operations.map { .failure($0.id, CloudError(.accessDenied)) }))
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .partlyFailed, "\(report.explanation)")
        #expect(report.failureCount == 1100)
        #expect(report.failures.count == SweepReport.failuresMax)
    }

    @Test func `S1 deletions that were refused and carried out are not proven`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a", "b"])
        let tape = Tape { _, entry in
            guard Self.deletesZones(entry) else { return nil }
            return .answer { reply in
                guard case .zones(let items) = reply else { return reply }
                return .zones(items.map { .failure($0.id, CloudError(.accessDenied)) })
            }
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(try bench.left() == 0)
        #expect(report.passes.allSatisfy { $0.isClean })
        #expect(report.status == .partlyFailed, "\(report.explanation)")
        CountTests.check(report)
    }

    @Test(arguments: CloudError.Code.allCases)
    func `S9 a refused item counts as gone only where the refusal says that it is not there`(
        code: CloudError.Code
    ) async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let tape = Tape { _, entry in
            guard Self.deletesZones(entry),
                case .write(.modifyZones(let operations)) = entry.command
            else { return nil }
            return .replace(.zones(operations.map { .failure($0.id, CloudError(code)) }))
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status != .done, "\(report.explanation)")
        #expect(try bench.left() == 4)
        switch code {
        case .notFound, .zoneNotFound:
            #expect(report.failures.isEmpty)
        // The run ends before anything is concluded from it.
        case .authenticationFailed, .authenticationRequired, .certificateUntrusted, .cancelled:
            break
        default:
            #expect(report.failures.map(\.name) == ["a"])
        }
        CountTests.check(report)
    }

    @Test func `S8 only the items that failed are sent again`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a", "b", "c", "d"])
        let refused = Locked(false)
        let tape = Tape { _, entry in
            guard Self.deletesZones(entry),
                refused.withLock({ was in
                    defer { was = true }
                    return !was
                })
            else { return nil }
            return .answer { reply in
                guard case .zones(let items) = reply else { return reply }
                return .zones(
                    items.map {
                        ["b", "d"].contains($0.id.zoneName)
                            ? .failure($0.id, CloudError(.tryAgainLater)) : $0
                    })
            }
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .done, "\(report.explanation)")
        let names = tape.modifying.filter(Self.deletesZones).map { entry -> [String] in
            guard case .write(.modifyZones(let operations)) = entry.command else { return [] }
            return operations.map(\.id.zoneName).sorted()
        }
        #expect(names == [["a", "b", "c", "d"], ["b", "d"]])
    }

    @Test(arguments: [1, 3, 50])
    func `S8 a batch that is too large is halved until it fits`(most: Int) async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, (0..<120).map { "zone \($0)" }, records: 0)
        try bench.seed(id, ["_defaultZone"], records: 90)
        let tape = Tape { _, entry in
            switch entry.command {
            case .write(.modifyZones(let operations)) where operations.count > most:
                .refuse(CloudError(.badRequest, reason: "too many"))
            case .write(.modifyRecords(let request)) where request.operations.count > most:
                .refuse(CloudError(.quotaExceeded, reason: "too large"))
            default: nil
            }
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .done, "\(report.explanation)")
        #expect(try bench.left() == 0)
    }

    @Test func `S8 a zone that is refused alone is reported, and the others go`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, (0..<20).map { "zone \($0)" }, records: 0)
        let tape = Tape { _, entry in
            guard case .write(.modifyZones(let operations)) = entry.command,
                operations.contains(where: { $0.id.zoneName == "zone 7" })
            else { return nil }
            return .refuse(CloudError(.badRequest))
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .partlyFailed, "\(report.explanation)")
        #expect(report.failures.map(\.name) == ["zone 7"])
        #expect(report.failures.first?.code == .badRequest)
        #expect(try bench.left() == 1)
        let row = report.rows.first { $0.kind == .customZones }
        #expect(row?.deleted == 19 && row?.failed == 1 && row?.left == 0 && row?.found == 20)
    }

    @Test func `S8 the server's wait is honoured, and shared by all work on the database`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let times = Locked<[Duration]>([])
        let refused = Locked(false)
        let clock = bench.clock
        let tape = Tape { _, entry in
            guard entry.command.isModifying else { return nil }
            times.withLock { $0.append(clock.now.sinceStart) }
            guard Self.deletesZones(entry),
                refused.withLock({ was in
                    defer { was = true }
                    return !was
                })
            else { return nil }
            return .refuse(CloudError(.throttled, retryAfter: .seconds(110_207)))
        }
        var wanted = request([id])
        wanted.limits.waitMax = .seconds(200_000)
        let report = await bench.sweep(wanted, tape)
        #expect(report.status == .done, "\(report.explanation)")
        let moments = times.withLock { $0 }.sorted()
        #expect(moments.count >= 3)
        let after = moments.filter { $0 >= .seconds(110_207) }
        let atOnce = moments.filter { $0 < .seconds(1) }
        #expect(after.count + atOnce.count == moments.count, "\(moments)")
        #expect(after.count >= 1)
    }

    @Test func `an answer that was lost after the deletion counts as deleted by looking`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a", "b"])
        try bench.seed(id, ["_defaultZone"])
        let seen = Locked<Set<String>>([])
        let tape = Tape { _, entry in
            guard entry.command.isModifying else { return nil }
            let isNew = seen.withLock { $0.insert("\(entry.command)").inserted }
            return isNew ? .lose : nil
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .done, "\(report.explanation)")
        #expect(try bench.left() == 0)
        let zones = report.rows.first { $0.kind == .customZones }
        #expect(zones?.deleted == 2)
        #expect(zones?.outcome == .deleted)
    }

    @Test func `records that others refer to go after the others`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["_defaultZone"], records: 1, type: "Target")
        try bench.perform(
            .write(
                .modifyRecords(
                    RecordModifyRequest(
                        operations: [
                            RecordOperation(
                                .create, recordName: "referrer", recordType: "Zebra",
                                fields: [
                                    "to": Field(
                                        .reference(
                                            Record.Reference("_defaultZone-0", action: .validate)))
                                ])
                        ], atomic: false))), at: address(id))
        let report = await bench.sweep(request([id], types: ["Target", "Zebra"]))
        #expect(report.status == .done, "\(report.explanation)")
        #expect(try bench.left() == 0)
    }

    @Test func `the most time allowed ends a run with 8, and resume finishes it`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let tape = Tape { _, entry in
            entry.command.isModifying
                ? .refuse(CloudError(.throttled, retryAfter: .seconds(3600))) : nil
        }
        var wanted = request([id])
        wanted.limits.maxDuration = .seconds(60)
        let report = await bench.sweep(wanted, tape)
        #expect(report.status == .outOfTime, "\(report.explanation)")
        let done = await Sweep(request([id]), in: bench.world()).resume(
            run: report.runID, on: bench.databases())
        #expect(done.status == .done, "\(done.explanation)")
    }

    /// What was stopped is resumed, or begun anew where nothing had been approved.
    private func expectToFinish(_ bench: Bench, _ id: Container.ID, _ moment: Int) async throws {
        let sweep = Sweep(request([id]), in: bench.world())
        var end = await sweep.resume(run: nil, on: bench.databases())
        if end.status == .usage {
            end = await sweep.run(on: bench.databases(), confirm: approve)
        }
        #expect(end.status == .done, "\(moment): \(end.explanation)")
        #expect(try bench.left() == 0)
    }

    @Test(.timeLimit(.minutes(10)))
    func `the end of the time ends requests that nobody answers, at every moment`() async throws {
        let id = try container("one")
        var moment = 0
        while true {
            let bench = try Bench()
            try bench.seed(id, ["a", "_defaultZone"])
            let stop = StopSignal()
            let when = moment
            let tape = Tape { number, _ in
                guard number == when else { return nil }
                stop.request(.outOfTime)
                return .hang
            }
            let report = await bench.sweep(request([id]), tape, world: bench.world(stop: stop))
            if stop.reason == nil { break }
            #expect(report.status == .outOfTime, "\(moment): \(report.explanation)")
            #expect(report.requests == tape.all.count)
            try await expectToFinish(bench, id, moment)
            moment += 1
        }
        #expect(moment > 15)
    }

    @Test func `a stop lets requests in flight finish, and resume finishes the run`()
        async throws
    {
        let id = try container("one")
        var moment = 0
        while true {
            let bench = try Bench()
            try bench.seed(id, ["a", "b"])
            try bench.seed(id, ["_defaultZone"])
            let stop = StopSignal()
            let when = moment
            let reason: StopSignal.Reason = moment % 2 == 0 ? .interrupt : .terminate
            let tape = Tape { number, _ in
                if number == when { stop.request(reason) }
                return nil
            }
            let report = await bench.sweep(request([id]), tape, world: bench.world(stop: stop))
            if stop.reason == nil { break }
            if report.status != .done {
                #expect(
                    report.status == (moment % 2 == 0 ? .interrupted : .terminated),
                    "\(moment): \(report.explanation)")
                #expect(report.requests == tape.all.count)
            }
            try await expectToFinish(bench, id, moment)
            moment += 1
        }
        #expect(moment > 15)
    }
}
