import CommandWorld
import Commands
import Foundation
import Testing

/// The verbs about a container list.
@Suite(.timeLimit(.minutes(30)))
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
        #expect(world.errors.text.contains("Containers: the folder does not exist"))
        try world.put("{}", at: "Containers/a.json")
        try world.put("{}", at: "Containers/b.json")
        #expect(await world.run("containers", "list") == 2)
        #expect(
            world.errors.text.contains(
                "Containers: contains 2 lists (a.json, b.json); name one with -c FILE"))
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
                + "  to use it, add --production\n")
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
        #expect(world.errors.text.contains("Nowhere does not exist"))
    }

    @Test func `a list is made from the app, and never over another`() async throws {
        let world = try TestWorld()
        try world.putApp("Code")
        #expect(await world.run("containers", "init", "--from", "Code") == 0)
        let path = "Containers/com.example.app.json"
        try Snapshot.check(try world.text(at: path), "containers-init.json")
        // What it lacks for exit 0 is told with its line.
        try Snapshot.check(world.output.text, "containers-init.txt")
        #expect(await world.run("containers", "check", "--from", "Code") == 0)
        #expect(await world.run("containers", "init", "--from", "Code") == 2)
        #expect(world.errors.text.contains("exists already and is not overwritten"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(world.folder)/Containers")
                == ["com.example.app.json"])
    }

    @Test func `what a profile allows and the list does not hold is named`() async throws {
        let world = try TestWorld()
        try world.put(
            """
            <?xml version="1.0"?>
            <plist version="1.0"><dict><key>Entitlements</key><dict>
            <key>com.apple.developer.icloud-container-environment</key>
            <array><string>Production</string><string>Development</string></array>
            <key>com.apple.developer.icloud-container-identifiers</key>
            <array><string>iCloud.com.example.app</string><string>iCloud.*</string></array>
            <key>com.apple.developer.ubiquity-container-identifiers</key>
            <array><string>ABCDE12345.*</string></array>
            </dict></dict></plist>
            """, at: "Code/app.mobileprovision")
        #expect(await world.run("containers", "init", "--from", "Code", "-o", "a.json") == 0)
        #expect(try world.text(at: "a.json").contains("\"environment\": \"development\""))
        let warned = unbroken(world.errors.text)
        for text in [
            "Code/app.mobileprovision:6: \"iCloud.*\" allows every container of the team",
            "Code/app.mobileprovision:8: \"ABCDE12345.*\" allows every container of the team",
            "the app is signed for the environment production, and",
        ] {
            #expect(warned.contains(text), "\(warned)")
        }
        #expect(
            await world.run(
                "containers", "init", "--from", "Code", "--environment", "production", "-o",
                "b.json")
                == 0)
        #expect(try world.text(at: "b.json").contains("\"environment\": \"production\""))
        #expect(unbroken(world.errors.text).contains("signed for the environment development, and"))
    }

    @Test func `an app that is signed for one environment has a list for it`() async throws {
        let world = try TestWorld()
        try world.put(
            """
            <?xml version="1.0"?>
            <plist version="1.0"><dict>
            <key>com.apple.developer.icloud-container-environment</key><string>Production</string>
            <key>com.apple.developer.icloud-container-identifiers</key>
            <array><string>iCloud.com.example.app</string></array>
            </dict></plist>
            """, at: "Code/app.entitlements")
        #expect(await world.run("containers", "init", "--from", "Code", "-o", "a.json") == 0)
        #expect(try world.text(at: "a.json").contains("\"environment\": \"production\""))
        #expect(
            unbroken(world.output.text).contains("1 container for the environment production"))
        #expect(world.errors.text.isEmpty, "\(world.errors.text)")
    }

    private static let schema = """
        DEFINE SCHEMA
            RECORD TYPE Visit (
                place STRING
            );
        """

    @Test func `schemas are found by their names, or named, and the list leads to them`()
        async throws
    {
        let world = try TestWorld()
        try world.putApp("Code")
        for file in ["Code/Schemas/App.ckdb", "Code/Schemas/backup.ckdb", "other/x.ckdb"] {
            try world.put(Self.schema, at: file)
        }
        let code = await world.run(
            "containers", "init", "--from", "Code", "-o", "lists/app/a.json", "--schema",
            "iCloud.com.example.shared=other/x.ckdb")
        #expect(code == 0, "\(world.errors.text)")
        let list = try world.text(at: "lists/app/a.json")
        for path in ["Code/Schemas/App.ckdb", "Code/Schemas/backup.ckdb", "other/x.ckdb"] {
            #expect(list.contains("\"schema\": \"../../\(path)\""), "\(list)")
        }
        let said = world.output.text.replacing(#/\n +/#, with: " ")
        #expect(said.contains("the record types of iCloud.com.example.app.debug are unknown"))
        #expect(said.split(separator: "are unknown").count == 2, "\(said)")
        // Each container has a token of its own.
        #expect(list.split(separator: "\"env:CKSWEEP_API_TOKEN\"").count == 2)
        for suffix in ["_APP_DEBUG", "_BACKUP", "_SHARED"] {
            #expect(list.contains("env:CKSWEEP_API_TOKEN\(suffix)\""), "\(list)")
        }
    }

    @Test(arguments: [
        (["iCloud.com.example.notes"], "backup.ckdb"),
        (["iCloud.com.example.notes", "iCloud.org.example.notes"], "notes.ckdb"),
    ])
    func `a schema that is not shown to be one container's is nobody's`(
        containers: [String], file: String
    ) async throws {
        let world = try TestWorld()
        try world.put(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>com.apple.developer.icloud-container-identifiers</key>
            <array>\(containers.map { "<string>\($0)</string>" }.joined())</array>
            </dict></plist>
            """, at: "Code/App.entitlements")
        try world.put(Self.schema, at: "Code/\(file)")
        #expect(
            await world.run("containers", "init", "--from", "Code", "-o", "a.json") == 0,
            "\(world.errors.text)")
        #expect(try !world.text(at: "a.json").contains(file))
        let said = world.output.text.replacing(#/\n +/#, with: " ")
        #expect(said.split(separator: "are unknown").count == containers.count + 1, "\(said)")
    }

    @Test func `who is at a terminal is asked for the schemas that were not found`() async throws {
        let world = try TestWorld()
        try world.putApp("Code")
        try world.put(Self.schema, at: "a.ckdb")
        try world.put("DEFINE NONSENSE", at: "broken.ckdb")
        // One file at the third attempt, none, later, and the end of input.
        let code = await world.run(
            "containers", "init", "--from", "Code",
            typed: ["nowhere.ckdb", "broken.ckdb", "a.ckdb", "none", ""], isTerminal: true)
        #expect(code == 0)
        #expect(world.errors.text.contains("nowhere.ckdb cannot be read"), "\(world.errors.text)")
        #expect(world.errors.text.contains("broken.ckdb: "))
        let list = try world.text(at: "Containers/com.example.app.json")
        #expect(list.contains("\"schema\": \"../a.ckdb\"") && list.contains("\"recordTypes\": []"))
        let said = world.output.text.replacing(#/\n +/#, with: " ")
        #expect(said.split(separator: "are unknown").count == 3, "\(said)")
    }

    @Test(arguments: [
        (["--schema", "x.ckdb"], "--schema is \"x.ckdb\"; expected a container and a file"),
        (
            ["--schema", "iCloud.com.example.ap=x"],
            "--schema names iCloud.com.example.ap, which the app does not declare; did you mean "
                + "\"iCloud.com.example.app\"?"
        ),
        (["--schema", "iCloud.com.example.app=x"], "/x cannot be read"),
        (
            ["--schema", "iCloud.com.example.app=x", "--schema", "iCloud.com.example.app=y"],
            "--schema is given twice for iCloud.com.example.app"
        ),
    ])
    func `a schema that cannot be used leaves no list behind`(words: [String], says: String)
        async throws
    {
        let world = try TestWorld()
        try world.putApp("Code")
        #expect(await world.run(["containers", "init", "--from", "Code"] + words) == 2)
        #expect(world.errors.text.contains(says), "\(world.errors.text)")
        #expect(!FileManager.default.fileExists(atPath: "\(world.folder)/Containers"))
    }
}
