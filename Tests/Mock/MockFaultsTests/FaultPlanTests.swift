import Basics
import CloudModel
import MockFaults
import MockSamples
import Testing

/// Which requests a plan of faults fires on.
struct FaultPlanTests {
    private static let delete = Samples.deleteZones("Notes")

    /// The numbers, from 1, of the requests of `count` on which a rule fires.
    private func firings(
        _ text: String, count: Int, seed: UInt64 = 1, id: String = "f"
    ) throws -> [Int] {
        var plan = FaultPlan(seed: seed)
        try plan.set(Samples.rule(text, id: id), now: Samples.start)
        return (1...count).filter { _ in
            !plan.decide(Samples.context(Self.delete)).fired.isEmpty
        }
    }

    @Test(arguments: [
        ("zones/modify -> THROTTLED", [1, 2, 3, 4, 5, 6]),
        ("3rd zones/modify -> THROTTLED", [3]),
        ("every 2nd zones/modify -> THROTTLED", [2, 4, 6]),
        ("zones/modify 2 times -> THROTTLED", [1, 2]),
        ("3rd zones/modify 2 times -> THROTTLED", [3]),
        ("2nd every 3rd zones/modify -> THROTTLED", [2, 5]),
        ("every 2nd zones/modify once -> THROTTLED", [2]),
        ("100% zones/modify -> THROTTLED", [1, 2, 3, 4, 5, 6]),
        ("zones/list -> THROTTLED", []),
        ("reads -> THROTTLED", []),
        ("zones/* in container *.other -> THROTTLED", []),
        ("zones/modify in public -> THROTTLED", []),
        ("zones/modify in zone N*s -> THROTTLED", [1, 2, 3, 4, 5, 6]),
        ("zones/modify in zone M* -> THROTTLED", []),
        ("zones/modify by user bob -> THROTTLED", []),
    ])
    func `counts decide which matches fire`(text: String, expected: [Int]) throws {
        if text.hasPrefix("3rd zones/modify 2 times") {
            #expect(try firings(text, count: 6) == [3, 4])
        } else {
            #expect(try firings(text, count: 6) == expected)
        }
    }

    @Test func `chance is the same for the same seed and id, and not for others`() throws {
        let text = "30% zones/modify -> THROTTLED"
        let first = try firings(text, count: 2000)
        #expect(try firings(text, count: 2000) == first)
        #expect(try firings(text, count: 2000, seed: 2) != first)
        #expect(try firings(text, count: 2000, id: "g") != first)
        #expect((500...700).contains(first.count), "\(first.count) of 2000 at 0.3")
    }

    @Test func `adding a rule does not change the chances of another`() throws {
        let text = "30% zones/modify -> delay 1ms"
        let alone = try firings(text, count: 300)
        var plan = FaultPlan(seed: 1)
        try plan.set(
            Samples.rule("50% any -> delay 2ms", id: "before"), now: Samples.start)
        try plan.set(Samples.rule(text), now: Samples.start)
        let together = (1...300).filter { _ in
            plan.decide(Samples.context(Self.delete)).fired.contains("f")
        }
        #expect(together == alone)
    }

    @Test func `delays add up and only the first ending action fires`() throws {
        var plan = FaultPlan(seed: 1)
        try plan.set(Samples.rule("any -> delay 20ms", id: "a"), now: Samples.start)
        try plan.set(
            Samples.rule("zones/modify once -> cut after commit", id: "b"), now: Samples.start)
        try plan.set(Samples.rule("any once -> THROTTLED", id: "c"), now: Samples.start)
        try plan.set(Samples.rule("any -> delay 30ms", id: "d"), now: Samples.start)
        let first = plan.decide(Samples.context(Self.delete))
        #expect(first.delay == .milliseconds(50))
        #expect(first.ending == .cutAfterCommit)
        #expect(first.fired == ["a", "b", "d"])
        let second = plan.decide(Samples.context(Self.delete))
        #expect(second.fired == ["a", "c", "d"], "the rule that lost keeps its one firing")
        #expect(plan.entries.map(\.matched) == [2, 2, 2, 2])
        #expect(plan.entries.map(\.fired) == [2, 1, 1, 2])
    }

    @Test func `a rule set again starts at zero in its old place`() throws {
        var plan = FaultPlan(seed: 1)
        try plan.set(Samples.rule("any -> THROTTLED", id: "a"), now: Samples.start)
        try plan.set(Samples.rule("any -> delay 1ms", id: "b"), now: Samples.start)
        _ = plan.decide(Samples.context(Self.delete))
        try plan.set(Samples.rule("any -> CONFLICT", id: "a"), now: Samples.start)
        #expect(plan.entries.map(\.rule.id) == ["a", "b"])
        #expect(plan.entries.map(\.matched) == [0, 1])
        let removed = [plan.remove(id: "a"), plan.remove(id: "a")]
        #expect(removed == [true, false])
    }

