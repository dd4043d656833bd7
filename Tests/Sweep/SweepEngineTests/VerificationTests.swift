import AsyncOperations
import CloudCourier
import CloudModel
import DeletionPlanning
import InProcessMock
import MockStore
import SweepEngine
import Testing

/// S1: 0 only after looking at content twice in a row.
struct VerificationTests {
    @Test func `S1 a deletion that is accepted and not done ends with 6`() async throws {
        let id = try container("one")
        let lies: [@Sendable (Tape.Entry) -> Bool] = [
            { if case .write(.modifyZones) = $0.command { true } else { false } },
            { if case .write(.modifyRecords) = $0.command { true } else { false } },
            { if case .write(.modifySubscriptions) = $0.command { true } else { false } },
        ]
        for (number, isLie) in lies.enumerated() {
            let bench = try Bench()
            try bench.seed(id, ["a"])
            try bench.seed(id, ["_defaultZone"])
            try bench.perform(
                .write(
                    .modifySubscriptions([
                        .create(Subscription(subscriptionID: "all", kind: .database))
                    ])), at: address(id))
            let cloud = bench.cloud
            struct Liar: CloudDatabase {
                let base: MockDatabase
                let isLie: @Sendable (Tape.Entry) -> Bool
                var address: Database.Address { base.address }
                func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
                    guard isLie(Tape.Entry(address: address, command: command)) else {
                        return try await base.perform(command)
                    }
                    switch command {
                    case .write(.modifyZones(let list)): return .zones(list.map { .deleted($0.id) })
                    case .write(.modifyRecords(let request)):
                        return .records(
                            RecordsReply(
                                records: request.operations.map {
                                    .deleted(
                                        recordName: $0.recordName ?? "", recordChangeTag: nil)
                                }))
                    case .write(.modifySubscriptions(let list)):
                        return .subscriptions(
                            list.map {
                                if case .delete(let id) = $0 { .deleted(id) } else { .deleted("") }
                            })
                    default: return try await base.perform(command)
                    }
                }
            }
            let report = await Sweep(request([id]), in: bench.world()).run(
                on: { Liar(base: cloud.database(at: $0, user: "ada"), isLie: isLie) },
                confirm: approve)
            #expect(report.status == .dataLeft, "\(number): \(report.explanation)")
            #expect(report.rows.contains { $0.outcome == .left && $0.left > 0 })
            #expect(try bench.left() > 0)
        }
    }

    @Test func `S1 a zone that is listed for a while after its deletion is waited for`()
        async throws
    {
        var options = MockOptions()
        options.zoneListLag = 3
        let bench = try Bench(options)
        let id = try container("one")
        try bench.seed(id, ["a", "b"])
        let report = await bench.sweep(request([id]))
        #expect(report.status == .done, "\(report.explanation)")
        #expect(report.passes.count > 2)
        #expect(report.passes.first?.isClean == false)
        #expect(report.passes.suffix(2).allSatisfy { $0.isClean })
    }

    /// The list shows nothing, but the zone answers: its content is what counts.
    @Test func `S1 a deleted zone that still answers is found, listed or not`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a", "b"])
        let tape = Tape { number, entry in
            switch entry.command {
            case .write(.modifyZones(let list)):
                return .answer { _ in .zones(list.map { .deleted($0.id) }) }
            case .read(.listZones), .read(.databaseChanges):
                guard number > 5 else { return nil }
                return .answer { _ in
                    .zonePage(ZonePage(zones: [], token: nil, moreComing: false))
                }
            default: return nil
            }
        }
        let cloud = bench.cloud
        struct Deaf: CloudDatabase {
            let base: TapedDatabase
            var address: Database.Address { base.address }
            func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
                if case .write(.modifyZones(let list)) = command {
                    _ = base.tape.note(Tape.Entry(address: address, command: command))
                    return .zones(list.map { .deleted($0.id) })
                }
                return try await base.perform(command)
            }
        }
        let report = await Sweep(request([id]), in: bench.world()).run(
            on: {
                Deaf(
                    base: TapedDatabase(base: cloud.database(at: $0, user: "ada"), tape: tape))
            }, confirm: approve)
        #expect(report.status == .dataLeft, "\(report.explanation)")
        let row = report.rows.first { $0.kind == .customZones }
        #expect(row?.left == 2)
        #expect(row?.reason == "2 of the deleted zones exist again")
    }

    @Test(arguments: [true, false])
    func `S1 a zone that comes back between two passes is found`(withRecord: Bool) async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let looks = Locked(0)
        let deleted = Locked(false)
        let tape = Tape { _, entry in
            if entry.command.isModifying { deleted.withLock { $0 = true } }
            guard case .read(.zoneChanges) = entry.command, deleted.withLock({ $0 }) else {
                return nil
            }
            let look = looks.withLock { looks in
                looks += 1
                return looks
            }
            // After the first clean pass another device writes again.
            if look == 2 {
                try? bench.seed(id, ["a"], records: withRecord ? 1 : 0)
            }
            return nil
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .dataLeft, "\(report.explanation)")
        #expect(report.passes.first?.isClean == true)
        let row = report.rows.first { $0.kind == .customZones }
        #expect(row?.outcome == .left)
        #expect(row?.reason == "1 of the deleted zones exist again")
    }

    @Test func `S1 passes lie as far apart as lists may lag`() async throws {
        let bench = try Bench()
        var wanted = request([try container("one")])
        wanted.limits.verifyPause = .seconds(17)
        wanted.limits.cleanPasses = 3
        let report = await bench.sweep(wanted)
        #expect(report.status == .done, "\(report.explanation)")
        #expect(report.passes.count == 3)
        #expect(bench.clock.now.sinceStart == .seconds(34))
    }

    @Test func `S1 two clean passes must be in a row`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let lists = Locked(0)
        let tape = Tape { _, entry in
            guard case .read(.listZones) = entry.command else { return nil }
            let list = lists.withLock { lists in
                lists += 1
                return lists
            }
            // 1 is the inventory, 2 a clean pass, 3 sees something.
            guard list == 3 else { return nil }
            return .answer { reply in
                guard case .zonePage(var page) = reply else { return reply }
                page.zones.append(.zone(RecordZone(id: RecordZone.ID("ghost"), isAtomic: true)))
                return .zonePage(page)
            }
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .done, "\(report.explanation)")
        #expect(report.passes.map(\.isClean) == [true, false, true, true])
    }

    @Test func `S1 a pass that cannot read something is not clean`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let deleted = Locked(false)
        let tape = Tape { _, entry in
            if entry.command.isModifying { deleted.withLock { $0 = true } }
            guard case .read(.listSubscriptions) = entry.command, deleted.withLock({ $0 }) else {
                return nil
            }
            return .refuse(CloudError(.accessDenied))
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .dataLeft, "\(report.explanation)")
        #expect(report.passes.allSatisfy { $0.unread == 1 })
        #expect(report.rows.first { $0.kind == .subscriptions }?.outcome == .notLookedAt)
    }

    @Test func `S1 what cannot be asked for by its name is not shown to be gone`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let deleted = Locked(false)
        let tape = Tape { _, entry in
            if entry.command.isModifying { deleted.withLock { $0 = true } }
            guard case .read(.zoneChanges) = entry.command, deleted.withLock({ $0 }) else {
                return nil
            }
            return .refuse(CloudError(.accessDenied))
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .dataLeft, "\(report.explanation)")
        #expect(report.rows.first { $0.kind == .customZones }?.outcome == .notLookedAt)
        #expect(report.passes.allSatisfy { $0.unread == 1 })
    }

    @Test func `S1 a deleted subscription that still answers is found, listed or not`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.perform(
            .write(
                .modifySubscriptions([
                    .create(Subscription(subscriptionID: "all", kind: .database))
                ])), at: address(id))
        let began = Locked(false)
        let tape = Tape { _, entry in
            switch entry.command {
            case .write(.modifySubscriptions):
                began.withLock { $0 = true }
                return .replace(.subscriptions([.deleted("all")]))
            case .read(.listSubscriptions) where began.withLock({ $0 }):
                return .replace(.subscriptions([]))
            default: return nil
            }
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .dataLeft, "\(report.explanation)")
        #expect(report.rows.first { $0.kind == .subscriptions }?.left == 1)
    }

    /// The default zone is always there: whoever says that it is not speaks of something else.
    @Test func `S9 records are not gone because the default zone is said to be`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["_defaultZone"])
        let began = Locked(false)
        let tape = Tape { _, entry in
            switch entry.command {
            case .write(.modifyRecords(let request)):
                began.withLock { $0 = true }
                return .replace(
                    .records(
                        RecordsReply(
                            records: request.operations.map {
                                .deleted(recordName: $0.recordName ?? "", recordChangeTag: nil)
                            })))
            case .read(.queryRecords) where began.withLock({ $0 }):
                return .replace(.recordPage(RecordPage(records: [])))
            case .read(.lookUpRecords(let request)):
                return .replace(
                    .records(
                        RecordsReply(
                            records: request.recordNames.map {
                                .failure(recordName: $0, CloudError(.zoneNotFound))
                            })))
            default: return nil
            }
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .dataLeft, "\(report.explanation)")
        #expect(try bench.left() == 3)
    }

    @Test func `what answers by its name is left, though the lists cannot be read`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let began = Locked(false)
        let tape = Tape { _, entry in
            switch entry.command {
            case .write(.modifyZones(let operations)):
                began.withLock { $0 = true }
                return .replace(.zones(operations.map { .deleted($0.id) }))
            case .read(.listZones) where began.withLock({ $0 }):
                return .refuse(CloudError(.accessDenied))
            default: return nil
            }
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .dataLeft, "\(report.explanation)")
        let row = report.rows.first { $0.kind == .customZones }
        #expect(row?.outcome == .left && row?.left == 1, "\(report.rows)")
    }

    @Test func `S1 what a run was cut off at is asked for by its name`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let stop = StopSignal()
        let tape = Tape { _, entry in
            guard case .write(.modifyZones(let operations)) = entry.command else { return nil }
            stop.request(.interrupt)
            return .replace(.zones(operations.map { .deleted($0.id) }))
        }
        let first = await bench.sweep(request([id]), tape, world: bench.world(stop: stop))
        #expect(first.status == .interrupted, "\(first.explanation)")
        #expect(try bench.left() == 4)
        // No list shows the zone any more, but it is there.
        let lists = Tape { _, entry in
            switch entry.command {
            case .read(.listZones), .read(.databaseChanges):
                .replace(.zonePage(ZonePage(zones: [], token: nil, moreComing: false)))
            default: nil
            }
        }
        let report = await Sweep(request([id]), in: bench.world()).verify(
            run: first.runID, on: bench.readable(lists))
        #expect(report.status == .dataLeft, "\(report.explanation)")
        #expect(report.rows.first { $0.kind == .customZones }?.left == 1)
    }

    @Test func `verify says what is there, and what a run left behind`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let swept = await bench.sweep(request([id]))
        #expect(swept.status == .done)
        let sweep = Sweep(request([id]), in: bench.world())
        let empty = await sweep.verify(run: swept.runID, on: bench.readable())
        #expect(empty.status == .done, "\(empty.explanation)")
        #expect(empty.passes.count == 2)
        try bench.seed(id, ["b"])
        let found = await sweep.verify(run: nil, on: bench.readable())
        #expect(found.status == .dataLeft, "\(found.explanation)")
        let unknown = await sweep.verify(run: "nonsense", on: bench.readable())
        #expect(unknown.status == .usage)
    }
}
