import Configuration
import FileSystem
import Testing

/// The forms in which projects declare containers: each is understood or a problem.
struct DeclarationFormTests {
    private static let key = "com.apple.developer.icloud-container-identifiers"

    /// A project with one target, `App`, in one configuration, `Release`.
    private static func project(settings: String = "", base: String = "") -> String {
        """
        { objects = {
          R = { isa = PBXProject; buildConfigurationList = L; mainGroup = G; };
          L = { isa = XCConfigurationList; buildConfigurations = (C); };
          C = { isa = XCBuildConfiguration; buildSettings = { SUFFIX = shared; }; name = Release; };
          T = { isa = PBXNativeTarget; name = App; buildConfigurationList = M; };
          M = { isa = XCConfigurationList; buildConfigurations = (D); };
          D = { isa = XCBuildConfiguration; \(base)
            buildSettings = { CODE_SIGN_ENTITLEMENTS = App.entitlements; \(settings) };
            name = Release; };
          G = { isa = PBXGroup; children = (H); sourceTree = "<group>"; };
          H = { isa = PBXGroup; children = (F); path = Setup; sourceTree = "<group>"; };
          F = { isa = PBXFileReference; path = App.xcconfig; sourceTree = "<group>"; };
        }; rootObject = R; }
        """
    }

    private static func entitlements(_ text: String) -> String { "{ \"\(key)\" = (\"\(text)\"); }" }

    private static func scan(_ files: [String: String]) throws -> (found: [String], wrong: [String])
    {
        let world = try TestFolder()
        for (name, text) in files { try world.put(text, at: name) }
        let scan = try DeclarationScan(["."], files: world.files)
        return (scan.containers.map { "\($0.id) \($0.place)" }, scan.problems)
    }

