import CloudClient
import CloudModel
import CommandLine
import CommandWorld
import Commands
import DonationStore
import Donations
import Foundation
import HTTPClient

/// Some devices of people who use one app, against a mock server over TLS.
struct SyncScene {
    let scene: SweepScene
    static let application = "com.example.myexampleapp"
    static let main = "iCloud.com.example.myexampleapp"
    static let documents = "iCloud.com.example.myexampleapp.documents"

    /// Runs `body` beside a server of its own; the first container is the default one.
    static func run(
        server options: [String] = [], _ body: (SyncScene) async throws -> Void
    ) async throws {
        let marking = { (text: String) in
            text.replacing(
                "\"identifier\": \"\(main)\",",
                with: "\"identifier\": \"\(main)\", \"default\": true,")
        }
        try await SweepScene.run(list: marking, server: options) {
            try await body(SyncScene(scene: $0))
        }
    }

    /// A command line on a device of Ann's, or of somebody whose token is given.
    func cksweep(
        _ device: String, _ words: [String], user: String = "WEB", typed: [String] = [],
        isTerminal: Bool = false
    ) async -> (code: Int32, output: String, errors: String) {
        let output = MemorySink()
        let errors = MemorySink()
        var variables = scene.variables
        variables["WEB"] = variables[user]
        var environment = scene.world.environment(
            variables: variables, typed: typed, isTerminal: isTerminal)
        environment.output = output
        environment.errors = errors
        let code = await Dispatcher.run(words + ["--state", device], in: environment).code
        return (code, unmarked(output.text), errors.text)
    }

    /// A sync on a device.
    func sync(
        _ device: String, user: String = "WEB"
    ) async -> (code: Int32, output: String, errors: String) {
        await cksweep(device, ["sync", "--max-wait", "1s"], user: user)
    }

    /// Donates on a device.
    func donate(
        _ device: String, _ donations: String
    ) async throws -> (code: Int32, output: String, errors: String) {
        let file = "\(device)-\(UUID().uuidString).json"
        try scene.world.put(donations, at: file)
        return await cksweep(
            device, ["donations", "donate", file, "--rehearsal", "--app", Self.application])
    }

    /// What is left on a device, one word for each thing.
    func contents(_ device: String) async throws -> [String] {
        let store = try DonationStore(
            configuration: DonationConfiguration(
                bundleIdentifier: Self.application,
                directory:
                    "\(scene.world.folder)/\(device)/rehearsal/donations/\(Self.application)",
                clock: .fixed(TestWorld.moment)))
        var names: [String] = []
        for kind in DonationKind.donations where kind != .activity {
            for row in try await store.list(kind, limit: 1000) {
                let name = row.persistentIdentifier ?? row.identifier
                names.append("\(kind.rawValue) \(name)")
            }
        }
        await store.flushAndClose()
        return names.sorted()
    }

    /// Uses one of a person's databases as another app of his would.
    func withDatabase<Value>(
        _ container: String = main, user: String = "WEB", scope: Database.Scope = .private,
        _ body: (HTTPCloudDatabase) async throws -> Value
    ) async throws -> Value {
        let ready = try JSONSerialization.jsonObject(
            with: Data(scene.server.text(at: "state/ready.json").utf8))
        let facts = ready as? [String: Any] ?? [:]
        guard
            let endpoint = CloudEndpoint(
                facts["url"] as? String ?? "", trust: .file(facts["ca"] as? String ?? "")),
            let id = Container.ID(container)
        else { throw CloudError(.networkFailure) }
        let client = endpoint.makeClient()
        defer { client.shutdown() }
        let database = HTTPCloudDatabase(
            address: Database.Address(
                container: id, environment: .development, scope: scope),
            endpoint: endpoint,
            credential: .apiToken(
                scene.variables["API"] ?? "",
                web: WebAuthTokenStore(token: scene.variables[user])),
            client: client, clock: .fixed(TestWorld.moment))
        return try await body(database)
    }

    /// Lets something happen to an account, such as the person erasing the app's data.
    func act(_ words: [String]) async -> Int32 {
        await scene.world.mock(
            ["simulate"] + words + ["--state", "\(scene.server.folder)/state"])
    }

    /// Deletes a record of Ann's, as her app on any device would.
    func deleteRecord(_ name: String, in zone: String) async throws {
        _ = try await withDatabase { database in
            try await database.modifyRecords(
                RecordModifyRequest(
                    operations: [.forceDelete(name)], zoneID: RecordZone.ID(zone)))
        }
    }
}
