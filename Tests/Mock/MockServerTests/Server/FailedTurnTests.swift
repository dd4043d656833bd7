import CloudModel
import HTTPServer
import MockServer
import OpenSSL
import Testing

/// What becomes of the parts of a turn that the store does not hold, when the store cannot take the rest.
struct FailedTurnTests {
    /// An administrative request, and where what it changes can be seen.
    struct Change: CustomTestStringConvertible {
        let method: String
        let path: String
        var body = ""
        let seen: String
        var testDescription: String { "\(method) \(path) \(body)" }
    }

    private static let changes = [
        Change(method: "PUT", path: "faults", body: #"["any -> THROTTLED"]"#, seen: "faults"),
        Change(method: "DELETE", path: "faults", seen: "faults"),
        Change(
            method: "PUT", path: "options", body: #"{"singleUseTokens":true,"emptyPages":3}"#,
            seen: "options"),
        Change(
            method: "PUT", path: "clock", body: #"{"mode":"frozen","milliseconds":1000}"#,
            seen: "clock"),
        Change(
            method: "POST", path: "clock/advance", body: #"{"seconds":86400}"#,
            seen: "clock"),
        Change(method: "POST", path: "tokens", body: #"{"apiToken":"new"}"#, seen: "tokens"),
        Change(method: "DELETE", path: "tokens?apiToken=old", seen: "tokens"),
        Change(method: "DELETE", path: "keys?keyID=old", seen: "keys"),
        Change(method: "DELETE", path: "journal", seen: "journal"),
        Change(
            method: "POST", path: "reset", body: #"{"also":["faults","journal","clock"]}"#,
            seen: "health"),
        Change(
            method: "POST", path: "reset", body: #"{"also":["faults","journal","clock"]}"#,
            seen: "journal"),
        Change(
            method: "POST", path: "reset", body: #"{"also":["faults","journal","clock"]}"#,
            seen: "clock"),
    ]

    private func bench() throws -> Bench {
        let bench = try Bench { $0.containers = [Samples.main] }
        try bench.make("Notes")
        let pem = String(decoding: try P256.PrivateKey.generate().publicKey.pem, as: UTF8.self)
        let key = pem.replacing("\n", with: "\\n")
        for (method, path, body) in [
            ("PUT", "faults", #"["records/query -> delay 5ms"]"#),
            ("POST", "tokens", #"{"apiToken":"old"}"#),
            ("POST", "keys", "{\"keyID\":\"old\",\"publicKey\":\"\(key)\"}"),
            ("POST", "clock/advance", #"{"seconds":60}"#),
        ] {
            try #require(try bench.admin(method, path, body).status == 200, "\(path)")
        }
        return bench
    }

    /// Carries out requests in one turn that the store does not take.
    private func lose(_ bench: Bench, _ requests: [HTTPRequest]) throws {
        let store = bench.app.store
        try store.limitSize(pages: 1)
        for request in requests {
            let outcome = bench.app.respond(bench.app.adminToken.authorizing(request))
            if case .job(let job, let answer) = outcome {
                while try job.runSlice(store) {}
                _ = answer(bench.app)
            }
        }
        for number in 0..<500 {
            let user = #"{"name":"somebody-who-needs-room-\#(number)"}"#
            _ = try bench.send(user, to: "users")
        }
        #expect(throws: (any Error).self) { try bench.app.commit() }
        try store.limitSize(pages: 1_000_000)
    }

    private func request(_ change: Change) -> HTTPRequest {
        HTTPRequest(
            method: change.method, target: "/_mock/v1/" + change.path,
            body: Array(change.body.utf8))
    }

    private func look(_ bench: Bench, _ path: String) throws -> String {
        let answer = try bench.admin("GET", path)
        guard path == "health", let json = answer.json else { return answer.text }
        return "\(json["generation"]?.int64 ?? 0) \(json["faults"]?.int64 ?? 0)"
    }

    @Test(arguments: changes)
    func `an administrative change without the token has not happened`(change: Change) throws {
        let bench = try bench()
        let before = try look(bench, change.seen)
        let strangers = [request(change), AdminToken().authorizing(request(change))]
        for request in strangers {
            #expect(try bench.sendAsIs(request)?.status == 401)
        }
        #expect(try look(bench, change.seen) == before)
    }

    @Test(arguments: changes)
    func `an administrative change of a turn that is not stored has not happened`(
        change: Change
    ) throws {
        let bench = try bench()
        let before = try look(bench, change.seen)
        try lose(bench, [request(change)])
        let after = try look(bench, change.seen)
        #expect(after == before)
        #expect(try bench.send(request(change))?.status == 200)
        #expect(try look(bench, change.seen) != before)
    }

    @Test func `requests that came after the journal was forgotten are in it with those before`()
        throws
    {
        let bench = try bench()
        let list = HTTPRequest(
            method: "GET",
            target: "/database/1/\(Samples.main.rawValue)/development/private/zones/list")
        let clear = HTTPRequest(method: "DELETE", target: "/_mock/v1/journal")
        try lose(bench, [clear, list, clear, list])
        let entries = try #require(
            try bench.admin("GET", "journal").json?["entries"]?.elements)
        #expect(entries.map { $0["number"]?.int64 } == [1, 2, 3])
    }

    @Test
    func `a web token of a turn that is not stored is not known, and its number not given again`()
        throws
    {
        let bench = try bench()
        let chosen = HTTPRequest(
            method: "POST", target: "/_mock/v1/tokens",
            body: Array(#"{"user":"ann","webToken":"chosen-by-a-test"}"#.utf8))
        let before = bench.app.issueWebToken(user: "ann")
        try lose(bench, [chosen])
        #expect(bench.app.issueWebToken(user: "ann") != before)
        let list = CloudCommand.read(.listZones(token: nil))
        #expect(try bench.call(list, webToken: "chosen-by-a-test")?.status == 401)
        #expect(try bench.call(list, webToken: before)?.status == 200)
    }

    @Test func `pages that were arranged before a turn that is not stored still come`() throws {
        let bench = try bench()
        let act = """
            {"act":"empty-pages","user":"ann","container":"\(Samples.main.rawValue)","count":1}
            """
        #expect(try bench.admin("POST", "act", act).status == 200)
        try lose(bench, [])
        let changes = CloudCommand.read(.databaseChanges(token: nil, limit: nil))
        guard case .zonePage(let page) = try bench.reply(changes) else {
            throw CloudError(.unknown)
        }
        #expect(page.zones.isEmpty && page.moreComing)
    }
}
