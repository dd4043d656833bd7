import Basics
import CloudModel
import CloudWire
import Testing

/// The documented request of each endpoint, in both directions.
struct GoldenRequestTests {
    static let journal = RecordZone.ID("Journal")

    static var entryWrite: RecordOperation {
        RecordOperation(
            .create, recordName: "entry-1", recordType: "Entry",
            fields: [
                "title": Field(.string("First")),
                "when": Field(.timestamp(Timestamp(milliseconds: 1_767_225_600_000))),
                "book": Field(.reference(Record.Reference("book-1", action: .deleteSelf))),
                "old": nil,
            ])
    }

    static var query: RecordQueryRequest {
        RecordQueryRequest(
            query: Query(
                recordType: "Entry",
                filters: [
                    Query.Filter(
                        .greaterThan, .field("when"),
                        .timestamp(Timestamp(milliseconds: 1_767_000_000_000))),
                    Query.Filter(
                        .near, .field("place"), .location(Location(latitude: 52.5, longitude: 13)),
                        isTyped: false, distance: 250),
                    Query.Filter(
                        .in, .field("tag"), .list(.string, [.string("a"), .string("b")])),
                    Query.Filter(.containsAllTokens, .anyField, .string("some words")),
                ], sorts: [Query.Sort(.system(.modifiedTimestamp), ascending: false)]),
            zoneID: journal, limit: 200, continuationMarker: "bWFya2Vy", desiredKeys: [])
    }

    static var subscription: Subscription {
        var made = Subscription(
            subscriptionID: "entries", kind: .query, query: Query(recordType: "Entry"),
            firesOn: [.create, .update, .delete])
        made.notificationInfo = Subscription.NotificationInfo()
        made.notificationInfo?.shouldSendContentAvailable = true
        return made
    }

