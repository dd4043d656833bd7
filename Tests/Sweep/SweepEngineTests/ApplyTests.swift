import AsyncOperations
import Basics
import CloudCourier
import CloudModel
import Configuration
import DeletionPlanning
import Foundation
import MockStore
import SweepEngine
import Testing

/// S3, S5: a plan is carried out as it stands, once, or not at all.
struct ApplyTests {
    private func planned(
        _ zones: [String] = ["a", "b"], policy: Policy = Policy()
    ) async throws -> (Bench, SweepRequest, String, SweepReport) {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, zones)
        try bench.seed(id, ["_defaultZone"])
        try bench.perform(
            .write(
                .modifySubscriptions([
                    .create(
                        Subscription(
                            subscriptionID: "notes", kind: .query,
                            query: Query(recordType: "Note"), firesOn: [.create]))
                ])), at: address(id))
        let wanted = request([id], policy: policy)
        let sweep = Sweep(wanted, in: bench.world())
        let report = await sweep.plan(on: bench.readable())
        #expect(report.status == .somethingToDelete, "\(report.explanation)")
        let path = bench.folder + "/the.plan"
        try await sweep.exportPlan(run: try #require(report.runID), to: path)
        return (bench, wanted, path, report)
    }

    private func apply(
        _ bench: Bench, _ wanted: SweepRequest, _ path: String, _ tape: Tape = Tape(),
        at moment: Timestamp = Bench.now, user: String = "ada",
        confirm: @escaping Sweep.Confirmation = approve
    ) async -> SweepReport {
        await Sweep(wanted, in: bench.world(at: moment)).apply(
            planFile: path, on: bench.databases(tape, user: user), confirm: confirm)
    }

    @Test func `what a plan file keeps is not what a look saw that ended early`() async throws {
        let (bench, wanted, path, _) = try await planned(
            policy: Policy(protect: [ProtectRule(zone: "a", reason: "law")]))
        var unruled = wanted
        unruled.policy = Policy()
        let tape = Tape { _, entry in
            entry.command == .read(.listSubscriptions)
                ? .refuse(CloudError(.accessDenied)) : nil
        }
        let report = await apply(bench, unruled, path, tape)
        #expect(report.status == .discoveryIncomplete, "\(report.explanation)")
        #expect(report.tally.kept == 0)
    }

    @Test func `S5 a plan is applied once`() async throws {
        let (bench, wanted, path, report) = try await planned()
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let done = await apply(bench, wanted, path) { _ in
            report.plan.map { .digest($0.digest) }
        }
        #expect(done.status == .done, "\(done.explanation)")
        #expect(try bench.left() == 0)
        try bench.seed(try container("one"), ["a", "b"])
        let again = await apply(bench, wanted, path)
        #expect(again.status == .refused)
        #expect(again.explanation.contains("used"), "\(again.explanation)")
        #expect(try bench.left() == 8)
    }

    @Test func `S5 fewer things than planned are no reason to refuse`() async throws {
        let (bench, wanted, path, _) = try await planned()
        try bench.perform(
            .write(.modifyZones([.delete(RecordZone.ID("a"))])), at: address(try container("one")))
        let done = await apply(bench, wanted, path)
        #expect(done.status == .done, "\(done.explanation)")
        #expect(done.rows.first { $0.kind == .customZones }?.alreadyGone == 1)
    }

    @Test func `S5 more things than planned are refused`() async throws {
        let id = try container("one")
        let additions: [@Sendable (Bench) throws -> Void] = [
            { try $0.seed(id, ["new"]) },
            {
                try $0.perform(
                    .write(
                        .modifyRecords(
                            RecordModifyRequest(
                                operations: [
                                    .init(.create, recordName: "new", recordType: "Note")
                                ], atomic: false))), at: address(id))
            },
            {
                try $0.perform(
                    .write(
                        .modifySubscriptions([
                            .create(Subscription(subscriptionID: "new", kind: .database))
                        ])), at: address(id))
            },
        ]
        for add in additions {
            let (bench, wanted, path, _) = try await planned()
            try add(bench)
            let tape = Tape()
            let report = await apply(bench, wanted, path, tape) { _ in
                Issue.record("asked in vain")
                return nil
            }
            #expect(report.status == .refused)
            #expect(report.explanation.contains("1 item would be deleted"), "\(report.explanation)")
            #expect(tape.modifying.isEmpty)
        }
    }

