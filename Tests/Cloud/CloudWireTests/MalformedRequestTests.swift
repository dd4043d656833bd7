import CloudModel
import CloudWire
import Testing

struct MalformedRequestTests {
    static func field(_ json: String) -> String { ToleranceTests.modify(json) }
    static func operations(_ operations: String) -> String { "{\"operations\":[\(operations)]}" }

    static let shapes: [(WireOperation, String, String)] = [
        (.modifyZones, "{", "not JSON: line 1, column 2"), (.modifyZones, "[]", "an object"),
        (.modifyZones, "\"x\"", "an object"), (.modifyZones, "{}", "'operations'"),
        (.modifyZones, #"{"operations":null}"#, "'operations'"),
        (.modifyZones, #"{"operations":7}"#, "'operations'"),
        (.modifyZones, operations("7"), "'operations[0]'"),
        (.modifyZones, operations("{}"), "'operations[0].operationType'"),
        (.modifyZones, operations(#"{"operationType":"delete"}"#), "'operations[0].zone'"),
        (
            .modifyZones, operations(#"{"operationType":"delete","zone":{}}"#),
            "'operations[0].zone.zoneID'"
        ),
        (
            .modifyZones, operations(#"{"operationType":"delete","zone":{"zoneID":{}}}"#),
            "'operations[0].zone.zoneID.zoneName'"
        ),
        (
            .modifyZones,
            operations(#"{"operationType":"delete","zone":{"zoneID":{"zoneName":""}}}"#),
            "'operations[0].zone.zoneID.zoneName'"
        ),
        (
            .modifyZones,
            operations(#"{"operationType":"Delete","zone":{"zoneID":{"zoneName":"a"}}}"#),
            "create or delete"
        ),
        (
            .modifyZones,
            operations(
                #"{"operationType":"create","zone":{"zoneID":{"zoneName":"a"}}},"#
                    + #"{"operationType":"delete","zone":{"zoneID":{"zoneName":"a"}}}"#),
            "'operations[1]': a second operation"
        ),
        (.lookUpZones, "{}", "'zones'"), (.lookUpZones, #"{"zones":[7]}"#, "'zones[0]'"),
        (.lookUpZones, #"{"zones":[{"zoneName":7}]}"#, "'zones[0].zoneName'"),
        (.listZones, #"{"syncToken":7}"#, "'syncToken'"),
        (.databaseChanges, #"{"resultsLimit":0}"#, "'resultsLimit'"),
        (.databaseChanges, #"{"resultsLimit":1.5}"#, "'resultsLimit'"),
        (.databaseChanges, #"{"resultsLimit":"5"}"#, "'resultsLimit'"),
        (.databaseChanges, #"{"numbersAsStrings":"yes"}"#, "'numbersAsStrings'"),
        (.zoneChanges, "{}", "'zones'"), (.zoneChanges, #"{"zones":[{}]}"#, "'zones[0].zoneID'"),
        (
            .zoneChanges, #"{"zones":[{"zoneID":{},"reverse":"yes"}]}"#, "'zones[0].reverse'"
        ),
        (.recordChanges, "{}", "'zoneID'"),
        (.queryRecords, "{}", "'query'"), (.queryRecords, #"{"query":{}}"#, "'query.recordType'"),
        (
            .queryRecords, ToleranceTests.query(#"[{"fieldValue":{"value":1}}]"#),
            "'query.filterBy[0].fieldName'"
        ),
        (
            .queryRecords, ToleranceTests.query(#"[{"fieldName":"f"}]"#),
            "'query.filterBy[0].fieldValue'"
        ),
        (
            .queryRecords,
            ToleranceTests.query(#"[{"fieldName":"f","fieldValue":{"value":null}}]"#),
            "'query.filterBy[0].fieldValue.value'"
        ),
        (
            .queryRecords,
            ToleranceTests.query(
                #"[{"comparator":"LIKE","fieldName":"f","fieldValue":{"value":1}}]"#),
            "'query.filterBy[0].comparator'"
        ),
        (
            .queryRecords,
            ToleranceTests.query(#"[{"systemFieldName":"size","fieldValue":{"value":1}}]"#),
            "'query.filterBy[0].systemFieldName'"
        ),
        (
            .queryRecords, #"{"query":{"recordType":"T","sortBy":[{}]}}"#,
            "'query.sortBy[0].fieldName'"
        ),
        (.queryRecords, #"{"query":{"recordType":"T"},"desiredKeys":[1]}"#, "'desiredKeys[0]'"),
        (.lookUpRecords, "{}", "'records'"),
        (.lookUpRecords, #"{"records":[{}]}"#, "'records[0].recordName'"),
        (
            .lookUpRecords,
            #"{"zoneID":{"zoneName":"a"},"records":[{"recordName":"r","zoneID":{"zoneName":"b"}}]}"#,
            "'records[0]'"
        ),
        (.modifySubscriptions, operations(#"{"operationType":"delete","subscription":{}}"#), "ID'"),
        (
            .modifySubscriptions, operations(#"{"operationType":"create","subscription":{}}"#),
            "'operations[0].subscription.subscriptionType'"
        ),
        (.lookUpSubscriptions, #"{"subscriptions":[{}]}"#, "'subscriptions[0].subscriptionID'"),
    ]

    static let records: [(WireOperation, String, String)] = [
        (.modifyRecords, "{}", "'operations'"),
        (.modifyRecords, operations(#"{"operationType":"create"}"#), "'operations[0].record'"),
        (
            .modifyRecords, operations(#"{"operationType":"create","record":{}}"#),
            "'operations[0].record.recordType'"
        ),
        (
            .modifyRecords, operations(#"{"operationType":"forceDelete","record":{}}"#),
            "'operations[0].record.recordName'"
        ),
        (
            .modifyRecords, operations(#"{"operationType":"upsert","record":{"recordName":"r"}}"#),
            "'operations[0].operationType'"
        ),
        (
            .modifyRecords,
            operations(
                #"{"operationType":"forceDelete","record":{"recordName":"r"}},"#
                    + #"{"operationType":"delete","record":{"recordName":"r"}}"#),
            "'operations[1]': a second operation"
        ),
        (.modifyRecords, field("7"), "'operations[0].record.fields.f'"),
        (.modifyRecords, field(#"{"value":1,"type":"NUMBER"}"#), "fields.f.type'"),
        (.modifyRecords, field(#"{"value":1,"type":5}"#), "fields.f.type'"),
        (.modifyRecords, field(#"{"value":{"x":1}}"#), "fields.f.value'"),
        (.modifyRecords, field(#"{"value":[1,"x"]}"#), "fields.f.value'"),
        (.modifyRecords, field(#"{"value":[[1]]}"#), "fields.f.value[0]'"),
        (.modifyRecords, field(#"{"value":1,"type":"STRING"}"#), "expected type STRING"),
        (.modifyRecords, field(#"{"value":1.5,"type":"TIMESTAMP"}"#), "expected type TIMESTAMP"),
        (.modifyRecords, field(#"{"value":1.5,"type":"INT64"}"#), "expected type INT64"),
        (.modifyRecords, field(#"{"value":"0x10","type":"INT64"}"#), "expected type INT64"),
        (.modifyRecords, field(#"{"value":"inf","type":"DOUBLE"}"#), "expected type DOUBLE"),
        (.modifyRecords, field(#"{"value":"0x1p3","type":"DOUBLE"}"#), "expected type DOUBLE"),
        (.modifyRecords, field(#"{"value":9223372036854775808,"type":"INT64"}"#), "INT64"),
        (.modifyRecords, field(#"{"value":"AQI","type":"BYTES"}"#), "expected type BYTES"),
        (.modifyRecords, field(#"{"value":"A_I=","type":"BYTES"}"#), "expected type BYTES"),
        (.modifyRecords, field(#"{"value":"x","type":"STRING_LIST"}"#), "STRING_LIST"),
        (.modifyRecords, field(#"{"value":["x",1],"type":"STRING_LIST"}"#), "value[1]'"),
        (.modifyRecords, field(#"{"value":{"latitude":1},"type":"LOCATION"}"#), "longitude'"),
        (.modifyRecords, field(#"{"value":{},"type":"REFERENCE"}"#), "recordName'"),
        (
            .modifyRecords,
            field(#"{"value":{"recordName":"r","action":"KEEP"},"type":"REFERENCE"}"#), "action'"
        ),
        (.modifyRecords, field(#"{"value":{"size":1},"type":"ASSETID"}"#), "fileChecksum'"),
        (.modifyRecords, field(#"{"value":1,"isEncrypted":"x"}"#), "isEncrypted'"),
    ]

    @Test(arguments: shapes + records)
    func `malformed requests are bad requests that name the key`(
        operation: WireOperation, body: String, expected: String
    ) throws {
        let reason: String?
        do {
            // A record's contents fail their operation alone.
            reason = ToleranceTests.malformation(try ToleranceTests.decode(operation, body))
        } catch let error as CloudError {
            #expect(error.code == .badRequest)
            reason = error.reason
        }
        #expect(reason?.contains(expected) == true, "\(reason ?? "it can be read")")
    }

    @Test(arguments: [200, 201])
    func `200 operations are read and 201 refused`(count: Int) throws {
        let zones = (0..<count).map {
            #"{"operationType":"delete","zone":{"zoneID":{"zoneName":"z\#($0)"}}}"#
        }.joined(separator: ",")
        let records = (0..<count).map {
            #"{"operationType":"forceDelete","record":{"recordName":"r\#($0)"}}"#
        }.joined(separator: ",")
        for (operation, list) in [(WireOperation.modifyZones, zones), (.modifyRecords, records)] {
            let result = Result { try ToleranceTests.decode(operation, Self.operations(list)) }
            #expect((try? result.get()) == nil ? count == 201 : count == 200)
        }
    }

    @Test func `one record in two zones is two records, however the zones are given`() throws {
        let there =
            #"{"operationType":"forceDelete","record":{"recordName":"r","zoneID":{"zoneName":"b"}}}"#
        let here = #"{"operationType":"forceDelete","record":{"recordName":"r"}}"#
        let body = { (zone: String) in
            #"{"zoneID":{"zoneName":"\#(zone)"},"operations":[\#(here),\#(there)]}"#
        }
        #expect(throws: Never.self) { _ = try ToleranceTests.decode(.modifyRecords, body("a")) }
        #expect(throws: CloudError.self) {
            _ = try ToleranceTests.decode(.modifyRecords, body("b"))
        }
    }

    @Test func `requests over the size or the depth are refused`() throws {
        let big = #"{"x":""# + String(repeating: "a", count: WireLimits.requestBytesMax) + "\"}"
        let deep =
            #"{"x":"# + String(repeating: "[", count: 40) + String(repeating: "]", count: 40) + "}"
        for body in [big, deep] {
            let error = try #require(throws: CloudError.self) {
                _ = try ToleranceTests.decode(.listZones, body)
            }
            #expect(error.code == .badRequest)
        }
    }

    @Test func `reasons hold no values of the request`() throws {
        let command = try ToleranceTests.decode(
            .modifyRecords, Self.field(#"{"value":"private words","type":"INT64"}"#))
        let reason = try #require(ToleranceTests.malformation(command))
        #expect(!reason.contains("private words"))
    }
}
