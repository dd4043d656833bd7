import CloudModel
import HTTPServer
import JSON
import Testing

/// What requests are answered with after web tokens were taken back or terms have changed.
struct AccountEventSessionTests {
    private static let list = CloudCommand.read(.listZones(token: nil))

    private func token(_ bench: Bench, _ device: String?, chosen: String? = nil) throws -> String {
        var body = #"{"user":"ann""#
        if let device { body += ",\"device\":\"\(device)\"" }
        if let chosen { body += ",\"webToken\":\"\(chosen)\"" }
        let answer = try bench.admin("POST", "tokens", body + "}")
        return try #require(answer.json?["webToken"]?.string)
    }

    private func status(_ bench: Bench, _ token: String) throws -> Int? {
        try bench.call(Self.list, webToken: token)?.status
    }

    @Test func `expired web tokens lead to the page to sign in at, and new ones are good`() throws {
        let bench = try Bench()
        let old = [
            try token(bench, nil), try token(bench, "phone"),
            try token(bench, nil, chosen: "a-chosen-token"),
        ]
        // Every answer brings another one.
        let answer = try #require(try bench.call(Self.list, webToken: old[0]))
        let next = try #require(answer.headers["x-apple-cloudkit-web-auth-token"])
        let bob = bench.app.issueWebToken(user: "bob")
        let event = try bench.admin(
            "POST", "simulate", #"{"event":"expire-web-tokens","user":"ann"}"#)
        #expect(event.status == 200 && event.json?["webToken"] == nil)
        for token in old + [next] {
            let refused = try #require(try bench.call(Self.list, webToken: token))
            #expect(refused.status == 421 && refused.code == "AUTHENTICATION_REQUIRED")
            #expect(refused.json?["reason"]?.string == "the web token has expired")
            let url = refused.json?["redirectURL"]?.string ?? ""
            #expect(url.hasPrefix("https://localhost:8443/_mock/signin?container="))
            #expect(!refused.headers.contains("x-apple-cloudkit-web-auth-token"))
        }
        #expect(try status(bench, bob) == 200)
        #expect(try status(bench, bench.app.issueWebToken(user: "ann")) == 200)
        #expect(try status(bench, try token(bench, nil, chosen: "a-chosen-token")) == 200)
    }

    @Test func `web tokens of one device can be rotated, and the answer has the new one`() throws {
        let bench = try Bench()
        let (phone, desk) = (try token(bench, "phone"), try token(bench, "desk"))
        let answer = try bench.admin(
            "POST", "simulate", #"{"event":"rotate-web-tokens","user":"ann","device":"phone"}"#)
        let new = try #require(answer.json?["webToken"]?.string)
        #expect(try status(bench, phone) == 421)
        #expect(try status(bench, desk) == 200)
        #expect(try status(bench, new) == 200)
        let save = RecordModifyRequest(
            operations: [RecordOperation(.create, recordName: "a", recordType: "Note")])
        let saved = try #require(try bench.call(.write(.modifyRecords(save)), webToken: new))
        #expect(saved.text.contains(#""deviceID":"phone""#))
    }

    @Test func `tokens that expired in a turn that is not stored are good`() throws {
        let bench = try Bench()
        let old = try token(bench, "phone")
        try bench.lose { bench in
            _ = try bench.send(#"{"event":"expire-web-tokens","user":"ann"}"#, to: "simulate")
        }
        #expect(try status(bench, old) == 200)
    }

    @Test func `changed terms lead to the page to sign in at, where they are accepted`() throws {
        let bench = try Bench()
        try bench.admin("POST", "simulate", #"{"event":"change-terms","user":"ann"}"#)
        let refused = try #require(try bench.call(Self.list))
        #expect(refused.status == 421 && refused.code == "AUTHENTICATION_REQUIRED")
        let url = refused.json?["redirectURL"]?.string ?? ""
        #expect(url.hasPrefix("https://localhost:8443/_mock/signin?container="))
        let form = "user=ann&apiToken=" + (try bench.apiToken)
        let done = try #require(
            try bench.send(
                HTTPRequest(
                    method: "POST", target: "/_mock/signin",
                    headers: ["content-type": "application/x-www-form-urlencoded"],
                    body: Array(form.utf8))))
        #expect(done.status == 200)
        #expect(try bench.call(Self.list)?.status == 200)
    }

    @Test(arguments: [
        (#"{"event":"fill-quota"}"#, "fill-quota needs either user or container"),
        (
            #"{"event":"fill-quota","user":"ann","container":"iCloud.com.example.a"}"#,
            "fill-quota needs either user or container"
        ),
        (
            #"{"event":"free-quota","user":"ann","environment":"production"}"#,
            "free-quota takes an environment only with a container"
        ),
        (#"{"event":"change-terms","user":"ann","device":"phone"}"#, "takes no device"),
        (#"{"event":"rotate-web-tokens","user":"eve"}"#, "there is no user \"eve\""),
    ])
    func `an event that is not whole is refused`(body: String, part: String) throws {
        let answer = try Bench().admin("POST", "simulate", body)
        #expect(answer.status == 400 || answer.status == 404)
        #expect(answer.json?["error"]?.string?.contains(part) == true, "\(answer.text)")
    }
}
