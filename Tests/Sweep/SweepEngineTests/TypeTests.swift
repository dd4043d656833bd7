import CloudModel
import Configuration
import DeletionPlanning
import MockStore
import SweepEngine
import Testing

/// What can be listed by record type only is listed by every type that is known, and a type that
/// nobody knows is no empty place.
struct TypeTests {
    private func query(_ entry: Tape.Entry, _ type: String) -> Bool {
        guard case .read(.queryRecords(let query)) = entry.command else { return false }
        return query.query.recordType == type
    }

    @Test func `S2 one refused item in the result of a query stops everything`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["_defaultZone"])
        let tape = Tape { _, entry in
            guard self.query(entry, "Note") else { return nil }
            return .answer { reply in
                guard case .recordPage(var page) = reply else { return reply }
                page.records = [.failure(recordName: "x", CloudError(.notFound))]
                return .recordPage(page)
            }
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .discoveryIncomplete, "\(report.explanation)")
        #expect(tape.modifying.isEmpty)
        #expect(try bench.left() == 3)
    }

    @Test func `a type that the list misspells is a mistake of the list, with the nearest name`()
        async throws
    {
        let bench = try Bench(knowsAllTypes: false)
        let id = try container("one")
        try bench.seed(id, ["_defaultZone"])
        let tape = Tape()
        let report = await bench.sweep(request([id], types: ["Note", "Nte"]), tape)
        #expect(report.status == .usage, "\(report.explanation)")
        #expect(report.explanation.contains("\"Nte\""))
        #expect(report.explanation.contains("did you mean \"Note\"?"), "\(report.explanation)")
        #expect(tape.modifying.isEmpty)
        #expect(try bench.left() == 3)
    }

    @Test func `a type that the list calls retired may be unknown`() async throws {
        let bench = try Bench(knowsAllTypes: false)
        let id = try container("one")
        try bench.seed(id, ["_defaultZone"])
        var wanted = request([id], types: ["Note", "Old"])
        wanted.targets[0].retiredTypes = ["Old"]
        let report = await bench.sweep(wanted)
        #expect(report.status == .done, "\(report.explanation)")
        let row = report.rows.first { $0.subject == "Old" }
        #expect(row?.outcome == .notInScope)
    }

    private func watched(
        in scope: Database.Scope = .private
    ) throws -> (Bench, Container.ID) {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["_defaultZone"], type: "Secret")
        try bench.perform(
            .write(
                .modifySubscriptions([
                    .create(
                        Subscription(
                            subscriptionID: "s", kind: .query, query: Query(recordType: "Secret"),
                            firesOn: [.create]))
                ])), at: address(id, scope))
        return (bench, id)
    }

    @Test func `a type known from a subscription is remembered when the subscription is gone`()
        async throws
    {
        let (bench, id) = try watched()
        // Its records cannot be deleted this time, the subscription can.
        let tape = Tape { _, entry in
            guard case .write(.modifyRecords) = entry.command else { return nil }
            return .refuse(CloudError(.accessDenied))
        }
        let first = await bench.sweep(request([id]), tape)
        #expect(first.status == .partlyFailed, "\(first.explanation)")
        let plan = await Sweep(request([id]), in: bench.world()).plan(on: bench.readable())
        #expect(plan.status == .somethingToDelete, "\(plan.explanation)")
        let verified = await Sweep(request([id]), in: bench.world()).verify(
            run: nil, on: bench.readable())
        #expect(verified.status == .dataLeft, "\(verified.explanation)")
        let again = await bench.sweep(request([id]))
        #expect(again.status == .done, "\(again.explanation)")
        #expect(try bench.left() == 0)
    }

    @Test func `a type known from a subscription of the public database is looked for everywhere`()
        async throws
    {
        let (bench, id) = try watched(in: .public)
        let report = await bench.sweep(
            request([id], types: [], scopes: [.private, .shared, .public]))
        #expect(report.status == .done, "\(report.explanation)")
        #expect(try bench.left() == 0)
    }

    /// Nobody looks into a zone that is kept whole; asking whether it is there shows a record of it.
    @Test func `a type that only the check of what is kept tells of is listed in the same pass`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["keep", "_defaultZone"], type: "Secret")
        let policy = Policy(protect: [ProtectRule(zone: "keep", reason: "t")])
        let wanted = request([id], types: [], policy: policy)
        let report = await bench.sweep(wanted)
        #expect(report.status == .dataLeft, "\(report.explanation)")
        let row = report.rows.first { $0.kind == .defaultZone }
        #expect(row?.outcome == .left && row?.left == 3, "\(report.rows)")
        let again = await bench.sweep(wanted)
        #expect(again.status == .done, "\(again.explanation)")
        #expect(try bench.left() == 4, "the kept zone with its records")
    }

    @Test func `a type that any answer names is listed`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["_defaultZone"], type: "Secret")
        let tape = Tape { _, entry in
            // The person's own record, which is looked up by name, turns out to be of that type.
            guard case .read(.lookUpRecords(let request)) = entry.command else { return nil }
            let stamp = Record.Stamp(
                timestamp: Bench.now, userRecordName: request.recordNames[0], deviceID: "x")
            let mine = Record(
                id: Record.ID(request.recordNames[0]), recordType: "Secret", recordChangeTag: "1",
                created: stamp, modified: stamp)
            return .replace(.records(RecordsReply(records: [.record(mine)])))
        }
        let wanted = request([id], types: [], scopes: [.private, .public])
        let plan = await Sweep(wanted, in: bench.world()).plan(on: bench.readable(tape))
        #expect(plan.status == .somethingToDelete, "\(plan.explanation)")
        #expect(plan.rows.first { $0.kind == .defaultZone }?.left == 3)
    }

    @Test func `a type seen in a custom zone is looked for in the default zone`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"], type: "Secret")
        try bench.seed(id, ["a"], records: 1, type: "Receipt")
        try bench.seed(id, ["_defaultZone"], type: "Secret")
        let policy = Policy(protect: [ProtectRule(zone: "a", recordType: "Receipt", reason: "t")])
        // The zone is looked into because a rule keeps one of its types.
        let report = await bench.sweep(request([id], types: [], policy: policy))
        let again = await bench.sweep(request([id], types: [], policy: policy))
        #expect([report.status, again.status].contains(.done), "\(report.explanation)")
        #expect(try bench.left() == 2, "the kept record and its zone")
    }

    /// Where the changes of zones are answered with nothing in them.
    private func hidesChanges() -> Tape {
        Tape { _, entry in
            guard case .read(.zoneChanges) = entry.command else { return nil }
            return .answer { reply in
                guard case .zoneChanges(let items) = reply else { return reply }
                return .zoneChanges(
                    items.map { item in
                        guard case .page(var page) = item else { return item }
                        page.records = []
                        return .page(page)
                    })
            }
        }
    }

    @Test func `S3 a kept record that a zone's changes do not show is found by its type`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        try bench.seed(id, ["a"], records: 1, type: "Receipt")
        let policy = Policy(protect: [ProtectRule(recordType: "Receipt", reason: "tax law")])
        let before = try bench.dump(user: "ada")
        let tape = hidesChanges()
        let report = await bench.sweep(request([id], policy: policy), tape)
        #expect(report.status == .discoveryIncomplete, "\(report.explanation)")
        #expect(report.explanation.contains("do not contain them"), "\(report.explanation)")
        #expect(tape.modifying.isEmpty)
        #expect(try bench.dump(user: "ada") == before)
    }

    @Test func `S2 a zone's changes that show less when they are read again stop everything`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        try bench.seed(id, ["a"], records: 1, type: "Receipt")
        let policy = Policy(protect: [ProtectRule(recordType: "Receipt", reason: "tax law")])
        let tape = Tape { _, entry in
            // What is kept is looked at with all its fields.
            guard case .read(.zoneChanges(let asked)) = entry.command,
                asked[0].desiredKeys == nil
            else { return nil }
            return .answer { reply in
                guard case .zoneChanges(let items) = reply, case .page(var page) = items[0] else {
                    return reply
                }
                page.records = page.records.filter {
                    if case .record(let record) = $0 {
                        record.recordType == "Receipt"
                    } else {
                        true
                    }
                }
                return .zoneChanges([.page(page)])
            }
        }
        let report = await bench.sweep(request([id], policy: policy), tape)
        #expect(report.status == .discoveryIncomplete, "\(report.explanation)")
        #expect(report.explanation.contains("read again"), "\(report.explanation)")
        #expect(tape.modifying.isEmpty)
    }

    @Test func `a kept type that cannot be listed leaves a zone's changes as the only source`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"], records: 1, type: "Receipt")
        try bench.seed(id, ["b"])
        let policy = Policy(
            protect: [ProtectRule(zone: "a", recordType: "Receipt", reason: "tax law")])
        let tape = Tape { _, entry in
            guard case .read(.queryRecords(let query)) = entry.command, query.zoneWide else {
                return nil
            }
            return .refuse(CloudError(.badRequest, reason: "not marked queryable"))
        }
        let report = await bench.sweep(request([id], types: [], policy: policy), tape)
        #expect(report.status == .done, "\(report.explanation)")
        #expect(try bench.left() == 2, "the kept record and its zone")
    }
}
