import Basics
import CloudModel
import CloudWire
import Testing

/// What clients in use send otherwise than documented.
struct ToleranceTests {
    static func decode(_ operation: WireOperation, _ body: String) throws -> CloudCommand {
        let route = WireRoute(address: RoundTripTests.address, operation: operation)
        return try CommandDecoder().decode(route, body: Array(body.utf8)).command
    }

    static let journal = RecordZone.ID("Journal")
    static func modify(_ field: String) -> String {
        #"{"operations":[{"operationType":"update","record":{"recordName":"r","fields":{"f":"#
            + field + "}}}]}"
    }
    static func query(_ filter: String) -> String {
        #"{"query":{"recordType":"T","filterBy":\#(filter)}}"#
    }
    static func filtered(_ filter: Query.Filter) -> CloudCommand {
        .read(.queryRecords(RecordQueryRequest(query: Query(recordType: "T", filters: [filter]))))
    }
    static func queried(
        _ comparator: Query.Comparator, _ key: Query.Key = .field("f")
    ) -> CloudCommand {
        filtered(Query.Filter(comparator, key, .int64(1), isTyped: false))
    }

    static let zones: [(WireOperation, String, CloudCommand)] = [
        (.listZones, "", .read(.listZones(token: nil))),
        (.listZones, "{}", .read(.listZones(token: nil))),
        (.listZones, #"{"syncToken":null,"x":[1]}"#, .read(.listZones(token: nil))),
        (.listZones, #"{"syncToken":""}"#, .read(.listZones(token: ChangeToken("")))),
        (.zoneListChanges, #"{"syncToken":"A"}"#, .read(.zoneListChanges(token: nil, limit: nil))),
        (.lookUpZones, #"{"zones":["Journal"]}"#, .read(.lookUpZones([journal]))),
        (
            .lookUpZones, #"{"zones":[{"zoneID":{"zoneName":"Journal"}}]}"#,
            .read(.lookUpZones([journal]))
        ),
        (.lookUpZones, #"{"zones":{"zoneName":"Journal"}}"#, .read(.lookUpZones([journal]))),
        (.lookUpZones, #"{"zones":[{}]}"#, .read(.lookUpZones([.default]))),
        (
            .lookUpZones, #"{"zones":[{"zoneName":"Journal","ownerName":"_b"}]}"#,
            .read(.lookUpZones([RecordZone.ID("Journal", ownerRecordName: "_b")]))
        ),
        (
            .lookUpZones,
            #"{"zones":[{"zoneName":"Journal","ownerRecordName":"__defaultOwner__"},"#
                + #"{"zoneName":"Journal","ownerRecordName":"_defaultOwner"},"#
                + #"{"zoneName":"Journal","ownerRecordName":"","zoneType":"X"},"#
                + #"{"zoneName":"Journal","ownerRecordName":null}]}"#,
            .read(.lookUpZones([journal, journal, journal, journal]))
        ),
        (
            .recordChanges,
            #"{"zoneID":{"zoneName":"Journal"},"syncToken":"","resultsLimit":300,"x":null}"#,
            .read(
                .zoneChanges([
                    ZoneChangesRequest(zoneID: journal, token: ChangeToken(""), limit: 300)
                ]))
        ),
        (
            .zoneChanges,
            #"{"resultsLimit":9,"desiredKeys":["a"],"reverse":false,"syncToken":"ignored","#
                + #""zones":[{"zoneID":{"zoneName":"Journal"},"resultsLimit":5},"#
                + #"{"zoneID":{"zoneName":"Journal"},"desiredKeys":[],"reverse":null}]}"#,
            .read(
                .zoneChanges([
                    ZoneChangesRequest(zoneID: journal, limit: 5, desiredKeys: ["a"]),
                    ZoneChangesRequest(zoneID: journal, limit: 9, desiredKeys: []),
                ]))
        ),
    ]

    static let queries: [(WireOperation, String, CloudCommand)] = [
        (
            .queryRecords, query(#"{"fieldName":"f","fieldValue":{"value":1}}"#),
            queried(.equals)
        ),
        (
            .queryRecords,
            query(
                #"[{"comparator":"LIST_NOT_CONTAINS","fieldName":"f","fieldValue":{"value":1}}]"#),
            queried(.notListContains)
        ),
        (
            .queryRecords,
            query(#"[{"comparator":"CONTAINS_ANY","fieldName":"f","fieldValue":{"value":1}}]"#),
            queried(.listContainsAny)
        ),
        (
            .queryRecords,
            query(#"[{"comparator":"EQUALS","fieldName":"___recordID","fieldValue":{"value":1}}]"#),
            queried(.equals, .system(.recordName))
        ),
        (
            .queryRecords,
            query(
                #"[{"comparator":"EQUALS","systemFieldName":"___modTime","fieldValue":{"value":1}}]"#
            ),
            queried(.equals, .system(.modifiedTimestamp))
        ),
        (
            .queryRecords,
            query(#"{"distance":5,"fieldName":"f","fieldValue":{"latitude":1,"longitude":2}}"#),
            filtered(
                Query.Filter(
                    .near, .field("f"), .location(Location(latitude: 1, longitude: 2)),
                    isTyped: false, distance: 5))
        ),
        (
            .queryRecords,
            #"{"query":{"recordType":"T","filterBy":null,"sortBy":{"fieldName":"f"}},"#
                + #""zoneWide":null,"continuationMarker":"","desiredKeys":null}"#,
            .read(
                .queryRecords(
                    RecordQueryRequest(
                        query: Query(recordType: "T", sorts: [Query.Sort(.field("f"))]))))
        ),
        (
            .lookUpRecords, #"{"records":{"recordName":"a"}}"#,
            .read(.lookUpRecords(RecordLookupRequest(recordNames: ["a"])))
        ),
        (
            .lookUpRecords,
            #"{"records":["a",{"recordName":"b","zoneID":{"zoneName":"Journal"}}]}"#,
            .read(.lookUpRecords(RecordLookupRequest(recordNames: ["a", "b"], zoneID: journal)))
        ),
        (.lookUpSubscriptions, #"{"subscriptions":["a"]}"#, .read(.lookUpSubscriptions(["a"]))),
        (
            .modifySubscriptions,
            #"{"operations":[{"operationType":"create","subscription":{"#
                + #""subscriptionType":"ZONE","zoneID":{"zoneName":"Journal"}}}]}"#,
            .write(
                .modifySubscriptions([
                    .create(Subscription(subscriptionID: "", kind: .zone, zoneID: journal))
                ]))
        ),
        (
            .modifyRecords,
            #"{"operations":[{"operationType":"delete","record":{"recordName":"r","#
                + #""recordType":"T","recordChangeTag":"","fields":{"f":{"value":1}}}}]}"#,
            .write(
                .modifyRecords(
                    RecordModifyRequest(operations: [RecordOperation(.delete, recordName: "r")])))
        ),
    ]

    @Test(arguments: zones + queries)
    func `requests are read as their senders mean them`(
        operation: WireOperation, body: String, expected: CloudCommand
    ) throws {
        #expect(try Self.decode(operation, body) == expected)
    }

    static let fields: [(String, Field?)] = [
        ("null", nil), ("{}", nil), (#"{"value":null}"#, nil),
        (#"{"value":null,"type":"STRING"}"#, nil),
        (#"{"value":"x"}"#, Field(.string("x"), isTyped: false)),
        (#"{"value":3}"#, Field(.int64(3), isTyped: false)),
        (#"{"value":3.0}"#, Field(.double(3), isTyped: false)),
        (#"{"value":true}"#, Field(.int64(1), isTyped: false)),
        (#"{"value":[]}"#, Field(.list(.string, []), isTyped: false)),
        (#"{"value":[],"type":"UNKNOWN_LIST"}"#, Field(.list(.string, []), isTyped: false)),
        (#"{"value":[1,2.5]}"#, Field(.list(.double, [.double(1), .double(2.5)]), isTyped: false)),
        (#"{"value":true,"type":"BOOLEAN"}"#, Field(.int64(1))),
        (#"{"value":0,"type":"BOOLEAN"}"#, Field(.int64(0))),
        (
            #"{"value":[true,false],"type":"BOOLEAN_LIST"}"#,
            Field(.list(.int64, [.int64(1), .int64(0)]))
        ),
        (#"{"value":"9223372036854775807","type":"INT64"}"#, Field(.int64(.max))),
        (#"{"value":7.0,"type":"INT64"}"#, Field(.int64(7))),
        (#"{"value":"0.5","type":"DOUBLE"}"#, Field(.double(0.5))),
        (#"{"value":3,"type":"DOUBLE"}"#, Field(.double(3))),
        (
            #"{"value":"1767225600000","type":"TIMESTAMP"}"#,
            Field(.timestamp(Timestamp(milliseconds: 1_767_225_600_000)))
        ),
        (
            #"{"value":"AQI=","type":"ENCRYPTED_BYTES"}"#,
            Field(.bytes([1, 2]), isEncryptedByType: true)
        ),
        (
            #"{"value":"x","type":"STRING","isEncrypted":true}"#,
            Field(.string("x"), isEncrypted: true)
        ),
        (
            #"{"value":{"recordName":"r","action":"None"}}"#,
            Field(.reference(Record.Reference("r")), isTyped: false)
        ),
        (
            #"{"value":{"fileChecksum":"c","size":5},"type":"ASSET"}"#,
            Field(.asset(Asset(fileChecksum: "c", size: 5)))
        ),
        (
            #"{"value":{"latitude":1,"longitude":-2.5}}"#,
            Field(.location(Location(latitude: 1, longitude: -2.5)), isTyped: false)
        ),
    ]

    @Test(arguments: fields)
    func `field values are read in every form`(json: String, expected: Field?) throws {
        let command = try Self.decode(.modifyRecords, Self.modify(json))
        guard case .write(.modifyRecords(let request)) = command else { return }
        #expect(request.operations[0].fields == ["f": expected])
    }

    @Test(arguments: ["numbersAsStrings", "numberAsStrings"])
    func `both spellings ask for numbers as strings`(key: String) throws {
        let route = WireRoute(address: RoundTripTests.address, operation: .listZones)
        let decoded = try CommandDecoder().decode(route, body: Array("{\"\(key)\":true}".utf8))
        #expect(decoded.options.numbersAsStrings)
    }

    /// Why the first operation on a record cannot be read; nil when it can, or where there is none.
    static func malformation(_ command: CloudCommand) -> String? {
        guard case .write(.modifyRecords(let request)) = command else { return nil }
        return request.operations.first?.malformation
    }

    @Test func `quoted numbers can be refused`() throws {
        let route = WireRoute(address: RoundTripTests.address, operation: .modifyRecords)
        let body = Array(Self.modify(#"{"value":"7","type":"INT64"}"#).utf8)
        let decoder = CommandDecoder(acceptsQuotedNumbers: false)
        let command = try decoder.decode(route, body: body).command
        #expect(Self.malformation(command)?.contains("expected type INT64") == true)
    }
}
