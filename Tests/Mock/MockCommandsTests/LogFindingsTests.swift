import CommandLine
import CommandWorld
import Foundation
import HTTPClient
import MockCommands
import Testing

/// What a running mock server has found in its clients, by the verb that shows it.
@Suite(.timeLimit(.minutes(10)))
struct LogFindingsTests {
    private static let wrong = "/database/1/iCloud.a/development/private/zones/lst"

    /// What the verb wrote, and what it ended with.
    private struct Done {
        let code: Int32
        let output: String
        let errors: String
    }

    /// A server, and two words to it.
    private func withServer(
        _ options: String...,
        body: (
            _ findings: ([String]) async throws -> Done, _ send: ([String]) async throws -> Void,
            _ address: [String]
        ) async throws -> Void
    ) async throws {
        let server = try TestWorld()
        try await MockStart.run(in: server, ["--any-container", "--auto-namespaces"] + options) {
            let url = server.output.text.split(separator: " ").map(String.init)[1]
            let authority = "\(server.folder)/state/ca/ca.pem"
            let client = HTTPClient(
                configuration: HTTPClientConfiguration(trust: .file(authority)))
            defer { client.shutdown() }
            try await body(
                { words in
                    let world = try TestWorld()
                    let code = await Dispatcher.run(
                        ["log", "findings"] + words + ["--state", "\(server.folder)/state"],
                        in: world.environment()
                    ).code
                    return Done(code: code, output: world.output.text, errors: world.errors.text)
                },
                { paths in
                    for path in paths {
                        _ = try await client.send(HTTPClientRequest(.post, url + path, body: []))
                    }
                }, ["--ca", authority, "--server", url])
        }
    }

    @Test func `findings are shown with what to do instead, and the status is 7`() async throws {
        try await withServer("--check") { findings, send, address in
            let none = try await findings([])
            #expect(none.code == 0 && none.output.isEmpty && none.errors.contains("No findings."))
            try await send([Self.wrong, Self.wrong, "/~side" + Self.wrong])
            let some = try await findings([])
            #expect(some.code == 7)
            let lines = some.output.split(separator: "\n")
            #expect(lines.count == 2, "\(some.output)")
            #expect(
                lines.first?.hasPrefix("unknown-endpoint: Request 1 requested \(Self.wrong)")
                    == true)
            #expect(lines.first?.contains("Seen 2 times. Look up the path") == true)
            #expect(lines.last?.hasPrefix("unknown-endpoint (side): Request 1") == true)
            let events = try await findings(["--json"])
            #expect(events.code == 7)
            #expect(events.output.contains(#""namespace":"side""#), "\(events.output)")
            #expect(events.output.contains(#""requests":[1],"times":2"#), "\(events.output)")
            #expect(events.output.contains(#""count":2,"dropped":0,"unwatched":[]"#))
            #expect(try await findings(["--rule", "old-token"]).code == 0)
            #expect(try await findings(["--user", "ann"]).code == 0)
            let side = try await findings(address.dropLast() + [(address.last ?? "") + "/~side"])
            #expect(side.code == 7, "\(side.errors)")
            #expect(side.output.split(separator: "\n").count == 1, "\(side.output)")
        }
    }

    @Test func `where clients are not watched nobody says that there is nothing`() async throws {
        try await withServer { findings, send, _ in
            try await send([Self.wrong])
            let done = try await findings([])
            #expect(done.code == 4 && done.output.isEmpty)
            #expect(done.errors.contains("not checked in the default namespace"))
            #expect(!done.errors.contains("No findings."))
        }
    }

    @Test func `a rule that is none is refused with the nearest`() async throws {
        let world = try TestWorld()
        #expect(await world.run("log", "findings", "--rule", "old-tokn") == 2)
        #expect(world.errors.text.contains("old-token"), "\(world.errors.text)")
    }
}
