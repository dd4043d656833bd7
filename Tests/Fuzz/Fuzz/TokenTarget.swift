import Basics
import CloudWire
import HTTPServer
import InProcessMock
import JSON
import MockHost

/// A mock server in process, asked with tokens that are any bytes: those that it has not given out
/// let nobody in, and none makes it fail. The first byte says where the token stands.
func fuzzTokens(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let token = String(decoding: input.dropFirst(), as: UTF8.self)
    let escaped = WireQuery.encoded(token)
    let server = TokenServer.shared
    switch first % 8 {
    case 0: server.expectRefusal(query: "ckAPIToken=\(escaped)&ckWebAuthToken=\(server.web)")
    case 1: server.expectRefusal(query: "ckAPIToken=\(server.api)&ckWebAuthToken=\(escaped)")
    // As it is, with whatever ends a parameter.
    case 2: server.expectRefusal(query: "ckAPIToken=\(server.api)&ckWebAuthToken=\(token)")
    case 3: server.expectRefusal(query: "", headers: TokenServer.signature(token))
    case 4: server.expectNoSignIn(form: token)
    case 5: server.expectAnswer("changes/database", ["syncToken": token])
    case 6: server.expectAnswer("changes/zone", ["syncToken": token])
    default: server.expectAnswer("records/query", ["continuationMarker": token])
    }
}

/// A server with one user, one zone and one key.
private final class TokenServer: @unchecked Sendable {
    // Holds: libFuzzer calls on one thread.
    static let shared = TokenServer()

    let app: NamespaceHost
    let api: String
    let web: String
    private static let path = "/database/1/iCloud.com.example.app/development/"
    private static let keyID = String(repeating: "ab", count: 32)

    init() {
        var configuration = MockServerConfiguration(stateFolder: "/nonexistent")
        configuration.seed = 1
        configuration.journalEntriesMax = 1
        do {
            app = try NamespaceHost(
                configuration, clock: WallClock { Timestamp(milliseconds: 1_770_000_000_000) })
        } catch {
            preconditionFailure("the server does not start: \(error)")
        }
        api = app.apiToken
        web = app.issueWebToken(user: "ann")
        let create =
            #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Z"}}}]}"#
        let made = ask("private/zones/modify", userQuery, body: Array(create.utf8))
        precondition(made.status == 200, "the zone is not made")
        let key =
            "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE1QeBUCrHU2deJsvbLsxZWGFZ08OQ"
            + "LhA3b1kJvbpnAA/2/jNMBGgJtqTwEbCeKsBS+m3JYNhkcplF2tdaXLXooQ=="
        let admission = HTTPRequest(
            method: "POST", target: "/_mock/v1/keys",
            body: Array(#"{"publicKey":"\#(key)","keyID":"\#(Self.keyID)"}"#.utf8))
        let admitted = send(app.adminToken.authorizing(admission))
        precondition(admitted.status == 200, "the key is not admitted")
    }

    private var userQuery: String { "ckAPIToken=\(api)&ckWebAuthToken=\(web)" }

    static func signature(_ text: String) -> HTTPHeaders {
        [
            RequestSigning.keyIDHeader: keyID, RequestSigning.dateHeader: "2026-02-02T02:40:00Z",
            RequestSigning.signatureHeader: text,
        ]
    }

    private func send(_ request: HTTPRequest) -> HTTPResponse {
        guard let answer = try? app.answer(request) else { preconditionFailure("no answer") }
        precondition(answer.status < 500, "a token makes the server fail")
        return answer
    }

    private func ask(
        _ operation: String, _ query: String, headers: HTTPHeaders = [:], body: [UInt8] = []
    ) -> HTTPResponse {
        send(
            HTTPRequest(
                method: "POST", target: Self.path + operation + "?" + query, headers: headers,
                body: body))
    }

    func expectRefusal(query: String, headers: HTTPHeaders? = nil) {
        // Keys are for public databases only.
        let path = headers == nil ? "private/users/caller" : "public/subscriptions/list"
        let answer = ask(path, query, headers: headers ?? [:])
        precondition([401, 421].contains(answer.status), "a token of nobody lets somebody in")
    }

    /// A form that does not have the API token signs nobody in.
    func expectNoSignIn(form: String) {
        let answer = send(
            HTTPRequest(method: "POST", target: "/_mock/signin", body: Array(form.utf8)))
        precondition(answer.status >= 400, "a form without a token signs somebody in")
    }

    func expectAnswer(_ operation: String, _ members: [String: String]) {
        var writer = JSONWriter()
        writer.beginObject()
        if operation == "changes/zone" {
            writer.key("zones")
            writer.beginArray()
            writer.beginObject()
        }
        writer.key("zoneID")
        writer.beginObject()
        writer.member("zoneName", "Z")
        writer.endObject()
        for (name, text) in members { writer.member(name, text) }
        if operation == "changes/zone" {
            writer.endObject()
            writer.endArray()
        }
        if operation == "records/query" {
            writer.key("query")
            writer.beginObject()
            writer.member("recordType", "Users")
            writer.endObject()
        }
        writer.endObject()
        _ = ask("private/" + operation, userQuery, body: writer.bytes)
    }
}
