import AsyncOperations
import CommandLine
import CommandWorld
import Foundation
import HTTPClient
import Host
import JSON
import MockCommands
import Testing

/// The verbs that tell of a running mock server, lead programs to it and move its clock.
@Suite(.timeLimit(.minutes(10)))
struct AdministrationVerbTests {
    /// What one of them wrote.
    private struct Done {
        let code: Int32
        let output: String
        let errors: String

        var event: JSONValue? {
            output.split(separator: "\n").first.flatMap {
                try? JSONDocument.parse(Array($0.utf8)).root
            }
        }
    }

    /// Runs `body`, which runs verbs, while `cloudkit-mock serve` runs.
    private func withServer(
        _ options: String...,
        body: (_ run: (String...) async throws -> Done, _ server: TestWorld) async throws -> Void
    ) async throws {
        let server = try TestWorld()
        let code = try await MockStart.run(in: server, options) {
            try await body(
                { (words: String...) in
                    try await Self.run(words + ["--state", "\(server.folder)/state"])
                }, server)
        }
        #expect(code == 0)
    }

    private static func run(
        _ words: [String], variables: [String: String] = [:],
        processes: any Processes = PretendedProcesses()
    ) async throws -> Done {
        let client = try TestWorld()
        let code = await Dispatcher.run(
            words, in: client.environment(variables: variables, processes: processes)
        ).code
        return Done(code: code, output: client.output.text, errors: client.errors.text)
    }

