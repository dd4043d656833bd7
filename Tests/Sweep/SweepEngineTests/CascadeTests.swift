import AsyncOperations
import CloudModel
import Configuration
import DeletionPlanning
import MockStore
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
        #expect(report.explanation.contains("1 item that is to be kept"))
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
                #expect(report.explanation.contains("another user"), "\(report.explanation)")
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
        #expect(row?.reason == "1 that should be kept is missing")
    }

    // MARK: More than the service deletes at once

    /// Saves notes that each refer to the one before, in the order of their names.
    private func saveRow(
        of count: Int, isRing: Bool, _ bench: Bench, in zone: RecordZone.ID,
        at address: Database.Address
    ) throws {
        func note(_ number: Int, to target: Int?) -> RecordOperation {
            var operation = RecordOperation(
                .forceUpdate, recordName: name(number), recordType: "Note")
            operation.fields = ["text": Field(.string("x"))]
            if let target {
                operation.fields["before"] = Field(
                    .reference(Record.Reference(name(target), action: .deleteSelf)))
            }
            return operation
        }
        func name(_ number: Int) -> String { "n\(10_000 + number)" }
        func save(_ operations: [RecordOperation]) throws {
            try bench.perform(
                .write(.modifyRecords(RecordModifyRequest(operations: operations, zoneID: zone))),
                at: address)
        }
        for start in stride(from: 0, to: count, by: 200) {
            try save((start..<min(count, start + 200)).map { note($0, to: $0 == 0 ? nil : $0 - 1) })
        }
        if isRing { try save([note(0, to: count - 1)]) }
    }

    enum Shape: CaseIterable { case row, ringInZone, ringInDefaultZone, ringInPublic }

    /// The service deletes 30 records with one at most here.
    @Test(arguments: Shape.allCases)
    func `records that would take too many along are deleted all the same`(
        shape: Shape
    ) async throws {
        var options = MockOptions()
        options.delaysDefaultZoneCascade = false
        options.cascadeMax = 30
        let bench = try Bench(options)
        let id = try container("one")
        let address = address(id, shape == .ringInPublic ? .public : .private)
        let isCustom = shape == .row || shape == .ringInZone
        let zone = isCustom ? RecordZone.ID("a") : .default
        if isCustom { try bench.seed(id, ["a"], records: 0) }
        try save(bench, "kept", "Receipt", in: zone, at: address)
        try saveRow(
            of: 450, isRing: shape != .row, bench, in: zone, at: address)
        let tape = Tape()
        let report = await bench.sweep(
            request(
                [id], types: ["Note", "Receipt"], scopes: [.private, .public],
                policy: keepsReceipts), tape)
        #expect(report.status == .done, "\(report.explanation)")
        // A zone that holds something kept is kept, too.
        #expect(report.tally.kept == (isCustom ? 2 : 1))
        let changed = tape.modifying.flatMap { entry -> [RecordOperation] in
            guard case .write(.modifyRecords(let write)) = entry.command else { return [] }
            return write.operations.filter { !$0.kind.isDelete }
        }
        // A row needs no change, and a change names nothing but the references.
        #expect(changed.isEmpty == (shape == .row))
        #expect(
            changed.allSatisfy {
                $0.kind == .update && $0.recordChangeTag != nil && $0.fields == ["before": nil]
            })
        let there = try await bench.cloud.database(at: address, user: "ada").records(
            for: RecordLookupRequest(recordNames: ["kept", "n10000", "n10449"], zoneID: zone))
        #expect(
            there.records.map { if case .record = $0 { true } else { false } }
                == [true, false, false])
    }

    @Test func `a target stays while one record that refers to it does, and resume deletes both`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        let photos = (0..<450).map { number in
            var photo = RecordOperation(
                .create, recordName: "photo-\(number)", recordType: "Note")
            photo.fields["album"] = Field(
                .reference(Record.Reference("album", action: .validate)))
            return photo
        }
        let album = RecordOperation(.create, recordName: "album", recordType: "Note")
        for start in stride(from: 0, to: 450, by: 150) {
            let batch = (start == 0 ? [album] : []) + photos[start..<start + 150]
            try bench.perform(
                .write(.modifyRecords(RecordModifyRequest(operations: batch))), at: address(id))
        }
        let tape = Tape { _, entry in
            guard case .write(.modifyRecords(let write)) = entry.command,
                let index = write.operations.firstIndex(where: { $0.recordName == "photo-7" })
            else { return nil }
            // The service is busy with this one, and does all the others.
            var others = write
            others.operations.remove(at: index)
            let rest = Result {
                try bench.cloud.perform(
                    .write(.modifyRecords(others)), at: entry.address, by: .user("ada"))
            }
            guard case .success(.records(var reply)) = rest else {
                return .refuse(CloudError(.internalError))
            }
            reply.records.insert(
                .failure(recordName: "photo-7", CloudError(.tryAgainLater)), at: index)
            return .replace(.records(reply))
        }
        let wanted = request([id])
        let report = await bench.sweep(wanted, tape)
        #expect(report.status == .partlyFailed, "\(report.explanation)")
        #expect(report.tally.deleted == 449)
        #expect(Set(report.failures.map(\.name)) == ["photo-7", "album"])
        let resumed = await Sweep(wanted, in: bench.world()).resume(run: nil, on: bench.databases())
        #expect(resumed.status == .done, "\(resumed.explanation)")
        #expect(try bench.left() == 0)
    }

    @Test func `S8 references that are cleared and come back do not keep the sweep going`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"], records: 5)
        try save(bench, "kept", "Receipt", in: RecordZone.ID("a"), at: address(id))
        let rounds = Locked(0)
        let tape = Tape { _, entry in
            switch entry.command {
            case .read(.lookUpRecords):
                return .answer { reply in
                    guard case .records(var records) = reply else { return reply }
                    records.records = records.records.map { item in
                        guard case .record(var record) = item else { return item }
                        record.fields["to"] = Field(
                            .reference(Record.Reference("a-0", action: .deleteSelf)))
                        return .record(record)
                    }
                    return .records(records)
                }
            case .write(.modifyRecords(let write)) where write.operations[0].kind.isDelete:
                // In the end it is given up on here, so that the test ends.
                let round = rounds.withLock { rounds in
                    rounds += 1
                    return rounds
                }
                if round > 40 { return nil }
                return .replace(
                    .records(
                        RecordsReply(
                            records: write.operations.map {
                                .failure(
                                    recordName: $0.recordName ?? "",
                                    CloudError(.badRequest, reason: "too many"))
                            })))
            default: return nil
            }
        }
        let report = await bench.sweep(
            request([id], types: ["Note", "Receipt"], policy: keepsReceipts), tape)
        #expect(report.status == .partlyFailed, "\(report.explanation)")
        #expect(Set(report.failures.map(\.name)) == Set((0..<5).map { "a-\($0)" }))
        #expect(report.failures.allSatisfy { $0.reason.contains("too many") })
        #expect(rounds.withLock { $0 } < 20)
    }

    @Test func `a record that is refused for another reason fails with the service's words`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"], records: 5)
        try save(bench, "kept", "Receipt", in: RecordZone.ID("a"), at: address(id))
        let tape = Tape { _, entry in
            guard case .write(.modifyRecords(let write)) = entry.command else { return nil }
            return .answer { reply in
                guard case .records(var records) = reply else { return reply }
                for (index, operation) in write.operations.enumerated()
                where operation.recordName == "a-3" {
                    records.records[index] = .failure(
                        recordName: "a-3", CloudError(.badRequest, reason: "not this one"))
                }
                return .records(records)
            }
        }
        let report = await bench.sweep(
            request([id], types: ["Note", "Receipt"], policy: keepsReceipts), tape)
        #expect(report.status == .partlyFailed, "\(report.explanation)")
        let failure = try #require(report.failures.first { $0.name == "a-3" })
        #expect(failure.reason.contains("not this one"))
        let deletions = tape.modifying.filter {
            if case .write(.modifyRecords) = $0.command { true } else { false }
        }
        // With the others, in three rounds after them, and alone at the end.
        #expect(deletions.count <= 5)
    }
}
