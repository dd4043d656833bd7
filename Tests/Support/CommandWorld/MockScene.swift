import Foundation
import MockCommands

/// A mock server with data of two people.
package struct MockScene {
    package let server: TestWorld
    /// Its API token and the web tokens of Ann and Bob, as the lists of tests name them.
    package let variables: [String: String]

    /// Runs `body` beside a server of its own.
    ///
    /// - Parameter fixture: What the server is seeded with; nil: the demonstration's data.
    package static func run(
        server options: [String] = [], fixture: String? = nil,
        _ body: (MockScene) async throws -> Void
    ) async throws {
        let server = try TestWorld(of: .cloudkitMock)
        var seed = MockStart.fixture
        if let fixture {
            try server.put(fixture, at: "fixture.json")
            seed = "\(server.folder)/fixture.json"
        }
        try await MockStart.run(in: server, ["--seed", seed] + options) {
            try await body(MockScene(server))
        }
    }

    private init(_ server: TestWorld) throws {
        self.server = server
        let facts = try Self.ready(server)
        let tokens = facts["webTokens"] as? [String: String] ?? [:]
        variables = [
            "API": facts["apiToken"] as? String ?? "", "WEB": tokens["ann"] ?? "",
            "BOB": tokens["bob"] ?? "",
        ]
    }

    /// What the server says of itself.
    package func ready() throws -> [String: Any] { try Self.ready(server) }

    private static func ready(_ server: TestWorld) throws -> [String: Any] {
        let ready = try JSONSerialization.jsonObject(
            with: Data(server.text(at: "state/ready.json").utf8))
        return ready as? [String: Any] ?? [:]
    }

    /// An administrative verb at the server, in a world where it prints.
    package func mock(_ words: [String], in world: TestWorld) async -> Int32 {
        await world.mock(words + ["--state", "\(server.folder)/state"])
    }
}