    @Test func `S5 a plan for something else is refused`() async throws {
        let (bench, wanted, path, _) = try await planned()
        let day = Duration.seconds(24 * 3600)
        var elsewhere = wanted
        elsewhere.environment = .production
        var others = wanted
        others.targets.append(.init(container: try container("two"), recordTypes: []))
        var databases = wanted
        databases.scopes = [.private, .public]
        var capped = wanted
        capped.policy.caps.zones = 1
        var cappedRecords = wanted
        cappedRecords.policy.caps.records = 2
        let cases: [(SweepRequest, Timestamp, String)] = [
            (elsewhere, Bench.now, "ada"), (others, Bench.now, "ada"),
            (databases, Bench.now, "ada"), (capped, Bench.now, "ada"),
            (cappedRecords, Bench.now, "ada"), (wanted, Bench.now.advanced(by: day), "ada"),
            (wanted, Bench.now.advanced(by: .seconds(-3600)), "ada"), (wanted, Bench.now, "eve"),
        ]
        for (number, (request, moment, user)) in cases.enumerated() {
            let tape = Tape()
            let report = await apply(bench, request, path, tape, at: moment, user: user)
            #expect(report.status == .refused, "case \(number): \(report.explanation)")
            #expect(tape.modifying.isEmpty, "case \(number)")
        }
        // None of these used the plan up.
        #expect(await apply(bench, wanted, path).status == .done)
    }

    @Test func `S5 a plan that expires while its question stands there is not carried out`()
        async throws
    {
        let (bench, wanted, path, report) = try await planned()
        let now = Locked(Bench.now)
        var world = bench.world()
        world.wallClock = WallClock { now.withLock { $0 } }
        let tape = Tape()
        let refused = await Sweep(wanted, in: world).apply(
            planFile: path, on: bench.databases(tape)
        ) { _ in
            now.withLock { $0 = $0.advanced(by: .seconds(25 * 3600)) }
            return report.plan.map { .digest($0.digest) }
        }
        #expect(refused.status == .refused, "\(refused.explanation)")
        #expect(refused.explanation.contains("expired"), "\(refused.explanation)")
        #expect(tape.modifying.isEmpty)
    }

    @Test func `S3 what a rule keeps by now stays, whatever was approved`() async throws {
        for rule in [
            ProtectRule(zone: "b", reason: "kept"), ProtectRule(recordType: "Note", reason: "kept"),
            ProtectRule(container: try container("one"), reason: "kept"),
        ] {
            let (bench, wanted, path, _) = try await planned()
            var stricter = wanted
            stricter.policy.protect = [rule]
            let tape = Tape()
            let before = try bench.left()
            let report = await apply(bench, stricter, path, tape)
            #expect(report.status == .done, "\(rule): \(report.explanation)")
            #expect(try bench.left() > 0)
            if rule.zone != nil { #expect(try bench.left() < before) }
            let named = tape.modifying.compactMap { entry -> [String]? in
                guard case .write(.modifyZones(let list)) = entry.command else { return nil }
                return list.map { $0.id.zoneName }
            }.joined()
            #expect(!named.contains("b"), "\(rule)")
            #expect(report.tally.kept > 0)
        }
    }

    @Test func `S3 what a rule keeps stays, and is said to be kept`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a", "Receipts"])
        try bench.seed(id, ["mixed"], records: 2)
        try bench.seed(id, ["mixed"], records: 1, type: "Invoice")
        try bench.seed(id, ["_defaultZone"], records: 2)
        try bench.cloud.withStore { store in
            try store.seed(zones: ["mixed", "_defaultZone"], at: address(id), user: "ada") {
                [SeedRecord("\($0) invoice", type: "Invoice")]
            }
        }
        let policy = Policy(protect: [
            ProtectRule(zone: "Receipts", reason: "tax law"),
            ProtectRule(recordType: "Invoice", reason: "accounts"),
        ])
        let tape = Tape()
        let report = await bench.sweep(
            request([id], types: ["Note", "Invoice"], policy: policy), tape)
        #expect(report.status == .done, "\(report.explanation)")
        let dump = try bench.dump(user: "ada")
        #expect(dump.contains(#"{"zone":"Receipts"}"#))
        #expect(dump.contains(#""recordName":"mixed invoice""#))
        #expect(dump.contains(#""recordName":"_defaultZone invoice""#))
        #expect(!dump.contains(#""recordName":"mixed-1""#))
        #expect(!dump.contains(#"{"zone":"a"}"#))
        for entry in tape.modifying {
            if case .write(.modifyZones(let list)) = entry.command {
                #expect(list.allSatisfy { $0.id.zoneName == "a" })
            }
        }
        let zones = report.rows.first { $0.kind == .customZones }
        #expect(zones?.kept == 2)
        #expect(zones?.deleted == 1)
    }

