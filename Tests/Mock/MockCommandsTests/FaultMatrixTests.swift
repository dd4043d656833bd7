import AsyncOperations
import CommandLine
import CommandWorld
import Foundation
import HTTPClient
import MockCommands
import Testing

/// Programs that are run under files of faults, each time against a new server.
@Suite(.timeLimit(.minutes(10)))
struct FaultMatrixTests {
    /// Sends requests of the service, as a program would.
    private struct Program {
        let variables: [String: String]

        /// The answer's text.
        func ask(_ operation: String, _ body: String = "{}") async throws -> String {
            func variable(_ name: String) -> String { variables["CLOUDKIT_EMULATOR_" + name] ?? "" }
            let client = HTTPClient(
                configuration: HTTPClientConfiguration(trust: .file(variable("CA"))))
            defer { client.shutdown() }
            let web = variable("WEB_AUTH_TOKEN").addingPercentEncoding(
                withAllowedCharacters: .alphanumerics)
            let url =
                variable("URL") + "/database/1/iCloud.a/development/private/\(operation)"
                + "?ckAPIToken=\(variable("API_TOKEN"))&ckWebAuthToken=\(web ?? "")"
            let answer = try await client.send(
                HTTPClientRequest(.post, url, body: Array(body.utf8)))
            return String(decoding: answer.body, as: UTF8.self)
        }
    }

    /// A world with files of faults.
    private static func world(_ files: (name: String, text: String)...) throws -> TestWorld {
        let world = try TestWorld()
        for (name, text) in files { try world.put(text, at: name) }
        return world
    }

    /// Runs a program in a world.
    private func exec(
        _ options: [String], in world: TestWorld,
        _ body: @escaping @Sendable (Program) async throws -> Int32
    ) async -> Int32 {
        let processes = PretendedProcesses { _, variables in
            do {
                return try await body(Program(variables: variables))
            } catch {
                Issue.record(error)
                return 99
            }
        }
        return await Dispatcher.run(
            ["exec", "--any-container"] + options + ["--", "make"],
            in: world.environment(processes: processes)
        ).code
    }

    /// 0 where listing goes well, 3 where it is throttled, 4 else.
    @Sendable private static func list(_ program: Program) async throws -> Int32 {
        let answer = try await program.ask("zones/list")
        return answer.contains("THROTTLED") ? 3 : answer.contains("serverErrorCode") ? 4 : 0
    }

    @Test func `the table says how each run ended, and the first that failed is the status`()
        async throws
    {
        let world = try Self.world(
            ("calm.faults", "# nothing on this way\nrecords/query -> THROTTLED\n"),
            ("busy.faults", "every zone-list -> THROTTLED\n"),
            ("broken.faults", "zones/list -> INTERNAL_ERROR"))
        let code = await exec(
            [
                "--matrix", "--keep-on-fail", "kept", "--json-into", "events", "--faults",
                "calm.faults", "busy.faults", "broken.faults",
            ], in: world, Self.list)
        #expect(code == 3)
        #expect(
            world.output.text == """
                faults         status  fired
                calm.faults         0      0
                busy.faults         3      1
                broken.faults       4      1

                """, "\(world.output.text)")
        #expect(world.errors.text.contains("make ended with 3 with busy.faults."))
        #expect(world.errors.text.contains("/kept/busy."))
        let line =
            "cloudkit-mock exec --any-container --faults broken.faults --keep-on-fail kept "
            + "--json-into events --random-seed 0 -- make\n"
        #expect(try world.text(at: "kept/broken/replay.sh") == line)
        #expect(try world.text(at: "kept/busy/faults.json").contains("busy-1"))
        #expect(!FileManager.default.fileExists(atPath: world.folder + "/kept/calm"))
        let events = try world.text(at: "events").split(separator: "\n").filter {
            $0.contains(#""event":"matrix""#)
        }
        #expect(events.count == 3)
        #expect(events[1].contains(#""faults":"busy.faults","status":3,"fired":1"#), "\(events)")
    }

