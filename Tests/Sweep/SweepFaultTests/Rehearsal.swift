import AsyncOperations
import Basics
import CloudModel
import CloudWire
import HTTPServer
import InProcessMock
import JSON
import MockHost
import MockService
import MockStore

/// The whole mock server but its sockets, with a lock around it.
///
/// Every request of a database from here goes through the wire codec in both directions, the
/// router, the authenticator, the faults and the store.
final class Rehearsal: Sendable {
    /// The application is used by one thread at a time: the lock around it sees to that.
    private struct Held: @unchecked Sendable { let application: NamespaceHost }

    private let held: Locked<Held>
    private let adminToken: AdminToken
    private let apiToken: String
    private let webTokens: [String: String]

    init(users: [String], options: MockOptions = MockOptions(), seed: UInt64 = 1) throws {
        var configuration = MockServerConfiguration(stateFolder: "/nonexistent")
        configuration.users = users
        configuration.options = options
        configuration.seed = seed
        let application = try NamespaceHost(
            configuration, clock: .fixed(Timestamp(milliseconds: 1_800_000_000_000)))
        var tokens: [String: String] = [:]
        for user in users { tokens[user] = application.issueWebToken(user: user) }
        webTokens = tokens
        apiToken = application.apiToken
        adminToken = application.adminToken
        held = Locked(Held(application: application))
    }

    func database(at address: Database.Address, user: String) -> RehearsedDatabase {
        RehearsedDatabase(
            rehearsal: self, address: address,
            query: "ckAPIToken=\(apiToken)&ckWebAuthToken=" + encoded(webTokens[user] ?? ""))
    }

    /// The answer to one request, or nil when the connection was cut.
    func answer(_ request: HTTPRequest) -> HTTPResponse? {
        held.withLock { held in
            let answer = Result { try held.application.answer(request) }
            guard case .success(let response) = answer else { return HTTPResponse(status: 500) }
            return response
        }
    }

    /// An administrative request that must succeed.
    func admin(_ method: String, _ path: String, _ body: String = "") throws -> JSONDocument {
        try JSONDocument.parse(try self.body(method, path, body))
    }

    private func body(_ method: String, _ path: String, _ body: String) throws -> [UInt8] {
        let request = HTTPRequest(
            method: method, target: "/_mock/v1/" + path, body: Array(body.utf8))
        guard let response = answer(adminToken.authorizing(request)), response.status == 200 else {
            throw RehearsalError(description: "\(method) \(path) failed")
        }
        return response.body
    }

    /// Sets fault rules in their text form, in place of those there were.
    func setFaults(_ rules: [String]) throws {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("rules")
        writer.beginArray()
        for rule in rules { writer.string(rule) }
        writer.endArray()
        writer.endObject()
        _ = try admin("PUT", "faults", String(decoding: writer.bytes, as: UTF8.self))
    }

    /// Zones, records and subscriptions of a user, everywhere together.
    func itemsLeft(of user: String) throws -> Int64 {
        let summary = try admin("GET", "summary?user=\(user)")
        var left: Int64 = 0
        guard let databases = summary.root["databases"] else {
            throw RehearsalError(description: "no summary")
        }
        for database in databases.elements {
            for key in ["zones", "records", "subscriptions"] {
                left += database[key]?.int64 ?? 0
            }
        }
        return left
    }

    /// All that a user has, as text that is equal when the data are.
    func dump(of user: String) throws -> String {
        String(decoding: try body("GET", "dump?user=\(user)", ""), as: UTF8.self)
    }

    private func encoded(_ token: String) -> String {
        token.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
    }
}

struct RehearsalError: Error { let description: String }

/// A database of a rehearsal, as one user sees it.
struct RehearsedDatabase: CloudDatabase {
    let rehearsal: Rehearsal
    let address: Database.Address
    let query: String

    func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
        let wire = WireRequest(command, at: address)
        let request = HTTPRequest(
            method: wire.method, target: wire.path + "?" + query, body: wire.body)
        guard let response = rehearsal.answer(request) else {
            throw CloudError(.responseLost, reason: "the connection was cut")
        }
        return try ReplyReader.read(
            response.body, status: response.status,
            retryAfterHeader: response.headers["retry-after"], to: command)
    }
}
