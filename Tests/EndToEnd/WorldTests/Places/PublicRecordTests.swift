import Basics
import CloudModel
import Configuration
import DeletionPlanning
import SweepEngine
import Testing

/// Public records of a person: who signs in, or whom an operator names to a server-to-server key.
struct PublicRecordTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var hasRecords = true
        /// Whether the schema lets records be deleted by whoever sweeps.
        var isGranted = true
        var faults: [String] = []
        var moments: [PlaceStage.Moment] = []
        var keepsTag = false
        var status: Basics.ExitStatus
        var outcome: CoverageRow.Outcome
        /// Deleted, already gone, kept, left, failed.
        var counts = [0, 0, 0, 0, 0]
        var remaining: Set<String> = []
        var testDescription: String { name }
    }

    private static let open = "\(PlaceStage.container)/development/public"

    static let cases: [Case] = [
        Case(name: "absent", hasRecords: false, status: .done, outcome: .empty),
        Case(name: "present", status: .done, outcome: .deleted, counts: [2, 0, 0, 0, 0]),
        Case(
            name: "refused: the schema does not grant it", isGranted: false,
            status: .partlyFailed, outcome: .failed, counts: [0, 0, 0, 0, 2],
            remaining: ["mine-1", "mine-2"]),
        Case(
            name: "throttled",
            faults: [
                "records/modify in public 2 times -> THROTTLED retry 3s",
                "records/query in public 2 times -> THROTTLED retry 3s",
            ], status: .done, outcome: .deleted, counts: [2, 0, 0, 0, 0]),
        Case(
            name: "half deleted",
            faults: ["records/modify in public with record mine-2 -> ACCESS_DENIED on all"],
            status: .partlyFailed, outcome: .failed, counts: [1, 0, 0, 0, 1],
            remaining: ["mine-2"]),
        Case(
            name: "half deleted: answers are lost",
            faults: ["1st records/modify in public -> cut after commit"],
            status: .done, outcome: .deleted, counts: [2, 0, 0, 0, 0]),
        Case(
            name: "re-created during the run", moments: [comesBack], status: .dataLeft,
            outcome: .left, counts: [1, 0, 0, 1, 0], remaining: ["mine-1"]),
        Case(
            name: "kept by a rule", keepsTag: true, status: .done, outcome: .deleted,
            counts: [1, 0, 1, 0, 0], remaining: ["mine-2"]),
        Case(
            name: "changed by another device: it goes first", moments: [goesFirst], status: .done,
            outcome: .deleted, counts: [1, 1, 0, 0, 0]),
    ]

    private static let comesBack = PlaceStage.Moment(.verify) { stage in
        try stage.service.make(
            Wire.save(
                [Wire.Draft(name: "mine-1", type: "Note")], zone: "_defaultZone", user: "ada",
                at: open))
    }

    private static let goesFirst = PlaceStage.Moment(.delete) { stage in
        try stage.service.make(Wire.delete("mine-1", zone: "_defaultZone", user: "ada", at: open))
    }

    /// - Parameter writer: The role that may delete; nil: none.
    private func stage(_ row: Case, writer: String) async throws -> PlaceStage {
        let stage = try PlaceStage()
        if row.hasRecords {
            try await stage.save(
                [.make("mine-1"), .make("mine-2", "Tag")], in: .default, "ada", .public)
        }
        try await stage.save(
            [.make("bens"), .make("bens-tag", "Tag")], in: .default, "ben", .public)
        let grant = row.isGranted ? "GRANT WRITE TO \"\(writer)\"," : ""
        let types = PlaceStage.types.map { type in
            """
            RECORD TYPE \(type) ("___recordID" REFERENCE QUERYABLE, \
            "___createdBy" REFERENCE QUERYABLE, \(grant) GRANT CREATE TO "_icloud", \
            GRANT READ TO "_world");
            """
        }
        try stage.service.declare(
            "DEFINE SCHEMA " + types.joined(separator: " "), in: PlaceStage.container)
        return stage
    }

    @Test(arguments: cases, [false, true])
    func `S1 S3 what a person has in public goes, and nobody else's`(
        row: Case, isNamed: Bool
    ) async throws {
        let stage = try await stage(row, writer: isNamed ? "_icloud" : "_creator")
        let name = try stage.name(of: "ada")
        let report = try await stage.sweep(
            faults: row.faults, moments: row.moments,
            key: isNamed ? try stage.service.admitKey() : nil
        ) {
            if isNamed { ($0.namedPerson, $0.scopes) = (name, [.public]) }
            if row.keepsTag { $0.policy.protect = [ProtectRule(recordType: "Tag", reason: "test")] }
        }
        #expect(report.status == row.status, "\(report.explanation)")
        let found = try #require(report.row(.publicRecords))
        #expect(found.outcome == row.outcome)
        #expect(
            [found.deleted, found.alreadyGone, found.kept, found.left, found.failed] == row.counts)
        let there = try stage.publicRecords()
        #expect(there == row.remaining.union(["bens", "bens-tag"]))
        let denied = report.failures.filter { $0.code == .accessDenied }
        let role = isNamed ? "a role of the key" : "_creator"
        #expect(denied.allSatisfy { $0.reason.contains("grant WRITE") && $0.reason.contains(role) })
    }

    @Test func `a person who is named is in evidence as a pseudonym, and the rest is no silence`()
        async throws
    {
        let stage = try await stage(Self.cases[1], writer: "_icloud")
        try await stage.makeZone("Private", of: "ada", records: ["a"])
        let name = try stage.name(of: "ada")
        let report = try await stage.sweep(key: try stage.service.admitKey()) {
            ($0.namedPerson, $0.scopes) = (name, [.public])
        }
        #expect(report.status == .done, "\(report.explanation)")
        #expect(report.subjects.first?.givenName == name)
        let told = try stage.evidence(of: report)
        #expect(!told.contains(name))
        for (kind, scope) in [
            (CoverageRow.Kind.customZones, Database.Scope.private), (.sharedZones, .shared),
            (.subscriptions, .public), (.otherEnvironment, .private),
        ] {
            #expect(report.row(kind, scope)?.outcome == .notInScope, "\(kind)")
        }
        #expect(try stage.records(of: "ada", in: "Private") == ["a"])
    }

    @Test func `S1 the person's own record, which a key may not clear, is told with what helps`()
        async throws
    {
        let stage = try await stage(Self.cases[0], writer: "_icloud")
        let name = try stage.name(of: "ada")
        var operation = RecordOperation(.forceUpdate, recordName: name, recordType: "Users")
        operation.fields = ["nickname": Field(.string("Countess"))]
        try await stage.save([operation], in: .default, "ada", .public)
        let report = try await stage.sweep(key: try stage.service.admitKey()) {
            ($0.namedPerson, $0.scopes) = (name, [.public])
        }
        #expect(report.status == .partlyFailed, "\(report.explanation)")
        #expect(report.row(.userRecord)?.outcome == .failed)
        let words = "need a sign-in, not a key"
        #expect(report.failures.first?.reason.contains(words) == true, "\(report.failures)")
    }

    @Test func `S9 a name that nobody has is refused, and is no empty place`() async throws {
        let stage = try await stage(Self.cases[1], writer: "_icloud")
        let report = try await stage.sweep(key: try stage.service.admitKey()) {
            $0.namedPerson = "_" + String(repeating: "0", count: 32)
            $0.scopes = [.public]
        }
        #expect(report.status == .refused, "\(report.explanation)")
        #expect(try stage.publicRecords().isSuperset(of: ["mine-1", "mine-2"]))
    }

    @Test
    func `S2 a type that its creator may not read stops everything, and says what would fix it`()
        async throws
    {
        let stage = try await stage(Self.cases[1], writer: "_creator")
        let report = try await stage.sweep(
            faults: ["records/query in public with type Tag -> ACCESS_DENIED"])
        #expect(report.status == .discoveryIncomplete, "\(report.explanation)")
        let row = report.rows.first { $0.kind == .publicRecords && $0.subject == "Tag" }
        #expect(row?.reason?.contains("grant READ on Tag to _creator") == true)
    }
}

extension PlaceStage {
    /// What is in public, but for the records of users.
    fileprivate func publicRecords() throws -> Set<String> {
        Set(
            try service.contents().things.filter {
                $0.key.scope == "public" && $0.key.kind == .record && $0.value.type != "Users"
            }
            .map(\.key.name))
    }
}
