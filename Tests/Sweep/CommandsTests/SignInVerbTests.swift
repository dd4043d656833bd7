import AsyncOperations
import Commands
import Foundation
import HTTPServer
import Testing

/// Signing in and out, over TLS against a mock server that takes each token once.
@Suite(.timeLimit(.minutes(30)))
struct SignInVerbTests {
    /// The rule as it is documented.
    private static let strict = ["--strict-tokens"]
    private static let containers = DemoScript.containers.map(\.id)

    /// The scene's list with another source of the web token.
    private static func from(_ source: String) -> (String) -> String {
        { $0.replacingOccurrences(of: "env:WEB", with: source) }
    }

    private func browser(
        _ scene: SweepScene, signingIn user: String = "ann"
    ) throws -> PretendedBrowser {
        PretendedBrowser(
            signingIn: user, authority: try scene.ready()["ca"] as? String ?? "",
            folder: scene.world.folder)
    }

    /// The files of sign-ins, by container.
    private func kept(_ scene: SweepScene) throws -> [String: String] {
        let folder = "\(scene.world.folder)/runs/rehearsal/sign-in"
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        var kept: [String: String] = [:]
        for name in names where name.hasSuffix(".development") {
            kept[URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent] =
                "\(folder)/\(name)"
        }
        return kept
    }

    /// The verbs of a whole sweep, each a process of its own as far as tokens go.
    private func sweep(_ scene: SweepScene) async throws {
        let doctor = try await scene.cksweep("doctor")
        #expect(doctor.code == 0, "\(doctor.output)\(doctor.errors)")
        let plan = try await scene.cksweep("plan", "-o", "p", "--json-into", "p.jsonl")
        #expect(plan.code == 0, "\(plan.output)\(plan.errors)")
        let applied = try await scene.cksweep(
            "apply", "p", "--approve", try scene.digest("p.jsonl"), "--verify-pause", "1ms")
        #expect(applied.code == 0, "\(applied.output)\(applied.errors)")
        let verified = try await scene.cksweep("verify", "last", "--verify-pause", "1ms")
        #expect(verified.code == 0, "\(verified.output)\(verified.errors)")
    }

    @Test func `one sign-in lasts from the doctor to the proof where each token is good once`()
        async throws
    {
        try await SweepScene.run(list: Self.from("login"), server: Self.strict) { scene in
            let before = try await scene.cksweep("doctor")
            #expect(before.code == 7, "\(before.output)")
            #expect(unbroken(before.output).contains("run \"cksweep login\""))
            let browser = try browser(scene)
            let login = try await scene.cksweep("login", processes: browser.processes)
            #expect(login.code == 0, "\(login.output)\(login.errors)")
            for container in Self.containers {
                let line = "Signed in to \(container) as Ann"
                #expect(login.output.contains(line), "\(login.output)")
            }
            #expect(browser.shown.withLock { $0 }.allSatisfy { $0.contains("Signed in.") })
            let files = try kept(scene)
            #expect(Set(files.keys) == Set(Self.containers))
            var tokens: [String] = []
            for file in files.values {
                let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
                #expect(mode as? Int == 0o600)
                tokens.append(try String(contentsOfFile: file, encoding: .utf8))
            }
            try await sweep(scene)
            for (file, token) in zip(files.values, tokens) {
                #expect(try String(contentsOfFile: file, encoding: .utf8) != token)
            }
            let out = try await scene.cksweep("logout", Self.containers[0])
            #expect(out.code == 0 && out.output.contains("Signed out of \(Self.containers[0])."))
            #expect(try Set(kept(scene).keys) == Set(Self.containers.dropFirst()))
            #expect(try await scene.cksweep("doctor").code == 7)
            #expect(try await scene.cksweep("logout").code == 0)
            #expect(try kept(scene).isEmpty)
        }
    }

    @Test func `the tokens of a file are replaced there, with the same rights`() async throws {
        try await SweepScene.run(list: Self.from("file:web"), server: Self.strict) { scene in
            let first = scene.variables["WEB"] ?? ""
            try scene.world.put(first + "\n", at: "web", mode: 0o600)
            try await sweep(scene)
            let last = try scene.world.text(at: "web")
            #expect(!last.hasPrefix(first) && last.hasSuffix("\n"))
            let facts = scene.world.environment().files.facts("web")
            #expect(facts?.mode == 0o600)
        }
    }

