import CloudModel
import DeletionPlanning
import MockServer
import SweepEngine
import Testing

/// References decide too: what refers to something that goes, goes along.
struct CascadeTests {
    private func save(
        _ bench: Bench, _ name: String, _ type: String, refersTo target: String? = nil,
        in zone: RecordZone.ID = .default, at address: Database.Address, user: String = "ada"
    ) throws {
        var operation = RecordOperation(.create, recordName: name, recordType: type)
        if let target {
            operation.fields = [
                "owner": Field(.reference(Record.Reference(target, action: .deleteSelf)))
            ]
        }
        try bench.perform(
            .write(
                .modifyRecords(RecordModifyRequest(operations: [operation], zoneID: zone))),
            at: address, user: user)
    }

    private let keepsReceipts = Policy(
        protect: [ProtectRule(recordType: "Receipt", reason: "tax law")])

    @Test func `S3 a kept record that would go along makes the plan refuse, with the chain`()
        async throws
    {
        for zone in [RecordZone.ID.default, RecordZone.ID("a")] {
            let bench = try Bench()
            let id = try container("one")
            if !zone.isDefault { try bench.seed(id, ["a"], records: 0) }
            try save(bench, "order", "Note", in: zone, at: address(id))
            try save(bench, "receipt", "Receipt", refersTo: "order", in: zone, at: address(id))
            let wanted = request([id], types: ["Note", "Receipt"], policy: keepsReceipts)
            let before = try bench.dump(user: "ada")
            let plan = await Sweep(wanted, in: bench.world()).plan(on: bench.readable())
            #expect(plan.status == .refused, "\(plan.explanation)")
            #expect(plan.explanation.contains("Receipt \"receipt\" refers to \"order\""))
            let tape = Tape()
            let report = await bench.sweep(wanted, tape)
            #expect(report.status == .refused, "\(report.explanation)")
            #expect(tape.modifying.isEmpty)
            #expect(try bench.dump(user: "ada") == before)
        }
    }

