import AsyncOperations
import CommandLine
import CommandWorld
import Foundation
import MockCommands
import Testing

/// The verbs around the mock server, over real sockets and TLS.
@Suite(.timeLimit(.minutes(10)))
struct ServerVerbTests {
    /// Runs `body` while `cloudkit-mock serve` runs in another world.
    private func withServer(
        _ options: String..., body: (TestWorld) async throws -> Void
    ) async throws -> (code: Int32, server: TestWorld) {
        let server = try TestWorld()
        let client = try TestWorld()
        let code = try await MockStart.run(in: server, options) { try await body(client) }
        return (code, server)
    }

    @Test func `a server is started, filled, watched, emptied and stopped`() async throws {
        let (code, server) = try await withServer("--default-zone", "purge") { _ in }
        #expect(code == 0)
        let pattern = #/ready https://localhost:[0-9]+ pid [0-9]+ ca /.*/state/.*\.pem\n/#
        #expect(server.output.text.wholeMatch(of: pattern) != nil)
        #expect(server.environment().files.facts("state/ready.json") == nil)
    }

    @Test func `a server that ends before it listens is an error, not a wait`() async throws {
        let world = try TestWorld()
        await #expect(throws: MockStart.Ended.self) {
            try await MockStart.run(in: world, ["--user", "a b"]) {}
        }
        #expect(world.errors.text.contains("a b"))
    }

    @Test func `--ready-file is written too, and the file of another server is kept`()
        async throws
    {
        let server = try TestWorld()
        let code = try await MockStart.run(in: server, ["--ready-file", "one.json"]) {
            let one = try server.text(at: "one.json")
            let client = try TestWorld()
            let state = ["--state", "\(server.folder)/state"]
            let journal = await client.run(["log", "requests"] + state)
            #expect(journal == 0, "\(client.errors.text)")
            #expect(try server.text(at: "state/ready.json") == one)
            for path in ["one.json", "state/ready.json"] {
                #expect(server.environment().files.facts(path)?.mode == 0o600)
            }
            try server.put(
                one.replacingOccurrences(of: "https://localhost:", with: "https://localhost:1"),
                at: "state/ready.json")
        }
        #expect(code == 0)
        #expect(server.environment().files.facts("one.json") == nil)
        #expect(server.environment().files.facts("state/ready.json") != nil)
    }

    @Test func `a seed that is refused says what of it and why`() async throws {
        try await MockScene.run { scene in
            let container = "iCloud.com.example.myexampleapp"
            let fixture = """
                {"version": 1, "shows": "a name that none can have", "users": ["ann"], "databases": [
                {"container": "\(container)", "scope": "private", "user": "ann", "zones": [
                {"name": "Wrong", "records": [
                {"recordName": "_x", "recordType": "Note", "fields": {}}]}]}]}
                """
            let world = try TestWorld()
            try world.put(fixture, at: "wrong.json")
            #expect(await scene.mock(["seed", "wrong.json"], in: world) == 2)
            let text = world.errors.text
            #expect(text.contains("BAD_REQUEST, first: \"_x\" (a record name"), "\(text)")
        }
    }

    @Test func `verbs find the server by options`() async throws {
        let result = try await withServer("--ready-file", "ready.json") { client in
            // The ready file is in the folder of the other world, which this one does not look into.
            #expect(await client.run("log", "requests") == 2)
            #expect(client.errors.text.contains("no running mock server was found"))
        }
        #expect(result.code == 0)
    }

    @Test func `a running server takes seeds, faults and resets`() async throws {
        let server = try TestWorld()
        let client = try TestWorld()
        func run(_ words: String...) async -> Int32 {
            let state = ["--state", "\(server.folder)/state"]
            return await Dispatcher.run(words + state, in: client.environment()).code
        }
        let code = try await MockStart.run(in: server) {
            #expect(await run("seed", MockStart.fixture) == 0)
            #expect(client.output.text.hasPrefix("added 12 zones, "))
            #expect(
                await run("seed", "--profile", "tiny", "--user", "carl", "--seed", "3") == 0
            )
            #expect(await run("faults", "3rd zones/modify -> THROTTLED retry 1s") == 0)
            #expect(client.output.text.contains("3rd zones/modify -> THROTTLED retry 1s"))
            #expect(await run("faults", "--clear") == 0)
            #expect(client.errors.text.contains("No faults."))
            #expect(await run("seed", "--reset") == 0)
            #expect(client.output.text.hasSuffix("deleted all data\n"))
            #expect(await run("log", "requests", "-n", "5") == 0)
            #expect(await run("dump", "--user", "nobody") == 2)
            #expect(client.errors.text.contains("there is no user \"nobody\""))
        }
        #expect(code == 0)
    }

    @Test(arguments: [
        (["exec", "--", "missing"], "missing cannot be started"),
        (
            ["exec", "--as", "an", "--", "x"],
            "there is no user \"an\"; did you mean \"ann\"?"
        ),
        (["serve", "--cert", "c.pem"], "--cert and --key belong together"),
        (["serve", "--seed", "none.json"], "none.json"),
        (["serve", "--fault", "zones/modfy -> THROTTLED"], "zones/modify"),
        (["serve", "--user", "a b"], "a b"),
        (["seed"], "\"cloudkit-mock seed\" needs fixtures, --profile, --schema or --reset"),
        (["seed", "f.json", "--zones", "3"], "--zones needs --profile"),
        (["faults", "x -> y"], "is refused"),
        (["seed", "--reset", "--server", "http://h"], "--server must begin with \"https://\""),
        (["seed", "--reset", "--server", "https://localhost:1"], "the mock server at"),
    ])
    func `what cannot work says why`(words: [String], part: String) async throws {
        let world = try TestWorld()
        #expect(await Dispatcher.run(words, in: world.environment()).code == 2)
        #expect(world.errors.text.contains(part), "\(world.errors.text)")
    }
}
