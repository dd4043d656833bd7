import Basics
import CloudModel
import CloudWire
import HTTPServer
import InProcessMock
import JSON
import MockHost
import MockSamples
import MockService
import MockStore
import OpenSSL
import Testing

/// A mock application without sockets, and words to talk to it.
final class Bench {
    let app: NamespaceHost
    let now: LockedTime
    private var webTokens: [String: String] = [:]

    /// A time that tests move.
    final class LockedTime: @unchecked Sendable {
        // Holds: one test, one thread.
        var milliseconds: Int64 = Samples.start.milliseconds
    }

    init(_ change: (inout MockServerConfiguration) -> Void = { _ in }) throws {
        var configuration = MockServerConfiguration(stateFolder: "/nonexistent")
        change(&configuration)
        let time = LockedTime()
        now = time
        app = try NamespaceHost(
            configuration, clock: WallClock { Timestamp(milliseconds: time.milliseconds) })
        app.baseURL = "https://localhost:8443"
    }

    /// What came back.
    struct Answer {
        var status: Int
        var headers: HTTPHeaders
        var body: [UInt8]
        var delay: Duration

        var text: String { String(decoding: body, as: UTF8.self) }
        var json: JSONValue? { try? JSONDocument.parse(body).root }
        var code: String? { json?["serverErrorCode"]?.string }
        /// What the answer lists.
        var items: [Item] {
            guard let json else { return [] }
            for key in ["records", "zones", "subscriptions"] {
                if let list = json[key] { return list.elements.map(Item.init) }
            }
            return []
        }
    }

    /// One item of an answer that lists things.
    struct Item: Hashable {
        let name: String
        let code: String?
        let reason: String?

        init(_ value: JSONValue) {
            name =
                value["recordName"]?.string ?? value["subscriptionID"]?.string
                ?? value["zoneID"]?["zoneName"]?.string ?? ""
            code = value["serverErrorCode"]?.string
            reason = value["reason"]?.string
        }
    }

    /// Sends a request and commits; nil when the connection was cut. What is below `/_mock` has the token of
    /// the administration.
    func send(_ request: HTTPRequest) throws -> Answer? {
        try sendAsIs(
            request.target.hasPrefix("/_mock") ? app.adminToken.authorizing(request) : request)
    }

    /// Sends a request with no more than it has.
    func sendAsIs(_ request: HTTPRequest) throws -> Answer? {
        let outcome = app.respond(request)
        let answer: Answer?
        switch outcome {
        case .respond(var response, let delay):
            try response.makeWholeBody()
            answer = Answer(
                status: response.status, headers: response.headers, body: response.body,
                delay: delay)
        case .cut: answer = nil
        // Nobody here can wait.
        case .poll, .hold, .wait: answer = nil
        case .release(_, let response):
            answer = Answer(
                status: response.status, headers: response.headers, body: response.body,
                delay: .zero)
        case .watch(let listener):
            let response = listener.response
            var body: [UInt8] = []
            if case .bytes(let piece) = listener.next() { body = piece }
            answer = Answer(
                status: response.status, headers: response.headers, body: body, delay: .zero)
        case .job(let job, let answerToJob):
            var response: HTTPResponse
            do throws(MockStoreError) {
                try app.finish(job)
                response = answerToJob()
            } catch {
                response = HTTPResponse(MockError(error))
            }
            try response.makeWholeBody()
            answer = Answer(
                status: response.status, headers: response.headers, body: response.body,
                delay: .zero)
        }
        try app.commit()
        if let answer { checkAgainstDocument(answer, to: request) }
        try ExplainedRefusals.check(app, after: request)
        return answer
    }

    /// Every answer is as the server describes it; the longest would take too long.
    private func checkAgainstDocument(_ answer: Answer, to request: HTTPRequest) {
        guard answer.body.count <= 64 << 10 else { return }
        // What is no JSON there, a fault has put in the answer's place.
        let isJSON = answer.headers["content-type"]?.hasPrefix("application/json") ?? true
        let isFile = request.path.hasPrefix("/asset/") && answer.status < 500
        guard isJSON || isFile || request.path.hasPrefix("/_mock/") else { return }
        do throws(ServedDocument.Problem) {
            try ServedDocument.shared.check(
                request, answer: answer.status, answer.headers, answer.body)
        } catch {
            Issue.record("\(request.method) \(request.path): not as in openapi.json: \(error)")
        }
    }

