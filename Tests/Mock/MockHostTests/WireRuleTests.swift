import CloudModel
import CloudWire
import HTTPServer
import JSON
import Testing

/// What clients of other hands send, and what they insist on in the answer, as bytes.
struct WireRuleTests {
    private static let base = "/database/1/iCloud.com.example.myexampleapp/development/private/"

    /// Posts a body to an operation of Ann's private database.
    private func post(
        _ bench: Bench, _ operation: String, _ body: String, base: String = base,
        parameters: String = ""
    ) throws -> Bench.Answer {
        let target =
            base + operation + "?ckAPIToken=\(try bench.apiToken)"
            + "&ckWebAuthToken=\(bench.webToken("ann"))" + parameters
        let request = HTTPRequest(method: "POST", target: target, body: Array(body.utf8))
        return try #require(try bench.send(request))
    }

    @Test(arguments: ["DEVELOPMENT", "Development", "development"])
    func `the environment may be spelled in capitals`(environment: String) throws {
        let bench = try Bench()
        let base = "/database/1/iCloud.com.example.myexampleapp/\(environment)/private/"
        #expect(try post(bench, "zones/list", "{}", base: base).status == 200)
    }

    @Test func `C-41 a value that cannot be read fails its own item`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        func batch(_ atomic: Bool) throws -> Bench.Answer {
            try post(
                bench, "records/modify",
                """
                {"atomic":\(atomic),"zoneID":{"zoneName":"Notes"},"operations":[
                {"operationType":"create","record":{"recordName":"good\(atomic)","recordType":"T",
                 "fields":{"n":{"value":1}}}},
                {"operationType":"create","record":{"recordName":"bad","recordType":"T",
                 "fields":{"t":{"value":"noon","type":"TIMESTAMP"}}}}]}
                """)
        }
        let loose = try batch(false)
        #expect(loose.status == 200)
        #expect(loose.items.map(\.code) == [nil, "BAD_REQUEST"])
        #expect(loose.items.last?.reason?.contains("expected type TIMESTAMP") == true)
        let tight = try batch(true)
        #expect(tight.status == 200)
        #expect(tight.items.map(\.code) == ["ATOMIC_ERROR", "BAD_REQUEST"])
    }

    @Test(arguments: ["records/query", "records/lookup"])
    func `a query or lookup returns the zone's token on request, and the feed continues from there`(
        operation: String
    ) throws {
        let bench = try Bench()
        try bench.make("Notes", "Other")
        func save(_ name: String) throws {
            let answer = try post(
                bench, "records/modify",
                """
                {"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{
                "recordName":"\(name)","recordType":"T"}}]}
                """)
            #expect(answer.status == 200)
        }
        func ask(
            _ zone: String, _ parameter: String = "&getCurrentSyncToken=true"
        ) throws -> String? {
            let what =
                operation == "records/query"
                ? #""query":{"recordType":"T"}"# : #""records":[{"recordName":"a"}]"#
            let answer = try post(
                bench, operation, #"{"zoneID":{"zoneName":"\#(zone)"},\#(what)}"#,
                parameters: parameter)
            #expect(answer.status == 200)
            return answer.json?["syncToken"]?.string
        }
        func names(after token: String) throws -> [String] {
            let answer = try post(
                bench, "changes/zone",
                #"{"zones":[{"zoneID":{"zoneName":"Notes"},"syncToken":"\#(token)"}]}"#)
            let zone = try #require(answer.json?["zones"]?.elements.first { _ in true })
            return try #require(zone["records"]).elements.compactMap { $0["recordName"]?.string }
        }
        try save("a")
        let token = try #require(try ask("Notes"))
        #expect(try names(after: token) == [])
        try save("b")
        #expect(try names(after: token) == ["b"])
        #expect(try ask("Notes") != token)
        #expect(try ask("Other").map { $0 == token } == false)
        #expect(try ask("_defaultZone") == nil)
        #expect(try ask("Notes", "") == nil)
    }

    @Test func `encrypted bytes come back as ENCRYPTED_BYTES`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        let answer = try post(
            bench, "records/modify",
            """
            {"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{
            "recordName":"a","recordType":"T","fields":{
            "aEncrypted":{"value":"AQI=","type":"ENCRYPTED_BYTES"},
            "b":{"value":"AQI=","type":"BYTES","isEncrypted":true}}}}]}
            """)
        #expect(answer.text.contains(#""aEncrypted":{"value":"AQI=","type":"ENCRYPTED_BYTES"}"#))
        #expect(answer.text.contains(#""b":{"value":"AQI=","type":"BYTES","isEncrypted":true}"#))
    }

    @Test(arguments: [
        #""subscription":{"subscriptionID":"s"}"#, #""subscription":"s""#, #""subscriptionID":"s""#,
    ])
    func `a subscription is deleted by its ID alone`(spelled: String) throws {
        let bench = try Bench()
        _ = try post(
            bench, "subscriptions/modify",
            #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"s","#
                + #""subscriptionType":"database"}}]}"#)
        let answer = try post(
            bench, "subscriptions/modify",
            #"{"operations":[{"operationType":"delete",\#(spelled)}]}"#)
        #expect(answer.status == 200)
        #expect(answer.items.map(\.name) == ["s"] && answer.items.map(\.code) == [nil])
        #expect(try post(bench, "subscriptions/list", "{}").items.isEmpty)
    }

    @Test func `each zone of a feed may ask for numbers as text`() throws {
        let bench = try Bench()
        for zone in ["A", "B", "C"] {
            try bench.make(zone)
            _ = try post(
                bench, "records/modify",
                #"{"zoneID":{"zoneName":"\#(zone)"},"operations":[{"operationType":"create","#
                    + #""record":{"recordName":"r","recordType":"T","fields":{"n":{"value":7}}}}]}"#
            )
        }
        func numbers(_ outer: String) throws -> [String] {
            let answer = try post(
                bench, "changes/zone",
                #"{\#(outer)"zones":[{"zoneID":{"zoneName":"A"},"numbersAsStrings":true},"#
                    + #"{"zoneID":{"zoneName":"B"},"numbersAsStrings":false},"#
                    + #"{"zoneID":{"zoneName":"C"}}]}"#)
            return answer.json?["zones"]?.elements.map { zone in
                let record = zone["records"].flatMap { Array($0.elements).first }
                return record?["fields"]?["n"]?["value"]?.string ?? "a number"
            } ?? []
        }
        #expect(try numbers("") == ["7", "a number", "a number"])
        #expect(try numbers(#""numbersAsStrings":true,"#) == ["7", "a number", "7"])
    }

    @Test func `every operation is answered, and told apart from a typo`() throws {
        let bench = try Bench()
        for operation in WireOperation.allCases.map(\.rawValue) {
            let answer = try post(bench, operation, "{}")
            #expect(answer.status != 404, "\(operation)")
        }
        let typo = try post(bench, "users/discovr", "{}")
        #expect(typo.status == 404 && typo.code == "NOT_FOUND")
    }

    @Test func `a body that is too long is refused in JSON`() throws {
        let bench = try Bench()
        let service = bench.app.refusal(
            ofLongBodyOf: HTTPRequest(method: "POST", target: Self.base + "records/modify"))
        #expect(service.status == 413)
        let error = try JSONDocument.parse(service.body).root
        #expect(error["serverErrorCode"]?.string == "BAD_REQUEST" && error["uuid"] != nil)
        #expect(service.headers["access-control-allow-origin"] == "*")
        let own = bench.app.refusal(
            ofLongBodyOf: HTTPRequest(method: "POST", target: "/_mock/v1/seed"))
        #expect(try JSONDocument.parse(own.body).root["error"]?.string != nil)
        #expect(try bench.admin("GET", "journal?status=413").text.contains("BAD_REQUEST"))
    }

    @Test func `the journal says why a request failed, and why each of its items did`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        let create = CloudCommand.write(
            .modifyRecords(
                RecordModifyRequest(
                    operations: [
                        RecordOperation(.create, recordName: "a", recordType: "T"),
                        RecordOperation(.create, recordName: "_b", recordType: "T"),
                    ], zoneID: RecordZone.ID("Notes"), atomic: false)))
        _ = try bench.call(create)
        _ = try bench.call(create)
        _ = try bench.call(.read(.queryRecords(RecordQueryRequest(query: Query(recordType: "No")))))
        let entries = try bench.admin("GET", "journal?last=2").json?["entries"]
        let found = entries.map { Array($0.elements) } ?? []
        #expect(found.first?["code"] == nil)
        let items = found.first?["failures"].map { Array($0.elements) } ?? []
        #expect(items.map { $0["name"]?.string } == ["a", "_b"])
        #expect(items.map { $0["code"]?.string } == ["CONFLICT", "BAD_REQUEST"])
        #expect(items.first?["reason"]?.string == "record to insert already exists")
        #expect(found.last?["code"]?.string == "NOT_FOUND")
        #expect(found.last?["reason"]?.string == "Did not find record type")
    }
}
