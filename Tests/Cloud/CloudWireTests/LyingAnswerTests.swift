import CloudModel
import CloudWire
import Testing

/// Answers that are not what was asked for: each must be refused as a whole.
struct LyingAnswerTests {
    struct Lie: Sendable, CustomTestStringConvertible {
        let what: String
        let command: CloudCommand
        let body: String
        var status = 200
        var testDescription: String { what }
    }

    static let zone = RecordZone.ID("Secret")
    static let zoneJSON = #"{"zoneID":{"zoneName":"Secret","ownerRecordName":"_ann"}}"#
    static let otherZoneJSON = #"{"zoneID":{"zoneName":"Secret two","ownerRecordName":"_ann"}}"#
    static let record = #"{"recordName":"secret-1","recordType":"Note"}"#
    static let tombstone = #"{"recordName":"secret-2","deleted":true}"#
    static let list = CloudCommand.read(.listZones(token: nil))
    static let feed = CloudCommand.read(.databaseChanges(token: nil, limit: nil))
    static let zones = CloudCommand.read(.lookUpZones([zone]))
    static let query = CloudCommand.read(
        .queryRecords(RecordQueryRequest(query: Query(recordType: "Note"), zoneID: zone)))
    static let queryOfAll = CloudCommand.read(
        .queryRecords(RecordQueryRequest(query: Query(recordType: "Note"), zoneWide: true)))
    static let lookup = CloudCommand.read(
        .lookUpRecords(RecordLookupRequest(recordNames: ["secret-1"], zoneID: zone)))
    static let changes = CloudCommand.read(.zoneChanges([ZoneChangesRequest(zoneID: zone)]))
    static let subscriptions = CloudCommand.read(.listSubscriptions)
    static let subscription = CloudCommand.read(.lookUpSubscriptions(["secret-s"]))
    static let delete = CloudCommand.write(.modifyZones([.delete(zone)]))
    static let deleteRecord = CloudCommand.write(
        .modifyRecords(
            RecordModifyRequest(
                operations: [.forceDelete("secret-1")], zoneID: zone, atomic: false)))
    static let unsubscribe = CloudCommand.write(.modifySubscriptions([.delete("secret-s")]))

    static func records(_ items: String..., rest: String = "") -> String {
        #"{"records":[\#(items.joined(separator: ","))]\#(rest)}"#
    }
    static func page(_ records: String, rest: String = #","syncToken":"AQ==""#) -> String {
        #"{"zones":[{"zoneID":{"zoneName":"Secret"},"records":[\#(records)]\#(rest)}]}"#
    }

    // MARK: - The text

