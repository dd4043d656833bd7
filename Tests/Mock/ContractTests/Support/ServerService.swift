import AsyncOperations
import Basics
import CloudClient
import CloudModel
import Foundation
import HTTPClient
import JSON
import MockHost
import MockStore
import OpenSSL

/// The mock server on a thread of this process, and a client that trusts it.
final class ServerService: Service {
    let ready: MockReady
    let certificate: [UInt8]
    private let clock: WallClock
    private let server: MockServer
    private let thread: DedicatedThread
    private let client: HTTPClient
    private let endpoint: CloudEndpoint
    private let keys = Locked<[String: (id: String, key: P256.PrivateKey)]>([:])

    /// The one server of all tests that leave its switches and its clock alone.
    static let shared = Result { try ServerService(clock: .fixed(World.start)) }

    init(
        options: MockOptions = MockOptions(), names: [String] = ["localhost", "127.0.0.1"],
        clock: WallClock, courierWait: Duration = .seconds(30)
    ) throws {
        let folder = NSTemporaryDirectory() + "cksweep-contract-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var configuration = MockServerConfiguration(stateFolder: folder)
        configuration.names = names
        configuration.users = ["ada", "bob"]
        configuration.options = options
        configuration.courierWait = courierWait
        let server = try MockServer(configuration, clock: clock)
        ready = try server.start()
        certificate = Array(try Data(contentsOf: URL(filePath: ready.caFile)))
        guard let endpoint = CloudEndpoint(ready.url, trust: .pem(certificate)) else {
            throw Odd()
        }
        self.clock = clock
        self.server = server
        self.endpoint = endpoint
        client = endpoint.makeClient()
        thread = DedicatedThread(label: "mock-server") {
            do {
                try server.run()
            } catch {
                preconditionFailure("the server did not run: \(error)")
            }
        }
    }

    deinit {
        client.shutdown()
        server.stop(drain: .zero)
        thread.join()
    }

    func database(
        at address: Database.Address, by caller: Caller
    ) async throws -> any CloudDatabase {
        let credential: Credential
        switch caller {
        case .user(let name, nil):
            credential = .apiToken(
                ready.apiToken,
                web: WebAuthTokenStore(token: ready.webTokens[name] ?? "not-a-token"))
        case .user(let name, let device?):
            let answer = try await admin(
                .post, "tokens", Self.object(["user": name, "device": device]))
            credential = .apiToken(
                ready.apiToken, web: WebAuthTokenStore(token: answer.root["webToken"]?.string))
        case .anonymous:
            credential = .apiToken(ready.apiToken, web: nil)
        case .serverKey(let name):
            let key = try await key(named: name)
            credential = .serverKey(id: key.id, key.key)
        }
        return database(at: address, credential)
    }

    /// A database with any credential.
    func database(at address: Database.Address, _ credential: Credential) -> HTTPCloudDatabase {
        HTTPCloudDatabase(
            address: address, endpoint: endpoint, credential: credential, client: client,
            clock: clock)
    }

    /// What a listing fails with for a client of its own, which trusts and calls as it is told.
    func refusal(
        at address: Database.Address, host: String = "localhost",
        trust: HTTPClientConfiguration.Trust
    ) async throws -> CloudError? {
        guard let endpoint = CloudEndpoint("https://\(host):\(ready.port)", trust: trust) else {
            throw Odd()
        }
        let client = endpoint.makeClient()
        defer { client.shutdown() }
        let database = HTTPCloudDatabase(
            address: address, endpoint: endpoint,
            credential: .apiToken(
                ready.apiToken, web: WebAuthTokenStore(token: ready.webTokens["ada"])),
            client: client, clock: clock)
        do throws(CloudError) {
            _ = try await database.zones()
            return nil
        } catch {
            return error
        }
    }

    /// The key of that name, admitted by the server when first asked for.
    func key(named name: String) async throws -> (id: String, key: P256.PrivateKey) {
        if let known = keys.withLock({ $0[name] }) { return known }
        let key = try P256.PrivateKey.generate()
        let pem = String(decoding: key.publicKey.pem, as: UTF8.self)
        let answer = try await admin(.post, "keys", Self.object(["publicKey": pem]))
        guard let id = answer.root["keyID"]?.string else { throw Odd() }
        keys.withLock { $0[name] = (id, key) }
        return (id, key)
    }

    // MARK: - What its operator can do

