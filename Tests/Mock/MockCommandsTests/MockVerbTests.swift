import AsyncOperations
import CommandLine
import Commands
import Foundation
import RepositoryRoot
import Testing

/// The verbs around the mock server, over real sockets and TLS.
@Suite(.timeLimit(.minutes(10)))
struct MockVerbTests {
    static let fixture = Repository.root
        .appendingPathComponent("Containers/fixtures/demo.json").path
    static let list = Repository.url("Containers/example.json").path

    /// Runs `body` while `mock start` runs in another world.
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
        let pattern = #/ready https://localhost:[0-9]+ pid [0-9]+ ca /.*/state/mock/.*\.pem\n/#
        #expect(server.output.text.wholeMatch(of: pattern) != nil)
        #expect(server.environment().files.facts("state/mock/ready.json") == nil)
    }

    @Test func `nobody waits for a server that has ended before it listened`() async throws {
        let world = try TestWorld()
        await #expect(throws: MockStart.Ended.self) {
            try await MockStart.run(in: world, ["--user", "a b"]) {}
        }
        #expect(world.errors.text.contains("a b"))
    }

    @Test func `a ready file of one's own is written too, and nobody else's is removed`()
        async throws
    {
        let server = try TestWorld()
        let code = try await MockStart.run(in: server, ["--ready-file", "one.json"]) {
            let one = try server.text(at: "one.json")
            let client = try TestWorld()
            let state = ["--state", "\(server.folder)/state"]
            let journal = await client.run(["mock", "journal"] + state)
            #expect(journal == 0, "\(client.errors.text)")
            #expect(try server.text(at: "state/mock/ready.json") == one)
            for path in ["one.json", "state/mock/ready.json"] {
                #expect(server.environment().files.facts(path)?.mode == 0o600)
            }
            try server.put(
                one.replacingOccurrences(of: "https://localhost:", with: "https://localhost:1"),
                at: "state/mock/ready.json")
        }
        #expect(code == 0)
        #expect(server.environment().files.facts("one.json") == nil)
        #expect(server.environment().files.facts("state/mock/ready.json") != nil)
    }

    @Test func `the journal shows its end, or what comes after a request`() async throws {
        try await SweepScene.run { scene in
            #expect(try await scene.cksweep("plan").code == 0)
            func numbers(_ words: String...) async throws -> [Int] {
                let sink = MemorySink()
                var environment = scene.world.environment()
                environment.output = sink
                let state = ["--json", "--state", "\(scene.server.folder)/state"]
                _ = await Dispatcher.run(["mock", "journal"] + words + state, in: environment)
                return try sink.text.split(whereSeparator: \.isNewline).compactMap { line in
                    let event = try JSONSerialization.jsonObject(with: Data(line.utf8))
                    return (event as? [String: Any])?["number"] as? Int
                }
            }
            let all = try await numbers()
            #expect(all.count > 20 && all == Array(1...all.count))
            #expect(try await numbers("-n", "3") == Array(all.suffix(3)))
            #expect(try await numbers("-n", "2", "--after", "4") == [5, 6])
        }
    }

    @Test func `expectations of the journal end in a status for scripts`() async throws {
        try await SweepScene.run { scene in
            #expect(try await scene.cksweep("plan").code == 0)
            func check(_ expectations: String, after: Int = 0, user: String? = nil) async throws
                -> Int32
            {
                let file = "\(scene.world.folder)/expected.json"
                try expectations.write(toFile: file, atomically: true, encoding: .utf8)
                if let user {
                    return await scene.mock("journal", "--verify", file, "--user", user)
                }
                return await scene.mock("journal", "--verify", file, "--after", "\(after)")
            }
            let fits = try await check(#"[{"operation": "changes/database"}]"#)
            #expect(fits == 0)
            #expect(try await check(#"{"expect": [{"operation": "writes", "atMost": 0}]}"#) == 0)
            let nobody = #"[{"operation": "changes/database", "user": "nobody"}]"#
            #expect(try await check(nobody) == 6)
            let text = scene.world.output.text
            #expect(text.contains("user is \"ann\", expected \"nobody\""), "\(text)")
            #expect(try await check(#"[{"operation": "any"}]"#, after: 100_000) == 6)
            #expect(try await check(#"[{"user": "nobody", "atMost": 0}]"#, user: "ann") == 2)
            #expect(try await check(#"[{"usr": "nobody"}]"#) == 2)
            #expect(try await check("[") == 2)
        }
    }

    @Test func `a seed that is refused says what of it and why`() async throws {
        try await SweepScene.run { scene in
            let container = DemoScript.containers[0].id
            let fixture = """
                {"version": 1, "shows": "a name that none can have", "users": ["ann"], "databases": [
                {"container": "\(container)", "scope": "private", "user": "ann", "zones": [
                {"name": "Wrong", "records": [
                {"recordName": "_x", "recordType": "Note", "fields": {}}]}]}]}
                """
            let file = "\(scene.world.folder)/wrong.json"
            try fixture.write(toFile: file, atomically: true, encoding: .utf8)
            let code = await scene.mock("seed", file)
            #expect(code == 2)
            let text = scene.world.errors.text
            #expect(text.contains("BAD_REQUEST, first: \"_x\" (a record name"), "\(text)")
        }
    }

    @Test func `verbs find the server by options`() async throws {
        let result = try await withServer("--ready-file", "ready.json") { client in
            // The ready file is in the other world; its path is told by the ready line only.
            #expect(await client.run("mock", "journal") == 2)
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
            #expect(await run("mock", "seed", Self.fixture) == 0)
            #expect(client.output.text.hasPrefix("added 12 zones, "))
            #expect(
                await run("mock", "seed", "--profile", "tiny", "--user", "carl", "--seed", "3") == 0
            )
            #expect(await run("mock", "faults", "zones/modify nth=3 -> THROTTLED retry=1s") == 0)
            #expect(client.output.text.contains("zones/modify nth=3 -> THROTTLED retry=1s"))
            #expect(await run("mock", "faults", "--clear") == 0)
            #expect(client.errors.text.contains("No faults."))
            #expect(await run("mock", "reset", "--user", "ann") == 0)
            #expect(await run("mock", "journal", "-n", "5") == 0)
            #expect(await run("mock", "reset", "--user", "nobody") == 2)
            #expect(client.errors.text.contains("there is no user \"nobody\""))
        }
        #expect(code == 0)
    }

    @Test func `a program gets a server of its own, and its status is handed on`() async throws {
        let world = try TestWorld()
        let other = try TestWorld()
        let seen = Locked<[String: String]>([:])
        let processes = PretendedProcesses { _, variables in
            seen.withLock { $0 = variables }
            let environment = other.environment(variables: variables)
            return await Dispatcher.run(
                ["doctor", "-c", Self.list, "--rehearsal"], in: environment
            ).code + 40
        }
        let code = await Dispatcher.run(
            [
                "mock", "exec", "--any-container", "--user", "eve", "--user", "o.b", "--as", "o.b",
                "--", "make",
            ],
            in: world.environment(variables: ["KEPT": "yes"], processes: processes)
        ).code
        #expect(code == 40)
        #expect(other.output.text.contains("Ready to sweep.\n"))
        #expect(other.output.text.contains("donations"))
        #expect(other.output.text.contains("there is no donation store"))
        let variables = seen.withLock { $0 }
        #expect(variables["KEPT"] == "yes")
        #expect(variables["CLOUDKIT_EMULATOR_URL"]?.hasPrefix("https://localhost:") == true)
        #expect(variables["CLOUDKIT_EMULATOR_API_TOKEN"]?.count == 64)
        let token = variables["CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN"]
        #expect(token != nil && token == variables["CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN_O_B"])
        #expect(token != variables["CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN_EVE"])
        let secrets = variables.filter { $0.key.contains("TOKEN") }.values
        #expect(secrets.allSatisfy { !(world.output.text + world.errors.text).contains($0) })
    }

    @Test(arguments: [
        (["mock", "exec", "--", "missing"], "missing cannot be started"),
        (
            ["mock", "exec", "--as", "an", "--", "x"],
            "there is no user \"an\"; did you mean \"ann\"?"
        ),
        (["mock", "start", "--cert", "c.pem"], "--cert and --key belong together"),
        (["mock", "start", "--seed", "none.json"], "none.json"),
        (["mock", "start", "--fault", "zones/modfy -> THROTTLED"], "zones/modify"),
        (["mock", "start", "--user", "a b"], "a b"),
        (["mock", "seed"], "\"mock seed\" needs either fixtures or --profile"),
        (["mock", "seed", "f.json", "--zones", "3"], "--zones needs --profile"),
        (["mock", "faults", "x -> y"], "is refused"),
        (["mock", "reset", "--server", "http://h"], "--server must begin with \"https://\""),
        (["mock", "reset", "--server", "https://localhost:1"], "the mock server at"),
    ])
    func `what cannot work says why`(words: [String], part: String) async throws {
        let world = try TestWorld()
        #expect(await Dispatcher.run(words, in: world.environment()).code == 2)
        #expect(world.errors.text.contains(part), "\(world.errors.text)")
    }

    @Test func `doctor names an untrusted certificate`() async throws {
        let world = try TestWorld()
        let stranger = try TestWorld()
        let code = try await MockStart.run(in: stranger) {
            let url = stranger.output.text.split(separator: " ").map { String($0) }[1]
            let text = """
                { "version": 1, "environment": "development", "server": { "url": "\(url)" },
                  "containers": [ { "identifier": "iCloud.com.example.app" } ],
                  "credentials": { "apiToken": "env:API", "webAuthToken": "env:WEB" } }
                """
            try world.put(text, at: "list.json")
            let status = await world.run(
                "doctor", "-c", "list.json", variables: ["API": "a", "WEB": "b"])
            #expect(status == 4)
            // Why, once: no container is asked at a server that is not the one.
            let said = world.output.text
            #expect(said.contains("certificate") && said.contains("is not trusted"), "\(said)")
            #expect(said.contains("the record types of iCloud.com.example.app are unknown"))
            #expect(said.hasSuffix("REHEARSAL at \(url), not Apple's service\n"), "\(said)")
        }
        #expect(code == 0)
    }
}