    static let texts: [Lie] = [
        Lie(
            what: "two lists of zones", command: list, body: #"{"zones":[\#(zoneJSON)],"zones":[]}"#
        ),
        Lie(
            what: "a zone with two names", command: list,
            body: #"{"zones":[{"zoneID":{"zoneName":"Secret","zoneName":"Other"}}]}"#),
        Lie(
            what: "a key in two spellings", command: list,
            body: #"{"zones":[\#(zoneJSON)],"\u007aones":[]}"#),
        Lie(
            what: "deleted and not deleted", command: delete,
            body: #"{"zones":[{"zoneID":{"zoneName":"Secret"},"deleted":false,"deleted":true}]}"#),
        Lie(
            what: "a field twice in a record", command: query,
            body: records(
                #"{"recordName":"secret-1","recordType":"Note","fields":{"a":{},"a":{}}}"#)),
        Lie(
            what: "a key twice in an error", command: lookup,
            body: #"{"serverErrorCode":"BAD_REQUEST","serverErrorCode":"NOT_FOUND"}"#, status: 404),
        Lie(what: "two answers", command: list, body: #"{"zones":[]}{"zones":[\#(zoneJSON)]}"#),
        Lie(what: "an answer cut short", command: list, body: #"{"zones":["#),
        Lie(what: "a page for people", command: list, body: "<html>busy</html>"),
        Lie(what: "a page for people, not found", command: lookup, body: "<h1>", status: 404),
        Lie(what: "nothing", command: list, body: ""),
        Lie(what: "compressed", command: list, body: "\u{1F}\u{8B}\u{8}\0"),
    ]

    static let statuses: [Lie] =
        [201, 202, 203, 204, 205, 206, 226, 300, 301, 302, 304, 307, 308].flatMap { status in
            [
                Lie(what: "\(status)", command: list, body: #"{"zones":[]}"#, status: status),
                Lie(
                    what: "\(status), restrict", command: .write(.restrict), body: "",
                    status: status),
            ]
        } + [
            Lie(what: "500 with success", command: list, body: #"{"zones":[]}"#, status: 500),
            Lie(
                what: "400 with success", command: deleteRecord,
                body: records(#"{"recordName":"secret-1","deleted":true}"#), status: 400),
            Lie(
                what: "200 and not found", command: lookup,
                body: #"{"serverErrorCode":"NOT_FOUND","reason":""}"#),
            Lie(
                what: "500 and no zone", command: delete,
                body: #"{"serverErrorCode":"ZONE_NOT_FOUND","reason":""}"#, status: 500),
            Lie(
                what: "502 and a failed batch", command: deleteRecord,
                body: records(
                    #"{"recordName":"secret-1","serverErrorCode":"NOT_FOUND"}"#), status: 502),
        ]

    // MARK: - Zones

    static let zoneLies: [Lie] =
        [list, feed].flatMap { command in
            [
                Lie(
                    what: "a zone twice", command: command,
                    body: #"{"zones":[\#(zoneJSON),\#(otherZoneJSON),\#(zoneJSON)]}"#),
                Lie(
                    what: "a zone without a name", command: command,
                    body: #"{"zones":[{"zoneID":{"ownerRecordName":"_ann"}}]}"#),
                Lie(
                    what: "a zone with an empty name", command: command,
                    body: #"{"zones":[{"zoneID":{"zoneName":""}}]}"#),
                Lie(what: "an item that says nothing", command: command, body: #"{"zones":[{}]}"#),
                Lie(
                    what: "more, without a token", command: command,
                    body: #"{"zones":[],"moreComing":true}"#),
                Lie(
                    what: "more, with an empty token", command: command,
                    body: #"{"zones":[],"moreComing":true,"syncToken":""}"#),
                Lie(
                    what: "an empty token", command: command,
                    body: #"{"zones":[],"syncToken":""}"#),
                Lie(
                    what: "an empty token of a zone", command: command,
                    body: #"{"zones":[{"zoneID":{"zoneName":"Secret"},"syncToken":""}]}"#),
                Lie(
                    what: "a marker of queries", command: command,
                    body: #"{"zones":[],"continuationMarker":"bTI="}"#),
                Lie(
                    what: "20,001 zones", command: command,
                    body: #"{"zones":["#
                        + (0...20_000).map { #"{"zoneID":{"zoneName":"z\#($0)"}}"# }
                        .joined(separator: ",") + "]}"),
            ]
        } + [
            Lie(
                what: "a deleted zone in a list", command: list,
                body: #"{"zones":[{"zoneID":{"zoneName":"Secret"},"deleted":true}]}"#),
            Lie(
                what: "a failed zone in a list", command: list,
                body: #"{"zones":[{"zoneID":{"zoneName":"Secret"},"#
                    + #""serverErrorCode":"ZONE_NOT_FOUND"}]}"#),
            Lie(
                what: "a deleted zone that was looked up", command: zones,
                body: #"{"zones":[{"zoneID":{"zoneName":"Secret"},"deleted":true}]}"#),
            Lie(
                what: "a failure that does not say whose", command: zones,
                body: #"{"zones":[{"serverErrorCode":"ZONE_NOT_FOUND"}]}"#),
            Lie(
                what: "a deletion that does not say whose", command: delete,
                body: #"{"zones":[{"deleted":true}]}"#),
            Lie(what: "another zone", command: delete, body: #"{"zones":[\#(otherZoneJSON)]}"#),
            Lie(what: "no zone", command: delete, body: #"{"zones":[]}"#),
        ]

    // MARK: - Records

    static let recordLies: [Lie] = [
        Lie(
            what: "another type", command: query,
            body: records(#"{"recordName":"secret-1","recordType":"Tag"}"#)),
        Lie(what: "a deleted record in a query", command: query, body: records(tombstone)),
        Lie(what: "a record twice", command: query, body: records(record, record)),
        Lie(
            what: "a record and its failure", command: query,
            body: records(record, #"{"recordName":"secret-1","serverErrorCode":"NOT_FOUND"}"#)),
        Lie(
            what: "a failure that does not say whose", command: query,
            body: records(#"{"serverErrorCode":"NOT_FOUND"}"#)),
        Lie(
            what: "a record without a name", command: query,
            body: records(#"{"recordType":"Note"}"#)),
        Lie(
            what: "a name of 256 bytes", command: query,
            body: records(
                #"{"recordName":"\#(String(repeating: "x", count: 256))","recordType":"Note"}"#)),
        Lie(
            what: "a record of another zone", command: query,
            body: records(
                #"{"recordName":"a","recordType":"Note","zoneID":{"zoneName":"_defaultZone"}}"#)),
        Lie(
            what: "a record of all zones that does not say which", command: queryOfAll,
            body: records(record)),
        Lie(
            what: "an empty marker", command: query,
            body: records(rest: #","continuationMarker":"""#)),
        Lie(
            what: "more, as lists of zones say it", command: query,
            body: records(rest: #","moreComing":true"#)),
        Lie(
            what: "201 records", command: query,
            body: #"{"records":["#
                + (0...200).map { #"{"recordName":"r\#($0)","recordType":"Note"}"# }
                .joined(separator: ",") + "]}"),
        Lie(
            what: "a deleted record that was looked up", command: lookup,
            body: records(#"{"recordName":"secret-1","deleted":true}"#)),
        Lie(what: "another record", command: lookup, body: records(tombstone)),
        Lie(what: "no record", command: lookup, body: records()),
        Lie(
            what: "a failure of another zone", command: lookup,
            body: records(
                #"{"recordName":"secret-1","serverErrorCode":"NOT_FOUND","#
                    + #""zoneID":{"zoneName":"Other"}}"#)),
        Lie(
            what: "an empty token", command: lookup,
            body: records(record, rest: #","syncToken":"""#)),
        Lie(
            what: "a deletion that does not say whose", command: deleteRecord,
            body: records(#"{"deleted":true}"#)),
        Lie(
            what: "a deletion in another zone", command: deleteRecord,
            body: records(
                #"{"recordName":"secret-1","deleted":true,"zoneID":{"zoneName":"Other"}}"#)),
        Lie(
            what: "a failed batch without a failure", command: deleteRecord,
            body: records(
                #"{"recordName":"secret-1","deleted":true}"#,
                rest: #","serverErrorCode":"ATOMIC_ERROR""#)),
        Lie(
            what: "another zone's changes", command: changes,
            body: #"{"zones":[\#(otherZoneJSON)]}"#),
        Lie(what: "changes without records", command: changes, body: #"{"zones":[\#(zoneJSON)]}"#),
        Lie(what: "changes without a token", command: changes, body: page("", rest: "")),
        Lie(
            what: "changes with an empty token", command: changes,
            body: page("", rest: #","syncToken":"""#)),
        Lie(what: "a change twice", command: changes, body: page("\(record),\(record)")),
        Lie(
            what: "a record and its deletion", command: changes,
            body: page(
                "\(tombstone),\(tombstone.replacing(#","deleted":true"#, with: #","recordType":"N""#))"
            )),
        Lie(
            what: "a deletion in another zone", command: changes,
            body: page(#"{"recordName":"a","deleted":true,"zoneID":{"zoneName":"Other"}}"#)),
        Lie(
            what: "201 changes", command: changes,
            body: page(
                (0...200).map { #"{"recordName":"r\#($0)","deleted":true}"# }.joined(separator: ",")
            )),
    ]

    // MARK: - Subscriptions, callers

    static let otherLies: [Lie] = [
        Lie(
            what: "a subscription twice", command: subscriptions,
            body:
                #"{"subscriptions":[{"subscriptionID":"secret-s"},{"subscriptionID":"secret-s"}]}"#),
        Lie(
            what: "a subscription without a name", command: subscriptions,
            body: #"{"subscriptions":[{"subscriptionType":"query"}]}"#),
        Lie(
            what: "a deleted subscription in a list", command: subscriptions,
            body: #"{"subscriptions":[{"subscriptionID":"secret-s","deleted":true}]}"#),
        Lie(
            what: "a failed subscription in a list", command: subscriptions,
            body: #"{"subscriptions":[{"subscriptionID":"s","serverErrorCode":"NOT_FOUND"}]}"#),
        Lie(
            what: "more subscriptions", command: subscriptions,
            body: #"{"subscriptions":[],"moreComing":true}"#),
        Lie(
            what: "a marker after subscriptions", command: subscriptions,
            body: #"{"subscriptions":[],"continuationMarker":"x"}"#),
        Lie(
            what: "another subscription", command: subscription,
            body: #"{"subscriptions":[{"subscriptionID":"secret-t"}]}"#),
        Lie(
            what: "a deleted subscription that was looked up", command: subscription,
            body: #"{"subscriptions":[{"subscriptionID":"secret-s","deleted":true}]}"#),
        Lie(
            what: "a deletion that does not say whose", command: unsubscribe,
            body: #"{"subscriptions":[{}]}"#),
        Lie(
            what: "two callers", command: .read(.caller),
            body: #"{"userRecordName":"_ann","users":[{"userRecordName":"_bob"}]}"#),
        Lie(
            what: "two users", command: .read(.caller),
            body: #"{"users":[{"userRecordName":"_ann"},{"userRecordName":"_bob"}]}"#),
        Lie(what: "no caller", command: .read(.caller), body: #"{"users":[]}"#),
        Lie(what: "a nameless caller", command: .read(.caller), body: #"{"userRecordName":""}"#),
    ]

    @Test(arguments: texts + statuses + zoneLies + recordLies + otherLies)
    func `an answer that is not one is refused`(lie: Lie) throws {
        let error = try #require(throws: CloudError.self) {
            _ = try ReplyReaderTests.read(lie.body, status: lie.status, to: lie.command)
        }
        #expect(error.code == .unexpectedResponse || lie.what == "a failed batch without a failure")
        #expect(error.httpStatus == lie.status)
        let reason = error.reason.lowercased()
        #expect(!reason.contains("secret") && !reason.contains("_ann"), "\(error.reason)")
    }

    @Test func `what none of the lies says is believed`() throws {
        let answers: [(CloudCommand, String)] = [
            (Self.list, #"{"zones":[\#(Self.zoneJSON),\#(Self.otherZoneJSON)]}"#),
            (Self.feed, #"{"zones":[{"zoneID":{"zoneName":"Secret"},"deleted":true}]}"#),
            (Self.zones, #"{"zones":[\#(Self.zoneJSON)]}"#),
            (Self.query, Self.records(Self.record)), (Self.lookup, Self.records(Self.record)),
            (Self.changes, Self.page("\(Self.record),\(Self.tombstone)")),
            (Self.delete, #"{"zones":[{"zoneID":{"zoneName":"Secret"},"deleted":true}]}"#),
            (Self.deleteRecord, Self.records(#"{"recordName":"secret-1","deleted":true}"#)),
            (Self.subscriptions, #"{"subscriptions":[{"subscriptionID":"secret-s"}]}"#),
            (Self.subscription, #"{"subscriptions":[{"subscriptionID":"secret-s"}]}"#),
            (Self.unsubscribe, #"{"subscriptions":[{"subscriptionID":"secret-s"}]}"#),
            (.read(.caller), #"{"userRecordName":"_a","users":[{"userRecordName":"_a"}]}"#),
        ]
        for (command, body) in answers { _ = try ReplyReaderTests.read(body, to: command) }
    }

    @Test func `an item that does not confirm what was asked is a failed one`() throws {
        let create = CloudCommand.write(
            .modifySubscriptions([.create(Subscription(subscriptionID: "s", kind: .database))]))
        let rows: [(CloudCommand, String)] = [
            (Self.delete, #"{"zones":[{"zoneID":{"zoneName":"Secret"}}]}"#),
            (Self.deleteRecord, Self.records(Self.record)),
            (
                Self.unsubscribe,
                #"{"subscriptions":[{"subscriptionID":"secret-s","deleted":false}]}"#
            ),
            (create, #"{"subscriptions":[{"subscriptionID":"s","deleted":true}]}"#),
        ]
        for (command, body) in rows {
            var error: CloudError?
            switch try ReplyReaderTests.read(body, to: command) {
            case .zones(let items): if case .failure(_, let found)? = items.first { error = found }
            case .records(let reply):
                if case .failure(_, let found)? = reply.records.first { error = found }
            case .subscriptions(let items):
                if case .failure(_, let found)? = items.first { error = found }
            default: break
            }
            #expect(error?.code == .unexpectedResponse, "\(command.operationPath)")
        }
    }

    @Test func `nothing counts as done beside an item that says the batch failed`() throws {
        let batch = RecordModifyRequest(
            operations: [.forceDelete("a"), .forceDelete("b")], zoneID: Self.zone)
        let reply = try ReplyReaderTests.read(
            Self.records(
                #"{"recordName":"a","deleted":true}"#,
                #"{"recordName":"b","serverErrorCode":"ATOMIC_ERROR"}"#),
            to: .write(.modifyRecords(batch)))
        guard case .records(let answer) = reply else { return }
        #expect(answer.records[0] == .failure(recordName: "a", CloudError(.atomicError)))
    }

    @Test func `zones of a private database have one owner`() throws {
        let body =
            #"{"zones":[\#(Self.zoneJSON),{"zoneID":{"zoneName":"B","ownerRecordName":"_bob"}}]}"#
        let error = try #require(throws: CloudError.self) {
            _ = try ReplyReader.read(Array(body.utf8), status: 200, to: Self.list, in: .private)
        }
        #expect(error.code == .unexpectedResponse)
        _ = try ReplyReader.read(Array(body.utf8), status: 200, to: Self.list, in: .shared)
    }

    @Test func `an error's words about the shape are fit for a terminal`() throws {
        let key = String(repeating: "k", count: 3000) + "\\u001b"
        let body = #"{"records":[{"recordName":"a","recordType":"Note","parent":{"\#(key)":1}}]}"#
        let error = try #require(throws: CloudError.self) {
            _ = try ReplyReaderTests.read(body, to: Self.query)
        }
        #expect(error.reason.count <= WireLimits.reasonMax)
    }
}
