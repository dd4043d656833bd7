import CloudModel
import JSON
import MockHost
import MockService
import Testing

/// What can be asked about the requests that were seen.
struct JournalQuestionTests {
    private let notes = RecordZone.ID("Notes")

    /// Ann makes two zones and saves a record twice, the second time in vain; Bob lists his.
    private func bench(_ change: (inout MockServerConfiguration) -> Void = { _ in }) throws -> Bench
    {
        let bench = try Bench(change)
        try bench.make("Notes")
        try bench.make("Lists")
        for _ in 0..<2 {
            let operation = RecordOperation(.create, recordName: "a", recordType: "Note")
            let request = RecordModifyRequest(operations: [operation], zoneID: notes)
            _ = try bench.call(.write(.modifyRecords(request)))
        }
        _ = try bench.call(.read(.listZones(token: nil)), as: "bob")
        return bench
    }

    private func ask(_ bench: Bench, _ path: String, _ body: String) throws -> JSONValue {
        let answer = try bench.admin("POST", "journal/" + path, body)
        try #require(answer.status == 200, "\(answer.text)")
        return try #require(answer.json)
    }

    @Test(arguments: [
        ("{}", 5), (#"{"operation":"zones/modify"}"#, 2), (#"{"operation":"writes"}"#, 4),
        (#"{"operation":"zones/*"}"#, 3), (#"{"zone":"L*"}"#, 1), (#"{"user":"bob"}"#, 1),
        (#"{"user":"?nn","scope":"private"}"#, 4), (#"{"recordType":"Note"}"#, 2),
        (#"{"recordType":"N*","code":"CONFLICT"}"#, 1), (#"{"code":"OK"}"#, 4),
        (#"{"status":200}"#, 5), (#"{"status":"2xx","after":3}"#, 2), (#"{"status":"4xx"}"#, 0),
        (#"{"container":"iCloud.*.myexampleapp","environment":"development"}"#, 5),
        (#"{"environment":"production"}"#, 0), (#"{"device":"phone"}"#, 0),
        (#"{"device":""}"#, 5), (#"{"fault":"*"}"#, 0), (#"{"scope":"public"}"#, 0),
    ])
    func `a pattern finds and counts the requests that fit`(body: String, count: Int) throws {
        let bench = try bench()
        let counted = try ask(bench, "count", body)
        #expect(counted["matching"]?.int64 == Int64(count) && counted["complete"]?.bool == true)
        let found = try ask(bench, "find", body)
        #expect(found["entries"]?.elements.count == count)
        // Asking is no request of the service, and changes nothing.
        #expect(counted["total"]?.int64 == 5 && found["total"]?.int64 == 5)
    }

    @Test(arguments: [
        (#"{"operation":"zones/modfy"}"#, "zones/modify"), (#"{"code":"CONFLCT"}"#, "CONFLICT"),
        (#"{"scope":"privat"}"#, "private"), (#"{"zonee":"a"}"#, "zone"),
        (#"{"status":"6xx"}"#, "409 or 4xx"), (#"{"status":600}"#, "409 or 4xx"),
        (#"{"status":true}"#, "must be text"), (#"{"after":-1}"#, "from 0"),
        (#"{"environment":"prod"}"#, "production"),
    ])
    func `a pattern that is wrong is refused with the nearest`(body: String, reason: String) throws
    {
        for path in ["count", "find"] {
            let answer = try bench().admin("POST", "journal/" + path, body)
            #expect(answer.status == 400 && answer.text.contains(reason), "\(answer.text)")
        }
    }

    @Test(arguments: [
        (#"[{"operation":"zones/modify"}]"#, "holds"),
        (#"[{"operation":"zones/modify","exactly":2}]"#, "holds"),
        (#"[{"operation":"zones/modify","exactly":1}]"#, "fails"),
        (#"[{"operation":"zones/modify","exactly":3}]"#, "fails"),
        (#"[{"operation":"zones/modify","atLeast":2,"atMost":3}]"#, "holds"),
        (#"[{"operation":"zones/modify","atLeast":3}]"#, "fails"),
        (#"[{"operation":"zones/modify","atMost":1}]"#, "fails"),
        (#"[{"operation":"zones/modify","atMost":2}]"#, "holds"),
        (#"[{"code":"THROTTLED","atMost":0},{"user":"bob"}]"#, "holds"),
        (#"[{"code":"CONFLICT","exactly":0},{"user":"bob"}]"#, "fails"),
    ])
    func `so many are expected, or more, or fewer`(expect: String, verdict: String) throws {
        let answer = try ask(bench(), "verify", #"{"expect":\#(expect)}"#)
        #expect(answer["verdict"]?.string == verdict)
        #expect(answer["holds"]?.bool == (verdict == "holds"))
    }

    @Test(arguments: [
        (#"[{"zone":"Notes"},{"zone":"Lists"},{"code":"CONFLICT"},{"user":"bob"}]"#, "holds"),
        (#"[{"zone":"Lists"},{"operation":"zones/modify","zone":"Notes"}]"#, "fails"),
        (#"[{"operation":"records/modify","atLeast":2},{"user":"bob"}]"#, "holds"),
        (#"[{"operation":"records/modify","atLeast":2},{"zone":"Lists"}]"#, "fails"),
    ])
    func `requests are expected in order`(expect: String, verdict: String) throws {
        let answer = try ask(bench(), "verify", #"{"inOrder":true,"expect":\#(expect)}"#)
        #expect(answer["verdict"]?.string == verdict)
        // Without an order all of them hold.
        let anyhow = try ask(bench(), "verify", #"{"expect":\#(expect)}"#)
        #expect(anyhow["verdict"]?.string == "holds")
    }

    @Test(arguments: [
        (
            #""operation":"zones/modify","exactly":3"#,
            "expected exactly 3 matching requests, found 2"
        ),
        (
            #""operation":"zones/modify","exactly":1"#,
            "expected exactly 1 matching requests, found 2"
        ),
        (
            #""operation":"zones/modify","atLeast":4"#,
            "expected at least 4 matching requests, found 2"
        ),
        (
            #""operation":"zones/modify","atMost":0"#,
            "expected at most 0 matching requests, found 2"
        ),
        (#""operation":"zones/lookup""#, "expected at least 1 matching requests, found 0"),
    ])
    func `a reason has the expected and the found number, and no unrelated request`(
        expect: String, reason: String
    ) throws {
        let answer = try ask(bench(), "verify", #"{"expect":[{\#(expect)}]}"#)
        let item = try #require(answer["expectations"].map { Array($0.elements) }?.first)
        #expect(item["reason"]?.string == reason)
        #expect(item["nearMisses"].map { Array($0.elements) }?.isEmpty != false)
    }

    @Test func `what comes too early is named`() throws {
        let answer = try ask(
            bench(), "verify",
            #"{"inOrder":true,"expect":[{"zone":"Lists"},{"operation":"zones/modify","zone":"Notes"}]}"#
        )
        let items = try #require(answer["expectations"]?.elements)
        #expect(items.map { $0["verdict"]?.string } == ["holds", "fails"])
        let reason = try #require(Array(items)[1]["reason"]?.string)
        #expect(reason.contains("after request 2") && reason.contains("request 1 matches"))
    }

    @Test func `the nearest misses come with what differs in each`() throws {
        let answer = try ask(
            bench(), "verify",
            #"{"expect":[{"operation":"records/modify","zone":"Lists","user":"ann","code":"OK"}]}"#)
        let item = try #require(answer["expectations"].map { Array($0.elements) }?.first)
        let misses = try #require(item["nearMisses"]).elements.map { miss in
            let parts = (miss["differs"].map { Array($0.elements) } ?? []).map { part in
                "\(part["key"]?.string ?? ""): \(part["found"]?.string ?? "")"
            }
            return "\(miss["number"]?.int64 ?? 0) " + parts.joined(separator: ", ")
        }
        #expect(
            misses == [
                "3 zone: Notes", "2 operation: zones/modify", "4 zone: Notes, code: CONFLICT",
            ])
    }

    @Test(arguments: [
        (#"[{"user":"bob"}]"#, "holds"), (#"[{"user":"bob","atMost":0}]"#, "fails"),
        (#"[{"zone":"Lists"}]"#, "unknown"), (#"[{"zone":"Lists","atMost":3}]"#, "unknown"),
        (#"[{"user":"bob","exactly":1}]"#, "unknown"),
    ])
    func `nobody knows of requests that are gone`(expect: String, verdict: String) throws {
        let bench = try bench { $0.journalEntriesMax = 2 }
        let answer = try ask(bench, "verify", #"{"expect":\#(expect)}"#)
        #expect(answer["verdict"]?.string == verdict && answer["complete"]?.bool == false)
        // One of those after the second is gone, of those after the third none.
        let oneGone = try ask(bench, "count", #"{"after":2}"#)
        #expect(oneGone["matching"]?.int64 == 2 && oneGone["complete"]?.bool == false)
        let kept = try ask(bench, "verify", #"{"after":3,"expect":\#(expect)}"#)
        #expect(kept["verdict"]?.string != "unknown" && kept["complete"]?.bool == true)
    }

    @Test(arguments: [
        ("4xx", 400, 499), ("1xx", 100, 199), ("409", 409, 409), ("0", 0, 0), ("599", 599, 599),
    ])
    func `a status or a class of them is meant`(text: String, least: Int, most: Int) throws {
        let status = try #require(StatusRange(text))
        #expect(status.range == least...most && status.description == text)
    }

    @Test(arguments: ["6xx", "0xx", "4x", "4xxx", "600", "-1", "", "+40", "４xx"])
    func `what is neither a status nor a class is none`(text: String) {
        #expect(StatusRange(text) == nil)
    }

    @Test func `requests that were forgotten as asked for are not missed`() throws {
        let bench = try bench()
        try bench.admin("DELETE", "journal")
        let answer = try ask(bench, "verify", #"{"expect":[{"atMost":0}]}"#)
        #expect(answer["verdict"]?.string == "holds")
    }

    @Test(arguments: [
        ("{}", "needs \"expect\""), (#"{"expect":[]}"#, "1 to 16"),
        (#"{"expect":[{"zoen":"a"}]}"#, "did you mean \"zone\""),
        (#"{"expect":[{"exactly":1,"atMost":2}]}"#, "either"),
        (#"{"expect":[{"atLeast":3,"atMost":2}]}"#, "more than"),
        (#"{"inOrder":true,"expect":[{"exactly":1}]}"#, "inOrder"),
        (#"{"expect":[{"code":"OKAY"}]}"#, "nearest: OK"),
    ])
    func `expectations that make no sense are refused`(body: String, reason: String) throws {
        let answer = try bench().admin("POST", "journal/verify", body)
        #expect(answer.status == 400 && answer.json?["error"]?.string?.contains(reason) == true)
    }
}