    @Test(
        arguments: [
            ("A = x", "x", nil), ("\u{FEFF}A = x\r\nB = y\r\n", "x", nil),
            ("B = y\rA = x", "x", nil),
            ("A = $(B_$(CONFIGURATION))\nB_Release = x", "x", nil),
            ("A = $(N:default=x)", "x", nil),
            ("A[config=Debug] = y\nA[config=Rel*] = x", "x", nil), ("A = x; // note", "x", nil),
            ("#include \"more/one\"", "one", nil), ("#include \"more/one.xcconfig\"", "one", nil),
            ("#include \"more/one.xcconfig\"\nA = x", "x", nil),
            ("#include? \"none.xcconfig\"\nA = x", "x", nil), ("A = $()x", "x", nil),
            ("A = $(inherited)x\nSUFFIX = s", "x", nil),
            (
                "#include \"none.xcconfig\"\nA = x", "x",
                "Setup/App.xcconfig:1: cannot read \"none.xcconfig\": it is missing"
            ),
            (
                "A = x\n#include \"App.xcconfig\"", "x",
                "Setup/App.xcconfig:2: \"App.xcconfig\" includes itself or is nested too deeply"
            ),
            ("A = x\n#include none", "x", "Setup/App.xcconfig:2: #include names no file"),
            (
                "A = x\nA y", "x",
                "Setup/App.xcconfig:2: \"A y\" is neither a setting nor an #include"
            ),
        ] as [(String, String, String?)])
    func `a configuration file is read as Xcode reads it`(
        text: String, value: String, doubt: String?
    ) throws {
        let (found, wrong) = try Self.scan([
            "App.xcodeproj/project.pbxproj": Self.project(base: "baseConfigurationReference = F;"),
            "Setup/App.xcconfig": text, "Setup/more/one.xcconfig": "A = one",
            // Files of the same name that are not meant.
            "App.xcconfig": "A = other", "Else/App.xcconfig": "A = else",
            "App.entitlements": Self.entitlements("iCloud.com.example.$(A)"),
        ])
        #expect(found == ["iCloud.com.example.\(value) App.entitlements, App (Release)"])
        #expect(
            wrong
                == (doubt.map {
                    [
                        "App.entitlements:1: \"iCloud.com.example.$(A)\" may be another container "
                            + "in App (Release): \($0)"
                    ]
                } ?? []))
    }

    @Test(arguments: [
        (["app/One/App.xcconfig"], "one"), (["app/One/App.xcconfig", "Two/App.xcconfig"], "one"),
        (["Two/App.xcconfig"], nil), (["app/One/App.xcconfig", "app/Two/App.xcconfig"], nil),
    ])
    func `a name alone means the only file of the project's own`(
        paths: [String], name: String?
    ) throws {
        let project = Self.project(base: "baseConfigurationReference = F;")
            .replacing("children = (F)", with: "children = ()")
        var files = [
            "app/App.xcodeproj/project.pbxproj": project,
            "app/App.entitlements": Self.entitlements("iCloud.com.example.$(A)"),
        ]
        for path in paths { files[path] = path.contains("One") ? "A = one" : "A = two" }
        let (found, wrong) = try Self.scan(files)
        let place = "app/App.entitlements, App (Release)"
        #expect(found == (name.map { ["iCloud.com.example.\($0) \(place)"] } ?? []))
        let cause =
            paths.count == 1
            ? "cannot read app/App.xcconfig: it is missing"
            : "App.xcconfig is ambiguous; it may be any of \(paths.joined(separator: ", "))"
        let problem =
            "app/App.entitlements:1: \"iCloud.com.example.$(A)\" contains a variable that no build "
            + "setting of App (Release) defines: \(cause)"
        #expect(wrong == (name == nil ? [problem] : []))
    }

    @Test func `each condition of a setting declares a container`() throws {
        let (found, wrong) = try Self.scan([
            "App.xcodeproj/project.pbxproj": Self.project(
                settings: """
                    A = phone; "A[sdk=macosx*]" = desk; "A[sdk=watchos*][arch=arm64]" = wrist;
                    "CODE_SIGN_IDENTITY[sdk=iphoneos*]" = "iPhone Developer";
                    """),
            "App.entitlements": Self.entitlements("iCloud.com.example.$(A)"),
        ])
        #expect(
            found == [
                "iCloud.com.example.desk App.entitlements, App (Release, sdk=macosx*)",
                "iCloud.com.example.phone App.entitlements, App (Release)",
                "iCloud.com.example.wrist App.entitlements, App (Release, sdk=watchos*, arch=arm64)",
            ])
        #expect(wrong == [])
    }

    @Test(arguments: [
        ("A = own;", "App.entitlements", ["own"], []),
        (
            "", "App.entitlements", [],
            [
                "App.entitlements:1: \"iCloud.com.example.$(A)\" contains a variable that no build "
                    + "setting of App (Release) defines: cannot read Setup/App.xcconfig: it is missing"
            ]
        ),
        (
            "A = \"$(SUFFIX)\";", "App.entitlements", ["shared"],
            [
                "App.entitlements:1: \"iCloud.com.example.$(A)\" may be another container in "
                    + "App (Release): cannot read Setup/App.xcconfig: it is missing"
            ]
        ),
        (
            "A = own;", "Other.entitlements", [],
            [
                "App.xcodeproj/project.pbxproj, App (Release): CODE_SIGN_ENTITLEMENTS names "
                    + "App.entitlements, which is missing",
                "Other.entitlements:1: \"iCloud.com.example.$(A)\" contains a variable, and no "
                    + "target uses this file",
            ]
        ),
    ])
    func `a missing file is a problem where it could change a container`(
        settings: String, file: String, names: [String], problems: [String]
    ) throws {
        let (found, wrong) = try Self.scan([
            "App.xcodeproj/project.pbxproj": Self.project(
                settings: settings, base: "baseConfigurationReference = F;"),
            file: Self.entitlements("iCloud.com.example.$(A)"),
        ])
        #expect(
            found == names.map { "iCloud.com.example.\($0) App.entitlements, App (Release)" })
        #expect(wrong == problems)
    }

    @Test(
        arguments: [
            (
                "project.yml", "x:\n  KEY:\n  - iCloud.a.b # note\n  - \"iCloud.a.c\"\ny: 1",
                [3, 4], nil
            ),
            (
                "more/part.yaml", "x:\r\n  'KEY': [ 'iCloud.a.b',\r\n    iCloud.a.c ]\r\n", [2, 3],
                nil
            ),
            ("project.yml", "{ KEY: [iCloud.a.b, iCloud.a.c] }", [1, 1], nil),
            (
                "project.yml", "NSUbiquitousContainers:\n  iCloud.a.b:\n    A: b\n  iCloud.a.c: {}",
                [2, 4], nil
            ),
            ("project.yml", "# KEY: [iCloud.a.b]\nname: App", [], nil),
            ("project.yml", "KEY: *all", [], "project.yml:1: \"KEY\" is not a list"),
            ("project.yml", "a: b\nKEY:\na: c", [], "project.yml:2: \"KEY\" is not a list"),
            ("project.yml", "KEY:\n  a: iCloud.a.b", [], "project.yml:1: \"KEY\" is not a list"),
            (
                "project.yml", "KEY: [iCloud.a.b", [1],
                "project.yml:1: \"KEY\" is an unterminated list"
            ),
            ("project.yml", "- KEY", [], "project.yml:1: \"KEY\" is not at a key"),
            ("project.yml", "KEY: [a.b]", [], "project.yml:1: container \"a.b\" must begin"),
            (
                "project.yml", "KEY: [iCloud.${A}]", [],
                "project.yml:1: \"iCloud.${A}\" contains a variable"
            ),
            ("app.json", "\u{FEFF}{ \"KEY\":\n[\"iCloud.a.b\",\n \"iCloud.a.c\"] }", [2, 3], nil),
            ("app.json", "{ \"KEY\": true }", [], "app.json:1: \"KEY\" is not a list"),
            (
                "app.json", "{ \"KEY\": [\n1] }", [],
                "app.json:2: \"KEY\" has an element that is not"
            ),
            ("app.json", "{\n\"KEY\": [", [], "app.json:2: is not readable JSON"),
            (
                "app.json", "{ \"usesIcloudStorage\": true, \"bundleIdentifier\": \"a.b\" }", [1],
                nil
            ),
            ("app.json", "{ \"usesIcloudStorage\": false }", [], nil),
            (
                "app.json", "{ \"usesIcloudStorage\": true }", [],
                "app.json:1: \"usesIcloudStorage\" is true"
            ),
            (
                "app.config.ts", "usesIcloudStorage: true", [],
                "app.config.ts:1: \"usesIcloudStorage\" is not"
            ),
            ("app.config.js", "'KEY': [\n 'iCloud.a.b',\n \"iCloud.a.c\" ],\nx: y", [2, 3], nil),
            (
                "app.config.js", "'KEY': ['iCloud.a.b', other]", [1],
                "app.config.js:1: \"KEY\" is not"
            ),
            ("app.config.js", "'KEY': ids", [], "app.config.js:1: \"KEY\" is not followed"),
            ("Project.swift", "\"KEY\": .array([.string(\"iCloud.a.b\")])", [1], nil),
            (
                "App.csproj", "<E Include=\"KEY\" Type=\"StringArray\" Value=\"iCloud.a.b\" />",
                [1], nil
            ),
        ] as [(String, String, [Int], String?)])
    func `what a project is generated from declares, or is named`(
        file: String, text: String, lines: [Int], problem: String?
    ) throws {
        let text = text.replacing("KEY", with: Self.key)
        let (found, wrong) = try Self.scan([file: text])
        let ids = ["iCloud.a.b", "iCloud.a.c"]
        #expect(found == zip(ids, lines).map { "\($0) \(file):\($1)" }, "\(found)")
        let wanted = problem.map { [$0.replacing("KEY", with: Self.key)] } ?? []
        #expect(wrong.count == wanted.count, "\(wrong)")
        for (text, start) in zip(wrong, wanted) { #expect(text.hasPrefix(start)) }
    }

    @Test(
        arguments: [
            ("a.plist", "{ KEY = (iCloud.a.b); }", ["iCloud.a.b"], nil),
            (
                "a.plist", "{ E = { KEY = \"$(AppIdentifierPrefix)iCloud.a.b\"; }; }",
                ["iCloud.a.b"], nil
            ),
            ("a.plist", "{ other = (iCloud.a.b); }", [], nil), ("a.plist", "not a list", [], nil),
            ("a.plist", "{ KEY = ", [], "a.plist is not a readable property list"),
            ("a.xcent", "\u{FEFF}{ KEY = (); }", [], nil),
            (
                "a.entitlements", "{ KEY = ((iCloud.a.b)); }", [],
                "a.entitlements:1: KEY is not a list"
            ),
            ("a.entitlements", "{\r\nKEY = <0f>; }", [], "a.entitlements:2: KEY is not a list"),
            ("Info.plist", "{ NSUbiquitousContainers = (iCloud.a.b); }", [], "Info.plist:1: NSUbi"),
            (
                "Info.plist", "{ NSUbiquitousContainers = { a.b = {}; }; }", [],
                "Info.plist:1: container"
            ),
            (
                "a.entitlements", "{ KEY = (ABCDE12345.a.b); }", [],
                "a.entitlements:1: container \"a.b\""
            ),
            ("a.entitlements", "{ KEY = (ABCDE12345.iCloud.a.b); }", ["iCloud.a.b"], nil),
            (
                "a.entitlements", "{ KEY = (\"\"); }", [],
                "a.entitlements:1: container \"\" is empty"
            ),
            (
                "a.mobileprovision", "<?xml?><plist><dict/></plist>", [],
                "a.mobileprovision is a prov"
            ),
        ] as [(String, String, [String], String?)])
    func `a property list declares by what it holds`(
        file: String, text: String, ids: [String], problem: String?
    ) throws {
        let (found, wrong) = try Self.scan([
            file: text.replacing("KEY", with: "\"\(Self.key)\"")
        ])
        #expect(found == ids.map { "\($0) \(file)" })
        let wanted = problem.map { [$0.replacing("KEY", with: Self.key)] } ?? []
        #expect(wrong.count == wanted.count, "\(wrong)")
        for (text, start) in zip(wrong, wanted) { #expect(text.hasPrefix(start), "\(text)") }
    }

    @Test(arguments: ["CODE_SIGN_ENTITLEMENTS", "INFOPLIST_FILE"])
    func `a file that a target names is read wherever it lies`(setting: String) throws {
        let world = try TestFolder()
        try world.put(
            Self.project(
                settings: "CODE_SIGN_ENTITLEMENTS = a.entitlements; \(setting) = ../shared/all;"),
            at: "app/App.xcodeproj/project.pbxproj")
        try world.put("{}", at: "app/a.entitlements")
        try world.put(
            setting == "INFOPLIST_FILE"
                ? "{ NSUbiquitousContainers = { \"iCloud.a.$(TARGET_NAME)\" = {}; }; }"
                : Self.entitlements("iCloud.a.$(TARGET_NAME)"), at: "shared/all")
        let scan = try DeclarationScan(["app"], files: world.files)
        #expect(scan.problems == [])
        #expect(scan.containers.map(\.id.rawValue) == ["iCloud.a.App"])
        #expect(scan.containers.map(\.place) == ["\(world.path)/shared/all, App (Release)"])
    }

    @Test func `text in an encoding in which no key is found is a problem`() throws {
        let world = try TestFolder()
        try world.put([0xFF, 0xFE] + "{ a = b; }".utf8.flatMap { [$0, 0] }, at: "a.plist")
        let scan = try DeclarationScan(["."], files: world.files)
        #expect(scan.problems == ["a.plist is not a readable property list"])
    }
}
