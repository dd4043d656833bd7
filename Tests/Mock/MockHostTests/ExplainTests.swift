import CloudModel
import JSON
import Testing

/// Which rule has given an answer.
struct ExplainTests {
    private let notes = RecordZone.ID("Notes")

    private func explain(_ bench: Bench, _ request: String? = nil) throws -> JSONValue {
        let last = try bench.admin("GET", "journal?last=1").json?["total"]?.int64 ?? 0
        let answer = try bench.admin("GET", "explain?request=" + (request ?? "\(last)"))
        try #require(answer.status == 200, "\(answer.text)")
        return try #require(answer.json)
    }

    private func words(_ explanation: JSONValue) -> [String] {
        findings(explanation).map { finding in
            (finding["item"]?.string.map { $0 + " " } ?? "") + (finding["words"]?.string ?? "")
        }
    }

    private func modify(_ bench: Bench, _ operations: RecordOperation...) throws {
        let request = RecordModifyRequest(operations: operations, zoneID: notes, atomic: false)
        _ = try bench.call(.write(.modifyRecords(request)))
    }

    private func findings(_ explanation: JSONValue) -> [JSONValue] {
        explanation["findings"].map { Array($0.elements) } ?? []
    }

    @Test func `a conflict is explained with both tags, the row and its evidence`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        try modify(bench, RecordOperation(.create, recordName: "a", recordType: "Note"))
        try modify(
            bench,
            RecordOperation(
                .update, recordName: "a", recordType: "Note", recordChangeTag: "4f"))
        let explanation = try explain(bench)
        let finding = try #require(findings(explanation).first)
        let words = try #require(finding["words"]?.string)
        #expect(
            words.wholeMatch(of: #/CONFLICT: tag 4f, server [0-9a-z]+, rule 23/#) != nil, "\(words)"
        )
        #expect(finding["item"]?.string == "a" && finding["rule"]?.string == "23")
        #expect(finding["status"]?.string == "observed")
        #expect(finding["source"]?.string?.contains("mentrena/SyncKit#111") == true)
        #expect(explanation["explained"]?.bool == true)
    }

    /// What is asked, and the rules that the refusals are of.
    struct Case: CustomTestStringConvertible, Sendable {
        let command: CloudCommand
        let words: [String]
        var testDescription: String { words.joined(separator: "; ") }
    }

    private static let missing = RecordZone.ID("Missing")
    private static let cases = [
        Case(
            command: .write(.modifyZones([.delete(missing)])),
            words: ["Missing ZONE_NOT_FOUND: rule 8"]),
        Case(
            command: .read(.zoneChanges([ZoneChangesRequest(zoneID: missing)])),
            words: ["Missing ZONE_NOT_FOUND: rule 78"]),
        Case(
            command: .write(
                .modifyRecords(
                    RecordModifyRequest(operations: [.forceDelete("a")], zoneID: missing))),
            words: ["a ZONE_NOT_FOUND: rule 9"]),
        Case(
            command: .write(
                .modifyRecords(
                    RecordModifyRequest(
                        operations: [
                            RecordOperation(.create, recordName: "a", recordType: "Note"),
                            RecordOperation(.create, recordName: "b", recordType: "Note"),
                        ], zoneID: RecordZone.ID("Notes"), atomic: true))),
            words: ["a CONFLICT: rule 24", "b ATOMIC_ERROR: rule 38"]),
        Case(
            command: .write(.modifyZones([.create(RecordZone.ID("_x"))])),
            words: ["_x BAD_REQUEST: rule 20"]),
        Case(
            command: .read(
                .zoneChanges([
                    ZoneChangesRequest(
                        zoneID: RecordZone.ID("Notes"), token: ChangeToken("AAAA"))
                ])), words: ["Notes BAD_REQUEST: rule 74"]),
    ]

    @Test(arguments: cases)
    func `each refusal names its rule`(test: Case) throws {
        let bench = try Bench()
        try bench.make("Notes")
        try modify(bench, RecordOperation(.create, recordName: "a", recordType: "Note"))
        _ = try bench.call(test.command)
        let explanation = try explain(bench)
        #expect(words(explanation) == test.words)
        #expect(explanation["explained"]?.bool == true)
        for finding in findings(explanation) {
            #expect(finding["source"] != nil && finding["response"] != nil)
        }
    }

    @Test func `a fault is named, and is no rule`() throws {
        let bench = try Bench()
        try bench.admin("PUT", "faults", #"["zones/list -> THROTTLED"]"#)
        _ = try bench.call(.read(.listZones(token: nil)))
        let explanation = try explain(bench)
        #expect(words(explanation) == ["THROTTLED: fault fault-1"])
        #expect(findings(explanation).first?["rule"] == nil)
        #expect(explanation["explained"]?.bool == true)
    }

    @Test func `an answer is found by its UUID`() throws {
        let bench = try Bench()
        try bench.admin("PUT", "faults", #"["zones/list once -> THROTTLED"]"#)
        let answer = try #require(try bench.call(.read(.listZones(token: nil))))
        let uuid = try #require(answer.json?["uuid"]?.string)
        _ = try bench.call(.read(.listZones(token: nil)))
        let explanation = try explain(bench, uuid)
        #expect(explanation["request"]?.int64 == 1 && explanation["uuid"]?.string == uuid)
        #expect(try explain(bench, uuid.uppercased())["request"]?.int64 == 1)
        #expect(findings(try explain(bench)).isEmpty)
    }

    @Test func `what nobody has noted is said to be so`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        try modify(
            bench, RecordOperation(.create, recordName: "a", recordType: "9 is no type"))
        let explanation = try explain(bench)
        #expect(words(explanation) == ["a BAD_REQUEST: no rule recorded"])
        #expect(explanation["explained"]?.bool == false)
    }

    @Test func `of many failed items the first are explained, and the others counted`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        let operations = (0..<25).map {
            RecordOperation(.delete, recordName: "\($0)", recordChangeTag: "1")
        }
        let request = RecordModifyRequest(operations: operations, zoneID: notes, atomic: false)
        _ = try bench.call(.write(.modifyRecords(request)))
        let explanation = try explain(bench)
        #expect(words(explanation).count == 20 && explanation["more"]?.int64 == 5)
        #expect(words(explanation).allSatisfy { $0.hasSuffix("NOT_FOUND: rule 30") })
        #expect(explanation["explained"]?.bool == false)
    }

    @Test(arguments: ["0", "7", "x", "ab2d8a32-5e4a-4e4e-8f53-27fd1e1b4b9d"])
    func `a request that the journal does not have is not explained`(request: String) throws {
        let answer = try Bench().admin("GET", "explain?request=" + request)
        #expect(answer.status == 404 && answer.text.contains(request))
    }
}
