import CloudModel
import MockSamples
import Testing

/// Resets of one zone.
struct ZoneResetTests {
    private func save(_ bench: Bench, in zone: String) throws {
        let request = RecordModifyRequest(
            operations: [RecordOperation(.forceUpdate, recordName: "a", recordType: "Note")],
            zoneID: RecordZone.ID(zone))
        _ = try bench.reply(.write(.modifyRecords(request)))
    }

    @Test(arguments: [
        (#"{"zone":"Nope"}"#, ["\"Nope\"", "zones: \"Notes\", \"Trips\""]),
        (#"{"zone":"Note"}"#, ["did you mean \"Notes\"?"]),
        (#"{"zone":"Notes","user":"bob"}"#, ["no zones to reset"]),
        (#"{"zone":"Notes","database":"public"}"#, ["no zones to reset"]),
        (#"{"zone":"Gone"}"#, ["\"Gone\"", "\"Trips\""]),
    ])
    func `an unknown zone is refused, with the zones there are`(
        body: String, texts: [String]
    ) throws {
        let bench = try Bench()
        try bench.make("Notes", "Trips", "Gone")
        _ = try bench.call(Samples.deleteZones("Gone"))
        try save(bench, in: "Notes")
        let before = try bench.admin("GET", "dump?user=ann").text
        let answer = try bench.admin("POST", "reset", body)
        #expect(answer.status == 404)
        let reason = try #require(answer.json?["error"]?.string)
        for text in texts { #expect(reason.contains(text), "\(reason)") }
        #expect(try bench.admin("GET", "dump?user=ann").text == before)
    }

    @Test func `at most twenty zones are named`() throws {
        let bench = try Bench()
        for number in 10..<35 { try bench.make("Zone\(number)") }
        let answer = try bench.admin("POST", "reset", #"{"zone":"Other"}"#)
        #expect(answer.text.contains("Zone29") && !answer.text.contains("Zone30"))
        #expect(answer.text.contains("and 5 more"))
    }

    @Test func `a zone there is, and a default zone without records, are reset`() throws {
        let bench = try Bench()
        try bench.make("Notes", "Trips")
        try save(bench, in: "Notes")
        #expect(try bench.admin("POST", "reset", #"{"zone":"_defaultZone"}"#).status == 200)
        #expect(try bench.admin("POST", "reset", #"{"zone":"Notes"}"#).status == 200)
        #expect(try bench.zoneNames() == ["Trips"])
    }
}
