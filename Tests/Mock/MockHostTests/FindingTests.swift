import ClientLinter
import CloudModel
import CloudWire
import HTTPServer
import JSON
import Testing

/// What the server finds in what clients send, and how it tells.
struct FindingTests {
    private static let notes = RecordZone.ID("Notes")

    private func bench() throws -> Bench { try Bench { try? $0.set("check=true") } }

    /// Sends a body as it is.
    private func post(
        _ bench: Bench, _ operation: String, _ body: String, scope: String = "private"
    ) throws -> Bench.Answer {
        let path = "/database/1/iCloud.com.example.myexampleapp/development/\(scope)/\(operation)"
        let target =
            path + "?ckAPIToken=" + (try bench.apiToken) + "&ckWebAuthToken="
            + WireQuery.encoded(bench.webToken("ann"))
        return try #require(
            try bench.send(HTTPRequest(method: "POST", target: target, body: Array(body.utf8))))
    }

    private func rules(_ bench: Bench, _ query: String = "") throws -> [String] {
        let answer = try bench.admin("GET", "findings" + query)
        #expect(answer.status == 200)
        return try #require(answer.json?["findings"]).elements.map {
            ($0["rule"]?.string ?? "")
                + ($0["requests"]?.elements.map { " \($0.int64 ?? 0)" } ?? [])
                .joined()
        }
    }

    @Test func `a finding says who, where, which requests, what and what instead`() throws {
        let bench = try bench()
        try bench.make("Notes")
        _ = try post(
            bench, "changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"}}],"resultLimit":3}"#)
        let answer = try bench.admin("GET", "findings")
        let finding = try #require(answer.json?["findings"]?.elements.first { _ in true })
        #expect(answer.json?["check"]?.bool == true && answer.json?["dropped"]?.int64 == 0)
        #expect(finding["rule"]?.string == "unknown-key" && finding["user"]?.string == "ann")
        #expect(finding["container"]?.string == "iCloud.com.example.myexampleapp")
        #expect(finding["database"]?.string == "private")
        #expect(finding["requests"]?.elements.map { $0.int64 } == [2])
        #expect(
            finding["message"]?.string
                == "Request 2 has the key \"resultLimit\"; nearest: resultsLimit.")
        #expect(finding["instead"]?.string?.hasPrefix("Check the spelling") == true)
        #expect(try rules(bench, "?rule=old-token") == [])
        #expect(try rules(bench, "?user=bob") == [])
        #expect(try bench.admin("GET", "findings?rule=old-tokn").text.contains("old-token"))
        // It was answered as the service would.
        let entry = try bench.admin("GET", "journal?last=1").json?["entries"]?.elements
            .first { _ in true }
        #expect(entry?["status"]?.int64 == 200)
    }

    @Test func `what is looked for is told whether it is looked for or not`() throws {
        for bench in [try Bench(), try bench()] {
            let rules = try #require(try bench.admin("GET", "findings").json?["rules"]).elements
            #expect(
                rules.map { $0["rule"]?.string } == ClientFinding.Rule.allCases.map(\.rawValue))
            for rule in rules {
                #expect(rule["about"]?.string?.hasSuffix(".") == true, "\(rule)")
                #expect(rule["instead"]?.string?.hasSuffix(".") == true, "\(rule)")
            }
        }
    }

    @Test func `unless it is asked for, nothing is watched`() throws {
        let bench = try Bench()
        _ = try post(bench, "zones/nothing", "{}")
        #expect(try rules(bench) == [])
        #expect(try bench.admin("GET", "findings").json?["check"]?.bool == false)
        try bench.admin("PUT", "options", #"{"check":true}"#)
        _ = try post(bench, "zones/lst", "{}")
        #expect(try rules(bench) == ["unknown-endpoint 2"])
    }

    @Test(arguments: [
        (
            "changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"},"syncToken":""}]}"#,
            "empty-token 1"
        ),
        ("changes/database", #"{"syncToken":""}"#, "empty-token 1"),
        ("records/query", #"{"query":{"recordType":"Note","resultsLimit":3}}"#, "unknown-key 1"),
        (
            "records/modify",
            #"{"operations":[{"operationType":"create","record":{"recordtype":"Note"}}]}"#,
            "unknown-key 1"
        ),
        ("records/delete", "{}", "unknown-endpoint 1"),
    ])
    func `what stands out in a request's own words is found`(
        operation: String, body: String, found: String
    ) throws {
        let bench = try bench()
        _ = try post(bench, operation, body)
        #expect(try rules(bench) == [found])
    }

    @Test func `more items than a request may have are found, also by a lower limit`() throws {
        let bench = try bench()
        func names(_ count: Int) -> String {
            (0..<count).map { #"{"recordName":"r\#($0)"}"# }.joined(separator: ",")
        }
        _ = try post(bench, "records/lookup", "{\"records\":[\(names(200))]}")
        #expect(try rules(bench) == [])
        let refused = try post(bench, "records/lookup", "{\"records\":[\(names(201))]}")
        #expect(refused.code == "BAD_REQUEST")
        try bench.admin("PUT", "options", #"{"operationsMax":3}"#)
        _ = try post(bench, "zones/lookup", "{\"zones\":[{},{},{},{}]}")
        #expect(try rules(bench) == ["too-many-items 2", "too-many-items 3"])
    }

    /// As CloudKit JS, pyicloud and others send it: what they were answered, with what they change.
    @Test(arguments: [
        (
            "records/modify",
            """
            {"operations":[{"operationType":"forceUpdate","record":{"recordName":"a",\
            "recordType":"Note","recordChangeTag":"1","created":{"timestamp":1,"userRecordName":"_a",\
            "deviceID":"2"},"modified":{"timestamp":1},"deleted":false,"pluginFields":{},"zoneID":\
            {"zoneName":"Notes","ownerRecordName":"_a","zoneType":"REGULAR_CUSTOM_ZONE"},"fields":\
            {"title":{"value":"x","type":"STRING"},"list":{"value":["a"],"type":"STRING_LIST"},\
            "place":{"value":{"latitude":1,"longitude":2},"type":"LOCATION"},"of":{"value":\
            {"recordName":"b","action":"NONE","zoneID":{"zoneName":"Notes"}},"type":"REFERENCE"}}}}],\
            "zoneID":{"zoneName":"Notes"},"atomic":true,"desiredKeys":["title"],\
            "numbersAsStrings":false}
            """
        ),
        (
            "records/query",
            """
            {"query":{"recordType":"CPLAssetAndMasterByAssetDateWithoutHiddenOrDeleted","filterBy":\
            [{"fieldName":"startRank","fieldValue":{"type":"INT64","value":0},"comparator":"EQUALS"},\
            {"fieldName":"direction","fieldValue":{"type":"STRING","value":"ASCENDING"},\
            "comparator":"EQUALS"}]},"resultsLimit":200,"desiredKeys":["resJPEGFullWidth"],\
            "zoneID":{"zoneName":"PrimarySync"}}
            """
        ),
        (
            "changes/zone",
            """
            {"zones":[{"zoneID":{"zoneName":"Notes","ownerRecordName":"_a"},"desiredKeys":[],\
            "desiredRecordTypes":["Note"],"syncToken":null,"reverse":false}],"resultsLimit":200}
            """
        ),
        (
            "zones/modify",
            #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"N"},"atomic":true}}]}"#
        ),
        ("zones/list", "{}"), ("changes/database", #"{"resultsLimit":100}"#),
        ("subscriptions/list", "{}"), ("users/caller", "{}"),
    ])
    func `what well-known clients send is not found fault with`(
        operation: String, body: String
    ) throws {
        let bench = try bench()
        _ = try post(bench, operation, body)
        #expect(try rules(bench, "?final=true") == [])
    }

    @Test(arguments: ["cut after commit", "cut at 10", "wrong content garbage"])
    func `an answer that was cut off, and the write that came again, are found`(
        fault: String
    ) throws {
        let bench = try bench()
        try bench.make("Notes")
        try bench.admin("POST", "faults", "\"1st records/modify -> \(fault)\"")
        let create = CloudCommand.write(
            .modifyRecords(
                RecordModifyRequest(
                    operations: [RecordOperation(.create, recordType: "Note")],
                    zoneID: Self.notes)))
        if fault == "cut at 10" {
            #expect(throws: (any Error).self) { try bench.call(create) }
        } else {
            #expect((try bench.call(create) == nil) == (fault == "cut after commit"))
        }
        #expect(try bench.call(create)?.status == 200)
        #expect(try rules(bench) == ["resent-write 2 3"])
    }

    @Test func `to wait is asked of the same request only, from when its answer was sent`() throws {
        let bench = try bench()
        try bench.admin(
            "PUT", "faults",
            #"["any -> delay 40s","1st changes/database -> THROTTLED retry 30s"]"#)
        func read(_ limit: Int) throws {
            _ = try bench.call(.read(.databaseChanges(token: nil, limit: limit)))
        }
        try read(1)
        // Of another body.
        try read(2)
        #expect(try rules(bench) == [])
        // The answer to the first came after 40 s, and 10 s ago.
        bench.now.milliseconds += 50_000
        try read(1)
        #expect(try rules(bench) == ["retried-early 1 3"])
    }

    @Test func `a browser's own request is nobody's fault, and of one request some keys are told`()
        throws
    {
        let bench = try bench()
        _ = try bench.send(HTTPRequest(method: "GET", target: "/favicon.ico"))
        #expect(try rules(bench) == [])
        let keys = (0..<30).map { "\"nonsense\($0)\":1" }.joined(separator: ",")
        _ = try post(bench, "zones/lookup", "{\(keys)}")
        #expect(try rules(bench).count == 20)
    }

    @Test func `an empty page that is left is found where the clients have ended`() throws {
        let bench = try bench()
        try bench.make("Notes")
        try bench.admin("PUT", "faults", #"["changes/zone once -> empty page"]"#)
        let save = RecordModifyRequest(
            operations: [RecordOperation(.create, recordName: "a", recordType: "Note")],
            zoneID: Self.notes)
        _ = try bench.call(.write(.modifyRecords(save)))
        _ = try bench.call(.read(.zoneChanges([ZoneChangesRequest(zoneID: Self.notes)])))
        _ = try bench.call(.read(.listZones(token: nil)))
        #expect(try rules(bench) == [])
        #expect(try rules(bench, "?final=true") == ["stopped-early 3 4"])
    }

    @Test func `a request whose batch is rolled back is not held against a client`() throws {
        let bench = try bench()
        _ = try post(bench, "zones/lst", "{}")
        try bench.lose { bench in
            let path =
                "/database/1/iCloud.com.example.myexampleapp/development/private/zones/nothing"
            _ = bench.app.respond(HTTPRequest(method: "POST", target: path))
        }
        #expect(try rules(bench) == ["unknown-endpoint 1"])
        #expect(try bench.admin("DELETE", "findings").status == 200)
        #expect(try rules(bench) == [])
        _ = try post(bench, "zones/lst", "{}")
        try bench.admin("POST", "reset", #"{"also":["findings"]}"#)
        #expect(try rules(bench) == [])
    }
}
