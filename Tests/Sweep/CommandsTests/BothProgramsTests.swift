import AsyncOperations
import CommandLine
import CommandWorld
import Commands
import Foundation
import HTTPClient
import JSON
import MockCommands
import RepositoryRoot
import Testing

/// Command lines of `cksweep` at a mock server, and what `cloudkit-mock` shows of them.
@Suite(.timeLimit(.minutes(30)))
struct BothProgramsTests {
    static let list = Repository.url("Containers/example.json").path

    @Test func `the journal shows its end, or what comes after a request`() async throws {
        try await SweepScene.run { scene in
            #expect(try await scene.cksweep("plan").code == 0)
            func numbers(_ words: String...) async throws -> [Int] {
                let sink = MemorySink()
                var environment = scene.world.environment(of: .cloudkitMock)
                environment.output = sink
                let state = ["--json", "--state", "\(scene.server.folder)/state"]
                _ = await Dispatcher.run(["log", "requests"] + words + state, in: environment)
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
                    return await scene.mock("log", "requests", "--verify", file, "--user", user)
                }
                return await scene.mock("log", "requests", "--verify", file, "--after", "\(after)")
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
                "exec", "--any-container", "--user", "eve", "--user", "o.b", "--as", "o.b",
                "--", "make",
            ],
            in: world.environment(
                of: .cloudkitMock, variables: ["KEPT": "yes"], processes: processes)
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

    @Test(arguments: [
        [], ["changes/zone 2 times -> empty page"], ["1st records/modify -> CONFLICT on 2 items"],
        ["2nd writes -> THROTTLED retry 1s"], ["1st writes -> cut after commit"],
        ["2nd records/modify -> cut before commit"],
    ])
    func `a sweep breaks nothing, whatever it meets`(faults: [String]) async throws {
        try await SweepScene.run(server: ["--check", "--option", "emptyPages=1"]) { scene in
            for fault in faults where fault.contains("->") {
                #expect(await scene.mock("faults", fault) == 0, "\(fault)")
            }
            let plan = try await scene.cksweep("plan", "-o", "p.plan", "--json-into", "p.jsonl")
            #expect(plan.code == 0, "\(plan.errors)")
            let applied = try await scene.cksweep(
                "apply", "p.plan", "--approve", try scene.digest("p.jsonl"), "--verify-pause",
                "1ms")
            #expect([0, 5, 6].contains(applied.code), "\(applied.output)\(applied.errors)")
            _ = try await scene.cksweep("verify", "--verify-pause", "1ms")

            let ready = try scene.ready()
            let client = HTTPClient(
                configuration: HTTPClientConfiguration(trust: .file(ready["ca"] as? String ?? "")))
            defer { client.shutdown() }
            let url = (ready["url"] as? String ?? "") + "/_mock/v1/findings?final=true"
            let token = "Bearer \(ready["adminToken"] as? String ?? "")"
            let answer = try await client.send(
                HTTPClientRequest(.get, url, headers: [("authorization", token)], body: []))
            let root = try JSONDocument.parse(answer.body).root
            #expect(root["check"]?.bool == true)
            let found = root["findings"]?.elements.compactMap { $0["message"]?.string }
            #expect(found == [], "\(faults)")
        }
    }

    @Test func `mock becomes the other program, with all that was typed`() async throws {
        let world = try TestWorld()
        let processes = PretendedProcesses()
        let words = ["mock", "exec", "--any-container", "--help", "--", "make", "--quiet"]
        let code = await Dispatcher.run(
            words, in: world.environment(processes: processes)
        ).code
        #expect(code == 2 && world.errors.text.contains("is a test's"))
        let file = try MockCommand.file(in: world.environment())
        #expect(processes.become.withLock { $0 } == [file] + words.dropFirst())
        #expect(file.hasSuffix("/cloudkit-mock"))
    }

    @Test func `a line of the other program is completed by it`() async throws {
        let world = try TestWorld()
        let processes = PretendedProcesses()
        let environment = world.environment(processes: processes)
        _ = await Dispatcher.run(["__complete", "mock", "exe"], in: environment)
        #expect(processes.become.withLock { Array($0.dropFirst()) } == ["__complete", "exe"])
        processes.become.withLock { $0 = [] }
        #expect(await Dispatcher.run(["__complete", "moc"], in: environment).code == 0)
        #expect(world.output.text.hasPrefix("mock\t") && processes.become.withLock { $0 } == [])
    }

    @Test func `without the other program, it says how to get it`() async throws {
        let world = try TestWorld()
        let nowhere = world.environment(variables: ["PATH": "bin:\(world.folder)"])
        let error = #expect(throws: CommandFailure.self) {
            try MockCommand.file(in: nowhere, folder: world.folder)
        }
        #expect(error?.status == .usage)
        #expect(error?.message.contains("cloudkit-mock") == true)
        #expect(error?.remedy?.contains("install it") == true)
        try world.put("", at: "cloudkit-mock", mode: 0o755)
        #expect(
            try MockCommand.file(in: nowhere, folder: nil) == "\(world.folder)/cloudkit-mock")
    }
}
