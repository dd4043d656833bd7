import CloudModel
import Commands
import DeletionPlanning
import FileSystem
import Foundation
import Testing

struct ContainerListReaderTests {
    static let full = """
        {
          "version": 1,
          "application": "com.example.app",
          "environment": "development",
          "server": { "url": "https://localhost:8443/", "ca": "env:CKSWEEP_CA" },
          "containers": [
            { "identifier": "iCloud.com.example.app", "default": true },
            { "identifier": "iCloud.com.example.docs", "schema": "schemas/docs.ckdb",
              "recordTypes": ["Extra"] },
            { "identifier": "iCloud.com.example.set", "zones": ["Settings", "Receipts"],
              "credentials": { "keyID": "env:KEY", "privateKey": "file:/k.pem" } }
          ],
          "databases": ["public", "private"],
          "protect": [
            { "zone": "Receipts", "reason": "tax law" },
            { "container": "iCloud.com.example.app", "recordType": "Invoice", "reason": "law" }
          ],
          "notInScope": [ { "identifier": "iCloud.com.example.old", "reason": "shut down" } ],
          "caps": { "zones": 1000, "records": 1000000 },
          "credentials": { "apiToken": "env:API", "webAuthToken": "login" }
        }
        """
    static let schema = """
        DEFINE SCHEMA
            RECORD TYPE Users ( roles LIST<INT64> );
            RECORD TYPE Doc ( title STRING );
        """