    static let requests: [(CloudCommand, String, String)] = [
        (.read(.listZones(token: nil)), "GET zones/list", ""),
        (
            .read(.listZones(token: ChangeToken("AQAF"))), "POST zones/list",
            #"{"syncToken":"AQAF"}"#
        ),
        (
            .read(.lookUpZones([journal, RecordZone.ID("Theirs", ownerRecordName: "_b")])),
            "POST zones/lookup",
            #"{"zones":[{"zoneName":"Journal"},{"zoneName":"Theirs","ownerRecordName":"_b"}]}"#
        ),
        (
            .write(.modifyZones([.create(journal), .delete(RecordZone.ID("Old"))])),
            "POST zones/modify",
            #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Journal"}}},"#
                + #"{"operationType":"delete","zone":{"zoneID":{"zoneName":"Old"}}}]}"#
        ),
        (
            .read(.zoneListChanges(token: ChangeToken("AQAF"), limit: 100)), "POST zones/changes",
            #"{"metaSyncToken":"AQAF","resultsLimit":100}"#
        ),
        (.read(.databaseChanges(token: nil, limit: nil)), "POST changes/database", "{}"),
        (
            .read(.databaseChanges(token: ChangeToken(""), limit: 5)), "POST changes/database",
            #"{"syncToken":"","resultsLimit":5}"#
        ),
        (
            .read(
                .zoneChanges([
                    ZoneChangesRequest(
                        zoneID: journal, token: ChangeToken("AQAS"), limit: 200,
                        desiredKeys: ["title"], desiredRecordTypes: ["Entry"]),
                    ZoneChangesRequest(zoneID: RecordZone.ID("Gone")),
                ])), "POST changes/zone",
            #"{"zones":[{"zoneID":{"zoneName":"Journal"},"syncToken":"AQAS","resultsLimit":200,"#
                + #""desiredKeys":["title"],"desiredRecordTypes":["Entry"]},"#
                + #"{"zoneID":{"zoneName":"Gone"}}]}"#
        ),
        (
            .read(.queryRecords(query)), "POST records/query",
            #"{"query":{"recordType":"Entry","filterBy":["#
                + #"{"comparator":"GREATER_THAN","fieldName":"when","#
                + #""fieldValue":{"value":1767000000000,"type":"TIMESTAMP"}},"#
                + #"{"comparator":"NEAR","fieldName":"place","fieldValue":{"value":"#
                + #"{"latitude":52.5,"longitude":13.0}},"distance":250.0},"#
                + #"{"comparator":"IN","fieldName":"tag","#
                + #""fieldValue":{"value":["a","b"],"type":"STRING_LIST"}},"#
                + #"{"comparator":"CONTAINS_ALL_TOKENS","#
                + #""fieldValue":{"value":"some words","type":"STRING"}}],"#
                + #""sortBy":[{"systemFieldName":"modifiedTimestamp","ascending":false}]},"#
                + #""zoneID":{"zoneName":"Journal"},"resultsLimit":200,"#
                + #""continuationMarker":"bWFya2Vy","desiredKeys":[]}"#
        ),
        (
            .read(
                .lookUpRecords(
                    RecordLookupRequest(recordNames: ["entry-1", "gone"], zoneID: journal))),
            "POST records/lookup",
            #"{"zoneID":{"zoneName":"Journal"},"#
                + #""records":[{"recordName":"entry-1"},{"recordName":"gone"}]}"#
        ),
        (
            .write(
                .modifyRecords(
                    RecordModifyRequest(
                        operations: [entryWrite, .forceDelete("entry-0")], zoneID: journal,
                        atomic: true))),
            "POST records/modify",
            #"{"zoneID":{"zoneName":"Journal"},"atomic":true,"operations":["#
                + #"{"operationType":"create","record":{"recordName":"entry-1","#
                + #""recordType":"Entry","fields":{"#
                + #""book":{"value":{"recordName":"book-1","action":"DELETE_SELF"},"#
                + #""type":"REFERENCE"},"old":{"value":null},"#
                + #""title":{"value":"First","type":"STRING"},"#
                + #""when":{"value":1767225600000,"type":"TIMESTAMP"}}}},"#
                + #"{"operationType":"forceDelete","record":{"recordName":"entry-0"}}]}"#
        ),
        (.read(.listSubscriptions), "GET subscriptions/list", ""),
        (
            .read(.lookUpSubscriptions(["zone-journal"])), "POST subscriptions/lookup",
            #"{"subscriptions":[{"subscriptionID":"zone-journal"}]}"#
        ),
        (
            .write(.modifySubscriptions([.create(subscription), .delete("old")])),
            "POST subscriptions/modify",
            #"{"operations":[{"operationType":"create","subscription":{"#
                + #""subscriptionID":"entries","subscriptionType":"query","#
                + #""query":{"recordType":"Entry"},"firesOn":["create","update","delete"],"#
                + #""firesOnce":false,"zoneWide":true,"#
                + #""notificationInfo":{"shouldSendContentAvailable":true}}},"#
                + #"{"operationType":"delete","subscription":{"subscriptionID":"old"}}]}"#
        ),
        (.read(.currentUser), "GET users/current", ""), (.read(.caller), "GET users/caller", ""),
        (
            .read(
                .discoverUsers([.emailAddress("a@b"), .phoneNumber("+1"), .userRecordName("_a")])),
            "POST users/discover",
            #"{"lookupInfos":[{"emailAddress":"a@b"},{"phoneNumber":"+1"},"#
                + #"{"userRecordName":"_a"}]}"#
        ),
        (.read(.discoverUsers(nil)), "GET users/discover", ""),
        (
            .read(.lookUpUsersByEmail(["a@b"])), "POST users/lookup/email",
            #"{"users":[{"emailAddress":"a@b"}]}"#
        ),
        (
            .read(.lookUpUsersByID(["_a"])), "POST users/lookup/id",
            #"{"users":[{"userRecordName":"_a"}]}"#
        ),
        (.read(.lookUpContacts), "GET users/lookup/contacts", ""),
        (.write(.restrict), "GET users/restrict", ""),
        (.write(.unrestrict), "GET users/unrestrict", ""),
    ]

    @Test(arguments: requests)
    func `a command is sent as documented and read back`(
        command: CloudCommand, place: String, body: String
    ) throws {
        let request = WireRequest(command, at: RoundTripTests.address)
        let path = "/database/1/iCloud.com.example.notes/development/private/"
        #expect("\(request.method) \(request.path)" == place.replacing(" ", with: " \(path)"))
        #expect(String(decoding: request.body, as: UTF8.self) == body)
        let route = try WireRoute.parse(method: request.method, path: request.path, query: "")
        #expect(try CommandDecoder().decode(route, body: Array(body.utf8)).command == command)
    }
}
