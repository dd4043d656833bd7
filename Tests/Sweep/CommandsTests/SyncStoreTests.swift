import CommandLine
import CommandWorld
import Commands
import Foundation
import Testing

/// The verbs of the family where there is no donation store yet.
@Suite(.timeLimit(.minutes(30)))
struct SyncStoreTests {
    private let world: TestWorld

    init() throws {
        world = try TestWorld()
        try put("")
    }

    private func put(_ more: String) throws {
        try world.put(
            """
            { "version": 1, "application": "com.example.app", "environment": "development",
              "server": { "url": "https://localhost:1" },
              "containers": [ { "identifier": "iCloud.com.example.app" } ],
              \(more)
              "credentials": { "apiToken": "env:API", "webAuthToken": "env:WEB" } }
            """, at: "Containers/app.json")
    }

    /// What a command line wrote, and its status.
    private func cksweep(
        _ words: String...
    ) async -> (code: Int32, output: String, errors: String) {
        var environment = world.environment()
        let (output, errors) = (MemorySink(), MemorySink())
        environment.output = output
        environment.errors = errors
        let code = await Dispatcher.run(words + ["--state", "state"], in: environment).code
        return (code, unmarked(output.text), errors.text)
    }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(world.folder)/\(path)")
    }

    private static let usual = "state/rehearsal/donations/com.example.app/donations.sqlite"

    @Test(arguments: [["sync"], ["sync", "--once"], ["sync", "status"]])
    func `where there is no store there is nothing to sync, and that is well`(words: [String])
        async throws
    {
        let told = await cksweep(words[0], words.count > 1 ? words[1] : "--quiet")
        #expect(told.code == 0, "\(told.errors)")
        #expect(told.output.hasPrefix("NOTHING TO SYNC: there is no donation store of com.example"))
        #expect(told.output.contains("run \"cksweep sync enable\""))
        #expect(told.errors.isEmpty, "nobody was asked")
        #expect(!exists("state"))
    }

    @Test func `programs are told the same`() async throws {
        let synced = try Self.event(await cksweep("sync", "--json").output)
        #expect(synced["event"] as? String == "synced" && synced["status"] as? Int == 0)
        #expect(synced["explanation"] as? String == "there is no donation store")
        #expect(synced["rounds"] as? Int == 0)
        let status = try Self.event(await cksweep("sync", "status", "--json").output)
        #expect(status["event"] as? String == "exchange_status" && status["on"] as? Bool == false)
    }

    private static func event(_ line: String) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require(value as? [String: Any])
    }

    @Test func `who watches, or looks at fences, is told what makes a store`() async throws {
        for words in ["--watch", "fences"] {
            let told = await cksweep("sync", words)
            #expect(told.code == 2 && told.output.isEmpty)
            #expect(told.errors.contains("there is no donation store of com.example.app in "))
            #expect(told.errors.contains("\"cksweep sync enable\" creates"))
        }
    }

    @Test func `what is not there needs no switching off and no signing out`() async throws {
        let disabled = await cksweep("sync", "disable")
        #expect(disabled.code == 0 && disabled.output.hasPrefix("OFF: "))
        let out = await cksweep("sync", "sign-out", "--yes")
        #expect(out.code == 0 && out.output.hasPrefix("SIGNED OUT: "))
        #expect(!exists("state"))
    }

    @Test func `switching on makes the store, and switches it on`() async throws {
        let enabled = await cksweep("sync", "enable")
        #expect(enabled.code == 0 && enabled.output.hasPrefix("ON: "), "\(enabled.errors)")
        #expect(enabled.errors.contains("created a donation store in "))
        #expect(exists(Self.usual))
        let status = await cksweep("sync", "status")
        #expect(status.code == 0 && status.output.contains("donations are exchanged"))
        let again = await cksweep("sync", "enable")
        #expect(again.code == 0 && !again.errors.contains("created a donation store"))
    }

    @Test func `a store that the list names and that is not there is a mistake`() async throws {
        try put("\n\n\"donations\": { \"store\": \"../shop\" },")
        for words in ["--once", "status", "fences", "disable", "sign-out"] {
            let told = await cksweep("sync", words)
            #expect(told.code == 2 && told.output.isEmpty, "\(words): \(told.output)")
            #expect(
                told.errors.contains("Containers/app.json:6:25: there is no donation store in "),
                "\(told.errors)")
            #expect(told.errors.contains("name the folder of the app's store there"))
        }
        #expect(!exists("shop"))
        let enabled = await cksweep("sync", "enable")
        #expect(enabled.code == 0, "\(enabled.errors)")
        #expect(exists("shop/donations.sqlite") && !exists(Self.usual))
        #expect(await cksweep("sync", "status").code == 0)
    }

    @Test func `without a default container nothing is switched on, and no store made`()
        async throws
    {
        let other = "{ \"identifier\": \"iCloud.com.example.other\" },"
        let list = try world.text(at: "Containers/app.json")
        try world.put(
            list.replacingOccurrences(of: "\"containers\": [", with: "\"containers\": [ " + other),
            at: "Containers/app.json")
        let told = await cksweep("sync", "enable")
        #expect(told.code == 2 && told.errors.contains("does not name a default container"))
        #expect(!exists("state"))
    }
}
