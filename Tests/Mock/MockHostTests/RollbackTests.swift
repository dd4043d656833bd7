import CloudModel
import HTTPServer
import MockSamples
import MockService
import MockStore
import OpenSSL
import Testing

/// What is outside of the store when a batch is rolled back: it changed at once, and its response says so.
struct RollbackTests {
    /// An administrative request, and where what it changes can be seen.
    struct Change: CustomTestStringConvertible {
        let method: String
        let path: String
        var body = ""
        let seen: String
        /// Whether it changes the store too, so that its response is 500.
        var isStored = false
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
            seen: "health", isStored: true),
        Change(
            method: "POST", path: "reset", body: #"{"also":["faults","journal","clock"]}"#,
            seen: "journal", isStored: true),
        Change(
            method: "POST", path: "reset", body: #"{"also":["faults","journal","clock"]}"#,
            seen: "clock", isStored: true),
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

    /// Processes requests in one batch that is rolled back, as the store is full.
    ///
    /// - Returns: The responses that are sent even so, as they are; nil for those that become 500.
    @discardableResult
    private func rollBack(_ bench: Bench, _ requests: [HTTPRequest]) throws -> [HTTPResponse?] {
        let store = bench.app.store
        try store.limitSize(pages: 1)
        var responses: [HTTPResponse?] = []
        for request in requests {
            var response: HTTPResponse?
            switch bench.app.respond(bench.app.adminToken.authorizing(request)) {
            case .job(let job, let answer):
                while try job.runSlice(store) {}
                response = answer()
            case .respond(let made, _): response = made
            default: break
            }
            responses.append(response.flatMap { $0.survivesRollback ? $0 : nil })
        }
        for number in 0..<500 {
            let user = #"{"name":"somebody-who-needs-room-\#(number)"}"#
            _ = try bench.send(user, to: "users")
        }
        #expect(throws: (any Error).self) { try bench.app.commit() }
        try store.limitSize(pages: 1_000_000)
        return responses
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
    func
        `a change outside of the store stays when its batch is rolled back, and its response says so`(
            change: Change
        ) throws
    {
        let bench = try bench()
        let before = try look(bench, change.seen)
        let responses = try rollBack(bench, [request(change)])
        #expect(responses.map { $0?.status } == [change.isStored ? nil : 200])
        #expect(try look(bench, change.seen) != before)
    }

    @Test func `a reset that was rolled back keeps the data, and can be repeated`() throws {
        let bench = try bench()
        let reset = HTTPRequest(
            method: "POST", target: "/_mock/v1/reset", body: Array(#"{"also":["faults"]}"#.utf8))
        #expect(try rollBack(bench, [reset]).map { $0?.status } == [nil])
        #expect(try bench.zoneNames() == ["Notes"])
        #expect(try bench.send(reset)?.status == 200)
        #expect(try bench.zoneNames() == [])
    }

    @Test func `a response about the store is not sent when its batch is rolled back`() throws {
        let bench = try bench()
        let requests = ["users", "tokens", "pending", "containers", "summary", "snapshots"].map {
            HTTPRequest(method: "GET", target: "/_mock/v1/" + $0)
        }
        #expect(try rollBack(bench, requests).allSatisfy { $0 == nil })
        for request in requests { #expect(try bench.send(request)?.status == 200) }
    }

    @Test func `the journal has requests whose batch was rolled back`() throws {
        let bench = try bench()
        let list = HTTPRequest(
            method: "GET",
            target: "/database/1/\(Samples.main.rawValue)/development/private/zones/list")
        let clear = HTTPRequest(method: "DELETE", target: "/_mock/v1/journal")
        try rollBack(bench, [list, clear, list])
        let entries = try #require(
            try bench.admin("GET", "journal").json?["entries"]?.elements)
        #expect(entries.map { $0["number"]?.int64 } == [3])
    }

    @Test
    func
        `a chosen web token whose batch was rolled back can be added again, and no number is given twice`()
        throws
    {
        let bench = try bench()
        let chosen = HTTPRequest(
            method: "POST", target: "/_mock/v1/tokens",
            body: Array(#"{"user":"ann","webToken":"chosen-by-a-test"}"#.utf8))
        let before = bench.app.issueWebToken(user: "ann")
        #expect(try rollBack(bench, [chosen]).map { $0?.status } == [nil])
        #expect(bench.app.issueWebToken(user: "ann") != before)
        let list = CloudCommand.read(.listZones(token: nil))
        #expect(try bench.send(chosen)?.status == 200)
        #expect(try bench.call(list, webToken: "chosen-by-a-test")?.status == 200)
        #expect(try bench.call(list, webToken: before)?.status == 200)
    }
}
