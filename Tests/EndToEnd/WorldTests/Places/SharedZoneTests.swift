import Basics
import Configuration
import DeletionPlanning
import SweepEngine
import Testing

/// Zones that others share with the person: left, with all that is their owners' as it was.
struct SharedZoneTests {
    /// One way in which it can go.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var zones = ["Trips", "Games"]
        var faults: [String] = []
        var moments: [PlaceStage.Moment] = []
        var keep: [String] = []
        var status: Basics.ExitStatus
        var outcome: CoverageRow.Outcome
        /// Deleted, already gone, kept, left, failed.
        var counts: [Int]
        /// What the person still has of others afterwards.
        var remaining: Set<String> = []
        var testDescription: String { name }
    }

    private static let own = "\(PlaceStage.container)/development/private"
    /// Lets the second person do something about a share of theirs.
    private static func act(
        _ phase: SweepPhase, _ act: String, _ zone: String
    ) -> PlaceStage.Moment {
        PlaceStage.Moment(phase) { stage in
            try stage.service.admin(
                "POST", "simulate",
                """
                {"event":"\(act)","user":"ben","with":"ada",\
                "container":"\(PlaceStage.container)","zone":"\(zone)"}
                """)
        }
    }

    static let cases: [Case] = [
        Case(
            name: "absent", zones: [], status: .done, outcome: .empty, counts: [0, 0, 0, 0, 0]),
        Case(name: "present", status: .done, outcome: .deleted, counts: [2, 0, 0, 0, 0]),
        Case(
            name: "the share's record is refused",
            faults: ["records/modify in shared -> ACCESS_DENIED"],
            status: .done, outcome: .deleted, counts: [2, 0, 0, 0, 0]),
        Case(
            name: "the zone is refused", faults: ["zones/modify in shared -> ACCESS_DENIED"],
            status: .done, outcome: .deleted, counts: [2, 0, 0, 0, 0]),
        Case(
            name: "refused",
            faults: [
                "records/modify in shared -> ACCESS_DENIED",
                "zones/modify in shared -> ACCESS_DENIED on all",
            ], status: .partlyFailed, outcome: .failed, counts: [0, 0, 0, 0, 2],
            remaining: ["Trips", "Games"]),
        Case(
            name: "throttled",
            faults: [
                "records/modify in shared 2 times -> THROTTLED retry 3s",
                "zones/modify in shared 2 times -> TRY_AGAIN_LATER retry 3s",
                "zones/lookup in shared 2 times -> THROTTLED retry 3s",
            ], status: .done, outcome: .deleted, counts: [2, 0, 0, 0, 0]),
        Case(
            name: "half deleted: one is refused",
            faults: [
                "records/modify in shared in zone Trips -> ACCESS_DENIED",
                "zones/modify in shared in zone Trips -> ACCESS_DENIED on all",
            ], status: .partlyFailed, outcome: .failed, counts: [1, 0, 0, 0, 1],
            remaining: ["Trips"]),
        Case(
            name: "half deleted: answers are lost",
            faults: [
                "1st records/modify in shared -> cut after commit",
                "1st zones/modify in shared -> cut after commit",
            ], status: .done, outcome: .deleted, counts: [2, 0, 0, 0, 0]),
        Case(
            name: "re-created during the run",
            moments: [act(.verify, "share", "Trips")],
            status: .dataLeft, outcome: .left, counts: [1, 0, 0, 1, 0], remaining: ["Trips"]),
        Case(
            name: "kept by a rule", keep: ["Trips"], status: .done, outcome: .deleted,
            counts: [1, 0, 1, 0, 0], remaining: ["Trips"]),
        Case(
            name: "changed by another person: no longer shared",
            moments: [
                act(.delete, "revoke-share", "Trips"),
                .init(.delete) {
                    try $0.service.make(
                        Wire.save(
                            [Wire.Draft(name: "more", type: "Note")], zone: "Games", user: "ben",
                            at: own))
                },
            ], status: .done, outcome: .deleted, counts: [1, 1, 0, 0, 0]),
        Case(
            name: "said to be gone, and there",
            faults: [
                "records/modify in shared -> ZONE_NOT_FOUND",
                "zones/modify in shared -> ZONE_NOT_FOUND on all",
            ], status: .dataLeft, outcome: .left, counts: [0, 0, 0, 2, 0],
            remaining: ["Trips", "Games"]),
    ]

    @Test(arguments: cases)
    func `S1 S3 zones of others are left, and nothing of their owners' goes`(
        row: Case
    ) async throws {
        let stage = try PlaceStage()
        for zone in row.zones {
            try await stage.makeZone(zone, of: "ben", records: ["a", "b"])
            try await stage.share(zone)
        }
        let report = try await stage.sweep(faults: row.faults, moments: row.moments) {
            $0.policy.protect = row.keep.map { ProtectRule(zone: $0, reason: "test") }
        }
        #expect(report.status == row.status, "\(report.explanation)")
        let found = try #require(report.row(.sharedZones))
        #expect(found.outcome == row.outcome)
        #expect(
            [found.deleted, found.alreadyGone, found.kept, found.left, found.failed] == row.counts)
        #expect(try await stage.zonesShared() == row.remaining)
        for zone in row.zones {
            #expect(try stage.records(of: "ben", in: zone).isSuperset(of: ["a", "b"]))
        }
    }

    @Test func `a share of single records is left, where the service refuses the zone too`()
        async throws
    {
        let stage = try PlaceStage()
        try await stage.makeZone("Trips", of: "ben", records: ["root", "other"])
        try await stage.share("Trips", below: "root")
        let report = try await stage.sweep(
            faults: ["zones/modify in shared -> ACCESS_DENIED on all"])
        #expect(report.status == .done, "\(report.explanation)")
        #expect(report.row(.sharedZones)?.deleted == 1)
        #expect(try await stage.zonesShared().isEmpty)
        #expect(try stage.records(of: "ben", in: "Trips").isSuperset(of: ["root", "other"]))
    }

    @Test func `S2 a zone of others that cannot be read stops everything`() async throws {
        let stage = try PlaceStage()
        try await stage.makeZone("Trips", of: "ben", records: ["a"])
        try await stage.share("Trips")
        let report = try await stage.sweep(faults: [
            "changes/zone in shared -> ACCESS_DENIED on all"
        ])
        #expect(report.status == .discoveryIncomplete, "\(report.explanation)")
        #expect(try await stage.zonesShared() == ["Trips"])
    }
}
