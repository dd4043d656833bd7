import AsyncOperations
import Basics
import CloudModel
import Configuration
import DeletionPlanning
import SweepEngine
import Testing

/// What the person created in zones of others: it stays with their owners, or goes before the person.
struct SharedRecordTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var mode = Policy.LeaveShared.deleteMine
        var hasMine = true
        var faults: [String] = []
        var moments: [PlaceStage.Moment] = []
        var keepsTag = false
        var status: Basics.ExitStatus
        /// nil: there is no row.
        var outcome: CoverageRow.Outcome?
        /// Deleted, already gone, kept, left, failed.
        var counts = [0, 0, 0, 0, 0]
        /// What is in the zone of the other person afterwards.
        var remaining: Set<String> = ["theirs"]
        var isLeft = true
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "absent", hasMine: false, status: .done, outcome: nil),
        Case(name: "present", status: .done, outcome: .deleted, counts: [2, 0, 0, 0, 0]),
        Case(
            name: "present, and the list says that it stays", mode: .keepMine, status: .done,
            outcome: .kept, counts: [0, 0, 2, 0, 0], remaining: ["theirs", "mine-1", "mine-2"]),
        Case(
            name: "refused",
            faults: ["records/modify in shared with record mine-* -> ACCESS_DENIED on all"],
            status: .partlyFailed, outcome: .failed, counts: [0, 0, 0, 0, 2],
            remaining: ["theirs", "mine-1", "mine-2"], isLeft: false),
        Case(
            name: "throttled",
            faults: [
                "records/modify in shared 2 times -> THROTTLED retry 3s",
                "changes/zone in shared 2 times -> THROTTLED retry 3s",
            ], status: .done, outcome: .deleted, counts: [2, 0, 0, 0, 0]),
        Case(
            name: "half deleted",
            faults: ["records/modify in shared with record mine-2 -> ACCESS_DENIED on all"],
            status: .partlyFailed, outcome: .failed, counts: [1, 0, 0, 0, 1],
            remaining: ["theirs", "mine-2"], isLeft: false),
        Case(
            name: "re-created during the run: another device writes after the look",
            moments: [writesMore],
            status: .partlyFailed, outcome: .left, counts: [2, 0, 0, 1, 0],
            remaining: ["theirs", "mine-3"], isLeft: false),
        Case(
            name: "kept by a rule", keepsTag: true, status: .done, outcome: .deleted,
            counts: [1, 0, 1, 0, 0], remaining: ["theirs", "mine-2"], isLeft: false),
        Case(
            name: "changed by another person: the owner deletes it first",
            moments: [ownerDeletes], status: .done,
            outcome: .deleted, counts: [1, 1, 0, 0, 0]),
    ]

    /// Another device of the person writes there.
    private static let writesMore = PlaceStage.Moment(.delete) { stage in
        try stage.service.make(
            Wire.save(
                [Wire.Draft(name: "mine-3", type: "Note")], zone: "Trips",
                owner: try stage.name(of: "ben"), user: "ada",
                at: "\(PlaceStage.container)/development/shared"))
    }

    private static let ownerDeletes = PlaceStage.Moment(.delete) { stage in
        try stage.service.make(
            Wire.delete(
                "mine-1", zone: "Trips", user: "ben",
                at: "\(PlaceStage.container)/development/private"))
    }

    private func stage(_ hasMine: Bool = true) async throws -> PlaceStage {
        let stage = try PlaceStage()
        try await stage.makeZone("Trips", of: "ben", records: ["theirs"])
        try await stage.share("Trips")
        if hasMine {
            try await stage.save(
                [.make("mine-1"), .make("mine-2", "Tag")], in: stage.theirs("Trips"), "ada",
                .shared)
        }
        return stage
    }

    @Test(arguments: cases)
    func `S1 S3 what the person made in a zone of others goes first where the list says so`(
        row: Case
    ) async throws {
        let stage = try await stage(row.hasMine)
        let report = try await stage.sweep(faults: row.faults, moments: row.moments) {
            $0.policy.leaveShared = row.mode
            if row.keepsTag { $0.policy.protect = [ProtectRule(recordType: "Tag", reason: "test")] }
        }
        #expect(report.status == row.status, "\(report.explanation)")
        let found = report.row(.sharedRecords)
        #expect(found?.outcome == row.outcome)
        if let found {
            #expect(
                [found.deleted, found.alreadyGone, found.kept, found.left, found.failed]
                    == row.counts)
        }
        #expect(try await stage.zonesShared().isEmpty == row.isLeft)
        let there = try stage.records(of: "ben", in: "Trips")
        #expect(there.subtracting([Share.zoneWideName]) == row.remaining)
    }

    @Test(arguments: Policy.LeaveShared.allCases)
    func `a row says what stays and whose it is, and evidence does not`(
        mode: Policy.LeaveShared
    ) async throws {
        let stage = try await stage()
        let report = try await stage.sweep { $0.policy.leaveShared = mode }
        let owner = try stage.name(of: "ben")
        let row = try #require(
            report.rows.first { $0.kind == .sharedRecords && $0.subject != nil })
        #expect(row.subject == "Trips of \(owner)")
        #expect(row.outcome == .notInScope)
        let own = mode == .keepMine ? ", and 2 created by the user" : ""
        // The share's own record is its owner's.
        #expect(row.reason == "2 records of other users stay with the zone's owner\(own)")
        let told = try stage.evidence(of: report)
        #expect(told.contains("records in shared zones"))
        #expect(!told.contains(owner) && !told.contains("Trips"))
    }

    @Test(arguments: Policy.OthersByCascade.allCases)
    func `S3 what others made to go along with the person's records is not given up unasked`(
        answer: Policy.OthersByCascade
    ) async throws {
        let stage = try await stage()
        try await stage.save([.make("comment", withA: "mine-1")], in: RecordZone.ID("Trips"), "ben")
        let report = try await stage.sweep {
            $0.policy.leaveShared = .deleteMine
            $0.policy.othersByCascade = answer
        }
        #expect(report.status == (answer == .allow ? .done : .refused), "\(report.explanation)")
        #expect(report.cascade.others == 1)
        let there = try stage.records(of: "ben", in: "Trips")
        #expect(there.contains("comment") == (answer == .refuse))
        #expect(there.contains("mine-1") == (answer == .refuse))
    }

    /// Acknowledges deletions of the person's records, does not carry them out, and hides the records in
    /// the zone's changes from then on.
    private struct Hider: CloudDatabase {
        let base: any CloudDatabase
        let hides: Locked<Bool>
        var address: Database.Address { base.address }

        func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
            if case .write(.modifyRecords(let request)) = command, address.scope == .shared,
                request.operations.contains(where: { $0.recordName?.hasPrefix("mine") == true })
            {
                hides.withLock { $0 = true }
                return .records(
                    RecordsReply(
                        records: request.operations.map {
                            .deleted(recordName: $0.recordName ?? "", recordChangeTag: nil)
                        }))
            }
            let reply = try await base.perform(command)
            guard case .zoneChanges(var items) = reply, address.scope == .shared,
                hides.withLock({ $0 })
            else { return reply }
            for index in items.indices {
                guard case .page(var page) = items[index] else { continue }
                page.records.removeAll {
                    if case .record(let record) = $0 {
                        record.id.recordName.hasPrefix("mine")
                    } else {
                        false
                    }
                }
                items[index] = .page(page)
            }
            return .zoneChanges(items)
        }
    }

    @Test func `S1 what was to go is asked for by name before its zone is left`() async throws {
        let stage = try await stage()
        let hides = Locked(false)
        let lie = PlaceStage.Lie { Hider(base: $0, hides: hides) }
        let report = try await stage.sweep(lie: lie) {
            $0.policy.leaveShared = .deleteMine
        }
        #expect(report.status == .partlyFailed, "\(report.explanation)")
        #expect(report.failures.contains { $0.kind == .sharedZones })
        #expect(report.row(.sharedRecords)?.left == 2)
        #expect(try await stage.zonesShared() == ["Trips"])
    }

    @Test func `S1 what is said to be gone and is there keeps the zone from being left`()
        async throws
    {
        let stage = try await stage()
        // The service says "gone already" of what is there.
        let report = try await stage.sweep(
            faults: ["records/modify in shared with record mine-* -> NOT_FOUND on all"]
        ) { $0.policy.leaveShared = .deleteMine }
        #expect(report.status == .partlyFailed, "\(report.explanation)")
        #expect(report.failures.contains { $0.kind == .sharedZones })
        #expect(try await stage.zonesShared() == ["Trips"])
        #expect(try stage.records(of: "ben", in: "Trips").isSuperset(of: ["mine-1", "mine-2"]))
    }
}
