import Basics
import CloudModel
import Testing

/// What a reply may not say, held against what was asked.
struct ReplyCheckTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let what: String
        let command: CloudCommand
        let reply: CloudReply
        var scope: Database.Scope? = .private
        var person: String? = "_ann"
        var testDescription: String { "\(command.operationPath): \(what)" }
    }

    // MARK: Values

    static let zone = RecordZone.ID("Secret", ownerRecordName: "_ann")
    static let bobs = RecordZone.ID("Secret", ownerRecordName: "_bob")
    static let other = RecordZone.ID("Secret two")
    static let token = ChangeToken("AQ==")
    static let error = CloudError(.notFound)

    static func live(_ id: RecordZone.ID, token: ChangeToken? = nil) -> RecordZone.Item {
        .zone(RecordZone(id: id, isAtomic: true, syncToken: token))
    }
    static func page(
        _ zones: RecordZone.Item..., token: ChangeToken? = token, more: Bool = false
    ) -> CloudReply {
        .zonePage(ZonePage(zones: zones, token: token, moreComing: more))
    }
    static func record(
        _ name: String, _ zone: RecordZone.ID = zone, type: String = "Note",
        creator: String = "_ann"
    ) -> Record.Item {
        let stamp = Record.Stamp(
            timestamp: Timestamp(milliseconds: 1), userRecordName: creator, deviceID: "2")
        return .record(
            Record(
                id: Record.ID(name, zoneID: zone), recordType: type, recordChangeTag: "1",
                created: stamp, modified: stamp))
    }
    static func gone(_ name: String) -> Record.Item {
        .deleted(recordName: name, recordChangeTag: nil)
    }
    static func failed(_ name: String) -> Record.Item { .failure(recordName: name, error) }
    static func found(_ items: Record.Item..., marker: String? = nil) -> CloudReply {
        .recordPage(RecordPage(records: items, continuationMarker: marker))
    }
    static func changes(_ records: Record.Item..., zone: RecordZone.ID = zone) -> CloudReply {
        .zoneChanges([
            .page(
                ZoneChangesPage(zoneID: zone, records: records, token: token, moreComing: false))
        ])
    }
    static func records(_ items: Record.Item...) -> CloudReply {
        .records(RecordsReply(records: items))
    }
    static func subscription(_ id: String) -> Subscription.Item {
        .subscription(Subscription(subscriptionID: id, kind: .database))
    }

    static let list = CloudCommand.read(.listZones(token: nil))
    static let feed = CloudCommand.read(.databaseChanges(token: nil, limit: nil))
    static let lookUpZone = CloudCommand.read(.lookUpZones([zone]))
    static let modifyZones = CloudCommand.write(.modifyZones([.delete(zone), .create(other)]))
    static let query = CloudCommand.read(
        .queryRecords(RecordQueryRequest(query: Query(recordType: "Note"), zoneID: zone)))
    static let wideQuery = CloudCommand.read(
        .queryRecords(RecordQueryRequest(query: Query(recordType: "Note"), zoneWide: true)))
    static func mine(_ name: String) -> CloudCommand {
        let filter = Query.Filter(
            .equals, .system(.createdUserRecordName), .reference(Record.Reference(name)))
        return .read(
            .queryRecords(RecordQueryRequest(query: Query(recordType: "Note", filters: [filter]))))
    }
    static let lookUp = CloudCommand.read(
        .lookUpRecords(RecordLookupRequest(recordNames: ["secret-1"], zoneID: zone)))
    static let feedOfZone = CloudCommand.read(.zoneChanges([ZoneChangesRequest(zoneID: zone)]))
    static let modify = CloudCommand.write(
        .modifyRecords(
            RecordModifyRequest(
                operations: [
                    .forceDelete("secret-1"), RecordOperation(.create, recordType: "Note"),
                ], zoneID: zone)))
    static let subscriptions = CloudCommand.read(.listSubscriptions)
    static let lookUpSubscription = CloudCommand.read(.lookUpSubscriptions(["secret-s"]))
    static let modifySubscriptions = CloudCommand.write(
        .modifySubscriptions([
            .delete("secret-s"), .create(Subscription(subscriptionID: "", kind: .database)),
        ]))

    // MARK: Lies

    static let kinds: [Row] =
        [
            list, feed, lookUpZone, modifyZones, query, lookUp, feedOfZone, modify, subscriptions,
            lookUpSubscription, modifySubscriptions, .read(.caller), .read(.currentUser),
        ].map { Row(what: "another kind", command: $0, reply: .done) } + [
            Row(what: "another kind", command: .write(.restrict), reply: .zones([])),
            Row(
                what: "another kind", command: .write(.unrestrict),
                reply: .records(RecordsReply(records: []))),
            Row(
                what: "no name", command: .read(.caller),
                reply: .user(UserIdentity(userRecordName: ""))),
        ]

    static let zones: [Row] =
        [list, feed].flatMap { command in
            [
                Row(what: "twice", command: command, reply: page(live(zone), live(zone))),
                Row(
                    what: "twice, with and without an owner", command: command,
                    reply: page(live(zone), live(RecordZone.ID("Secret")))),
                Row(
                    what: "twice, shared", command: command, reply: page(live(bobs), live(bobs)),
                    scope: .shared),
                Row(what: "another owner", command: command, reply: page(live(bobs))),
                Row(
                    what: "two owners, nobody known", command: command,
                    reply: page(live(zone), live(RecordZone.ID("B", ownerRecordName: "_bob"))),
                    person: nil),
                Row(
                    what: "no owner, shared", command: command, reply: page(live(other)),
                    scope: .shared),
                Row(
                    what: "one's own, shared", command: command, reply: page(live(zone)),
                    scope: .shared),
                Row(what: "no name", command: command, reply: page(live(RecordZone.ID("")))),
                Row(
                    what: "a long name", command: command,
                    reply: page(live(RecordZone.ID(String(repeating: "z", count: 256))))),
                Row(
                    what: "more, no token", command: command,
                    reply: page(live(zone), token: nil, more: true)),
                Row(
                    what: "an empty token", command: command,
                    reply: page(live(zone), token: ChangeToken(""))),
                Row(
                    what: "an empty token of a zone", command: command,
                    reply: page(live(zone, token: ChangeToken("")))),
                Row(
                    what: "too many", command: command,
                    reply: .zonePage(
                        ZonePage(
                            zones: (0...ReplyCheck.listMax).map { live(RecordZone.ID("\($0)")) },
                            token: nil, moreComing: false))),
            ]
        } + [
            Row(what: "a deleted one", command: list, reply: page(.deleted(zone))),
            Row(what: "a failed one", command: list, reply: page(.failure(zone, error))),
            Row(what: "none", command: lookUpZone, reply: .zones([])),
            Row(what: "two", command: lookUpZone, reply: .zones([live(zone), live(zone)])),
            Row(what: "another", command: lookUpZone, reply: .zones([live(other)])),
            Row(what: "another owner's", command: lookUpZone, reply: .zones([live(bobs)])),
            Row(what: "a deleted one", command: lookUpZone, reply: .zones([.deleted(zone)])),
            Row(
                what: "another's failure", command: lookUpZone,
                reply: .zones([.failure(other, error)])),
            Row(what: "one", command: modifyZones, reply: .zones([.deleted(zone)])),
            Row(
                what: "alive after a deletion", command: modifyZones,
                reply: .zones([live(zone), live(other)])),
            Row(
                what: "deleted after a creation", command: modifyZones,
                reply: .zones([.deleted(zone), .deleted(other)])),
            Row(
                what: "in another order", command: modifyZones,
                reply: .zones([live(other), .deleted(zone)])),
            Row(
                what: "another", command: modifyZones,
                reply: .zones([.deleted(other), live(other)])),
            Row(
                what: "another sharer's", command: .read(.lookUpZones([bobs])),
                reply: .zones([live(RecordZone.ID("Secret", ownerRecordName: "_eve"))]),
                scope: .shared),
            Row(
                what: "another owner's", command: modifyZones,
                reply: .zones([.deleted(bobs), live(other)])),
            Row(what: "no zone", command: feedOfZone, reply: .zoneChanges([])),
            Row(what: "another zone", command: feedOfZone, reply: changes(zone: other)),
            Row(what: "another owner's", command: feedOfZone, reply: changes(zone: bobs)),
            Row(
                what: "another's failure", command: feedOfZone,
                reply: .zoneChanges([.failure(other, error)])),
        ]

    static let recordRows: [Row] = [
        Row(what: "another type", command: query, reply: found(record("a", type: "Tag"))),
        Row(what: "another zone", command: query, reply: found(record("a", other))),
        Row(what: "another owner", command: query, reply: found(record("a", bobs))),
        Row(what: "another owner", command: wideQuery, reply: found(record("a", bobs))),
        Row(
            what: "two owners, nobody known", command: wideQuery,
            reply: found(record("a"), record("b", bobs)), person: nil),
        Row(what: "twice", command: query, reply: found(record("a"), record("a"))),
        Row(what: "twice", command: wideQuery, reply: found(record("a"), record("a"))),
        Row(what: "a failed one too", command: query, reply: found(record("a"), failed("a"))),
        Row(what: "a deleted one", command: query, reply: found(gone("a"))),
        Row(what: "no name", command: query, reply: found(failed(""))),
        Row(
            what: "a long name", command: query,
            reply: found(record(String(repeating: "a", count: 256)))),
        Row(what: "an empty marker", command: query, reply: found(marker: "")),
        Row(
            what: "too many", command: query,
            reply: .recordPage(RecordPage(records: (0...200).map { record("\($0)") }))),
        Row(
            what: "another creator", command: mine("_ann"),
            reply: found(record("a", .default, creator: "_bob")), scope: .public),
        Row(
            what: "another creator", command: mine("__defaultOwner__"),
            reply: found(record("a", .default, creator: "_bob")), scope: .public),
        Row(
            what: "the caller as the creator in public", command: mine("_ann"),
            reply: found(record("a", .default, creator: "__defaultOwner__")), scope: .public),
        Row(
            what: "a creator that is not said", command: mine("_ann"),
            reply: found(record("a", .default, creator: "")), scope: .public),
        Row(what: "another", command: lookUp, reply: records(record("secret-2"))),
        Row(what: "another's failure", command: lookUp, reply: records(failed("secret-2"))),
        Row(what: "a deleted one", command: lookUp, reply: records(gone("secret-1"))),
        Row(what: "none", command: lookUp, reply: records()),
        Row(what: "another zone", command: lookUp, reply: records(record("secret-1", other))),
        Row(what: "another owner", command: lookUp, reply: records(record("secret-1", bobs))),
        Row(
            what: "alive after a deletion", command: modify,
            reply: records(record("secret-1"), record("b"))),
        Row(
            what: "deleted after a creation", command: modify,
            reply: records(gone("secret-1"), gone("b"))),
        Row(what: "another", command: modify, reply: records(gone("secret-2"), record("b"))),
        Row(what: "one", command: modify, reply: records(gone("secret-1"))),
        Row(
            what: "no name", command: modify, reply: records(gone("secret-1"), record(""))),
        Row(
            what: "another zone", command: modify,
            reply: records(gone("secret-1"), record("b", other))),
        Row(what: "another zone", command: feedOfZone, reply: changes(record("a", other))),
        Row(what: "another owner", command: feedOfZone, reply: changes(record("a", bobs))),
        Row(what: "twice", command: feedOfZone, reply: changes(record("a"), gone("a"))),
        Row(what: "no name", command: feedOfZone, reply: changes(gone(""))),
        Row(
            what: "too many", command: feedOfZone,
            reply: .zoneChanges([
                .page(
                    ZoneChangesPage(
                        zoneID: zone, records: (0...200).map { record("\($0)") }, token: token,
                        moreComing: false))
            ])),
        Row(
            what: "an empty token", command: feedOfZone,
            reply: .zoneChanges([
                .page(
                    ZoneChangesPage(
                        zoneID: zone, records: [], token: ChangeToken(""), moreComing: true))
            ])),
    ]

    static let subscriptionRows: [Row] = [
        Row(
            what: "twice", command: subscriptions,
            reply: .subscriptions([subscription("secret-s"), subscription("secret-s")])),
        Row(what: "no name", command: subscriptions, reply: .subscriptions([subscription("")])),
        Row(
            what: "too many", command: subscriptions,
            reply: .subscriptions((0...ReplyCheck.listMax).map { subscription("\($0)") })),
        Row(
            what: "a deleted one", command: subscriptions,
            reply: .subscriptions([.deleted("secret-s")])),
        Row(
            what: "a failed one", command: subscriptions,
            reply: .subscriptions([.failure("secret-s", error)])),
        Row(
            what: "another", command: lookUpSubscription,
            reply: .subscriptions([subscription("secret-t")])),
        Row(
            what: "a deleted one", command: lookUpSubscription,
            reply: .subscriptions([.deleted("secret-s")])),
        Row(what: "none", command: lookUpSubscription, reply: .subscriptions([])),
        Row(
            what: "alive after a deletion", command: modifySubscriptions,
            reply: .subscriptions([subscription("secret-s"), subscription("t")])),
        Row(
            what: "another", command: modifySubscriptions,
            reply: .subscriptions([.deleted("secret-t"), subscription("t")])),
        Row(
            what: "deleted after a creation", command: modifySubscriptions,
            reply: .subscriptions([.deleted("secret-s"), .deleted("t")])),
        Row(
            what: "no name", command: modifySubscriptions,
            reply: .subscriptions([.deleted("secret-s"), subscription("")])),
    ]

    @Test(arguments: kinds + zones + recordRows + subscriptionRows)
    func `a reply that does not fit is refused, and the reason names nothing`(row: Row) throws {
        let error = try #require(throws: CloudError.self) {
            try ReplyCheck.check(
                row.reply, answers: row.command, in: row.scope, for: row.person)
        }
        #expect(error.code == .unexpectedResponse)
        #expect(error.reason.hasPrefix("the response to \(row.command.operationPath) has "))
        for name in ["ecret", "_ann", "_bob"] { #expect(!error.reason.contains(name)) }
    }

    // MARK: What fits

    static let fitting: [Row] = [
        Row(what: "zones", command: list, reply: page(live(zone), live(other), more: true)),
        Row(what: "nothing", command: list, reply: page(token: nil)),
        Row(
            what: "everything", command: feed,
            reply: page(live(zone), .deleted(other), .failure(RecordZone.ID("c"), error))),
        Row(
            what: "one name of two owners", command: list,
            reply: page(live(bobs), live(RecordZone.ID("Secret", ownerRecordName: "_eve"))),
            scope: .shared),
        Row(
            what: "another owner, not known where", command: list, reply: page(live(bobs)),
            scope: nil),
        Row(
            what: "a failure about another owner's, as asked",
            command: .read(.lookUpZones([bobs])), reply: .zones([.failure(bobs, error)])),
        Row(
            what: "the caller by a placeholder",
            command: .read(
                .lookUpZones([RecordZone.ID("Secret", ownerRecordName: "__defaultOwner__")])),
            reply: .zones([live(zone)])),
        Row(
            what: "both done", command: modifyZones,
            reply: .zones([.deleted(zone), live(other)])),
        Row(
            what: "both failed", command: modifyZones,
            reply: .zones([.failure(zone, error), .failure(other, error)])),
        Row(
            what: "records and failures", command: query,
            reply: found(record("a"), failed("b"), marker: "x")),
        Row(
            what: "one name in two zones", command: wideQuery,
            reply: found(record("a"), record("a", other))),
        Row(
            what: "the caller as the creator", command: mine("_ann"),
            reply: found(record("a", .default, creator: "__defaultOwner__"))),
        Row(what: "a record", command: lookUp, reply: records(record("secret-1"))),
        Row(what: "a failure", command: lookUp, reply: records(failed("secret-1"))),
        Row(
            what: "a name of the server's choice", command: modify,
            reply: records(gone("secret-1"), record("b"))),
        Row(
            what: "a failure without a name", command: modify,
            reply: records(failed("secret-1"), failed(""))),
        Row(
            what: "records and deletions", command: feedOfZone,
            reply: changes(record("a"), gone("b"), failed("c"))),
        Row(
            what: "a name of the server's choice", command: modifySubscriptions,
            reply: .subscriptions([.deleted("secret-s"), subscription("t")])),
        Row(
            what: "failures", command: modifySubscriptions,
            reply: .subscriptions([.failure("secret-s", error), .failure("", error)])),
        Row(what: "done", command: .write(.restrict), reply: .done),
        Row(
            what: "a caller", command: .read(.caller),
            reply: .user(UserIdentity(userRecordName: "_bob"))),
    ]

    @Test(arguments: fitting)
    func `a reply that fits is taken`(row: Row) throws {
        try ReplyCheck.check(row.reply, answers: row.command, in: row.scope, for: row.person)
    }
}
