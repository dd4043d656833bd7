import AsyncOperations
package import Basics
import HTTPServer
import InProcessMock
package import MockHost
import MockService
package import MockStore
import OpenSSL

/// The honest service behind the liar: the whole mock server but its sockets.
package final class Upstream: Sendable {
    /// The application is used by one thread at a time: the lock around it sees to that.
    private struct Held: @unchecked Sendable { let application: NamespaceHost }

    package static let environment = "development"
    private let held: Locked<Held>
    private let adminToken: AdminToken
    private let apiToken: String
    private let webTokens: [String: String]

    package init(users: [String], options: MockOptions, now: Timestamp) throws(MockServerError) {
        var configuration = MockServerConfiguration(stateFolder: "/nonexistent")
        configuration.users = users
        configuration.options = options
        let application = try NamespaceHost(configuration, clock: .fixed(now))
        var tokens: [String: String] = [:]
        for user in users { tokens[user] = application.issueWebToken(user: user) }
        webTokens = tokens
        apiToken = application.apiToken
        adminToken = application.adminToken
        held = Locked(Held(application: application))
    }

    /// The tokens a client needs to be this user.
    package func tokens(of user: String) -> (api: String, web: String) {
        (apiToken, webTokens[user] ?? "")
    }

    /// Another token of this user, as after one more sign-in.
    package func anotherToken(of user: String) -> String {
        held.withLock { $0.application.issueWebToken(user: user) }
    }

    /// The answer to one request; nil when the connection was cut.
    package func answer(_ request: Request) -> Answer? {
        let headers = request.headers.reduce(into: HTTPHeaders()) { headers, header in
            headers.append(header.name, header.value)
        }
        let request = HTTPRequest(
            method: request.method, target: request.target, headers: headers, body: request.body)
        return held.withLock { held in
            let answer = Result { try held.application.answer(request) }
            guard case .success(let response) = answer else { return Answer(500) }
            guard let response else { return nil }
            return Answer(
                response.status,
                headers: response.headers.pairs.map { .init(name: $0.name, value: $0.value) },
                body: response.body)
        }
    }

    /// What a user's own device asks, beside the client that is lied to.
    ///
    /// - Throws: `LiarError` when the service refuses.
    @discardableResult
    package func ask(
        _ operation: Operation, _ scope: Scope, of container: String, by user: String,
        _ body: Value? = nil
    ) throws(LiarError) -> Value {
        let target =
            "/database/1/\(container)/\(Self.environment)/\(scope.rawValue)/\(operation.rawValue)"
            + "?" + Self.query(tokens(of: user))
        let request = Request(
            method: body == nil ? "GET" : "POST", target: target, body: body?.bytes ?? [])
        guard let answer = answer(request), answer.status == 200, let json = answer.json else {
            throw LiarError("\(operation.rawValue) of \(user) was refused")
        }
        let refused = json[operation.list]?.elements.first { $0["serverErrorCode"] != nil }
        if let refused {
            throw LiarError(
                "\(operation.rawValue): \(String(decoding: refused.bytes, as: UTF8.self))")
        }
        return json
    }

    /// Makes a server-to-server key that the service admits.
    func admitKey() throws -> (id: String, key: P256.PrivateKey) {
        let key = try P256.PrivateKey.generate()
        let pem = String(decoding: key.publicKey.pem, as: UTF8.self)
        let answer = try admin("POST", "keys", (["publicKey": .string(pem)] as Value).bytes)
        guard let id = answer["keyID"]?.text else { throw LiarError("a key is not admitted") }
        return (id, key)
    }

    /// Lets whoever has an account write records of these types in public, and keys with them.
    func grantWriting(of types: [String], in container: String) throws(LiarError) {
        let declared = types.map { type in
            """
            RECORD TYPE \(type) ("___recordID" REFERENCE QUERYABLE, \
            "___createdBy" REFERENCE QUERYABLE, title STRING, about REFERENCE, \
            GRANT WRITE TO "_icloud", GRANT CREATE TO "_icloud", GRANT READ TO "_world");
            """
        }
        try admin(
            "PUT", "schema?container=\(container)",
            Array(("DEFINE SCHEMA " + declared.joined(separator: " ")).utf8))
    }

    @discardableResult
    private func admin(
        _ method: String, _ path: String, _ body: [UInt8]
    ) throws(LiarError) -> Value {
        guard let answer = administer(method, path, body), answer.status == 200 else {
            throw LiarError("\(path) was refused")
        }
        return answer.json ?? .null
    }

    private func administer(
        _ method: String, _ path: String, _ body: [UInt8] = []
    ) -> Answer? {
        answer(
            Request(
                method: method, target: "/_mock/v1/" + path,
                headers: [.init(name: "authorization", value: adminToken.headerValue)],
                body: body))
    }

    /// Has the service do something of its own accord.
    func event(_ event: Value) throws(LiarError) {
        guard administer("POST", "simulate", event.bytes)?.status == 200 else {
            throw LiarError("an event was refused")
        }
    }

    /// The query that proves who asks.
    package static func query(_ tokens: (api: String, web: String)) -> String {
        "ckAPIToken=\(tokens.api)&ckWebAuthToken="
            + tokens.web.replacing("+", with: "%2B").replacing("/", with: "%2F")
            .replacing("=", with: "%3D")
    }

    /// All that a user has, or with nil what is in the public databases, a line for each thing,
    /// indented below what it is in.
    package func dump(of user: String?) throws(LiarError) -> [String] {
        let path = "dump" + (user.map { "?user=\($0)" } ?? "")
        guard let answer = administer("GET", path), answer.status == 200 else {
            throw LiarError("there is no dump")
        }
        var lines: [String] = []
        for line in answer.body.split(separator: 0x0A) {
            guard let text = Value(Array(line)).flatMap(Self.text) else {
                throw LiarError("a strange dump: \(String(decoding: line, as: UTF8.self))")
            }
            lines.append(text)
        }
        return lines
    }

    /// A line of a dump for people.
    private static func text(_ line: Value) -> String? {
        if let place = line["database"]?.text { return "database " + place }
        if let zone = line["zone"]?.text { return "  zone " + zone }
        if let record = line["record"], let name = record["recordName"]?.text,
            let type = record["recordType"]?.text,
            let creator = record["created"]?["userRecordName"]?.text
        {
            // The rest first: what is looked for stands at the end.
            let rest = record.without(["fields"]).bytes
            let fields = record["fields"]?.bytes ?? []
            return "    record \(name) \(type) by \(creator) "
                + String(decoding: rest + fields, as: UTF8.self)
        }
        if let subscription = line["subscription"], let user = line["user"]?.text {
            return "  subscription \(user) " + String(decoding: subscription.bytes, as: UTF8.self)
        }
        return nil
    }
}
