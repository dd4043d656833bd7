import Basics
import CloudModel
import MockStore
import Testing

@Suite struct WireMirrorTests {
    @Test func `answers are the same directly and through the wire`() throws {
        let (direct, other) = (try World(), try World())
        let commands: [(Database.Scope, CloudCommand)] = [
            (
                .private,
                .write(
                    .modifyZones([.create(RecordZone.ID("Notes")), .delete(RecordZone.ID("x"))]))
            ),
            (.private, .read(.listZones(token: nil))), (.shared, .read(.listZones(token: nil))),
            (.public, .read(.listZones(token: nil))),
            (.private, .read(.lookUpZones([RecordZone.ID("Notes"), RecordZone.ID("x")]))),
            (
                .private,
                .write(
                    .modifyRecords(
                        RecordModifyRequest(
                            operations: [
                                .make(.create, "a", Self.fields), .make(.create, nil),
                                .make(.create, "child", parent: "a"), .forceDelete("never"),
                            ], zoneID: RecordZone.ID("Notes"))))
            ),
            (
                .private,
                .write(
                    .modifyRecords(
                        RecordModifyRequest(
                            operations: [.make(.create, "a"), .make(.create, "b")],
                            zoneID: RecordZone.ID("Notes"))))
            ),
            (
                .private,
                .read(.zoneChanges([ZoneChangesRequest(zoneID: RecordZone.ID("Notes"), limit: 2)]))
            ),
            (.private, .read(.databaseChanges(token: nil, limit: 1))),
            (.private, .read(.zoneListChanges(token: nil, limit: nil))),
            (
                .private,
                .read(
                    .lookUpRecords(
                        RecordLookupRequest(
                            recordNames: ["a", "gone"], zoneID: RecordZone.ID("Notes"))))
            ),
            (
                .private,
                .read(
                    .queryRecords(
                        RecordQueryRequest(
                            query: Query(
                                recordType: "Note",
                                filters: [.init(.equals, .field("n"), .int64(1))],
                                sorts: [.init(.system(.createdTimestamp), ascending: false)]),
                            zoneID: RecordZone.ID("Notes"))))
            ),
            (.private, .read(.queryRecords(RecordQueryRequest(query: Query(recordType: "No"))))),
            (
                .private,
                .write(
                    .modifySubscriptions([
                        .create(Subscription(subscriptionID: "d", kind: .database)),
                        .delete("gone"),
                    ]))
            ),
            (.private, .read(.listSubscriptions)),
            (.private, .read(.lookUpSubscriptions(["d", "no"]))),
            (.private, .read(.caller)), (.private, .write(.restrict)),
            (.private, .read(.listZones(token: nil))),
            (.private, .write(.unrestrict)),
        ]
        for (scope, command) in commands {
            let one = Result { () throws(CloudError) in try direct.database(scope).ask(command) }
            let wire = other.cloud.wireDatabase(at: World.address(scope), user: "ada")
            let two = Result { () throws(CloudError) in try wire.exchange(command) }
            switch (one, two) {
            case (.success(let one), .success(let two)): #expect(one == two)
            case (.failure(let one), .failure(let two)):
                #expect(one.code == two.code && one.reason == two.reason)
            default: Issue.record("\(command.operationPath): \(one), \(two)")
            }
        }
    }

    private static let fields: [String: FieldValue] = [
        "n": .int64(1), "x": .double(2), "text": .string("ü"), "data": .bytes([0, 255]),
        "when": .timestamp(Timestamp(milliseconds: 5)), "to": .link("b", .deleteSelf),
        "place": .location(Location(latitude: 1.5, longitude: -2)),
        "list": .list(.string, [.string("a"), .string("b")]),
    ]
}