    @Test func `a throttle lets a burst through and then says how long to wait`() throws {
        var plan = FaultPlan(seed: 1)
        try plan.set(Samples.rule("any -> throttle 2/s burst 3"), now: Samples.start)
        func wait(at milliseconds: Int64) -> Duration? {
            let context = Samples.context(Self.delete, at: milliseconds)
            return plan.decide(context).throttled?.retryAfter
        }
        #expect((0..<3).map { _ in wait(at: 0) } == [nil, nil, nil])
        #expect(wait(at: 0) == .milliseconds(500))
        #expect(wait(at: 250) == .milliseconds(250))
        #expect(wait(at: 500) == nil)
        #expect(wait(at: 500) == .milliseconds(500))
    }

    @Test func `a stale list waits until there is something to be wrong about`() throws {
        var plan = FaultPlan(seed: 1)
        try plan.set(Samples.rule("zones/list once -> stale zone list"), now: Samples.start)
        let list = Samples.context(.read(.listZones(token: nil)))
        #expect(plan.decide(list).ending == nil)
        #expect(plan.decide(list, hasDeletedZones: true).ending == .staleZoneList)
        #expect(plan.decide(list, hasDeletedZones: true).ending == nil)
    }
}

/// Items that fail while others are carried out.
struct ItemFaultTests {
    private let error = CloudError(.conflict, reason: "injected")

    private func names(_ command: CloudCommand?) -> [String] {
        switch command {
        case .write(.modifyRecords(let request)): request.operations.compactMap(\.recordName)
        case .write(.modifyZones(let operations)): operations.map(\.id.zoneName)
        default: []
        }
    }

    private func codes(_ reply: CloudReply) -> [String] {
        switch reply {
        case .records(let reply):
            reply.records.map {
                if case .failure(_, let error) = $0 { error.code.rawValue } else { $0.recordName }
            }
        case .zones(let items):
            items.map {
                if case .failure(_, let error) = $0 { error.code.rawValue } else { $0.id.zoneName }
            }
        default: []
        }
    }

    private func request(
        _ zones: [String], atomic: Bool
    ) -> CloudCommand {
        .write(
            .modifyRecords(
                RecordModifyRequest(
                    operations: zones.enumerated().map { index, zone in
                        RecordOperation(
                            .forceDelete, recordName: "r\(index)", zoneID: RecordZone.ID(zone))
                    }, atomic: atomic)))
    }

    @Test func `without atomicity only the items named fail`() {
        let split = ItemFaults(
            request(["A", "A", "A"], atomic: false), error: error, items: 2, isPublic: false)
        #expect(names(split.remaining) == ["r2"])
        let reply = split.merge(
            .records(
                RecordsReply(records: [.deleted(recordName: "r2", recordChangeTag: nil)])))
        #expect(codes(reply) == ["CONFLICT", "CONFLICT", "r2"])
    }

    @Test func `an atomic batch fails zone by zone`() {
        let split = ItemFaults(
            request(["A", "B", "A", "_defaultZone"], atomic: true), error: error, items: 1,
            isPublic: false)
        #expect(names(split.remaining) == ["r1", "r3"])
        let rest = ["r1", "r3"].map { Record.Item.deleted(recordName: $0, recordChangeTag: nil) }
        let reply = split.merge(.records(RecordsReply(records: rest)))
        #expect(codes(reply) == ["CONFLICT", "r1", "ATOMIC_ERROR", "r3"])
        guard case .records(let records) = reply else {
            Issue.record("another shape")
            return
        }
        #expect(!records.failedAtomically)
    }

    @Test(arguments: [(true, "A"), (false, "_defaultZone")])
    func `public databases and the default zone know no atomicity`(
        isPublic: Bool, zone: String
    ) {
        let split = ItemFaults(
            request([zone, zone], atomic: true), error: error, items: 1, isPublic: isPublic)
        #expect(names(split.remaining) == ["r1"])
    }

    @Test func `a zone pattern chooses the items`() {
        let split = ItemFaults(
            Samples.deleteZones("Notes", "Trash", "Nest"), error: error, items: nil,
            among: ItemFilter(zone: Glob("N*")), isPublic: false)
        #expect(names(split.remaining) == ["Trash"])
        let reply = split.merge(.zones([.deleted(RecordZone.ID("Trash"))]))
        #expect(codes(reply) == ["CONFLICT", "Trash", "CONFLICT"])
    }

    @Test func `when all fail nothing is carried out`() {
        let split = ItemFaults(
            Samples.deleteZones("A", "B"), error: error, items: nil, isPublic: false)
        #expect(split.remaining == nil)
        #expect(codes(split.merge(nil)) == ["CONFLICT", "CONFLICT"])
    }
}
