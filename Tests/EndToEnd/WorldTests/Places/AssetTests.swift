import Basics
import CloudModel
import Configuration
import DeletionPlanning
import SweepEngine
import Testing

/// The files beside records: their addresses must answer as gone.
struct AssetTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var hasFiles = true
        var faults: [String] = []
        var moments: [PlaceStage.Moment] = []
        var keepsTrips = false
        var status: Basics.ExitStatus
        /// nil: there is no row.
        var outcome: CoverageRow.Outcome?
        /// Deleted, left.
        var counts = [0, 0]
        /// Which files can still be had.
        var remaining: Set<String> = []
        var testDescription: String { name }
    }

    private static let own = "\(PlaceStage.container)/development/private"

    static let cases: [Case] = [
        Case(name: "absent", hasFiles: false, status: .done, outcome: nil),
        Case(name: "present", status: .done, outcome: .deleted, counts: [2, 0]),
        Case(
            name: "refused: its zone is not deleted",
            faults: ["zones/modify in zone Trips -> ACCESS_DENIED on all"],
            status: .partlyFailed, outcome: .left, counts: [1, 1], remaining: ["Trips"]),
        Case(
            name: "refused: nobody may ask the addresses",
            faults: ["assets/download -> ACCESS_DENIED"],
            status: .partlyFailed, outcome: .unproven, counts: [2, 0]),
        Case(
            name: "throttled",
            faults: [
                "assets/download 2 times -> THROTTLED retry 3s",
                "changes/zone in private 2 times -> THROTTLED retry 3s",
            ], status: .done, outcome: .deleted, counts: [2, 0]),
        Case(
            name: "half deleted: the record of one is refused",
            faults: ["records/modify in private with record loose -> ACCESS_DENIED on all"],
            status: .partlyFailed, outcome: .left, counts: [1, 1], remaining: ["loose"]),
        Case(
            name: "half deleted: answers are lost",
            faults: [
                "1st zones/modify -> cut after commit",
                "1st assets/download -> cut after commit",
            ], status: .done, outcome: .deleted, counts: [2, 0]),
        Case(
            name: "re-created during the run: its record comes back without it",
            moments: [comesBack], status: .dataLeft, outcome: .deleted, counts: [2, 0]),
        Case(
            name: "kept by a rule", keepsTrips: true, status: .done, outcome: .deleted,
            counts: [1, 0], remaining: ["Trips"]),
        Case(
            name: "changed by another device: its record goes first", moments: [goesFirst],
            status: .done, outcome: .deleted, counts: [2, 0]),
    ]

    private static let comesBack = PlaceStage.Moment(.verify) { stage in
        try stage.service.make(
            Wire.save(
                [Wire.Draft(name: "loose", type: "Note")], zone: "_defaultZone", user: "ada",
                at: own))
    }

    private static let goesFirst = PlaceStage.Moment(.delete) { stage in
        try stage.service.make(Wire.delete("loose", zone: "_defaultZone", user: "ada", at: own))
    }

    /// A file in a zone, and one outside.
    private func addFiles(_ stage: PlaceStage) async throws -> [String: String] {
        try await stage.makeZone("Trips", of: "ada", records: ["plain"])
        return [
            "Trips": try await stage.save("photo", file: "a beach", in: RecordZone.ID("Trips")),
            "loose": try await stage.save("loose", file: "a hill", in: .default),
        ]
    }

    @Test(arguments: cases)
    func `S1 an asset is gone when its address says so`(row: Case) async throws {
        let stage = try PlaceStage()
        let addresses = row.hasFiles ? try await addFiles(stage) : [:]
        let report = try await stage.sweep(
            faults: row.faults, moments: row.moments, assets: stage.probe
        ) {
            $0.targets[0].assetFields = PlaceStage.assetFields
            if row.keepsTrips { $0.policy.protect = [ProtectRule(zone: "Trips", reason: "test")] }
        }
        #expect(report.status == row.status, "\(report.explanation)")
        let found = report.row(.assets, .private)
        #expect(found?.outcome == row.outcome)
        if let found { #expect([found.deleted, found.left] == row.counts) }
        for (name, address) in addresses {
            #expect(try await stage.gives(address) == row.remaining.contains(name), "\(name)")
        }
    }

    @Test func `assets in public and in zones of others go with the person's records`()
        async throws
    {
        let stage = try PlaceStage()
        try await stage.makeZone("Lent", of: "ben", records: ["theirs"])
        try await stage.share("Lent")
        let mine = [
            try await stage.save("mine", file: "a wood", in: stage.theirs("Lent"), .shared),
            try await stage.save("poster", file: "a town", in: .default, .public),
        ]
        let others = [
            try await stage.save("host", file: "a lake", in: RecordZone.ID("Lent"), of: "ben"),
            try await stage.save("bens", file: "a sea", in: .default, of: "ben", .public),
        ]
        let report = try await stage.sweep(assets: stage.probe) {
            $0.targets[0].assetFields = PlaceStage.assetFields
            $0.policy.leaveShared = .deleteMine
        }
        #expect(report.status == .done, "\(report.explanation)")
        #expect(report.row(.assets, .shared)?.deleted == 1)
        #expect(report.row(.assets, .public)?.deleted == 1)
        for address in mine { #expect(try await !stage.gives(address)) }
        for address in others { #expect(try await stage.gives(address)) }
    }

    /// Answers as a store of files that has not heard of the deletion.
    private struct Stubborn: AssetProbe {
        let until: Timestamp?
        func presence(at address: String) -> AssetPresence { .there(until: until) }
    }

    @Test(arguments: [nil, Timestamp(milliseconds: 1_900_000_000_000)])
    func `S1 an address that still answers is left, and the row says until when`(
        until: Timestamp?
    ) async throws {
        let stage = try PlaceStage()
        _ = try await addFiles(stage)
        let report = try await stage.sweep(assets: Stubborn(until: until)) {
            $0.targets[0].assetFields = PlaceStage.assetFields
        }
        #expect(report.status == .dataLeft, "\(report.explanation)")
        let row = try #require(report.row(.assets, .private))
        #expect(row.outcome == .left && row.left == 2)
        let words = until == nil ? "for an unknown time" : "until 2030-03-17T17:46:40Z"
        #expect(row.reason?.contains(words) == true, "\(row.reason ?? "")")
    }

    @Test func `S1 assets whose addresses nobody can ask are not proven to be gone`() async throws {
        let stage = try PlaceStage()
        _ = try await addFiles(stage)
        let report = try await stage.sweep { $0.targets[0].assetFields = PlaceStage.assetFields }
        #expect(report.status == .partlyFailed, "\(report.explanation)")
        #expect(report.row(.assets, .private)?.outcome == .unproven)
    }

    @Test func `where nobody knows which fields hold assets, a row says what would fix it`()
        async throws
    {
        let stage = try PlaceStage()
        _ = try await addFiles(stage)
        let report = try await stage.sweep(assets: stage.probe)
        #expect(report.status == .done, "\(report.explanation)")
        let row = try #require(report.row(.assets, .private))
        #expect(row.outcome == .notInScope && row.reason?.contains("schema") == true)
    }

    @Test func `S2 a zone that cannot be read for assets stops everything`() async throws {
        let stage = try PlaceStage()
        let addresses = try await addFiles(stage)
        let report = try await stage.sweep(
            faults: ["changes/zone in private -> ACCESS_DENIED on all"], assets: stage.probe
        ) { $0.targets[0].assetFields = PlaceStage.assetFields }
        #expect(report.status == .discoveryIncomplete, "\(report.explanation)")
        for address in addresses.values { #expect(try await stage.gives(address)) }
    }

    @Test func `a type that the schema does not know is read with all its fields`() async throws {
        let stage = try PlaceStage()
        let addresses = try await addFiles(stage)
        let report = try await stage.sweep(
            faults: ["zones/modify in zone Trips -> ACCESS_DENIED on all"], assets: stage.probe
        ) { $0.targets[0].assetFields = AssetFields(["Tag": ["scan"]]) }
        #expect(report.status == .partlyFailed, "\(report.explanation)")
        #expect(report.row(.assets, .private)?.left == 1)
        #expect(try await stage.gives(try #require(addresses["Trips"])))
    }
}
