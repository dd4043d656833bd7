import Basics
import Configuration
import DeletionPlanning
import SweepEngine
import Testing

/// What the person shares with others: it ends with its zone, and others see it no more.
struct SharesGivenTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var zones = ["Trips", "Games"]
        var faults: [String] = []
        var moments: [PlaceStage.Moment] = []
        var keep: [String] = []
        var status: Basics.ExitStatus
        /// nil: there is no row.
        var outcome: CoverageRow.Outcome?
        /// Deleted, left.
        var counts = [0, 0]
        /// What the other person still has of it.
        var remaining: Set<String> = []
        var testDescription: String { name }
    }

    /// The person shares a zone, made anew where it is gone.
    private static let sharesAgain = PlaceStage.Moment(.verify) { stage in
        try stage.service.make(
            Wire.createZone(
                "Trips", user: "ada", at: "\(PlaceStage.container)/development/private"))
        try stage.service.admin("POST", "simulate", act("share", "ada", "ben"))
    }

    private static let otherLeaves = PlaceStage.Moment(.delete) { stage in
        try stage.service.admin("POST", "simulate", act("leave-share", "ben", "ada"))
    }

    private static func act(_ act: String, _ user: String, _ other: String) -> String {
        """
        {"event":"\(act)","user":"\(user)","with":"\(other)",\
        "container":"\(PlaceStage.container)","zone":"Trips"}
        """
    }

    static let cases: [Case] = [
        Case(name: "absent", zones: [], status: .done, outcome: nil),
        Case(name: "present", status: .done, outcome: .deleted, counts: [2, 0]),
        Case(
            name: "refused", faults: ["zones/modify in zone Trips -> ACCESS_DENIED on all"],
            status: .partlyFailed, outcome: .left, counts: [1, 1], remaining: ["Trips"]),
        Case(
            name: "throttled",
            faults: [
                "zones/modify 2 times -> THROTTLED retry 3s",
                "records/query with type cloudkit.share 2 times -> THROTTLED retry 3s",
            ], status: .done, outcome: .deleted, counts: [2, 0]),
        Case(
            name: "half deleted", faults: ["zones/modify once -> cut after commit"],
            status: .done, outcome: .deleted, counts: [2, 0]),
        Case(
            name: "re-created during the run", moments: [sharesAgain], status: .dataLeft,
            outcome: .left, counts: [1, 1], remaining: ["Trips"]),
        Case(
            name: "kept by a rule", keep: ["Trips"], status: .done, outcome: .deleted,
            counts: [1, 0], remaining: ["Trips"]),
        Case(
            name: "changed by another person, who leaves", moments: [otherLeaves], status: .done,
            outcome: .deleted, counts: [2, 0]),
        Case(
            name: "not listed by the service",
            faults: ["records/query with type cloudkit.share -> BAD_REQUEST"], status: .done,
            outcome: nil),
    ]

    @Test(arguments: cases)
    func `S1 what the person shares ends with its zone, for those who take part too`(
        row: Case
    ) async throws {
        let stage = try PlaceStage()
        for zone in row.zones {
            try await stage.makeZone(zone, of: "ada", records: ["a"])
            try await stage.share(zone, of: "ada", with: "ben")
        }
        let report = try await stage.sweep(faults: row.faults, moments: row.moments) {
            $0.policy.protect = row.keep.map { ProtectRule(zone: $0, reason: "test") }
        }
        #expect(report.status == row.status, "\(report.explanation)")
        let found = report.row(.sharesGiven)
        #expect(found?.outcome == row.outcome)
        if let found { #expect([found.deleted, found.left] == row.counts) }
        let kept = report.rows.first { $0.kind == .sharesGiven && $0.outcome == .kept }
        #expect(kept?.kept ?? 0 == row.keep.count)
        #expect(try await stage.zonesShared(with: "ben") == row.remaining)
    }

    @Test func `S2 shares that could not be listed stop everything`() async throws {
        let stage = try PlaceStage()
        try await stage.makeZone("Trips", of: "ada", records: ["a"])
        let report = try await stage.sweep(
            faults: ["records/query with type cloudkit.share -> ACCESS_DENIED"])
        #expect(report.status == .discoveryIncomplete, "\(report.explanation)")
        #expect(try stage.records(of: "ada", in: "Trips") == ["a"])
    }
}