    var apiToken: String {
        get throws { try admin("GET", "tokens").json?["apiToken"]?.string ?? "" }
    }

    func webToken(_ user: String) -> String {
        if let token = webTokens[user] { return token }
        let token = app.issueWebToken(user: user)
        webTokens[user] = token
        return token
    }

    /// A request of the service as a signed-in user; nil sends the API token alone.
    func call(
        _ command: CloudCommand, as user: String? = "ann",
        at address: Database.Address = Samples.address(), headers: HTTPHeaders = [:]
    ) throws -> Answer? {
        let wire = WireRequest(command, at: address)
        var target = wire.path + "?ckAPIToken=" + (try apiToken)
        if let user { target += "&ckWebAuthToken=" + WireQuery.encoded(webToken(user)) }
        return try send(
            HTTPRequest(method: wire.method, target: target, headers: headers, body: wire.body))
    }

    /// A request with a web token of the test's.
    func call(_ command: CloudCommand, webToken: String) throws -> Answer? {
        let wire = WireRequest(command, at: Samples.address())
        let target =
            wire.path + "?ckAPIToken=" + (try apiToken) + "&ckWebAuthToken="
            + WireQuery.encoded(webToken)
        return try send(HTTPRequest(method: wire.method, target: target, body: wire.body))
    }

    /// The reply to a command, as a client reads it.
    func reply(
        _ command: CloudCommand, as user: String? = "ann",
        at address: Database.Address = Samples.address()
    ) throws -> CloudReply {
        guard let answer = try call(command, as: user, at: address) else {
            throw CloudError(.responseLost)
        }
        return try ReplyReader.read(
            answer.body, status: answer.status, retryAfterHeader: answer.headers["retry-after"],
            to: command)
    }

    /// A request below `/_mock/v1/`.
    @discardableResult
    func admin(
        _ method: String, _ path: String, _ body: String = "", headers: HTTPHeaders = [:]
    ) throws -> Answer {
        let request = HTTPRequest(
            method: method, target: "/_mock/v1/" + path, headers: headers, body: Array(body.utf8))
        return try send(request) ?? Answer(status: 0, headers: [:], body: [], delay: .zero)
    }

    /// A request below `/_mock/v1/` with the token of the administration.
    func administration(_ method: String, _ path: String, _ body: String = "") -> HTTPRequest {
        app.adminToken.authorizing(
            HTTPRequest(method: method, target: "/_mock/v1/" + path, body: Array(body.utf8)))
    }

    /// The names of a user's zones as `zones/list` gives them, default zone left out.
    func zoneNames(_ user: String = "ann") throws -> [String] {
        guard case .zonePage(let page) = try reply(.read(.listZones(token: nil)), as: user) else {
            return []
        }
        return page.zones.map(\.id).filter { !$0.isDefault }.map(\.zoneName).sorted()
    }

    /// Makes zones.
    func make(_ names: String..., user: String = "ann") throws {
        _ = try reply(.write(.modifyZones(names.map { .create(RecordZone.ID($0)) })), as: user)
    }

    /// What a body below `/_mock/v1/` is answered with, in the open batch.
    func send(_ body: String, to path: String) throws -> RequestOutcome {
        app.respond(administration("POST", path, body))
    }

    /// Does things in one batch that is rolled back, as the store is full.
    func lose(_ body: (Bench) throws -> Void) throws {
        try app.store.limitSize(pages: 1)
        try body(self)
        for number in 0..<500 {
            _ = try send(#"{"name":"somebody-who-needs-room-\#(number)"}"#, to: "users")
        }
        #expect(throws: (any Error).self) { try app.commit() }
        try app.store.limitSize(pages: 1_000_000)
    }
}

/// Answers as clients read them.
enum ReplyOf {
    static func read(_ answer: Bench.Answer, to command: CloudCommand) throws -> CloudReply {
        try ReplyReader.read(
            answer.body, status: answer.status, retryAfterHeader: answer.headers["retry-after"],
            to: command)
    }
}
