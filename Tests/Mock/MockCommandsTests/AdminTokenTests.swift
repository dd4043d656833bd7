import CommandLine
import CommandWorld
import Foundation
import JSON
import MockCommands
import Testing

/// How the verbs get the token of the administration, and where a server may listen.
@Suite(.timeLimit(.minutes(10)))
struct AdminTokenTests {
    private static let variable = "CLOUDKIT_EMULATOR_ADMIN_TOKEN"

    private struct Facts: Decodable {
        var url: String
        var ca: String
        var adminToken: String
    }

    private func facts(_ server: TestWorld) throws -> Facts {
        try JSONDecoder().decode(
            Facts.self, from: Data(server.text(at: "state/ready.json").utf8))
    }

    /// A command line in a world; its status and what it printed.
    private func run(
        _ words: [String], in world: TestWorld, _ variables: [String: String] = [:]
    ) async -> (code: Int32, output: String, errors: String) {
        let (output, errors) = (MemorySink(), MemorySink())
        var environment = world.environment(variables: variables)
        environment.output = output
        environment.errors = errors
        let code = await Dispatcher.run(words, in: environment).code
        return (code, output.text, errors.text)
    }

    @Test func `a verb finds the token by the ready file, by a variable, or says where it is`()
        async throws
    {
        let (server, client) = (try TestWorld(), try TestWorld())
        try await MockStart.run(in: server) {
            let facts = try facts(server)
            let own = ["status", "--state", "\(server.folder)/state"]
            #expect(await run(own, in: client).code == 0)
            let named = ["status", "--server", facts.url, "--ca", facts.ca]
            let folder = ["--state", "\(server.folder)/state"]
            #expect(await run(named + folder, in: client).code == 0)
            // From elsewhere, nothing is known of it.
            let refused = await run(named, in: client)
            #expect(refused.code == 2)
            #expect(refused.errors.contains("needs a token"), "\(refused.errors)")
            #expect(refused.errors.contains(Self.variable))
            #expect(await run(named, in: client, [Self.variable: facts.adminToken]).code == 0)
            let wrong = await run(named, in: client, [Self.variable: "wrong"])
            #expect(wrong.code == 2)
            #expect(wrong.errors.contains("the token is not valid for"), "\(wrong.errors)")
            // It is well all the same.
            #expect(
                await run(
                    ["status", "--health", "--server", facts.url, "--ca", facts.ca], in: client
                ).code == 0)
        }
    }

    @Test func `the token of one server is not sent to another`() async throws {
        let (server, other) = (try TestWorld(), try TestWorld())
        try await MockStart.run(in: server) {
            try await MockStart.run(in: other) {
                let (one, two) = (try facts(server), try facts(other))
                let asked = [
                    "status", "--server", two.url, "--ca", two.ca, "--state",
                    "\(server.folder)/state",
                ]
                let world = try TestWorld()
                let sent = await run(asked, in: world)
                #expect(sent.code == 2 && sent.errors.contains("needs a token"), "\(sent.errors)")
                let variables = [
                    "CLOUDKIT_EMULATOR_URL": one.url, "CLOUDKIT_EMULATOR_CA": one.ca,
                    Self.variable: one.adminToken,
                ]
                let again = await run(asked, in: world, variables)
                #expect(again.code == 2 && again.errors.contains("needs a token"))
                let right = await run(["status"], in: world, variables)
                #expect(right.code == 0, "\(right.errors)")
            }
        }
    }

    @Test func `env and exec hand the token on, and nothing that start prints to a log has it`()
        async throws
    {
        let (server, client) = (try TestWorld(), try TestWorld())
        try await MockStart.run(in: server, ["-v"]) {
            let facts = try facts(server)
            let folder = ["--state", "\(server.folder)/state"]
            let variables = await run(["env", "--shell", "env"] + folder, in: client)
            #expect(variables.output.contains("\(Self.variable)=\(facts.adminToken)"))
            #expect(!server.output.text.contains(facts.adminToken))
            #expect(!server.errors.text.contains(facts.adminToken))
        }
        let processes = PretendedProcesses { _, variables in
            let inner = client.environment(variables: variables)
            return variables[Self.variable]?.count == 64
                ? await Dispatcher.run(["status"], in: inner).code : 50
        }
        let world = try TestWorld()
        let code = await Dispatcher.run(
            ["exec", "--any-container", "--", "make"],
            in: world.environment(processes: processes)
        ).code
        #expect(code == 0, "\(client.errors.text)")
    }

    @Test func `a terminal is shown the link that opens the console`() async throws {
        let server = try TestWorld()
        try await MockStart.run(in: server, isTerminal: true) {
            let facts = try facts(server)
            try await server.errors.wait(for: "\(facts.url)/#token=\(facts.adminToken)")
            #expect(!server.output.text.contains(facts.adminToken))
        }
    }

    @Test(arguments: [
        (["--listen", "0.0.0.0"], "--ready-file"), (["--listen", "::"], "--ready-file"),
        (["--listen", "192.0.2.7"], "--ready-file"), (["--listen", "128.0.0.1"], "--ready-file"),
        (["--listen", "::ffff:127.0.0.1"], "--ready-file"),
        (["--listen", "localhost"], "is not an IP address"),
        (["--listen", "127.0.0"], "is not an IP address"),
        (["--listen", "127.0.0.256"], "is not an IP address"),
        (["--listen", "127.0.0.01"], "is not an IP address"),
        (["--listen", ""], "--listen is empty"),
        (["--listen", "192.0.2.7", "--ready-file", "r.json"], "192.0.2.7 is not an address of"),
        (["--listen", "1:2:::", "--ready-file", "r.json"], "neither a DNS name nor an IP address"),
    ])
    func `a server does not listen where it should not, or cannot`(
        words: [String], why: String
    ) async throws {
        let world = try TestWorld()
        let ended = await run(["serve", "--any-container"] + words, in: world)
        #expect(ended.code == 2)
        #expect(ended.errors.contains(why), "\(ended.errors)")
        #expect(world.environment().files.facts("r.json") == nil)
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.2", "127.255.1.9"])
    func `a loopback address is listened on, and the certificate names it`(
        address: String
    ) async throws {
        let (server, client) = (try TestWorld(), try TestWorld())
        try await MockStart.run(in: server, ["--listen", address]) {
            let facts = try facts(server)
            let port = try #require(facts.url.split(separator: ":").last)
            if address != "127.0.0.1" { #expect(facts.url == "https://\(address):\(port)") }
            let asked = [
                "status", "--health", "--server", "https://\(address):\(port)", "--ca", facts.ca,
            ]
            #expect(await run(asked, in: client).code == 0)
            // Nothing else is listened on.
            let other = [
                "status", "--health", "--server", "https://127.0.0.3:\(port)", "--ca", facts.ca,
            ]
            #expect(await run(other, in: client).code == 1)
        }
    }

    @Test func `all addresses can be listened on where a ready file is named`() async throws {
        let (server, client) = (try TestWorld(), try TestWorld())
        let options = ["--listen", "0.0.0.0", "--ready-file", "r.json", "--name", "localhost"]
        try await MockStart.run(in: server, options + ["--name", "127.0.0.9"]) {
            let facts = try facts(server)
            let port = try #require(facts.url.split(separator: ":").last)
            let url = "https://127.0.0.9:\(port)"
            #expect(facts.url == "https://localhost:\(port)")
            let asked = ["status", "--server", url, "--ca", facts.ca]
            #expect(await run(asked, in: client).code == 2)
            #expect(await run(asked, in: client, [Self.variable: facts.adminToken]).code == 0)
        }
    }
}
