import CommandLine
import CommandWorld
import Foundation
import MockCommands
import Testing

struct CompletionNamesTests {
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
            await world.offers("dump", "--schema", "")
                == ["iCloud.com.example.files", "iCloud.com.example.notes"])
        #expect(
            await world.offers("simulate", "purge", "--zone", "") == [
                "Drafts", "Notes", "Receipts",
            ])
    }

    @Test func `users come from the running server, the line and fixtures`() async throws {
        let world = try world()
        #expect(await world.offers("exec", "--as", "") == ["ada", "ben"])
        #expect(
            await world.offers("exec", "--user", "cleo", "--as", "c") == ["cleo"])
        #expect(
            await world.offers("exec", "--seed", "none.json", "--as", "") == [])
        try world.put(
            #"{"url": "https://localhost:1", "webTokens": {"dora": "SECRET"}}"#,
            at: "s/ready.json", mode: 0o600)
        #expect(await world.offers("simulate", "--state=s", "--user", "d") == ["dora"])
        #expect(!world.output.text.contains("SECRET"))
    }

    @Test func `fixtures are offered, and else the shell's files`() async throws {
        let world = try world()
        let all = ["Containers/fixtures/broken.json", "Containers/fixtures/two.json"]
        #expect(await world.offers("seed", "") == all)
        #expect(await world.offers("exec", "--seed=Containers/fixtures/t") == [all[1]])
        #expect(await world.offers("seed", "/") == [":files"])
    }

    @Test(arguments: ["none", "garbage", "open"])
    func `a state folder that cannot be read offers nothing and is left as it is`(kind: String)
        async throws
    {
        let world = try TestWorld()
        if kind != "none" {
            try world.put("no JSON", at: "s/ready.json", mode: 0o600)
            try FileManager.default.setAttributes(
                [.posixPermissions: kind == "open" ? 0o755 : 0o700],
                ofItemAtPath: "\(world.folder)/s")
        }
        #expect(await world.offers("exec", "--state", "s", "--as", "") == [])
        let left = try? FileManager.default.contentsOfDirectory(atPath: "\(world.folder)/s")
        #expect(left == (kind == "none" ? nil : ["ready.json"]))
    }
}