    @Test func `S3 a reference in a list takes along, too`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try save(bench, "order", "Note", at: address(id))
        var operation = RecordOperation(.create, recordName: "receipt", recordType: "Receipt")
        let orders = ["other", "order"].map {
            FieldValue.reference(Record.Reference($0, action: .deleteSelf))
        }
        operation.fields = ["orders": Field(.list(.reference, orders))]
        try save(bench, "other", "Receipt", at: address(id))
        try bench.perform(
            .write(.modifyRecords(RecordModifyRequest(operations: [operation]))), at: address(id))
        let wanted = request([id], types: ["Note", "Receipt"], policy: keepsReceipts)
        let tape = Tape()
        let report = await bench.sweep(wanted, tape)
        #expect(report.status == .refused, "\(report.explanation)")
        #expect(tape.modifying.isEmpty)
    }

    @Test func `one's own records that refer to one's own are nobody else's`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try save(bench, "post", "Post", at: address(id, .public))
        try save(bench, "comment", "Comment", refersTo: "post", at: address(id, .public))
        let report = await bench.sweep(
            request([id], types: ["Post", "Comment"], scopes: [.private, .public]))
        #expect(report.status == .done, "\(report.explanation)")
        #expect(report.cascade.others == 0)
    }

    @Test func `S2 other people's records that could not be read stop a sweep`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try save(bench, "post", "Post", at: address(id, .public))
        let tape = Tape { _, entry in
            guard case .read(.queryRecords(let query)) = entry.command,
                entry.address.scope == .public, query.query.filters.isEmpty
            else { return nil }
            return .refuse(CloudError(.accessDenied))
        }
        let report = await bench.sweep(
            request([id], types: ["Post"], scopes: [.private, .public]), tape)
        #expect(report.status == .discoveryIncomplete, "\(report.explanation)")
        #expect(tape.modifying.isEmpty)
    }

    /// Two things are kept in two places, and either of them goes.
    @Test(arguments: ["zone", "record"])
    func `S3 of what is kept in several places nothing may be gone`(lost: String) async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a", "Receipts"])
        try save(bench, "invoice", "Invoice", at: address(id))
        let policy = Policy(protect: [
            ProtectRule(zone: "Receipts", reason: "tax law"),
            ProtectRule(recordType: "Invoice", reason: "accounts"),
        ])
        let tape = Tape { _, entry in
            guard case .write(.modifyZones(let list)) = entry.command, !list[0].id.isDefault
            else { return nil }
            try? bench.perform(
                lost == "zone"
                    ? .write(.modifyZones([.delete(RecordZone.ID("Receipts"))]))
                    : .write(
                        .modifyRecords(
                            RecordModifyRequest(operations: [.forceDelete("invoice")]))),
                at: entry.address)
            return nil
        }
        let report = await bench.sweep(request([id], types: ["Invoice"], policy: policy), tape)
        #expect(report.status == .partlyFailed, "\(report.explanation)")
        #expect(report.explanation.contains("1 thing that is to be kept"))
    }

    @Test func `S3 protecting the target too is a way out`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try save(bench, "order", "Order", at: address(id))
        try save(bench, "receipt", "Receipt", refersTo: "order", at: address(id))
        try save(bench, "note", "Note", at: address(id))
        var policy = keepsReceipts
        policy.protect.append(ProtectRule(recordType: "Order", reason: "its receipt is kept"))
        let report = await bench.sweep(
            request([id], types: ["Note", "Order", "Receipt"], policy: policy))
        #expect(report.status == .done, "\(report.explanation)")
        #expect(try bench.left() == 2)
        #expect(report.tally.kept == 2)
    }

    @Test func `S3 other people's records go along only where the list says so`() async throws {
        for answer in Policy.OthersByCascade.allCases {
            let bench = try Bench()
            let id = try container("one")
            try save(bench, "post", "Post", at: address(id, .public))
            try save(
                bench, "comment", "Comment", refersTo: "post", at: address(id, .public),
                user: "eve")
            try save(bench, "other", "Comment", at: address(id, .public), user: "eve")
            let wanted = request(
                [id], types: ["Post", "Comment"], scopes: [.private, .public],
                policy: Policy(othersByCascade: answer))
            let before = try bench.dump(user: "eve")
            let tape = Tape()
            let report = await bench.sweep(wanted, tape)
            if answer == .refuse {
                #expect(report.status == .refused, "\(report.explanation)")
                #expect(report.explanation.contains("another person"), "\(report.explanation)")
                #expect(tape.modifying.isEmpty)
                #expect(try bench.dump(user: "eve") == before)
            } else {
                #expect(report.status == .done, "\(report.explanation)")
                #expect(report.cascade.others == 1)
                let left = try await bench.cloud.database(
                    at: address(id, .public), user: "eve"
                ).records(for: RecordLookupRequest(recordNames: ["other", "comment"]))
                #expect(
                    left.records.map { if case .record = $0 { true } else { false } }
                        == [true, false])
            }
        }
    }

    @Test func `S3 a kept thing that is gone afterwards is no success`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a", "Receipts"])
        let policy = Policy(protect: [ProtectRule(zone: "Receipts", reason: "tax law")])
        let tape = Tape { _, entry in
            guard case .write(.modifyZones(let list)) = entry.command, !list[0].id.isDefault
            else { return nil }
            // A second device deletes what this run is to keep.
            try? bench.perform(
                .write(.modifyZones([.delete(RecordZone.ID("Receipts"))])), at: entry.address)
            return nil
        }
        let report = await bench.sweep(request([id], policy: policy), tape)
        #expect(report.status == .partlyFailed, "\(report.explanation)")
        let row = report.rows.first { $0.kind == .customZones }
        #expect(row?.outcome == .failed)
        #expect(row?.reason == "1 that should be kept is gone")
    }
}
