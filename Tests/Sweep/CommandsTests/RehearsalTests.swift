import CommandLine
import CommandWorld
import Commands
import Foundation
import Testing

/// Nobody takes a rehearsal for the real thing.
@Suite(.timeLimit(.minutes(30)))
struct RehearsalTests {
    /// A list for some server, in the environment that `cloudkit-mock exec` would set.
    private func world(_ list: String) throws -> (world: TestWorld, variables: [String: String]) {
        let world = try TestWorld()
        try world.put(
            """
            { "version": 1, \(list)
              "containers": [ { "identifier": "iCloud.com.example.app", "recordTypes": [] } ],
              "credentials": { "apiToken": "env:API", "webAuthToken": "env:WEB" } }
            """, at: "Containers/app.json")
        let variables = [
            "API": "a", "WEB": "b", "CLOUDKIT_EMULATOR_URL": "https://localhost:1",
            "CLOUDKIT_EMULATOR_API_TOKEN": "m", "CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN": "w",
        ]
        return (world, variables)
    }

    private static let apple = "\"environment\": \"development\","
    private static let production = "\"environment\": \"production\","
    private static let other =
        apple + "\"server\": { \"url\": \"https://other.example:8443\" },"
    private static let same = apple + "\"server\": { \"url\": \"https://localhost:1/\" },"

