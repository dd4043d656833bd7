import CommandLine
import CommandWorld
import Commands
import Foundation
import Testing

struct KnownNamesTests {
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
        return world
    }

    @Test func `containers and zones come from lists`() async throws {
        let world = try world()
        #expect(
            await world.offers("sync", "sign-out", "iCloud.com.example.n")
                == ["iCloud.com.example.notes"])
        #expect(await world.offers("sync", "unfence", "") == ["Drafts", "Receipts"])
        try world.put("{}", at: "other.json")
        #expect(await world.offers("sync", "sign-out", "-c", "other.json", "") == [])
        #expect(await world.offers("sync", "sign-out", "-cContainers/app.json", "").count == 2)
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
        #expect(await world.offers("report", "--state", "s", "") == [])
        #expect(await world.offers("sync", "unfence", "--state", "s", "") == [])
        let left = try? FileManager.default.contentsOfDirectory(atPath: "\(world.folder)/s")
        #expect(left == (kind == "none" ? nil : ["journal.sqlite"]))
    }
}