    @Test(arguments: [
        (#""sync": {}"#, nil),
        (#""sync": {"interval": "15m", "onEncryptedReset": "keep"}"#, nil),
        (#""sync": {"interval": "0s"}"#, "must be a time of at least 1s"),
        (#""sync": {"interval": 15}"#, "must be a string, not a number"),
        (#""sync": {"intervall": "15m"}"#, #"did you mean "interval""#),
        (#""sync": {"onEncryptedReset": "kep"}"#, #"did you mean "keep""#),
        (#""sync": []"#, "must be an object"),
    ])
    func `how donations are synced is read strictly`(member: String, complaint: String?) throws {
        let world = try TestWorld()
        let list = Self.full.replacingOccurrences(
            of: #""version": 1,"#, with: #""version": 1, "# + member + ",")
        try world.put(list, at: "Containers/app.json")
        try world.put(Self.schema, at: "Containers/schemas/docs.ckdb")
        do {
            let list = try ContainerListReader.read(
                "Containers/app.json", files: world.environment().files)
            #expect(complaint == nil)
            let isSet = member.contains("15m")
            #expect(list.sync.interval == (isSet ? .seconds(900) : nil))
            #expect(list.sync.keepsDonationsOnReset == isSet)
        } catch {
            #expect(error.description.contains(complaint ?? "nothing"), "\(error)")
            #expect(error.description.contains("app.json:2:"), "\(error)")
        }
    }

    @Test(arguments: [
        (#""donations": {"store": "d"}"#, nil),
        (#""donations": {"store": "env:D"}"#, nil),
        (#""donations": {}"#, #"needs the key "store""#),
        (#""donations": {"stor": "d"}"#, #"did you mean "store""#),
        (#""donations": "d""#, "must be an object"),
    ])
    func `the donation store of a list is read strictly`(
        member: String, complaint: String?
    ) throws {
        let world = try TestWorld()
        let list = Self.full.replacingOccurrences(
            of: #""version": 1,"#, with: #""version": 1, "# + member + ",")
        try world.put(list, at: "Containers/app.json")
        try world.put(Self.schema, at: "Containers/schemas/docs.ckdb")
        do {
            let list = try ContainerListReader.read(
                "Containers/app.json", files: world.environment().files)
            #expect(complaint == nil)
            #expect(list.donations != nil)
        } catch {
            #expect(error.description.contains(complaint ?? "nothing"), "\(error)")
            #expect(error.description.contains("app.json:2:"), "\(error)")
        }
    }

    @Test func `donations without an application belong to nobody`() throws {
        let world = try TestWorld()
        let list = Self.full.replacingOccurrences(
            of: #""application": "com.example.app","#, with: #""donations": {"store": "d"},"#)
        try world.put(list, at: "Containers/app.json")
        try world.put(Self.schema, at: "Containers/schemas/docs.ckdb")
        #expect {
            try ContainerListReader.read("Containers/app.json", files: world.environment().files)
        } throws: {
            "\($0)".contains("whose they are")
        }
    }

    @Test func `a list is read whole`() throws {
        let world = try TestWorld()
        try world.put(Self.full, at: "Containers/app.json")
        try world.put(Self.schema, at: "Containers/schemas/docs.ckdb")
        let files = world.environment().files
        let path = try ContainerListLocator.find(nil, files: files)
        #expect(path == "Containers/app.json")
        let list = try ContainerListReader.read(path, files: files)
        #expect(list.application == "com.example.app")
        #expect(list.environment == .development)
        #expect(
            list.containers.map(\.id.rawValue) == [
                "iCloud.com.example.app", "iCloud.com.example.docs", "iCloud.com.example.set",
            ])
        #expect(list.containers.map(\.isDefault) == [true, false, false])
        #expect(list.containers[1].recordTypes == ["Extra", "Doc"])
        #expect(list.containers[2].zones == ["Settings", "Receipts"])
        #expect(list.databases == [.private, .public])
        #expect(list.protect.map(\.zone) == ["Receipts", nil])
        #expect(list.protect[1].recordType == "Invoice")
        #expect(list.caps == Policy.Caps(zones: 1000, records: 1_000_000))
        #expect(list.notInScope.map(\.reason) == ["shut down"])
        #expect(list.credentials(for: list.containers[0])?.webAuthToken?.source == .login)
        #expect(list.credentials(for: list.containers[2])?.keyID?.source == .variable("KEY"))
    }

    /// One slip: what is put in place of what, and the whole message.
    struct Slip: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String
        let message: String
        init(_ old: String, _ new: String, _ message: String) {
            self.old = old
            self.new = new
            self.message = message
        }
        var testDescription: String { message }
    }

    static let slips = [
        Slip(
            "\"environment\"", "\"enviroment\"",
            ":4:3: unknown key \"enviroment\" in the container list; did you mean "
                + "\"environment\"?"),
        Slip(
            "\"application\"", "\"version\"",
            ":3:3: the key \"version\" stands twice in the container list"),
        Slip(
            "\"version\": 1", "\"version\": 2",
            ":2:14: \"version\" must be 1: this is the only one there is"),
        Slip(
            "\"version\": 1,", "",
            ":1:1: the container list needs the key \"version\""),
        Slip(
            "\"development\"", "\"prodution\"",
            ":4:18: \"environment\" must be \"development\" or \"production\", not "
                + "\"prodution\"; did you mean \"production\"?"),
        Slip(
            "\"development\"", "true",
            ":4:18: \"environment\" must be a string, not true or false"),
        Slip("\"development\",", "\"development\"", ":5:3: expected \",\" or \"}\""),
        Slip(
            "https://localhost:8443/", "http://localhost:8443/",
            ":5:22: \"url\" must begin with \"https://\""),
        Slip(
            "https://localhost", "https://me:pw@localhost",
            ":5:22: \"url\" must not hold a user or password"),
        Slip("env:CKSWEEP_CA", "env:9X", ":5:55: \"ca\" names no variable after \"env:\""),
        Slip(
            "\"ca\"", "\"cert\"",
            ":5:49: unknown key \"cert\" in \"server\"; known are: url, ca"),
        Slip(
            "\"iCloud.com.example.app\", \"default\"", "\"com.example.app\", \"default\"",
            ":7:21: the identifier \"com.example.app\" must begin with \"iCloud.\""),
        Slip(
            "\"iCloud.com.example.docs\"", "\"icloud.com.example.docs\"",
            ":8:21: the identifier \"icloud.com.example.docs\" must begin with \"iCloud.\"; did "
                + "you mean \"iCloud.com.example.docs\"?"),
        Slip(
            "iCloud.com.example.docs", "iCloud.com..docs",
            ":8:21: the identifier \"iCloud.com..docs\" has an empty part between its dots"),
        Slip(
            "iCloud.com.example.docs", "iCloud.com.example.app",
            ":8:21: the container \"iCloud.com.example.app\" is listed twice"),
        Slip(
            "schemas/docs.ckdb", "schemas/dosc.ckdb",
            ":8:58: the schema cannot be used: Containers/schemas/dosc.ckdb cannot be read: No "
                + "such file or directory"),
        Slip(
            "[\"Extra\"]", "\"Extra\"",
            ":9:22: \"recordTypes\" must be an array, not a string"),
        Slip(
            "[\"Settings\", \"Receipts\"]", "[\"Settings\", \"_x\"]",
            ":10:69: \"_x\" cannot be a zone's name: at most 255 ASCII characters, not beginning "
                + "with \"_\""),
        Slip(
            "[\"Settings\", \"Receipts\"]", "[\"Receipts\", \"Receipts\"]",
            ":10:69: \"Receipts\" stands twice in \"zones\""),
        Slip(
            "\"default\": true", "\"default\": \"yes\"",
            ":7:58: \"default\" must be true or false, not a string"),
        Slip(
            "[\"public\", \"private\"]", "[\"public\"]",
            ":13:16: \"databases\" must name \"private\": that is where a person's data is"),
        Slip(
            "[\"public\", \"private\"]", "[\"privat\"]",
            ":13:17: \"databases\" must be \"private\" or \"shared\" or \"public\", not "
                + "\"privat\"; did you mean \"private\"?"),
        Slip(
            "{ \"zone\": \"Receipts\"", "{ \"zone\": \"Reciepts\"",
            ":15:15: the protect rule matches no zone \"Reciepts\"; did you mean \"Receipts\"?"),
        Slip(
            "{ \"zone\": \"Receipts\", \"reason\": \"tax law\" }", "{ \"reason\": \"tax law\" }",
            ":15:5: a protect rule needs a \"zone\", a \"recordType\" or a \"container\"; this one "
                + "would keep everything"),
        Slip(
            "\"reason\": \"tax law\"", "\"why\": \"tax law\"",
            ":15:27: unknown key \"why\" in a protect rule; known are: container, zone, "
                + "recordType, reason"),
        Slip(
            "\"container\": \"iCloud.com.example.app\"",
            "\"container\": \"iCloud.com.example.apq\"",
            ":16:20: no container \"iCloud.com.example.apq\" is listed; did you mean "
                + "\"iCloud.com.example.app\"?"),
        Slip(
            "iCloud.com.example.old", "iCloud.com.example.app",
            ":18:35: the container \"iCloud.com.example.app\" is both listed and not in scope"),
        Slip(
            "\"zones\": 1000", "\"zones\": -1",
            ":19:22: \"zones\" must be a whole number from 0 to 1000000000"),
        Slip(
            "env:API", "abcdef0123456789",
            ":20:32: \"apiToken\" must be env:NAME, file:PATH or login; a secret must not stand in "
                + "this file"),
        Slip(
            "\"apiToken\": \"env:API\", ", "",
            ":20:18: \"credentials\" needs an \"apiToken\", or a \"keyID\" with its "
                + "\"privateKey\""),
        Slip(
            ", \"privateKey\": \"file:/k.pem\"", "",
            ":11:22: \"keyID\" and \"privateKey\" belong together"),
    ]

    @Test(arguments: slips)
    func `a slip is named with its place`(slip: Slip) throws {
        let world = try TestWorld()
        let first = try #require(Self.full.range(of: slip.old))
        let text = Self.full.replacingCharacters(in: first, with: slip.new)
        try world.put(text, at: "Containers/app.json")
        try world.put(Self.schema, at: "Containers/schemas/docs.ckdb")
        let error = #expect(throws: ConfigurationError.self) {
            try ContainerListReader.read(
                "Containers/app.json", files: world.environment().files)
        }
        #expect(error?.description == "Containers/app.json" + slip.message)
    }

    @Test func `a secret that stands in the file is not repeated`() async throws {
        let world = try TestWorld()
        let secret = "0123456789abcdef0123456789abcdef"
        let text = Self.full.replacingOccurrences(of: "env:API", with: secret)
        try world.put(text, at: "Containers/app.json")
        try world.put(Self.schema, at: "Containers/schemas/docs.ckdb")
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
        try world.put(Self.full, at: "Containers/app.json")
        try world.put(Self.schema, at: "Containers/schemas/docs.ckdb")
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

    @Test func `whoever leaves a database out has to say so`() throws {
        let world = try TestWorld()
        let text = """
            { "version": 1, "environment": "development",
              "containers": [ { "identifier": "iCloud.com.example.app" } ] }
            """
        try world.put(text, at: "list.json")
        let list = try ContainerListReader.read("list.json", files: world.environment().files)
        #expect(list.databases == Database.Scope.allCases)
    }

    @Test func `the example that comes with the package is good`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let files = Files(workingFolder: root.path)
        let list = try ContainerListReader.read("Containers/example.json", files: files)
        #expect(list.containers.count == 3)
        #expect(list.containers.allSatisfy { !$0.recordTypes.isEmpty })
        #expect(list.databases == Database.Scope.allCases)
    }
}
