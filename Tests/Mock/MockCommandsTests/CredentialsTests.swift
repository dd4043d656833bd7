import CommandLine
import CommandWorld
import Foundation
import MockCommands
import Testing

/// Keys and tokens of a running mock server.
@Suite(.timeLimit(.minutes(10)))
struct CredentialsTests {
    /// The public half of a key that nobody has.
    private static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE1QeBUCrHU2deJsvbLsxZWGFZ08OQ
        LhA3b1kJvbpnAA/2/jNMBGgJtqTwEbCeKsBS+m3JYNhkcplF2tdaXLXooQ==
        -----END PUBLIC KEY-----

        """

    @Test func `keys and tokens are added, listed and removed`() async throws {
        let server = try TestWorld()
        let client = try TestWorld()
        try client.put(Self.publicKey, at: "key.pem")
        let state = "\(server.folder)/state"
        func run(_ words: String...) async -> Int32 {
            await Dispatcher.run(
                ["credentials"] + words + ["--state", state], in: client.environment()
            ).code
        }
        let code = try await MockStart.run(
            in: server, ["--container", "iCloud.com.example.a"]
        ) {
            #expect(
                await run("add", "key", "key.pem", "--id", "My-Key", "--container", "iCloud.com.b")
                    == 0)
            #expect(await run("add", "api-token", "two words") == 2)
            #expect(await run("add", "api-token", "any:form!") == 0)
            #expect(await run("add", "web-token", "w", "--user", "ann") == 0)
            #expect(client.output.text == "My-Key\nany:form!\nw\n")
            #expect(await run("list") == 0)
            let text = client.output.text
            #expect(text.contains(#/key +iCloud\.com\.b +development +My-Key\n/#))
            #expect(text.contains(#/api-token +all +all +any:form!\n/#))
            #expect(
                text.contains(#/api-token +iCloud\.com\.example\.a +production\s+[0-9a-f]{64}\n/#))
            #expect(await run("remove", "My-Key") == 0)
            #expect(await run("remove", "My-Key") == 2)
            #expect(await run("remove", "w") == 0)
            #expect(await run("remove", "any:form!") == 0)
        }
        #expect(code == 0)
    }

    @Test(arguments: [
        ["add"], ["remove"], ["list", "x"], ["ad", "x"], ["add", "pin", "1"], ["add", "key"],
        ["add", "web-token", "t"], ["add", "key", "k.pem", "--user", "ann"],
        ["add", "api-token", "--device", "phone"],
        ["add", "web-token", "--user", "a", "--id", "b"],
    ])
    func `what is wrong is said before anybody is asked`(words: [String]) async throws {
        let world = try TestWorld()
        let outcome = await Dispatcher.run(["credentials"] + words, in: world.environment())
        #expect(outcome.code == 2)
        #expect(!world.errors.text.contains("no running mock server"))
    }
}
