import CloudModel
import Configuration
import FileSystem
import Foundation
import Glibc
import RepositoryRoot
import Testing

struct ContainerListReaderTests {
    static let full = TestFolder.app("Containers/app.json")
    static let schema = TestFolder.app("Containers/schemas/docs.ckdb")

    @Test(arguments: [
        (#""sync": {}"#, nil),
        (#""sync": {"interval": "15m", "onEncryptedReset": "keep"}"#, nil),
        (#""sync": {"interval": "0s"}"#, "must be a duration of at least 1s"),
        (#""sync": {"interval": 15}"#, "must be a string, not a number"),
        (#""sync": {"intervall": "15m"}"#, #"did you mean "interval""#),
        (#""sync": {"onEncryptedReset": "kep"}"#, #"did you mean "keep""#),
        (#""sync": []"#, "must be an object"),
    ])
    func `how donations are synced is read strictly`(member: String, complaint: String?) throws {
        let world = try TestFolder()
        let list = Self.full.replacingOccurrences(
            of: #""version": 1,"#, with: #""version": 1, "# + member + ",")
        try world.put(list, at: "Containers/app.json")
        try world.put(Self.schema, at: "Containers/schemas/docs.ckdb")
        do {
            let list = try ContainerListReader.read(
                "Containers/app.json", files: world.files)
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
        let world = try TestFolder()
        let list = Self.full.replacingOccurrences(
            of: #""version": 1,"#, with: #""version": 1, "# + member + ",")
        try world.put(list, at: "Containers/app.json")
        try world.put(Self.schema, at: "Containers/schemas/docs.ckdb")
        do {
            let list = try ContainerListReader.read(
                "Containers/app.json", files: world.files)
            #expect(complaint == nil)
            #expect(list.donations != nil)
        } catch {
            #expect(error.description.contains(complaint ?? "nothing"), "\(error)")
            #expect(error.description.contains("app.json:2:"), "\(error)")
        }
    }

    private func list(_ edit: (String) -> String) throws -> ContainerList {
        let world = try TestFolder()
        try world.put(edit(Self.full), at: "Containers/app.json")
        try world.put(Self.schema, at: "Containers/schemas/docs.ckdb")
        return try ContainerListReader.read("Containers/app.json", files: world.files)
    }

    @Test func `other people's records are given up by word only, for all or for one container`()
        throws
    {
        let plain = try list { $0 }.policy
        let ids = try list { $0 }.containers.map(\.id)
        #expect(!ids.contains { plain.letsOthersGoAlong(in: $0) })
        let all = try list {
            $0.replacing(#""version": 1,"#, with: #""version": 1, "othersByCascade": "allow","#)
        }.policy
        #expect(ids.allSatisfy { all.letsOthersGoAlong(in: $0) })
        let one = try list {
            $0.replacing(#""default": true"#, with: #""othersByCascade": "allow""#)
        }.policy
        #expect(ids.map { one.letsOthersGoAlong(in: $0) } == [true, false, false])
        let but = try list {
            $0.replacing(#""version": 1,"#, with: #""version": 1, "othersByCascade": "allow","#)
                .replacing(#""default": true"#, with: #""othersByCascade": "refuse""#)
        }.policy
        #expect(ids.map { but.letsOthersGoAlong(in: $0) } == [false, true, true])
    }

    @Test func `what the person made in zones of others goes by word only`() throws {
        let ids = try list { $0 }.containers.map(\.id)
        let cases: [(list: String, one: String, deletes: [Bool])] = [
            ("", "", [false, false, false]),
            (#""leaveShared": "delete-mine","#, "", [true, true, true]),
            ("", #""leaveShared": "delete-mine""#, [true, false, false]),
            (
                #""leaveShared": "delete-mine","#, #""leaveShared": "keep-mine""#,
                [false, true, true]
            ),
        ]
        for row in cases {
            let policy = try list {
                let text = $0.replacing(#""version": 1,"#, with: #""version": 1, \#(row.list)"#)
                return row.one.isEmpty
                    ? text : text.replacing(#""default": true"#, with: row.one)
            }.policy
            #expect(ids.map { policy.deletesMineInShared(in: $0) } == row.deletes)
        }
        let error = #expect(throws: ConfigurationError.self) {
            try list {
                $0.replacing(
                    #""version": 1,"#, with: #""version": 1, "leaveShared": "delete-min","#)
            }
        }
        #expect(error?.reason.contains("delete-mine") == true, "\(error?.reason ?? "")")
        let key = #expect(throws: ConfigurationError.self) {
            try list {
                $0.replacing(#""version": 1,"#, with: #""version": 1, "leavShared": "keep-mine","#)
            }
        }
        #expect(key?.reason.contains("leaveShared") == true, "\(key?.reason ?? "")")
    }

    @Test func `a container can say that it has custom zones only`() throws {
        let read = try list {
            $0.replacing(#""default": true"#, with: #""customZonesOnly": true"#)
        }
        #expect(read.containers.map(\.customZonesOnly) == [true, false, false])
        #expect(throws: ConfigurationError.self) {
            try list { $0.replacing(#""default": true"#, with: #""customZonesOnly": "yes""#) }
        }
    }

    @Test func `a type that is retired is not in use as well`() throws {
        let read = try list {
            $0.replacing(#""default": true"#, with: #""retiredTypes": ["Old", "Older"]"#)
        }
        #expect(read.containers.map(\.retiredTypes) == [["Old", "Older"], [], []])
        let error = #expect(throws: ConfigurationError.self) {
            try list { $0.replacing(#"["Extra"]"#, with: #"["Extra"], "retiredTypes": ["Doc"]"#) }
        }
        #expect(
            error?.description.hasSuffix(
                "the record type \"Doc\" is both in use and retired") == true)
    }

    @Test(arguments: [
        ("DEFINE SCHEMA\n", "", false),
        ("DEFINE SCHEMA\n RECORD TYPE Users ( roles LIST<INT64> );", "", false),
        ("DEFINE SCHEMA\n", #", "recordTypes": []"#, true),
        ("DEFINE SCHEMA\n RECORD TYPE Doc ( title STRING );", "", true),
    ])
    func `a schema without types is no word about them`(
        schema: String, more: String, isKnown: Bool
    ) throws {
        let world = try TestFolder()
        try world.put(
            """
            { "version": 1, "environment": "development",
              "containers": [ { "identifier": "iCloud.com.example.app", "schema": "a.ckdb"\(more) } ] }
            """, at: "list.json")
        try world.put(schema, at: "a.ckdb")
        let list = try ContainerListReader.read("list.json", files: world.files)
        #expect(list.containers[0].knowsRecordTypes == isKnown)
    }

    @Test func `a pipe is neither a list nor a schema nor a token`() throws {
        let world = try TestFolder()
        #expect(mkfifo("\(world.path)/pipe", 0o600) == 0)
        #expect(throws: ConfigurationError("is not a file", in: "pipe")) {
            try ContainerListReader.read("pipe", files: world.files)
        }
        let text = """
            { "version": 1, "environment": "development",
              "containers": [ { "identifier": "iCloud.com.example.app"SCHEMA } ],
              "credentials": { "apiToken": "file:pipe" } }
            """
        try world.put(
            text.replacing("SCHEMA", with: #", "schema": "pipe""#), at: "schema.json")
        let schema = #expect(throws: ConfigurationError.self) {
            try ContainerListReader.read("schema.json", files: world.files)
        }
        #expect(schema?.reason.contains("pipe is not a file") == true)
        try world.put(text.replacing("SCHEMA", with: ""), at: "token.json")
        let list = try ContainerListReader.read("token.json", files: world.files)
        let choice = try ServerChoice.choose(for: list, in: world.source())
        let token = #expect(throws: ConfigurationError.self) {
            try SecretReader(list, in: world.source()).secrets(for: list.containers[0], at: choice)
        }
        #expect(token?.reason.contains("pipe is not a file") == true)
        let pipe = world.source(variables: [
            "CLOUDKIT_EMULATOR_URL": "https://localhost:1", "CLOUDKIT_EMULATOR_CA": "pipe",
        ])
        #expect(
            throws: ConfigurationError(
                "the file pipe does not exist", in: "CLOUDKIT_EMULATOR_CA")
        ) {
            try ServerChoice.choose(for: list, in: pipe)
        }
    }

    @Test func `donations without an application belong to nobody`() throws {
        let world = try TestFolder()
        let list = Self.full.replacingOccurrences(
            of: #""application": "com.example.app","#, with: #""donations": {"store": "d"},"#)
        try world.put(list, at: "Containers/app.json")
        try world.put(Self.schema, at: "Containers/schemas/docs.ckdb")
        #expect {
            try ContainerListReader.read("Containers/app.json", files: world.files)
        } throws: {
            "\($0)".contains("the bundle identifier of the app")
        }
    }

    @Test func `a list is read whole`() throws {
        let world = try TestFolder()
        try world.put(Self.full, at: "Containers/app.json")
        try world.put(Self.schema, at: "Containers/schemas/docs.ckdb")
        let files = world.files
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
        #expect(list.caps.zones == 1000 && list.caps.records == 1_000_000)
        #expect(list.caps.percent == nil && list.caps.places[.percent] == nil)
        #expect(list.caps.places[.zones]?.hasPrefix("Containers/app.json:") == true)
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
            ":3:3: the key \"version\" is repeated in the container list"),
        Slip(
            "\"version\": 1", "\"version\": 2",
            ":2:14: \"version\" must be 1, the only supported version"),
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
            ":5:22: \"url\" must not contain a user or password"),
        Slip("env:CKSWEEP_CA", "env:9X", ":5:55: \"ca\" names no variable after \"env:\""),
        Slip(
            "\"ca\"", "\"cert\"",
            ":5:49: unknown key \"cert\" in \"server\"; valid keys: url, ca"),
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
            ":8:58: cannot use the schema: Containers/schemas/dosc.ckdb cannot be read: No "
                + "such file or directory"),
        Slip(
            "[\"Extra\"]", "\"Extra\"",
            ":9:22: \"recordTypes\" must be an array, not a string"),
        Slip(
            "[\"Settings\", \"Receipts\"]", "[\"Settings\", \"_x\"]",
            ":10:69: \"_x\" is not a valid zone name: at most 255 UTF-16 units, no control "
                + "characters, not beginning with \"_\""),
        Slip(
            "[\"Settings\", \"Receipts\"]", "[\"Receipts\", \"Receipts\"]",
            ":10:69: \"Receipts\" is repeated in \"zones\""),
        Slip(
            "\"default\": true", "\"default\": \"yes\"",
            ":7:58: \"default\" must be true or false, not a string"),
        Slip(
            "[\"public\", \"private\"]", "[\"public\"]",
            ":13:16: \"databases\" must include \"private\", where a user's data is"),
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
            ":15:27: unknown key \"why\" in a protect rule; valid keys: container, zone, "
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
            ":20:32: \"apiToken\" must be env:NAME, file:PATH or login; secrets are not allowed in "
                + "this file"),
        Slip(
            "\"apiToken\": \"env:API\", ", "",
            ":20:18: \"credentials\" needs an \"apiToken\", or a \"keyID\" with its "
                + "\"privateKey\""),
        Slip(
            ", \"privateKey\": \"file:/k.pem\"", "",
            ":11:22: \"keyID\" needs \"privateKey\", and the reverse"),
    ]

    @Test(arguments: slips)
    func `a slip is named with its place`(slip: Slip) throws {
        let world = try TestFolder()
        let first = try #require(Self.full.range(of: slip.old))
        let text = Self.full.replacingCharacters(in: first, with: slip.new)
        try world.put(text, at: "Containers/app.json")
        try world.put(Self.schema, at: "Containers/schemas/docs.ckdb")
        let error = #expect(throws: ConfigurationError.self) {
            try ContainerListReader.read(
                "Containers/app.json", files: world.files)
        }
        #expect(error?.description == "Containers/app.json" + slip.message)
    }

    @Test func `whoever leaves a database out has to say so`() throws {
        let world = try TestFolder()
        let text = """
            { "version": 1, "environment": "development",
              "containers": [ { "identifier": "iCloud.com.example.app" } ] }
            """
        try world.put(text, at: "list.json")
        let list = try ContainerListReader.read("list.json", files: world.files)
        #expect(list.databases == Database.Scope.allCases)
    }

    @Test func `the example that comes with the package is good`() throws {
        let files = Files(workingFolder: Repository.root.path)
        let list = try ContainerListReader.read("Containers/example.json", files: files)
        #expect(list.containers.count == 3)
        #expect(list.containers.allSatisfy { !$0.recordTypes.isEmpty })
        #expect(list.databases == Database.Scope.allCases)
    }
}