    @Test func `two processes with one file take turns, and neither is signed out`() async throws {
        try await SweepScene.run(list: Self.from("file:web"), server: Self.strict) { scene in
            try scene.world.put(scene.variables["WEB"] ?? "", at: "web", mode: 0o600)
            for _ in 0..<3 {
                let codes = try await withThrowingTaskGroup(of: Int32.self) { group in
                    for verb in ["plan", "doctor", "plan", "doctor"] {
                        group.addTask { try await scene.cksweep(verb).code }
                    }
                    return try await group.reduce(into: [Int32]()) { $0.append($1) }
                }
                #expect(codes == [0, 0, 0, 0])
            }
        }
    }

    @Test func `what cannot be replaced is refused before the first request`() async throws {
        try await SweepScene.run(list: Self.from("file:web")) { scene in
            try scene.world.put(scene.variables["WEB"] ?? "", at: "web", mode: 0o400)
            let plan = try await scene.cksweep("plan")
            #expect(plan.code == 7, "\(plan.output)")
            #expect(plan.output.contains("must be a file that can be replaced"), "\(plan.output)")
            #expect(await scene.mock("log", "requests", "--json", "-n", "1000") == 0)
            #expect(!scene.world.output.text.contains("\"event\":\"request\""))
        }
    }

    @Test func `a token is pasted, alone or in the address that the browser was sent to`()
        async throws
    {
        try await SweepScene.run(list: Self.from("login"), server: Self.strict) { scene in
            let token = scene.variables["WEB"] ?? ""
            let escaped = token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let bob = scene.variables["BOB"] ?? ""
            let login = try await scene.cksweep(
                "login", "--paste", Self.containers[0], Self.containers[1],
                typed: [token, " app://back?ckWebAuthToken=\(escaped)&ckSession=x"])
            // The second is the first, which was used up.
            #expect(login.code == 7, "\(login.errors)")
            #expect(login.output.contains("Signed in to \(Self.containers[0]) as Ann"))
            #expect(login.errors.contains("the web token was used before"), "\(login.errors)")
            for said in [login.output, login.errors] { #expect(!said.contains(token)) }
            let other = try await scene.cksweep(
                "login", "--paste", Self.containers[1],
                typed: ["app://back?ckWebAuthToken=\(bob)"])
            #expect(other.code == 0 && other.output.contains("as Bob"), "\(other.errors)")
            let nothing = try await scene.cksweep("login", "--paste")
            #expect(nothing.code == 7 && nothing.errors.contains("no token was pasted"))
        }
    }

    @Test func `nobody waits for a browser for ever`() async throws {
        try await SweepScene.run(list: Self.from("login")) { scene in
            let idle = try await scene.cksweep("login", "--timeout", "1ms")
            #expect(idle.code == 7, "\(idle.errors)")
            #expect(idle.errors.contains("no sign-in within 0 s"), "\(idle.errors)")
            let none = try await scene.cksweep(
                "login", "--timeout", "1ms", variables: ["BROWSER": "missing"])
            #expect(none.errors.contains("No browser could be opened"), "\(none.errors)")
        }
    }

    @Test(arguments: [
        ("env:WEB", ["login"], "no container that uses a sign-in"),
        ("login", ["login", "iCloud.com.example.nothing"], "has no container"),
        ("env:WEB", ["login", containers[0]], "does not use a sign-in: its credentials are API"),
        ("login", ["login", "--paste", "--port", "1"], "--paste uses none"),
        ("env:WEB", ["logout"], "no container that uses a sign-in"),
    ])
    func `what cannot be meant is refused`(
        source: String, words: [String], message: String
    ) async throws {
        try await SweepScene.run(list: Self.from(source)) { scene in
            let code = await scene.world.run(words, variables: scene.variables)
            #expect(code == 2)
            #expect(scene.world.errors.text.contains(message), "\(scene.world.errors.text)")
        }
    }

    /// An API token that sends the browser to one address.
    @Test func `the callback of an API token brings the token, where it was made with one`()
        async throws
    {
        let free = try await Self.freePort()
        try await SweepScene.run(list: Self.from("login"), server: Self.strict) { scene in
            let callback = "http://127.0.0.1:\(free)/callback"
            let made = await scene.mock(
                "credentials", "add", "api-token", "with-callback", "--callback", callback)
            #expect(made == 0, "\(scene.world.errors.text)")
            let browser = try browser(scene)
            let login = try await scene.cksweep(
                "login", "--port", "\(free)", Self.containers[0],
                variables: ["API": "with-callback"], processes: browser.processes)
            #expect(login.code == 0, "\(login.output)\(login.errors)")
            #expect(browser.shown.withLock { $0 }.allSatisfy { $0.contains("Signed in.") })
        }
    }

    /// A port that nobody used a moment ago.
    private static func freePort() async throws -> UInt16 {
        var configuration = HTTPServerConfiguration(tls: nil) { 0 }
        configuration.addresses = ["127.0.0.1"]
        return try HTTPServer(configuration).port
    }
}