    @Test func `each run has a new world, with the faults of all beside its own`() async throws {
        let world = try Self.world(("f/a.faults", "# none"), ("f/b.faults", ""))
        let code = await exec(
            ["--matrix", "--faults", "f", "--fault", "zones/lookup -> THROTTLED"], in: world
        ) { program in
            let create =
                #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Own"}}}]}"#
            let before = try await program.ask("zones/list")
            let made = try await program.ask("zones/modify", create)
            let looked = try await program.ask("zones/lookup", #"{"zones":[{"zoneID":{}}]}"#)
            #expect(!before.contains("Own") && made.contains("Own"), "\(before) \(made)")
            #expect(looked.contains("THROTTLED"), "\(looked)")
            return 0
        }
        #expect(code == 0, "\(world.errors.text)")
        #expect(world.output.text.contains("f/a.faults       0      1"), "\(world.output.text)")
        #expect(world.output.text.contains("f/b.faults       0      1"))
    }

    @Test(arguments: [(0, 130), (5, 5)] as [(Int32, Int32)])
    func `after a signal there are no more runs, and the status is not 0`(
        program: Int32, status: Int32
    ) async throws {
        let world = try Self.world(("a.faults", ""), ("b.faults", ""), ("c.faults", ""))
        let runs = Locked(0)
        let code = await exec(
            ["--matrix", "--faults", "a.faults", "b.faults", "c.faults"], in: world
        ) { _ in
            let run = runs.withLock { count in
                count += 1
                return count
            }
            guard run == 2 else { return 0 }
            // It ends as it likes.
            world.signals.send(2)
            return program
        }
        #expect(code == status && runs.withLock { $0 } == 2)
        #expect(world.output.text.contains("b.faults       \(program)"), "\(world.output.text)")
        #expect(!world.output.text.contains("c.faults"))
    }

    @Test func `what there was is shown where a later run cannot be had`() async throws {
        let world = try Self.world(
            ("a.faults", ""), ("b.faults", "zones/list in container iCloud.other -> THROTTLED"))
        let processes = PretendedProcesses { _, _ in 3 }
        let code = await Dispatcher.run(
            [
                "exec", "--container", "iCloud.a", "--matrix", "--faults", "a.faults",
                "b.faults", "--", "make",
            ], in: world.environment(processes: processes)
        ).code
        #expect(code == 2 && world.errors.text.contains("iCloud.other"), "\(world.errors.text)")
        #expect(world.output.text.contains("a.faults       3      0"), "\(world.output.text)")
    }

    /// Options, and what is said of them.
    static let refused: [([String], String)] = [
        (["--matrix"], "--matrix needs --faults FILE"),
        (["--matrix", "--faults", "none.faults"], "none.faults"),
        (["--faults", "none.faults"], "none.faults"),
        (["--matrix", "--faults", "good.faults", "bad.faults"], "bad.faults:3:8: "),
        (["--faults", "bad.faults"], "bad.faults:3:8: "),
        (["--faults", "latin.faults"], "latin.faults:2: the line is not UTF-8"),
        (["--matrix", "--faults", "empty"], "empty has no file with the extension .faults"),
        (["--matrix", "--faults", "good.faults", "--store", "data"], "excludes --store DIR"),
        (
            ["--faults", "good.faults", "sub/good.faults"],
            "good.faults and sub/good.faults both have a fault named \"good-1\""
        ),
        (
            ["--faults", "named.faults", "--fault", "busy: any -> delay 1ms"],
            "--fault and named.faults both have a fault named \"busy\""
        ),
        (
            ["--matrix", "--faults", "named.faults", "--fault", "busy: any -> delay 1ms"],
            "--fault and named.faults both have a fault named \"busy\""
        ),
        (
            ["--fault", "busy: any -> delay 1ms", "--fault", "busy: any -> delay 2ms"],
            "two faults of --fault named \"busy\""
        ),
        (
            ["--matrix", "--keep-on-fail", "k", "--faults", "good.faults", "sub/good.faults"],
            "good.faults and sub/good.faults are both named \"good\""
        ),
    ]

    @Test(arguments: refused)
    func `wrong files of faults are refused with their place, and nothing is run`(
        options: [String], part: String
    ) async throws {
        let world = try Self.world(
            ("good.faults", "any -> delay 1ms"), ("sub/good.faults", "any -> delay 1ms"),
            ("bad.faults", "# fine\nany -> delay 1ms\n\tquery sometimes -> THROTTLED"),
            ("named.faults", "busy: any -> delay 2ms"), ("empty/readme", ""))
        try world.put(Array("any -> delay 1ms\nquery#".utf8) + [0xFF], at: "latin.faults")
        let runs = Locked(0)
        let code = await exec(options, in: world) { _ in
            runs.withLock { $0 += 1 }
            return 0
        }
        #expect(code == 2 && runs.withLock { $0 } == 0)
        #expect(world.errors.text.contains(part), "\(world.errors.text)")
    }
}