    @Test func `a shell gets what leads its programs to the server, and takes it away again`()
        async throws
    {
        try await withServer("--user", "ann", "--user", "o.b") { run, server in
            let ready = try JSONDocument.parse(
                Array(server.text(at: "state/ready.json").utf8)
            ).root
            let ann = try #require(ready["webTokens"]?["ann"]?.string)
            let other = try #require(ready["webTokens"]?["o.b"]?.string)
            let bash = try await run("env")
            #expect(bash.code == 0, "\(bash.errors)")
            let lines = bash.output.split(separator: "\n")
            #expect(lines[0] == "export CLOUDKIT_EMULATOR_URL=\(ready["url"]?.string ?? "")")
            #expect(lines[1] == "export CLOUDKIT_EMULATOR_CA=\(ready["ca"]?.string ?? "")")
            let admin = ready["adminToken"]?.string ?? ""
            #expect(lines[2] == "export CLOUDKIT_EMULATOR_ADMIN_TOKEN=\(admin)")
            #expect(lines[4].hasPrefix("export CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN="))
            #expect(lines[4].contains(ann))
            #expect(lines.count == 7)
            let fish = try await run("env", "--shell", "fish", "--as", "o.b")
            #expect(
                fish.output.contains("set -gx CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN '\(other)'\n"))
            let file = try await run("env", "--shell", "env")
            #expect(file.output.contains("\nCLOUDKIT_EMULATOR_WEB_AUTH_TOKEN_ANN=\(ann)\n"))
            let wrong = try await run("env", "--as", "an")
            #expect(wrong.code == 2 && wrong.errors.contains("did you mean \"ann\"?"))
        }
        let unset = try await Self.run(
            ["env", "--unset", "--shell", "zsh"],
            variables: ["CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN_ANN": "x"])
        #expect(unset.output.hasPrefix("unset CLOUDKIT_EMULATOR_URL\n"))
        #expect(unset.output.hasSuffix("unset CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN_ANN\n"))
    }

    @Test func `status and its health tell of a server that runs, and of one that does not`()
        async throws
    {
        try await withServer("--container", "iCloud.a", "--random-seed", "41") { run, server in
            _ = try await run("faults", "writes -> THROTTLED")
            let text = try await run("status")
            for part in [
                "https://localhost:", "iCloud.a", "ann, bob", "memory", "41", "writes -> THROTTLED",
            ] {
                #expect(text.output.contains(part), "\(part) in \(text.output)")
            }
            let event = try #require(try await run("status", "--json").event)
            #expect(event["pid"]?.int64 == Int64(ProcessInfo.processInfo.processIdentifier))
            #expect(
                event["seed"]?.string == "41"
                    && event["snapshots"].map { Array($0.elements).isEmpty } == true)
            let health = try await run("status", "--health")
            #expect(health.code == 0 && health.output == "ok\n")
            let url = server.output.text.split(separator: " ").map { String($0) }[1]
            #expect(try await run("status", "--health", "--server", url).code == 0)
            // Another state folder has another authority.
            let stranger = try await Self.run([
                "status", "--health", "--server", url, "--state", "elsewhere",
            ])
            #expect(stranger.code == 1 && stranger.output.hasPrefix("unhealthy: "))
        }
        #expect(try await Self.run(["status"]).code == 2)
        let none = try await Self.run(["status", "--health"])
        #expect(none.code == 1 && none.output.contains("no running mock server was found"))
        let nobody = try await Self.run([
            "status", "--health", "--server", "https://localhost:1", "--json",
        ])
        #expect(nobody.code == 1)
        #expect(nobody.output.contains(#""healthy":false"#))
    }

    @Test func `tokens are made, listed and removed, of either kind`() async throws {
        try await withServer("--container", "iCloud.a") { run, _ in
            let web = try await run(
                "credentials", "add", "web-token", "--user", "ann", "--device", "phone")
            #expect(web.code == 0 && web.output.split(separator: "\n").count == 1)
            let api = try await run(
                "credentials", "add", "api-token", "mine", "--container", "iCloud.a")
            #expect(api.output == "mine\n")
            let list = try await run("credentials", "list")
            #expect(list.output.contains(#/iCloud\.a +development +mine\n/#))
            #expect(
                try await run("credentials", "add", "web-token", "w", "--user", "ann").output
                    == "w\n")
            #expect(try await run("credentials", "remove", "w").output == "removed w\n")
            #expect(try await run("credentials", "remove", "mine").output == "removed mine\n")
            let again = try await run("credentials", "remove", "mine")
            #expect(again.code == 2 && again.errors.contains("there is no such chosen web token"))
        }
    }

    @Test func `the clock stands still, is set and goes back to real`() async throws {
        try await withServer { run, _ in
            let shown = try await run("clock")
            #expect(shown.output == "real, 2026-11-18T11:06:40Z\n")
            let set = try await run("clock", "set", "2026-01-15T08:30:00Z")
            #expect(set.output == "real, 2026-01-15T08:30:00Z\n")
            let frozen = try await run("clock", "freeze")
            #expect(frozen.output == "frozen, 2026-01-15T08:30:00Z\n")
            let real = try await run("clock", "real")
            #expect(real.output == "real, 2026-11-18T11:06:40Z\n")
        }
    }

    @Test func `a request without a response is explained by the fault that cut it`() async throws {
        try await withServer("--any-container", "--fault", "line: zones/list -> cut after commit") {
            run, server in
            let url = server.output.text.split(separator: " ").map(String.init)[1]
            let client = HTTPClient(
                configuration: HTTPClientConfiguration(
                    trust: .file("\(server.folder)/state/ca/ca.pem")))
            defer { client.shutdown() }
            let token = try await run("credentials", "add", "web-token", "--user", "ann").output
            let api = try await run("credentials", "add", "api-token", "--container", "iCloud.a")
                .output
            _ = try? await client.send(
                HTTPClientRequest(
                    .post,
                    url + "/database/1/iCloud.a/development/private/zones/list?ckAPIToken="
                        + api.trimmingCharacters(in: .newlines) + "&ckWebAuthToken="
                        + token.trimmingCharacters(in: .newlines), body: []))
            let explained = try await run("rules", "--request", "1")
            #expect(explained.output.contains("faults: line\n"), "\(explained)")
            #expect(explained.output.contains("no response was sent"))
        }
    }

    @Test func `a snapshot is taken, listed, restored and forgotten`() async throws {
        try await withServer("--any-container") { run, _ in
            #expect(try await run("snapshot", "list").errors.contains("No snapshots."))
            #expect(try await run("snapshot", "save", "start").output == "saved as start\n")
            #expect(try await run("snapshot", "save", "other").code == 0)
            #expect(
                try await run("seed", "--profile", "tiny", "--user", "ann", "--seed", "3").code
                    == 0)
            #expect(try await run("snapshot", "list").output == "other\nstart\n")
            #expect(
                try await run("snapshot", "restore", "start").output
                    == "the service is restored to snapshot start\n")
            #expect(try await run("snapshot", "delete", "start").output == "deleted start\n")
            let gone = try await run("snapshot", "restore", "start")
            #expect(gone.code == 2 && gone.errors.contains("there is no snapshot \"start\""))
            let wrong = try await run("snapshot", "delete", "othr")
            #expect(wrong.code == 2 && wrong.errors.contains("nearest: other"))
            let slash = try await run("snapshot", "save", "a/b")
            #expect(slash.code == 2 && slash.errors.contains("a snapshot's name has"))
            #expect(try await run("snapshot", "list").output == "other\n")
        }
    }

    @Test(arguments: [
        (["env", "--unset", "--as", "ann"], "--as and --unset exclude each other"),
        (["env", "--unset", "--shell", "env"], "cannot unset a variable"),
        (["credentials", "remove"], "needs ID|TOKEN"),
        (["credentials", "add", "web-token"], "needs --user"),
        (
            ["credentials", "add", "web-token", "--user", "a", "--container", "iCloud.a"],
            "--container is not valid for a web-token"
        ),
        (["clock", "advance"], "needs a duration such as 31d"),
        (["clock", "advance", "soon"], "\"soon\" must be a duration such as 31d"),
        (["clock", "set", "yesterday"], "2026-01-15T08:30:00Z"),
        (["clock", "scale", "-1"], "-1"),
        (["clock", "freeze", "now"], "does not take \"now\""),
        (["simulate", "--count", "1"], "--count needs EVENT"),
        (["snapshot"], "needs one of: save, restore, list, delete"),
        (["snapshot", "save"], "needs either NAME or --to FILE"),
        (["snapshot", "save", "a", "--to", "f"], "needs either NAME or --to FILE"),
        (["snapshot", "restore"], "needs either NAME or --from FILE"),
        (["status", "--health", "--server", "localhost"], "--server"),
        (["replay", "f", "--most", "3"], "--most needs --compare"),
        (["replay", "f", "--compare", "--", "make"], "--compare runs no program"),
        (["rules", "zones", "--request", "1"], "--request excludes"),
        (["rules", "--server", "https://h"], "--server needs --request"),
        (["exec", "--host", "h", "--", "make"], "--host needs --apple"),
        (["dump", "--environment", "production"], "--environment needs --schema"),
    ])
    func `what is typed wrong is refused before anybody is asked`(
        words: [String], part: String
    ) async throws {
        let done = try await Self.run(words)
        #expect(done.code == 2 && done.errors.contains(part), "\(done.errors)")
    }

    @Test func `trust is printed, and only changed when that is said`() async throws {
        let ran = Locked<[[String]]>([])
        let processes = PretendedProcesses { words, _ in
            ran.withLock { $0.append(words) }
            return 0
        }
        let printed = try await Self.run(["trust"], processes: processes)
        #expect(ran.withLock { $0.isEmpty })
        guard printed.code == 0 else {
            // A machine without any of the folders that are known.
            #expect(printed.errors.contains("no known folder for certificate authorities"))
            return
        }
        #expect(printed.output.hasPrefix("sudo install -m 644 "))
        #expect(printed.errors.contains("Nothing was changed; --yes runs it."))
        let done = try await Self.run(["trust", "--remove", "--yes"], processes: processes)
        #expect(done.code == 0, "\(done.errors)")
        let lines = ran.withLock { $0.map { $0.joined(separator: " ") + "\n" } }
        #expect(lines.count == 2 && lines.joined() == done.output)
        let failing = try await Self.run(
            ["trust", "--yes"], processes: PretendedProcesses { _, _ in 3 })
        #expect(failing.code == 1 && failing.errors.contains("ended with 3"))
        try await withServer { run, server in
            let trusted = try await run("trust").output
            #expect(trusted.contains(" \(server.folder)/state/ca/ca.pem "), "\(trusted)")
        }
    }

    @Test func `a program that fails is told of with the seed that repeats it, and all is kept`()
        async throws
    {
        let world = try TestWorld()
        let processes = PretendedProcesses { _, _ in 3 }
        let words = [
            "exec", "--any-container", "--fault", "writes -> THROTTLED", "--keep-on-fail",
            "kept", "--", "make", "it's",
        ]
        let code = await Dispatcher.run(words, in: world.environment(processes: processes)).code
        #expect(code == 3)
        let line =
            "cloudkit-mock exec --any-container --fault 'writes -> THROTTLED' --keep-on-fail kept "
            + "--random-seed 0 -- make 'it'\\''s'"
        #expect(
            world.errors.text.contains("make ended with 3. To repeat it, with the server's seed 0"))
        #expect(world.errors.text.contains("  \(line)\n"))
        #expect(try world.text(at: "kept/replay.sh") == line + "\n")
        #expect(try world.text(at: "kept/seed") == "0\n")
        for (file, part) in [
            ("journal.json", "entries"), ("faults.json", "THROTTLED"), ("options.json", "{"),
        ] {
            #expect(try world.text(at: "kept/\(file)").contains(part), "\(file)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(world.folder)/kept")
        #expect(names.contains { $0.hasPrefix("state.") })
    }
}
