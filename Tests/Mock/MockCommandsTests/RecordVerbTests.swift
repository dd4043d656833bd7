import AsyncOperations
import CommandLine
import CommandWorld
import Foundation
import MockCommands
import Testing

/// `cloudkit-mock record` and `cloudkit-mock replay`, with programs that are curl.
@Suite(.timeLimit(.minutes(10)))
struct RecordVerbTests {
    private let world: TestWorld
    /// What the program has got.
    private let answers = Locked<[String]>([])

    init() throws { world = try TestWorld() }

    /// A program that asks who the caller is, and then for something else.
    private func program(
        asking operation: String = "zones/list", endsWith code: Int32 = 0
    ) -> PretendedProcesses {
        PretendedProcesses { [answers] _, variables in
            let url = variables["CLOUDKIT_EMULATOR_URL"] ?? ""
            let query =
                "ckAPIToken=\(variables["CLOUDKIT_EMULATOR_API_TOKEN"] ?? "")"
                + "&ckWebAuthToken=\(variables["CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN"] ?? "")"
            for operation in ["users/current", operation] {
                let answer = await curl([
                    "--cacert", variables["CLOUDKIT_EMULATOR_CA"] ?? "", "-d", "{}",
                    "\(url)/database/1/iCloud.com.example.myexampleapp/development/private/"
                        + "\(operation)?\(query)",
                ])
                answers.withLock { $0.append(answer) }
            }
            return code
        }
    }

    private func run(
        _ words: String..., variables: [String: String] = [:],
        program: PretendedProcesses = PretendedProcesses()
    ) async -> (code: Int32, errors: String) {
        let errors = MemorySink()
        var environment = world.environment(variables: variables, processes: program)
        environment.errors = errors
        let code = await Dispatcher.run(words, in: environment).code
        return (code, errors.text)
    }

    @Test func `a program is recorded, and replayed without the server that it was recorded with`()
        async throws
    {
        try await MockScene.run { scene in
            let ready = try scene.ready()
            let (url, ca) = (ready["url"] as? String ?? "", ready["ca"] as? String ?? "")
            try world.put(scene.variables["WEB"] ?? "", at: "web", mode: 0o600)
            let variables = ["API": scene.variables["API"] ?? ""]
            let recorded = await run(
                "record", "--upstream", url, "--upstream-ca", ca, "--out", "a.recording",
                "--api-token", "env:API", "--web-token", "file:web", "--", "client",
                variables: variables, program: program(endsWith: 9))
            #expect(recorded.code == 9, "\(recorded.errors)")
            #expect(recorded.errors.contains("a.recording: 2 exchanges"))
            let again = await run(
                "record", "--upstream", url, "--out", "a.recording", "--", "client")
            #expect(again.code == 2 && again.errors.contains("exists already"))
            let missing = await run(
                "record", "--upstream", url, "--out", "b.recording", "--", "missing")
            #expect(missing.code == 2)
            #expect(world.environment().files.facts("b.recording") == nil)
            // Nobody vouches for that server.
            let unknown = await run(
                "record", "--upstream", url, "--out", "c.recording", "--", "client",
                variables: variables, program: program())
            #expect(unknown.code == 5 && unknown.errors.contains("got no response"))
        }
        let before = answers.withLock { $0 }
        #expect(before.count == 4 && before[0].contains("userRecordName"))
        #expect(before[1].contains("Notes"))
        let replayed = await run(
            "replay", "a.recording", "--", "client", program: program(endsWith: 9))
        #expect(replayed.code == 9 && replayed.errors.contains("2 answered\n"))
        #expect(answers.withLock { Array($0[4...]) } == Array(before[..<2]))
        let missed = await run(
            "replay", "a.recording", "--", "client", program: program(asking: "zones/lookup"))
        #expect(missed.code == 5)
        #expect(missed.errors.contains("no request with this path was recorded; nearest is "))
        #expect(missed.errors.contains("never requested: 2 POST /database/1/"))
        try await MockScene.run(server: ["--any-container"]) { scene in
            let compared = await run(
                "replay", "a.recording", "--compare", "--state", "\(scene.server.folder)/state")
            #expect(compared.code == 0, "\(compared.errors)")
            #expect(world.output.text.hasSuffix("2 responses agree\n"))
        }
        let empty = try TestWorld()
        _ = try await MockStart.run(in: empty, ["--any-container"]) {
            let compared = await run(
                "replay", "a.recording", "--compare", "--state", "\(empty.folder)/state")
            #expect(compared.code == 6)
            #expect(world.output.text.contains("2 POST zones/list: zones["))
            #expect(world.output.text.contains("[rules default-zone-listed, zone-list-lag]"))
            #expect(world.output.text.hasSuffix("1 of 2 responses differ\n"))
        }
    }

    @Test func `without a program, both serve until a signal, and say where`() async throws {
        try await MockScene.run { scene in
            let ready = try scene.ready()
            let words = [
                "record", "--upstream", ready["url"] as? String ?? "", "--upstream-ca",
                ready["ca"] as? String ?? "", "--out", "a", "--ready-file", "ready.json",
            ]
            let code = try await serving(
                words, variables: ["CLOUDKIT_EMULATOR_API_TOKEN": scene.variables["API"] ?? ""])
            #expect(code == 0)
        }
        #expect(try world.text(at: "a").contains("users/current"))
        #expect(try await serving(["replay", "a", "--ready-file", "ready.json"]) == 0)
        #expect(world.environment().files.facts("ready.json") == nil)
    }

    /// Runs a verb, asks it something by what its ready file says, and ends it.
    private func serving(
        _ words: [String], variables: [String: String] = [:]
    ) async throws -> Int32 {
        let output = MemorySink()
        let signals = TestSignals()
        var environment = world.environment(variables: variables)
        environment.output = output
        environment.signals = signals
        async let code = Dispatcher.run(words, in: environment).code
        do {
            try await output.wait(for: "\n")
            #expect(output.text.hasPrefix("ready https://localhost:"))
            let file = try JSONSerialization.jsonObject(
                with: Data(world.text(at: "ready.json").utf8))
            let variables = (file as? [String: Any])?["variables"] as? [String: String] ?? [:]
            #expect(world.environment().files.facts("ready.json")?.mode == 0o600)
            #expect(variables.count == 3)
            _ = await program().runBody(variables)
        } catch {
            signals.send(15)
            _ = await code
            throw error
        }
        signals.send(15)
        return await code
    }
}

extension PretendedProcesses {
    /// Runs the program as if it had been started with these variables.
    fileprivate func runBody(_ variables: [String: String]) async -> Int32 {
        guard let child = try? start(["client"], variables: variables) else { return 1 }
        return await wait(for: child)
    }
}
