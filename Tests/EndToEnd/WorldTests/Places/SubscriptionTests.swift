import CloudModel
import Configuration
import DeletionPlanning
import SweepEngine
import Testing

/// The person's subscriptions.
struct SubscriptionTests {
    static let cases: [PlaceCase] = [
        PlaceCase(name: "absent", isThere: false, status: .done, outcome: .empty),
        PlaceCase(name: "present", status: .done, outcome: .deleted, counts: [2, 0, 0, 0, 0]),
        PlaceCase(
            name: "refused", faults: ["subscriptions/modify in private -> ACCESS_DENIED on all"],
            status: .partlyFailed, outcome: .failed, counts: [0, 0, 0, 0, 2],
            remaining: ["one", "two"]),
        PlaceCase(
            name: "throttled",
            faults: [
                "subscriptions/modify in private 2 times -> THROTTLED retry 3s",
                "subscriptions/list 2 times -> TRY_AGAIN_LATER retry 3s",
                "subscriptions/lookup 2 times -> THROTTLED retry 3s",
            ], status: .done, outcome: .deleted, counts: [2, 0, 0, 0, 0]),
        PlaceCase(
            name: "half deleted",
            faults: ["subscriptions/modify in private -> ACCESS_DENIED on 1 items"],
            status: .partlyFailed, outcome: .failed, counts: [1, 0, 0, 0, 1],
            remaining: ["one"]),
        PlaceCase(
            name: "half deleted: answers are lost",
            faults: ["1st subscriptions/modify in private -> cut after commit"], status: .done,
            outcome: .deleted, counts: [2, 0, 0, 0, 0]),
        PlaceCase(
            name: "re-created during the run",
            moments: [
                PlaceStage.device(
                    .verify, Wire.subscribe("one", to: "Note", user: "ada", at: PlaceStage.own))
            ], status: .dataLeft, outcome: .left, counts: [1, 0, 0, 1, 0], remaining: ["one"]),
        PlaceCase(
            name: "kept by a rule",
            protect: [ProtectRule(zone: "Trips", reason: "test")], status: .done,
            outcome: .deleted, counts: [1, 0, 1, 0, 0], remaining: ["two"]),
        PlaceCase(
            name: "changed by another device: one goes first",
            moments: [
                PlaceStage.device(
                    .delete, Wire.unsubscribe("one", user: "ada", at: PlaceStage.own))
            ], status: .done, outcome: .deleted, counts: [1, 1, 0, 0, 0]),
    ]

    @Test(arguments: cases)
    func `S1 S3 subscriptions go, but for that of a zone that a rule keeps`(
        row: PlaceCase
    ) async throws {
        let stage = try PlaceStage()
        if row.isThere {
            try await stage.makeZone("Trips", of: "ada")
            // One that watches a zone goes along with it.
            let second =
                row.protect.isEmpty
                ? query("two", "Tag")
                : Subscription(subscriptionID: "two", kind: .zone, zoneID: RecordZone.ID("Trips"))
            _ = try await stage.database(of: "ada", .private).modifySubscriptions([
                .create(query("one", "Note")), .create(second),
            ])
        }
        try await stage.check(row, .subscriptions, .private) { try stage.own(.subscription) }
    }

    private func query(_ id: String, _ type: String) -> Subscription {
        Subscription(
            subscriptionID: id, kind: .query, query: Query(recordType: type), firesOn: [.create])
    }
}