    @Test(arguments: [
        (apple, "Apple's server"), (production, "production at Apple's server"),
        (other, "https://other.example:8443"),
        (
            production + "\"server\": { \"url\": \"https://localhost:1\" },",
            "production at https://localhost:1"
        ),
        (apple + "\"server\": { \"url\": \"env:NOWHERE\" },", "the server at env:NOWHERE"),
    ])
    func `a list for another server is refused where a mock server is set`(
        list: String, named: String
    ) async throws {
        for verb in [["plan"], ["sweep"], ["verify"], ["doctor"], ["sync", "status"]] {
            let (world, variables) = try world(list)
            let words = verb + ["--production", "--state", "s"]
            let environment = world.environment(variables: variables)
            let code = await Dispatcher.run(words, in: environment).code
            #expect(code == 3, "\(verb): \(world.errors.text)")
            #expect(
                world.errors.text.contains(
                    "Containers/app.json is for \(named), and CLOUDKIT_EMULATOR_URL points to "
                        + "https://localhost:1"), "\(world.errors.text)")
            #expect(world.errors.text.contains("to rehearse there, add --rehearsal"))
            #expect(world.errors.text.contains("unset CLOUDKIT_EMULATOR_URL"))
            #expect(!FileManager.default.fileExists(atPath: "\(world.folder)/s"))
        }
    }

    @Test func `the same server needs no word, and neither does a list for a mock server`()
        async throws
    {
        let (world, variables) = try world(Self.same)
        // Nobody listens there.
        #expect(await world.run("plan", variables: variables) == 4)
        #expect(
            world.output.text.hasPrefix("REHEARSAL at https://localhost:1, not Apple's service\n"))
        let end = world.output.text.replacing("\n  ", with: " ")
        #expect(end.hasSuffix("; REHEARSAL at https://localhost:1, not Apple's service\n"))
    }

    @Test func `who means to rehearse and would not is told`() async throws {
        let (world, _) = try world(Self.apple)
        let variables = ["API": "a", "WEB": "b"]
        #expect(await world.run("plan", "--rehearsal", variables: variables) == 3)
        #expect(world.errors.text.contains("targets Apple's production host"))
    }

    @Test(arguments: [
        "https://API.apple-cloudkit.com", "https://api.apple-cloudkit.com:443/",
        "https://api.apple-cloudkit.com.",
    ])
    func `Apple's server is not rehearsed with, however it is spelled`(url: String) async throws {
        let (world, _) = try world(Self.apple + "\"server\": { \"url\": \"\(url)\" },")
        let variables = ["API": "a", "WEB": "b"]
        #expect(await world.run("plan", "--rehearsal", variables: variables) == 3)
        #expect(world.errors.text.contains("targets Apple's production host"))
        #expect(!FileManager.default.fileExists(atPath: "\(world.folder)/state/rehearsal"))
    }

    @Test func `a refusal after the server was chosen says that it is a rehearsal, too`()
        async throws
    {
        let (world, variables) = try world(Self.apple)
        let without = variables.filter { $0.key != "CLOUDKIT_EMULATOR_API_TOKEN" }
        #expect(await world.run("plan", "--rehearsal", "--json", variables: without) == 2)
        let event = try JSONSerialization.jsonObject(with: Data(world.output.text.utf8))
        let fields = try #require(event as? [String: Any])
        #expect(fields["event"] as? String == "error" && fields["rehearsal"] as? Bool == true)
        #expect(fields["server"] as? String == "https://localhost:1")
    }

    /// A list for Apple's server, swept at a mock server.
    @Test func `a rehearsal says so everywhere, and keeps its state apart`() async throws {
        let forApple = { (text: String) in
            text.replacing(#/"server": {[^}]*},/#, with: "")
        }
        try await SweepScene.run(list: forApple) { scene in
            let ready = try scene.ready()
            let mock = [
                "CLOUDKIT_EMULATOR_URL": ready["url"] as? String ?? "",
                "CLOUDKIT_EMULATOR_CA": ready["ca"] as? String ?? "",
                "CLOUDKIT_EMULATOR_API_TOKEN": scene.variables["API"] ?? "",
                "CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN": scene.variables["WEB"] ?? "",
            ]
            let mark = "REHEARSAL at \(mock["CLOUDKIT_EMULATOR_URL"] ?? ""), not Apple's service\n"
            func printed(_ words: String...) async -> (code: Int32, text: String) {
                let output = MemorySink()
                var environment = scene.world.environment(variables: mock)
                environment.output = output
                let code = await Dispatcher.run(words, in: environment).code
                return (code, output.text)
            }
            func expectMarks(_ text: String) {
                let joined = text.replacing("\n  ", with: " ")
                #expect(text.hasPrefix(mark), "\(text)")
                #expect(
                    joined.hasSuffix("\n" + mark) || joined.hasSuffix("; " + mark), "\(text)")
            }
            let plan = await printed(
                "plan", "--rehearsal", "-o", "p", "--json-into", "p.jsonl", "--state", "s")
            #expect(plan.code == 0)
            expectMarks(plan.text)
            let events = try scene.events("p.jsonl")
            #expect(events.count > 5 && events.allSatisfy { $0["rehearsal"] as? Bool == true })
            #expect(events.allSatisfy { $0["server"] as? String == mock["CLOUDKIT_EMULATOR_URL"] })
            expectMarks(await printed("show", "p").text)
            let applied = await printed(
                "apply", "p", "--rehearsal", "--approve", try scene.digest("p.jsonl"),
                "--verify-pause", "1ms", "--state", "s")
            #expect(applied.code == 0, "\(applied.text)")
            expectMarks(applied.text)
            let verified = await printed(
                "verify", "--rehearsal", "--verify-pause", "1ms", "--state", "s")
            expectMarks(verified.text)
            expectMarks(await printed("report", "last", "--state", "s").text)
            expectMarks(await printed("runs", "--rehearsal", "--state", "s").text)
            let runs = await printed("runs", "--state", "s")
            #expect(runs.code == 0 && runs.text.isEmpty)

            // All of it is in a folder of its own.
            let folder = "\(scene.world.folder)/s"
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["rehearsal"])
            let evidence = try FileManager.default.subpathsOfDirectory(atPath: folder)
                .filter { $0.hasPrefix("rehearsal/evidence/") && $0.hasSuffix(".json") }
            #expect(!evidence.isEmpty)
            for file in evidence {
                let text = try scene.world.text(at: "s/\(file)")
                #expect(text.contains("\"verdict\":\"rehearsal\""))
                #expect(text.contains(mock["CLOUDKIT_EMULATOR_URL"] ?? "-"))
            }
        }
    }
}
