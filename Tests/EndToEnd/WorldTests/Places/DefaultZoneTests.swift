import CloudModel
import Configuration
import DeletionPlanning
import SweepEngine
import Testing

/// The person's records outside zones, and those of zones that a rule keeps in part: each goes by name.
struct DefaultZoneTests {
    /// - Parameter zone: Where "a", "b" and the kept "keep" are.
    private static func cases(in zone: String) -> [PlaceCase] {
        let keeps = [ProtectRule(recordType: "Tag", reason: "test")]
        func row(_ row: PlaceCase) -> PlaceCase {
            var row = row
            row.protect = keeps
            row.counts[2] += 1
            row.remaining.insert("keep")
            return row
        }
        return [
            row(
                PlaceCase(
                    name: "present", status: .done, outcome: .deleted, counts: [2, 0, 0, 0, 0])),
            row(
                PlaceCase(
                    name: "refused", faults: ["records/modify in private -> ACCESS_DENIED on all"],
                    status: .partlyFailed, outcome: .failed, counts: [0, 0, 0, 0, 2],
                    remaining: ["a", "b"])),
            row(
                PlaceCase(
                    name: "throttled",
                    faults: [
                        "records/modify in private 2 times -> THROTTLED retry 3s",
                        "records/query in private 2 times -> THROTTLED retry 3s",
                        "records/lookup in private 2 times -> TRY_AGAIN_LATER retry 3s",
                    ], status: .done, outcome: .deleted, counts: [2, 0, 0, 0, 0])),
            row(
                PlaceCase(
                    name: "half deleted",
                    faults: ["records/modify in private with record a -> ACCESS_DENIED on all"],
                    status: .partlyFailed, outcome: .failed, counts: [1, 0, 0, 0, 1],
                    remaining: ["a"])),
            row(
                PlaceCase(
                    name: "half deleted: answers are lost",
                    faults: ["1st records/modify in private -> cut after commit"],
                    status: .done, outcome: .deleted, counts: [2, 0, 0, 0, 0])),
            row(
                PlaceCase(
                    name: "re-created during the run",
                    moments: [
                        PlaceStage.device(
                            .verify,
                            Wire.save(
                                [Wire.Draft(name: "a", type: "Note")], zone: zone, user: "ada",
                                at: PlaceStage.own))
                    ], status: .dataLeft, outcome: .left, counts: [1, 0, 0, 1, 0],
                    remaining: ["a"])),
            row(
                PlaceCase(
                    name: "changed by another device: one goes first",
                    moments: [
                        PlaceStage.device(
                            .delete,
                            Wire.delete("a", zone: zone, user: "ada", at: PlaceStage.own))
                    ], status: .done, outcome: .deleted, counts: [2, 0, 0, 0, 0])),
        ]
    }

    static let loose: [PlaceCase] =
        cases(in: "_defaultZone") + [
            PlaceCase(name: "absent", isThere: false, status: .done, outcome: .empty)
        ]

    @Test(arguments: loose)
    func `S1 S3 records outside zones go one by one, but for those that a rule keeps`(
        row: PlaceCase
    ) async throws {
        let stage = try PlaceStage()
        if row.isThere { try await fill(.default, stage) }
        try await stage.check(row, .defaultZone, .private) { try stage.own(.record) }
    }

    static let mixed: [PlaceCase] =
        cases(in: "Mixed") + [PlaceCase(name: "absent", isThere: false, status: .done)]

    @Test(arguments: mixed)
    func `S1 S3 of a zone that a rule keeps in part, the rest goes`(row: PlaceCase) async throws {
        let stage = try PlaceStage()
        if row.isThere {
            try await stage.makeZone("Mixed", of: "ada")
            try await fill(RecordZone.ID("Mixed"), stage)
        }
        try await stage.check(row, .zoneRecords, .private) { try stage.own(.record) }
    }

    private func fill(_ zone: RecordZone.ID, _ stage: PlaceStage) async throws {
        try await stage.save([.make("a"), .make("b"), .make("keep", "Tag")], in: zone, "ada")
    }
}
