import Commands
import Foundation
import Testing

/// The verbs about a container list.
@Suite(.timeLimit(.minutes(10)))
struct ContainersVerbTests {
    @Test func `a secret that stands in the file is not repeated`() async throws {
        let world = try TestWorld()
        let secret = "0123456789abcdef0123456789abcdef"
        try world.putApp("Containers")
        let path = "Containers/app.json"
        let text = try world.text(at: path).replacingOccurrences(of: "env:API", with: secret)
        try world.put(text, at: path)
        #expect(await world.run("containers", "list") == 2)
        #expect(!world.errors.text.contains(secret) && !world.output.text.contains(secret))
    }

    @Test func `without a choice the list must be named`() async throws {
        let world = try TestWorld()
        #expect(await world.run("containers", "list") == 2)
        #expect(world.errors.text.contains("Containers: there is no such folder"))
        try world.put("{}", at: "Containers/a.json")
        try world.put("{}", at: "Containers/b.json")
        #expect(await world.run("containers", "list") == 2)
        #expect(
            world.errors.text.contains(
                "Containers: holds 2 lists (a.json, b.json); name one with -c FILE"))
    }

    @Test func `the list is shown as it is understood`() async throws {
        let world = try TestWorld()
        try world.putApp("Containers")
        try world.put("", at: "ca.pem")
        let code = await world.run(
            "containers", "list", variables: ["CKSWEEP_CA": "ca.pem", "API": "hidden-value"])
        #expect(code == 0)
        try Snapshot.check(world.output.text, "containers-list.txt")
        #expect(!world.output.text.contains("hidden-value"))
    }

    @Test func `production wants to be meant`() async throws {
        let world = try TestWorld()
        let text = """
            { "version": 1, "environment": "production",
              "containers": [ { "identifier": "iCloud.com.example.app" } ],
              "credentials": { "apiToken": "env:API", "webAuthToken": "env:WEB" } }
            """
        try world.put(text, at: "Containers/app.json")
        let variables = ["API": "a", "WEB": "b"]
        #expect(await world.run("plan", variables: variables) == 3)
        #expect(
            world.errors.text
                == "cksweep: Containers/app.json is for the production environment\n"
                + "  if that is meant, say --production\n")
    }

    static let list = """
        { "version": 1, "environment": "development",
          "containers": [ { "identifier": "iCloud.com.example.app" },
                          { "identifier": "iCloud.com.example.shared" },
                          { "identifier": "iCloud.com.example.extra" } ],
          "notInScope": [ { "identifier": "iCloud.com.example.backup", "reason": "write only" } ] }
        """

    @Test func `a declared container that is not listed is an error`() async throws {
        let world = try TestWorld()
        try world.putApp("Code")
        try world.put(Self.list, at: "Containers/app.json")
        #expect(await world.run("containers", "check", "--from", "Code") == 2)
        try Snapshot.check(world.output.text, "containers-check.txt")
        #expect(world.errors.text.contains("iCloud.com.example.extra is in Containers/app.json"))
        let fixed = Self.list.replacingOccurrences(of: "example.extra", with: "example.app.debug")
        try world.put(fixed, at: "Containers/app.json")
        #expect(await world.run("containers", "check", "--from", "Code") == 0)
    }

    @Test func `a check of nothing is an error`() async throws {
        let world = try TestWorld()
        try world.put(Self.list, at: "Containers/app.json")
        #expect(await world.run("containers", "check", "--from", "Containers") == 2)
        #expect(await world.run("containers", "check", "--from", "Nowhere") == 2)
        #expect(world.errors.text.contains("Nowhere is not there"))
    }

    @Test func `a list is made from the app, and never over another`() async throws {
        let world = try TestWorld()
        try world.putApp("Code")
        #expect(await world.run("containers", "init", "--from", "Code") == 0)
        let path = "Containers/com.example.app.json"
        try Snapshot.check(try world.text(at: path), "containers-init.json")
        #expect(await world.run("containers", "check", "--from", "Code") == 0)
        #expect(await world.run("containers", "init", "--from", "Code") == 2)
        #expect(world.errors.text.contains("is there already and is not overwritten"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(world.folder)/Containers")
                == ["com.example.app.json"])
    }
}
