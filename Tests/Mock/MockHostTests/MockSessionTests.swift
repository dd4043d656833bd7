import CloudModel
import JSON
import Testing

/// What requests of a session are answered with after its user has acted.
struct MockSessionTests {
    private static let list = CloudCommand.read(.listZones(token: nil))

    /// A web token for a device; nil: for none.
    private func token(_ bench: Bench, _ user: String, _ device: String?) throws -> String {
        let body = device.map { ",\"device\":\"\($0)\"" } ?? ""
        let answer = try bench.admin("POST", "tokens", "{\"user\":\"\(user)\"\(body)}")
        #expect(answer.json?["device"]?.string == device)
        return try #require(answer.json?["webToken"]?.string)
    }

    @Test func `a signed-out session gets the sign-in address, and no new token`() throws {
        let bench = try Bench()
        let phone = try token(bench, "ann", "phone")
        let desk = try token(bench, "ann", "desk")
        let event = #"{"event":"sign-out","user":"ann","device":"phone"}"#
        #expect(try bench.admin("POST", "simulate", event).status == 200)
        let answer = try #require(try bench.call(Self.list, webToken: phone))
        #expect(answer.status == 421 && answer.code == "AUTHENTICATION_REQUIRED")
        let url = answer.json?["redirectURL"]?.string ?? ""
        #expect(url.hasPrefix("https://localhost:8443/_mock/signin?container="))
        #expect(!answer.headers.contains("x-apple-cloudkit-web-auth-token"))
        #expect(try bench.call(Self.list, webToken: desk)?.status == 200)
        #expect(try bench.call(Self.list)?.status == 200)
    }

    @Test func `who signs in gets a token of that device, and the old one works again`() throws {
        let bench = try Bench()
        let old = try token(bench, "ann", "phone")
        try bench.admin("POST", "simulate", #"{"event":"sign-out","user":"ann"}"#)
        let answer = try bench.admin(
            "POST", "simulate", #"{"event":"sign-in","user":"ann","device":"phone"}"#)
        let new = try #require(answer.json?["webToken"]?.string)
        #expect(answer.json?["apiToken"]?.string == (try bench.apiToken) && new != old)
        for token in [old, new] {
            #expect(try bench.call(Self.list, webToken: token)?.status == 200)
        }
        #expect(try bench.call(Self.list)?.status == 421)
    }

    @Test func `a change of accounts gives the device a token of the other user`() throws {
        let bench = try Bench()
        let was = try token(bench, "ann", "phone")
        let answer = try bench.admin(
            "POST", "simulate",
            #"{"event":"switch-account","user":"ann","with":"bob","device":"phone"}"#)
        let token = try #require(answer.json?["webToken"]?.string)
        #expect(answer.json?["users"]?.elements.map { $0.string } == ["bob"])
        #expect(try bench.call(Self.list, webToken: was)?.status == 421)
        let caller = try #require(try bench.call(.read(.caller), webToken: token))
        let expected = bench.app.issueWebToken(user: "bob")
        #expect(
            caller.json?["userRecordName"]?.string
                == (try bench.call(.read(.caller), webToken: expected))?.json?["userRecordName"]?
                .string)
    }

    @Test(arguments: ["/phone", "eve/phone", "/", "eve"])
    func `a token of a user who does not exist is not known, whatever device it names`(
        session: String
    ) throws {
        let bench = try Bench()
        let token = bench.app.issueWebToken(user: session)
        let answer = try #require(try bench.call(Self.list, webToken: token))
        #expect(answer.status == 401)
    }

    @Test func `chosen tokens can be those of a device`() throws {
        let bench = try Bench()
        let chosen = "abcdefghij0123456789"
        try bench.admin(
            "POST", "tokens", "{\"user\":\"ann\",\"device\":\"tv\",\"webToken\":\"\(chosen)\"}")
        _ = try bench.call(
            .write(.modifyZones([.create(RecordZone.ID("Notes"))])), webToken: chosen)
        let save = RecordModifyRequest(
            operations: [RecordOperation(.create, recordName: "a", recordType: "Note")],
            zoneID: RecordZone.ID("Notes"))
        let answer = try #require(try bench.call(.write(.modifyRecords(save)), webToken: chosen))
        #expect(answer.text.contains(#""deviceID":"tv""#))
    }
}