    @Test func `S3 a zone stays for a kept record on any of its pages`() async throws {
        var options = MockOptions()
        options.recordsPageMax = 1
        let bench = try Bench(options)
        let id = try container("one")
        try bench.seed(id, ["first"], records: 1, type: "Invoice")
        for zone in ["first", "last"] {
            try bench.cloud.withStore { store in
                try store.seed(zones: [zone], at: address(id), user: "ada") { _ in
                    (0..<3).map { SeedRecord("note \($0)", type: "Note") }
                }
            }
        }
        try bench.seed(id, ["last"], records: 1, type: "Invoice")
        let policy = Policy(protect: [ProtectRule(recordType: "Invoice", reason: "accounts")])
        let report = await bench.sweep(request([id], types: [], policy: policy))
        let dump = try bench.dump(user: "ada")
        for zone in ["first", "last"] {
            #expect(dump.contains(#""recordName":"\#(zone)-0""#), "\(dump)")
        }
        #expect(!dump.contains(#""recordName":"note"#))
        #expect(report.rows.first { $0.kind == .customZones }?.kept == 2)
        #expect(report.status == .done, "\(report.explanation)")
    }

    @Test func `a rule that matches nothing of this user is a line in the report`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["Trip 1", "Notes"])
        let rules = [
            ProtectRule(zone: "Invoices", reason: "tax law"),
            ProtectRule(zone: "Trip 2", reason: "booked"),
            ProtectRule(recordType: "Other", reason: "tax law"),
            ProtectRule(recordType: "Payslip", reason: "tax law"),
        ]
        let wanted = request([id], types: ["Note", "Other"], policy: Policy(protect: rules))
        let plan = await Sweep(wanted, in: bench.world()).plan(on: bench.readable())
        #expect(plan.status == .somethingToDelete, "\(plan.explanation)")
        #expect(plan.unmatchedRules == rules)
        let report = await bench.sweep(wanted)
        #expect(report.status == .done, "\(report.explanation)")
        #expect(report.unmatchedRules == rules)
        #expect(try bench.left() == 0)
    }

    @Test func `a rule whose record type is spelled nearly like one of the list is an error`()
        async throws
    {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let policy = Policy(protect: [ProtectRule(recordType: "Invioce", reason: "tax law")])
        let wanted = request([id], types: ["Note", "Invoice"], policy: policy)
        let tape = Tape()
        let plan = await Sweep(wanted, in: bench.world()).plan(on: bench.readable())
        let report = await bench.sweep(wanted, tape)
        for report in [plan, report] {
            #expect(report.status == .usage)
            #expect(
                report.explanation.contains(
                    "a protect rule names \"Invioce\", which does not exist here, but \"Invoice\" "
                        + "does"), "\(report.explanation)")
        }
        #expect(tape.modifying.isEmpty)
    }

    @Test func `a misspelled rule stops a sweep before it deletes`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["Receipts"])
        let policy = Policy(protect: [ProtectRule(zone: "Reciepts", reason: "tax law")])
        let tape = Tape()
        let report = await bench.sweep(request([id], policy: policy), tape)
        #expect(report.status == .usage)
        #expect(report.unmatchedRules.map(\.zone) == ["Reciepts"])
        #expect(report.explanation.contains("Reciepts"))
        #expect(tape.modifying.isEmpty)
    }

    @Test func `S11 evidence names nobody and nothing of theirs`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["very private zone"])
        try bench.seed(id, ["_defaultZone"])
        let report = await bench.sweep(request([id]))
        let path = try #require(report.evidencePath)
        let statement = try String(contentsOfFile: path, encoding: .utf8)
        let events = try String(
            contentsOfFile: path.dropLast(5) + ".events.jsonl", encoding: .utf8)
        let text = statement + events
        #expect(statement.contains("\"verdict\":\"rehearsal\""))
        #expect(statement.contains("\"exitStatus\":0"))
        let user = try bench.cloud.withStore {
            $0.userRecordName(of: "ada", in: id, .development)
        }
        for secret in ["very private", "_defaultZone-0", user] {
            #expect(!text.contains(secret), "evidence holds \(secret)")
        }
        let head = try #require(report.chainHead)
        #expect(statement.contains("\"chainHead\":\"\(head)\""))
    }

    @Test(arguments: [false, true])
    func `S12 evidence of a run that fell short is not complete, and says what is left`(
        isInterrupted: Bool
    ) async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a", "b"])
        let stop = StopSignal()
        let tape = Tape { _, entry in
            guard entry.command.isModifying else { return nil }
            if isInterrupted { stop.request(.interrupt) }
            return .refuse(CloudError(.accessDenied))
        }
        let report = await bench.sweep(request([id]), tape, world: bench.world(stop: stop))
        #expect(report.status == (isInterrupted ? .interrupted : .partlyFailed))
        let path = try #require(report.evidencePath)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let statement = try #require(
            JSONSerialization.jsonObject(with: data) as? [String: Any])
        let evidence = try #require(statement["predicate"] as? [String: Any])
        #expect((evidence["run"] as? [String: Any])?["exitStatus"] as? Int != 0)
        let tally = try #require(evidence["counts"] as? [String: Any])
        #expect(tally["deleted"] as? Int == 0)
        #expect((tally["failed"] as? Int ?? 0) + (tally["left"] as? Int ?? 0) == 2)
    }
}