    func set(_ json: String, _ change: (inout MockOptions) -> Void) async throws {
        _ = try await admin(.put, "options", json)
    }
    func setSchema(_ text: String, of container: Container.ID) async throws {
        _ = try await admin(.put, "schema?container=\(container)", text)
    }
    func add(_ user: MockUser) async throws {
        _ = try await admin(.post, "users", String(decoding: user.json, as: UTF8.self))
    }
    func purge(zone: String, of user: String, at address: Database.Address) async throws {
        var erasure = SimulatedEvent(.purge, user: user, in: address.container, zone: zone)
        erasure.environment = address.environment
        _ = try await simulate(erasure)
    }
    func upload(_ bytes: [UInt8], to url: String) async throws -> Asset {
        let answer = try await transfer(HTTPClientRequest(.post, url, body: bytes))
        guard let file = try JSONDocument.parse(answer).root["singleFile"],
            let checksum = file["fileChecksum"]?.string, let size = file["size"]?.int64
        else { throw Odd() }
        var asset = Asset(fileChecksum: checksum, size: size)
        asset.receipt = file["receipt"]?.string
        return asset
    }
    func download(_ url: String) async throws -> [UInt8] {
        try await transfer(HTTPClientRequest(.get, url))
    }
    private func transfer(_ request: HTTPClientRequest) async throws -> [UInt8] {
        let response = try await client.send(request)
        guard response.status != 200 else { return response.body }
        let error = try JSONDocument.parse(response.body).root
        throw CloudError(
            CloudError.Code(rawValue: error["serverErrorCode"]?.string ?? "") ?? .unknown,
            reason: error["reason"]?.string ?? "", httpStatus: response.status)
    }
    func simulate(_ event: SimulatedEvent) async throws -> Int {
        let answer = try await admin(.post, "simulate", String(decoding: event.json, as: UTF8.self))
        guard let changed = answer.root["changed"]?.int64 else { throw Odd() }
        return Int(changed)
    }
    /// Sets faults in their text form, in place of those there were.
    func setFaults(_ rules: String...) async throws {
        var writer = JSONWriter()
        writer.beginArray()
        for rule in rules { writer.string(rule) }
        writer.endArray()
        _ = try await admin(.put, "faults", String(decoding: writer.bytes, as: UTF8.self))
    }
    /// Requests the server has seen, from its own journal.
    func requestCount(at address: Database.Address) async throws -> Int64 {
        let journal = try await admin(.get, "journal?container=\(address.container)")
        guard let count = journal.root["matching"]?.int64 else { throw Odd() }
        return count
    }
    func compact() async throws { _ = try await simulate(SimulatedEvent(.compact)) }
    func reset() async throws { _ = try await admin(.post, "reset") }
    func pushes(to token: PushToken) async throws -> [PushSeen] {
        let escaped = token.token.replacing("+", with: "%2B").replacing("=", with: "%3D")
        let answer = try await admin(.get, "pushes?token=\(escaped)")
        guard let pushes = answer.root["pushes"] else { throw Odd() }
        return try pushes.elements.map { try PushSeen(payload: $0["payload"]) }
    }

    /// Waits at an address for what the service sends; empty when it sends nothing for a while.
    func poll(_ address: String) async throws -> (status: Int, body: [UInt8]) {
        let response = try await client.send(HTTPClientRequest(.get, address))
        return (response.status, response.body)
    }

    func dump(user: String) async throws -> String {
        String(decoding: try await answer(.get, "dump?user=\(user)", ""), as: UTF8.self)
    }

    private func admin(
        _ method: HTTPClientRequest.Method, _ path: String, _ body: String = ""
    ) async throws -> JSONDocument {
        try JSONDocument.parse(try await answer(method, path, body))
    }

    private func answer(
        _ method: HTTPClientRequest.Method, _ path: String, _ body: String
    ) async throws -> [UInt8] {
        let response = try await client.send(
            HTTPClientRequest(
                method, ready.url + "/_mock/v1/" + path,
                headers: [("authorization", ready.adminToken.headerValue)],
                body: Array(body.utf8)))
        guard response.status == 200 else {
            throw AdminRefusal(
                status: response.status, text: String(decoding: response.body, as: UTF8.self))
        }
        return response.body
    }

    private static func object(_ members: [String: String]) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            writer.key(name)
            writer.string(value)
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension PushSeen {
    /// Reads a push as a device gets it.
    init(payload: JSONValue?) throws {
        guard let ck = payload?["ck"], let subject = ck["qry"] ?? ck["fet"] ?? ck["met"],
            let name = subject["sid"]?.string
        else { throw Odd() }
        let events: [Int64: Subscription.Event] = [1: .create, 2: .update, 3: .delete]
        self.init(name, subject["rid"]?.string, subject["fo"]?.int64.flatMap { events[$0] })
        zone = subject["zid"]?.string
    }
}

/// The server refused what its operator asked for.
struct AdminRefusal: Error {
    let status: Int
    let text: String
}
