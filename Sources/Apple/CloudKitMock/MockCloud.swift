import AsyncOperations
import Basics
public import CloudKit
import HTTPClient
import JSON

/// A mock CloudKit service for one test, or a namespace of one: its accounts, its data, and what a test can
/// do to it.
///
/// ``withMockCloud(seed:depth:configuration:test:_:)`` and ``SharedMockCloud`` hand one out, and end it.
public final class MockCloud: Sendable {
    /// How far requests travel.
    public var depth: MockDepth { world.backend.depth }
    /// What repeats the service's names, tokens and faults; one for all namespaces of a service.
    public var seed: UInt64 { world.backend.seed }
    /// What this world is called among the service's; nil: it is the service's own.
    public var namespace: String? { world.namespace }
    /// The first container, as the first account uses it.
    public let container: CKContainer
    /// Where programs that speak the web service's wire find it, without a slash at the end: a server at depth
    /// ``MockDepth/socket``; at other depths no server listens there.
    public var address: String { world.endpoint.baseURL }
    /// The PEM file with the authority that such programs are to trust; nil where there is no socket.
    public var certificateFile: String? { world.backend.certificateFile }

    let world: World
    /// What throttles of all its containers go by: ``advanceClock(by:)`` moves it too.
    let clock: MovedClock

    init(_ world: World) async throws {
        self.world = world
        clock = MovedClock()
        container = try await Self.container(
            nil, as: world.configuration.accounts[0], device: nil, world, clock)
    }

    // MARK: - Accounts

    /// A container as a signed-in user's device uses it.
    ///
    /// Each call is another device: a throttled device does not delay the others.
    ///
    /// - Parameters:
    ///   - identifier: nil: the first container of the configuration.
    ///   - account: nil: the first account.
    ///   - device: The name of a device of the account, which pushes and faults tell apart; nil: none, as
    ///     in a browser.
    /// - Throws: ``MockCloudError`` when there is no such account.
    public func container(
        _ identifier: String? = nil, as account: String? = nil, device: String? = nil
    ) async throws -> CKContainer {
        try await Self.container(
            identifier, as: account ?? world.configuration.accounts[0], device: device, world,
            clock)
    }

    private static func container(
        _ identifier: String?, as account: String, device: String?, _ world: World,
        _ clock: MovedClock
    ) async throws -> CKContainer {
        let known = try await accounts(world)
        guard known.contains(account) else {
            throw MockCloudError(
                "there is no account \"\(account)\""
                    + NearestName.hint(for: account, among: known)
                    + "; addAccount(_:) creates one")
        }
        let person = try await world.signIn(account, device: device)
        let connection = CloudConnection(
            defaultContainer: world.configuration.containers[0], clock: clock,
            assets: world.backend.assets(at: world.endpoint)
        ) { world.backend.database(at: $0, of: person, in: world) }
        return CKContainer(identifier: identifier, connection: connection)
    }

    /// The names of the accounts there are.
    public func accounts() async throws -> [String] { try await Self.accounts(world) }

    private static func accounts(_ world: World) async throws -> [String] {
        try await world.list("users", of: "users").compactMap { $0["name"]?.string }
    }

    /// Makes an account, with nothing in its databases.
    public func addAccount(_ name: String) async throws {
        _ = try await world.ask(.post, "users") { $0.member("name", name) }
    }

    /// The environment variables that connect a program with `CloudKit`, or `cksweep`, to this service.
    ///
    /// - Throws: ``MockCloudError`` where there is no socket, or no such account.
    public func variables(as account: String? = nil) async throws -> [String: String] {
        guard let certificateFile else {
            throw MockCloudError("only a cloud of depth .socket is reachable by other programs")
        }
        let account = account ?? world.configuration.accounts[0]
        guard try await accounts().contains(account) else {
            throw MockCloudError("there is no account \"\(account)\"")
        }
        let answer = try await world.ask(.post, "tokens") { $0.member("user", account) }
        guard let api = answer.root["apiToken"]?.string, let web = answer.root["webToken"]?.string
        else { throw MockCloudError("the mock server returned no token for \(account)") }
        return [
            "CLOUDKIT_EMULATOR_URL": address, "CLOUDKIT_EMULATOR_CA": certificateFile,
            "CLOUDKIT_EMULATOR_ADMIN_TOKEN": world.backend.adminToken.text,
            "CLOUDKIT_EMULATOR_API_TOKEN": api, "CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN": web,
        ]
    }

    // MARK: - Anything else

    /// Any request of the mock server's administration, such as `GET` of `summary` or `POST` of `simulate` with
    /// `{"event": "purge", "user": "ann", "zone": "Notes"}`. The article Administration of `MockHost` lists them.
    ///
    /// - Parameters:
    ///   - method: `GET`, `POST`, `PUT` or `DELETE`.
    ///   - path: Below `/_mock/v1/`, with its query, escaped.
    ///   - body: As the request takes it: JSON, with few exceptions.
    /// - Returns: The answer's body.
    /// - Throws: ``MockCloudError`` with the server's words when it refuses.
    @discardableResult
    public func administer(
        _ method: String, _ path: String, _ body: String = ""
    ) async throws -> Data {
        guard let method = HTTPClientRequest.Method(rawValue: method) else {
            throw MockCloudError("\"\(method)\" is not GET, POST, PUT or DELETE")
        }
        return Data(try await world.administer(method, path, Array(body.utf8)))
    }
}
