import JSON
import MockSamples
import Testing

/// Records that the administration changes, by the rules of the service.
struct RecordEditTests {
    private static let zone = "container=\(Samples.main)&user=ann&zone=Notes"

    private func bench() throws -> Bench {
        let bench = try Bench()
        try bench.make("Notes")
        let made = try change(
            bench,
            #"{"operationType":"create","record":{"recordName":"a","recordType":"Note","fields":{"n":{"value":"9007199254740993","type":"INT64"}}}}"#
        )
        #expect(made.status == 200, "\(made.text)")
        return bench
    }

    private func change(
        _ bench: Bench, _ body: String, _ query: String = zone
    ) throws -> Bench.Answer {
        try bench.admin("POST", "record?" + query, body)
    }

    private func update(_ tag: String) -> String {
        #"{"operationType":"update","record":{"recordName":"a","recordChangeTag":"\#(tag)","fields":{"n":{"value":"9007199254740995","type":"INT64"}}}}"#
    }

    @Test func `a change holds the tag against the record, and is in its feed`() throws {
        let bench = try bench()
        let before = try #require(try bench.admin("GET", "record?\(Self.zone)&name=a").json)
        let tag = try #require(before["record"]?["recordChangeTag"]?.string)
        let changed = try change(bench, update(tag))
        #expect(changed.json?["record"]?["fields"]?["n"]?["value"]?.string == "9007199254740995")
        #expect(changed.json?["record"]?["recordChangeTag"]?.string != tag)
        let refused = try change(bench, update(tag))
        #expect(refused.status == 409)
        #expect(refused.json?["error"]?.string?.hasPrefix("CONFLICT") == true)
        let after = try #require(try bench.admin("GET", "record?\(Self.zone)&name=a").json)
        #expect(after["place"]?.int64 ?? 0 > before["place"]?.int64 ?? .max)
        let gone = try change(
            bench, #"{"operationType":"forceDelete","record":{"recordName":"a"}}"#)
        #expect(gone.json?["deleted"]?.bool == true)
        #expect(try bench.admin("GET", "record?\(Self.zone)&name=a").json?["tombstone"] != nil)
    }

    @Test func `no fault meets it, and the journal has nothing of it`() throws {
        let bench = try bench()
        try bench.admin("POST", "faults", #"["any -> INTERNAL_ERROR"]"#)
        let before = try bench.admin("GET", "journal").json?["total"]?.int64
        let forced = update("x").replacing("\"update\"", with: "\"forceUpdate\"")
            .replacing("\"recordName\"", with: "\"recordType\":\"Note\",\"recordName\"")
        let changed = try change(bench, forced)
        #expect(changed.status == 200, "\(changed.text)")
        #expect(try bench.admin("GET", "journal").json?["total"]?.int64 == before)
    }

    @Test func `in a public database somebody must be named`() throws {
        let bench = try bench()
        let query = "container=\(Samples.main)&database=public&zone=_defaultZone"
        let body = #"{"operationType":"create","record":{"recordName":"p","recordType":"Note"}}"#
        #expect(try change(bench, body, query).status == 400)
        #expect(try change(bench, body, query + "&by=nobody").status == 400)
        #expect(try change(bench, body, query + "&by=ann").status == 200)
        #expect(try change(bench, body, Self.zone + "&by=bob").status == 400)
        let shown = try bench.admin("GET", "record?\(query)&name=p").json
        #expect(shown?["createdBy"]?.string == "ann")
    }

    @Test(arguments: [
        "", "{}", "[]", "{", #"{"operationType":"update"}"#, #"{"record":{}}"#,
        #"{"operationType":"explode","record":{"recordName":"a"}}"#,
        #"{"operationType":"update","record":{"recordName":"a"},"more":1}"#,
        #"{"operationType":"update","record":{"recordName":"a"},"record":{"recordName":"b"}}"#,
    ])
    func `what is no operation is refused`(body: String) throws {
        let answer = try change(try bench(), body)
        #expect(answer.status == 400, "\(answer.text)")
    }

    @Test func `the zone must be there`() throws {
        let answer = try change(
            try bench(), update("x"), "container=\(Samples.main)&user=ann&zone=Nowhere")
        #expect(answer.status == 404)
    }
}
