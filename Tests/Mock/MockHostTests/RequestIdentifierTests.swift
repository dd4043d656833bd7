import CloudModel
import CloudWire
import HTTPServer
import MockSamples
import Testing

/// The identifier of a request, in the header and the body of its answer.
struct RequestIdentifierTests {
    private static let database = "/database/1/\(Samples.main)/development/private/"

    private func check(_ answer: Bench.Answer?, status: Int, _ bench: Bench) throws {
        let answer = try #require(answer)
        #expect(answer.status == status, "\(answer.text)")
        let header = try #require(answer.headers["x-apple-request-uuid"])
        #expect(answer.json?["uuid"]?.string == header)
        // What a client logs leads to the request.
        let explained = try bench.admin("GET", "explain?request=\(header)")
        #expect(explained.status == 200 && explained.text.contains(header), "\(explained.text)")
    }

    @Test func `a request that fails as a whole has one identifier`() throws {
        let bench = try Bench { $0.seed = 1 }
        let query = CloudCommand.read(
            .queryRecords(RecordQueryRequest(query: Query(recordType: "Unknown"))))
        try check(bench.call(query), status: 404, bench)
        try check(bench.call(.read(.caller), as: nil), status: 421, bench)
        try check(
            bench.send(HTTPRequest(method: "GET", target: Self.database + "no/such")),
            status: 404, bench)
        let rule = #"{"rules":["zones/list -> THROTTLED retry 1s"]}"#
        #expect(try bench.admin("PUT", "faults", rule).status == 200)
        try check(bench.call(.read(.listZones(token: nil))), status: 429, bench)
    }

    @Test func `an atomic batch that fails as a whole request has one identifier`() throws {
        let bench = try Bench { try? $0.set("atomicFailure=request") }
        try bench.make("Notes")
        var bad = RecordOperation(.update, recordName: "b", recordType: "Note")
        bad.recordChangeTag = "old"
        var good = RecordOperation(.create, recordName: "a", recordType: "Note")
        good.zoneID = RecordZone.ID("Notes")
        bad.zoneID = RecordZone.ID("Notes")
        let request = RecordModifyRequest(operations: [good, bad])
        let answer = try #require(try bench.call(.write(.modifyRecords(request))))
        let header = answer.headers["x-apple-request-uuid"]
        #expect(answer.status == 400)
        #expect(answer.json?["uuid"]?.string == header, "\(answer.text)")
    }

    @Test func `an atomic batch that fails as a whole request tells the zone's token`() throws {
        let bench = try Bench { try? $0.set("atomicFailure=request") }
        try bench.make("Notes")
        var bad = RecordOperation(.update, recordName: "b", recordType: "Note")
        bad.recordChangeTag = "old"
        let good = RecordOperation(.create, recordName: "a", recordType: "Note")
        let request = RecordModifyRequest(
            operations: [good, bad], zoneID: RecordZone.ID("Notes"))
        let answer = try #require(try bench.call(.write(.modifyRecords(request))))
        #expect(answer.status == 400)
        // The bench holds every answer against the document.
        #expect(answer.json?["syncToken"]?.string?.isEmpty == false, "\(answer.text)")
    }

    @Test func `refusals of transfers, long bodies and pushes have one identifier`() throws {
        let bench = try Bench()
        try check(
            bench.send(HTTPRequest(method: "GET", target: "/asset/nothing")), status: 404, bench)
        let long = bench.app.refusal(
            ofLongBodyOf: HTTPRequest(method: "POST", target: Self.database + "records/modify"))
        try check(
            Bench.Answer(
                status: long.status, headers: long.headers, body: long.body, delay: .zero),
            status: 413, bench)
        let push = try #require(
            try bench.send(HTTPRequest(method: "GET", target: "/courier?tok=none")))
        #expect(push.json?["uuid"]?.string == push.headers["x-apple-request-uuid"])
        #expect(push.headers["x-apple-request-uuid"] != nil)
        let page = try #require(try bench.send(HTTPRequest(method: "DELETE", target: "/")))
        #expect(page.json?["uuid"]?.string == page.headers["x-apple-request-uuid"])
        let lost = bench.app.failure(CloudError(.internalError))
        let body = Bench.Answer(
            status: lost.status, headers: lost.headers, body: lost.body, delay: .zero)
        #expect(body.json?["uuid"]?.string == lost.headers["x-apple-request-uuid"])
    }

    @Test func `items that fail by themselves have identifiers of their own`() throws {
        let bench = try Bench()
        let answer = try #require(
            try bench.call(
                .read(.lookUpZones([RecordZone.ID("One"), RecordZone.ID("Two")]))))
        #expect(answer.status == 200)
        let items = answer.json?["zones"]?.elements.compactMap { $0["uuid"]?.string } ?? []
        let header = answer.headers["x-apple-request-uuid"] ?? ""
        #expect(Set(items + [header]).count == 3)
    }
}
