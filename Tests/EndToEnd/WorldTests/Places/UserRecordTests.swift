import CloudModel
import Configuration
import DeletionPlanning
import SweepEngine
import Testing

/// The record that the person has in the container: it stays, and its fields go.
struct UserRecordTests {
    static let cases: [PlaceCase] = [
        PlaceCase(name: "absent", isThere: false, status: .done, outcome: .empty),
        PlaceCase(name: "present", status: .done, outcome: .deleted, counts: [1, 0, 0, 0, 0]),
        PlaceCase(
            name: "refused", faults: ["records/modify in public -> ACCESS_DENIED on all"],
            status: .partlyFailed, outcome: .failed, counts: [0, 0, 0, 0, 1],
            remaining: ["nickname"]),
        PlaceCase(
            name: "throttled",
            faults: [
                "records/modify in public 2 times -> THROTTLED retry 3s",
                "records/lookup in public 2 times -> THROTTLED retry 3s",
            ], status: .done, outcome: .deleted, counts: [1, 0, 0, 0, 0]),
        PlaceCase(
            name: "half deleted: the answer is lost",
            faults: ["1st records/modify in public -> cut after commit"], status: .done,
            outcome: .deleted, counts: [1, 0, 0, 0, 0]),
        PlaceCase(
            name: "re-created during the run", moments: [writes(.verify)], status: .dataLeft,
            outcome: .left, counts: [0, 0, 0, 1, 0], remaining: ["title"]),
        PlaceCase(
            name: "kept by a rule",
            protect: [ProtectRule(recordType: "Users", reason: "test")], status: .done,
            outcome: .kept, counts: [0, 0, 1, 0, 0], remaining: ["nickname"]),
        PlaceCase(
            name: "changed by another device: a field more", moments: [writes(.delete)],
            status: .done, outcome: .deleted, counts: [1, 0, 0, 0, 0]),
    ]

    private static func writes(_ phase: SweepPhase) -> PlaceStage.Moment {
        PlaceStage.Moment(phase) { stage in
            try stage.service.make(
                Wire.save(
                    [Wire.Draft(name: try stage.name(of: "ada"), type: "Users")],
                    zone: "_defaultZone", user: "ada",
                    at: "\(PlaceStage.container)/development/public"))
        }
    }

    @Test(arguments: cases)
    func `S1 S3 the fields of the person's record go, and the record stays`(
        row: PlaceCase
    ) async throws {
        let stage = try PlaceStage()
        let name = try stage.name(of: "ada")
        if row.isThere {
            var operation = RecordOperation(.forceUpdate, recordName: name, recordType: "Users")
            operation.fields = ["nickname": Field(.string("Countess"))]
            try await stage.save([operation], in: .default, "ada", .public)
        }
        try await stage.check(row, .userRecord, .public) {
            let reply = try await stage.database(of: "ada", .public).records(
                for: RecordLookupRequest(recordNames: [name]))
            guard case .record(let record) = reply.records[0] else {
                throw WorldError("no user record")
            }
            return Set(record.fields.keys)
        }
    }
}
