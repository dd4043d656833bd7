import CommandLine
import Commands
import Foundation
import Testing

struct KnownNamesTests {
    /// What is offered at the end of a line, without what each is.
    private func offers(_ world: TestWorld, _ words: String...) async -> [String] {
        let before = world.output.text.count
        #expect(await world.run(["__complete"] + words) == 0)
        #expect(world.errors.text.isEmpty)
        return world.output.text.dropFirst(before).split(separator: "\n")
            .map { String($0.prefix { $0 != "\t" }) }
    }

    private func world() throws -> TestWorld {
        let world = try TestWorld()
        try world.put(
            """
            { "version": 1, "environment": "development",
              "containers": [
                { "identifier": "iCloud.com.example.notes", "zones": ["Drafts"] },
                { "identifier": "iCloud.com.example.files" } ],
              "protect": [ { "zone": "Receipts", "reason": "tax" } ],
              "credentials": { "apiToken": "env:UNSET" } }
            """, at: "Containers/app.json")
        try world.put(
            #"{"version": 1, "users": ["ada", {"name": "ben"}], "databases": [{"zones": ["#
                + #"{"name": "Notes"}, {"name": "a\nb"}, {"name": ":files"}, {"name": "-c"}]}]}"#,
            at: "Containers/fixtures/two.json")
        try world.put("garbage", at: "Containers/fixtures/broken.json")
        return world
    }

    @Test func `containers and zones come from lists and fixtures`() async throws {
        let world = try world()
        #expect(
            await offers(world, "mock", "schema", "")
                == ["iCloud.com.example.files", "iCloud.com.example.notes"])
        #expect(
            await offers(world, "sync", "sign-out", "iCloud.com.example.n")
                == ["iCloud.com.example.notes"])
        #expect(await offers(world, "sync", "unfence", "") == ["Drafts", "Notes", "Receipts"])
        try world.put("{}", at: "other.json")
        #expect(await offers(world, "sync", "sign-out", "-c", "other.json", "") == [])
        #expect(await offers(world, "sync", "sign-out", "-cContainers/app.json", "").count == 2)
    }

    @Test func `users come from the running server, the line and fixtures`() async throws {
        let world = try world()
        #expect(await offers(world, "mock", "exec", "--as", "") == ["ada", "ben"])
        #expect(
            await offers(world, "mock", "exec", "--user", "cleo", "--as", "c") == ["cleo"])
        #expect(
            await offers(world, "mock", "exec", "--seed", "none.json", "--as", "") == [])
        try world.put(
            #"{"url": "https://localhost:1", "webTokens": {"dora": "SECRET"}}"#,
            at: "s/mock/ready.json", mode: 0o600)
        #expect(await offers(world, "mock", "act", "--state=s", "--user", "d") == ["dora"])
        #expect(!world.output.text.contains("SECRET"))
    }

    @Test func `fixtures are offered, and else the shell's files`() async throws {
        let world = try world()
        let all = ["Containers/fixtures/broken.json", "Containers/fixtures/two.json"]
        #expect(await offers(world, "mock", "seed", "") == all)
        #expect(await offers(world, "mock", "exec", "--seed=Containers/fixtures/t") == [all[1]])
        #expect(await offers(world, "mock", "seed", "/") == [":files"])
    }

    @Test(arguments: ["none", "garbage", "open"])
    func `a state folder that cannot be read offers nothing and is left as it is`(kind: String)
        async throws
    {
        let world = try TestWorld()
        if kind != "none" {
            try world.put("no database", at: "s/journal.sqlite", mode: 0o600)
            try FileManager.default.setAttributes(
                [.posixPermissions: kind == "open" ? 0o755 : 0o700],
                ofItemAtPath: "\(world.folder)/s")
        }
        #expect(await offers(world, "report", "--state", "s", "") == [])
        #expect(await offers(world, "sync", "unfence", "--state", "s", "") == [])
        #expect(await offers(world, "mock", "exec", "--state", "s", "--as", "") == [])
        let left = try? FileManager.default.contentsOfDirectory(atPath: "\(world.folder)/s")
        #expect(left == (kind == "none" ? nil : ["journal.sqlite"]))
    }
}
