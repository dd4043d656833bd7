import Configuration
import DeletionPlanning
import SweepEngine
import Testing

/// The person's own zones: each goes as a whole.
struct CustomZoneTests {
    static let cases: [PlaceCase] = [
        PlaceCase(name: "absent", isThere: false, status: .done, outcome: .empty),
        PlaceCase(name: "present", status: .done, outcome: .deleted, counts: [2, 0, 0, 0, 0]),
        PlaceCase(
            name: "refused", faults: ["zones/modify -> ACCESS_DENIED on all"],
            status: .partlyFailed, outcome: .failed, counts: [0, 0, 0, 0, 2],
            remaining: ["Trips", "Games"]),
        PlaceCase(
            name: "throttled",
            faults: [
                "zones/modify 2 times -> THROTTLED retry 3s",
                "zones/list 2 times -> TRY_AGAIN_LATER retry 3s",
                "changes/zone 2 times -> THROTTLED retry 3s",
            ], status: .done, outcome: .deleted, counts: [2, 0, 0, 0, 0]),
        PlaceCase(
            name: "half deleted", faults: ["zones/modify in zone Trips -> ACCESS_DENIED on all"],
            status: .partlyFailed, outcome: .failed, counts: [1, 0, 0, 0, 1],
            remaining: ["Trips"]),
        PlaceCase(
            name: "half deleted: answers are lost",
            faults: ["1st zones/modify -> cut after commit"], status: .done,
            outcome: .deleted, counts: [2, 0, 0, 0, 0]),
        PlaceCase(
            name: "re-created during the run",
            moments: [
                PlaceStage.device(
                    .verify, Wire.createZone("Trips", user: "ada", at: PlaceStage.own))
            ], status: .dataLeft, outcome: .left, counts: [1, 0, 0, 1, 0], remaining: ["Trips"]),
        PlaceCase(
            name: "kept by a rule", protect: [ProtectRule(zone: "Trips", reason: "test")],
            status: .done, outcome: .deleted, counts: [1, 0, 1, 0, 0], remaining: ["Trips"]),
        PlaceCase(
            name: "changed by another device: one goes first",
            moments: [
                PlaceStage.device(
                    .delete, Wire.deleteZone("Trips", user: "ada", at: PlaceStage.own))
            ], status: .done, outcome: .deleted, counts: [1, 1, 0, 0, 0]),
    ]

    @Test(arguments: cases)
    func `S1 S3 a zone goes as a whole, or the run says why not`(row: PlaceCase) async throws {
        let stage = try PlaceStage()
        for zone in row.isThere ? ["Trips", "Games"] : [] {
            try await stage.makeZone(zone, of: "ada", records: ["a", "b"])
        }
        try await stage.check(row, .customZones, .private) { try stage.own(.zone) }
    }
}
