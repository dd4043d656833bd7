import CloudModel
import CloudWire
import HTTPServer
import JSON
import MockSamples
import Testing

/// What each credential is good for, when tokens change, and which containers there are.
struct CredentialReachTests {
    private static let header = "x-apple-cloudkit-web-auth-token"

    /// Asks who the caller is, with the credentials given.
    private func ask(
        _ bench: Bench, apiToken: String, web: String? = nil, operation: String = "users/caller",
        container: Container.ID = Samples.main, environment: String = "development",
        host: String? = nil
    ) throws -> Bench.Answer? {
        let token = web ?? bench.webToken("ann")
        var headers: HTTPHeaders = [:]
        if let host { headers.append("host", host) }
        return try bench.send(
            HTTPRequest(
                method: "POST",
                target: "/database/1/\(container)/\(environment)/private/\(operation)"
                    + "?ckAPIToken=\(WireQuery.encoded(apiToken))"
                    + "&ckWebAuthToken=\(WireQuery.encoded(token))", headers: headers))
    }

    @Test func `every answer brings another web token, and the old ones stay good`() throws {
        let bench = try Bench()
        let first = bench.webToken("ann")
        var seen: Set = [first]
        for _ in 0..<5 {
            let answer = try ask(bench, apiToken: try bench.apiToken, web: first)
            #expect(answer?.status == 200)
            let next = answer?.headers[Self.header] ?? first
            #expect(seen.insert(next).inserted)
        }
    }

    @Test func `a single-use token survives a response with an error`() throws {
        let bench = try Bench { $0.singleUseTokens = true }
        let token = bench.webToken("ann")
        let api = try bench.apiToken
        for operation in ["records/query", "zones/nothing", "records/modify"] {
            let refused = try ask(bench, apiToken: api, web: token, operation: operation)
            #expect((refused?.status ?? 0) >= 400)
            #expect(refused?.headers[Self.header] == nil)
        }
        try bench.admin("POST", "faults", #"["any -> cut after commit"]"#)
        #expect(try ask(bench, apiToken: api, web: token) == nil)
        try bench.admin("DELETE", "faults")
        let answer = try ask(bench, apiToken: api, web: token)
        #expect(answer?.status == 200)
        let next = try #require(answer?.headers[Self.header])
        #expect(try ask(bench, apiToken: api, web: token)?.status == 421)
        #expect(try ask(bench, apiToken: api, web: next)?.status == 200)
    }

    @Test func `an API token belongs to one container and environment`() throws {
        let bench = try Bench()
        let made = try bench.admin("POST", "tokens", #"{"container":"\#(Samples.main)"}"#)
        let token = try #require(made.json?["apiToken"]?.string)
        #expect(try ask(bench, apiToken: token)?.status == 200)
        #expect(try ask(bench, apiToken: token, environment: "production")?.status == 401)
        #expect(try ask(bench, apiToken: token, container: Samples.other)?.status == 401)
    }

    @Test func `containers that are declared have tokens of their own`() throws {
        let bench = try Bench { $0.containers = [Samples.main] }
        let tokens = try bench.admin("GET", "tokens").json?["apiTokens"]
        let own = tokens?.elements.first { $0["environment"]?.string == "production" }
        let token = try #require(own?["apiToken"]?.string)
        #expect(try ask(bench, apiToken: token)?.status == 401)
        #expect(try ask(bench, apiToken: token, environment: "production")?.status == 200)
    }

    @Test func `the token of every container can be switched off`() throws {
        let bench = try Bench { $0.containers = [Samples.main] }
        let api = try bench.apiToken
        #expect(try ask(bench, apiToken: api)?.status == 200)
        try bench.admin("PUT", "options", #"{"unboundTokens":false}"#)
        #expect(try ask(bench, apiToken: api)?.status == 401)
        #expect(try bench.admin("POST", "tokens", "{}").status == 400)
    }

    @Test(arguments: ["abc", "158__54__AB=:!", "UPPER-and-lower"])
    func `tokens of any form are taken, until they are removed`(text: String) throws {
        let bench = try Bench()
        let body = #"{"apiToken":"\#(text)","container":"\#(Samples.main)"}"#
        #expect(try bench.admin("POST", "tokens", body).status == 200)
        let web = #"{"webToken":"\#(text)","user":"ann"}"#
        #expect(try bench.admin("POST", "tokens", web).status == 200)
        #expect(try ask(bench, apiToken: text, web: text)?.status == 200)
        let query = WireQuery.encoded(text)
        #expect(try bench.admin("DELETE", "tokens?webToken=\(query)").status == 200)
        #expect(try ask(bench, apiToken: text, web: text)?.status == 401)
        #expect(try bench.admin("DELETE", "tokens?apiToken=\(query)").status == 200)
        #expect(try ask(bench, apiToken: text)?.status == 401)
        #expect(try bench.admin("DELETE", "tokens?apiToken=\(query)").status == 404)
    }

    @Test func `an undeclared container is named in the refusal, with the nearest`() throws {
        let bench = try Bench { $0.containers = [Samples.main] }
        let typo = Samples.container("iCloud.com.example.myexampleap")
        let answer = try ask(bench, apiToken: try bench.apiToken, container: typo)
        #expect(answer?.status == 401 && answer?.code == "AUTHENTICATION_FAILED")
        let reason = answer?.json?["reason"]?.string ?? ""
        for part in ["container \(typo);", "nearest: \(Samples.main);", "--any-container"] {
            #expect(reason.contains(part), "\(reason)")
        }
        #expect(try bench.admin("GET", "summary").text.contains("myexampleap\"") == false)
    }

    @Test func `a seed declares its containers`() throws {
        let bench = try Bench { $0.containers = [] }
        #expect(try ask(bench, apiToken: try bench.apiToken)?.status == 401)
        let seeded = try bench.admin(
            "POST", "seed",
            #"{"profile":"notes","users":["ann"],"containers":["\#(Samples.main)"],"zones":1}"#)
        #expect(seeded.status == 200)
        #expect(try ask(bench, apiToken: try bench.apiToken)?.status == 200)
    }

    @Test(arguments: [
        ("localhost", "https://localhost/"), ("LocalHost:9000", "https://localhost:9000/"),
        ("127.0.0.1:8443", "https://127.0.0.1:8443/"), ("[::1]:7", "https://[::1]:7/"),
        ("api.apps.test", "https://api.apps.test/"), ("apps.test", "https://localhost:8443/"),
        ("a.b.apps.test", "https://localhost:8443/"), ("evil.example", "https://localhost:8443/"),
        ("localhost@evil.example", "https://localhost:8443/"), (nil, "https://localhost:8443/"),
    ])
    func `the sign-in page is at the host that was called, if it is ours`(
        host: String?, url: String
    ) throws {
        let bench = try Bench { $0.names += ["*.apps.test"] }
        let answer = try ask(bench, apiToken: try bench.apiToken, web: "", host: host)
        #expect(answer?.status == 421)
        #expect(answer?.json?["redirectURL"]?.string?.hasPrefix(url + "_mock/signin?") == true)
    }

    @Test func `the pop-up closes itself once it has told its opener`() throws {
        let bench = try Bench()
        let done = try bench.send(
            HTTPRequest(
                method: "POST", target: "/_mock/signin",
                body: Array(
                    "apiToken=\(try bench.apiToken)&user=ann&origin=https%3A%2F%2Fapp.test".utf8)))
        let text = try #require(done?.text)
        let post = try #require(text.firstRange(of: "postMessage("))
        #expect(text[post.upperBound...].contains("window.close()"))
    }
}
