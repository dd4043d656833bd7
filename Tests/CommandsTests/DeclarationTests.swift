import Commands
import Foundation
import Testing

struct DeclarationTests {
    static let entitlements = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN"
          "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
            <key>aps-environment</key>
            <string>development</string>
            <key>com.apple.developer.icloud-container-identifiers</key>
            <array>
                <string>iCloud.$(CFBundleIdentifier)</string>
                <string>iCloud.com.example.shared</string>
            </array>
            <key>com.apple.developer.icloud-services</key>
            <array><string>CloudKit</string></array>
            <key>com.apple.security.app-sandbox</key>
            <true/>
        </dict>
        </plist>
        """

    static let project = """
        // !$*UTF8*$!
        {
            archiveVersion = 1;
            classes = {
            };
            objectVersion = 56;
            objects = {
        /* Begin PBXNativeTarget section */
                A1 /* App */ = {
                    isa = PBXNativeTarget;
                    buildConfigurationList = A2 /* list for "App" */;
                    name = App;
                    productType = "com.apple.product-type.application";
                };
        /* End PBXNativeTarget section */
                P1 /* Project object */ = {
                    isa = PBXProject;
                    buildConfigurationList = P2;
                    targets = (
                        A1 /* App */,
                    );
                };
                A2 = { isa = XCConfigurationList; buildConfigurations = (A3, A4, ); };
                A3 /* Debug */ = {
                    isa = XCBuildConfiguration;
                    baseConfigurationReference = F1 /* Base.xcconfig */;
                    buildSettings = {
                        CODE_SIGN_ENTITLEMENTS = "App/My App.entitlements";
                        PRODUCT_BUNDLE_IDENTIFIER = "$(ORGANISATION).$(TARGET_NAME:lower).debug";
                    };
                    name = Debug;
                };
                A4 /* Release */ = {
                    isa = XCBuildConfiguration;
                    baseConfigurationReference = F1;
                    buildSettings = {
                        CODE_SIGN_ENTITLEMENTS = "App/My App.entitlements";
                        PRODUCT_BUNDLE_IDENTIFIER = "${ORGANISATION}.app";
                        BACKUP_CONTAINER = iCloud.com.example.backup;
                    };
                    name = Release;
                };
                F1 = { isa = PBXFileReference; path = Base.xcconfig; sourceTree = "<group>"; };
                P2 = { isa = XCConfigurationList; buildConfigurations = (P3); };
                P3 = { isa = XCBuildConfiguration; buildSettings = { SDKROOT = iphoneos; }; name = Release; };
            };
            rootObject = P1 /* Project object */;
        }
        """

    private func putApp(_ world: TestWorld) throws {
        try world.put(Self.entitlements, at: "Code/App/My App.entitlements")
        try world.put(Self.project, at: "Code/App.xcodeproj/project.pbxproj")
        try world.put(
            "ORGANISATION = com.example // ours\nX[sdk=*] = 1\n", at: "Code/Base.xcconfig")
    }

    @Test func `containers are found through targets and settings`() throws {
        let world = try TestWorld()
        try putApp(world)
        let scan = try DeclarationScan(["Code"], files: world.environment().files)
        #expect(scan.problems == [])
        #expect(
            scan.containers.map { "\($0.id) \($0.place)" } == [
                "iCloud.com.example.app Code/App/My App.entitlements, App (Release)",
                "iCloud.com.example.app.debug Code/App/My App.entitlements, App (Debug)",
                "iCloud.com.example.backup Code/App.xcodeproj/project.pbxproj",
                "iCloud.com.example.shared Code/App/My App.entitlements",
            ])
        #expect(scan.bundleIdentifiers == ["com.example.app", "com.example.app.debug"])
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
    func `entitlements are read in both forms`(
        form: PropertyListSerialization.PropertyListFormat
    ) throws {
        let world = try TestWorld()
        let key = "com.apple.developer.icloud-container-identifiers"
        let data = try PropertyListSerialization.data(
            fromPropertyList: [
                key: ["iCloud.com.example.one", "*"], "n": 3, "d": Date(timeIntervalSince1970: 0),
                "b": Data([1, 2]), "t": true, "r": 1.5,
            ], format: form, options: 0)
        try world.put(Array(data), at: "App.entitlements")
        let scan = try DeclarationScan(["."], files: world.environment().files)
        #expect(scan.containers.map(\.id.rawValue) == ["iCloud.com.example.one"])
        #expect(scan.problems == [])
    }

    @Test func `Info plists and signed profiles are read`() throws {
        let world = try TestWorld()
        let info = """
            <plist version="1.0"><dict><key>NSUbiquitousContainers</key><dict>
            <key>iCloud.com.example.drive</key><dict/></dict></dict></plist>
            """
        try world.put(info, at: "App/Info.plist")
        let profile = """
            <?xml version="1.0"?><plist version="1.0"><dict><key>Entitlements</key><dict>
            <key>com.apple.developer.icloud-container-identifiers</key>
            <array><string>iCloud.com.example.signed</string><string>iCloud.*</string></array>
            </dict></dict></plist>
            """
        try world.put(
            [0x30, 0x82, 0xFF] + Array(profile.utf8) + [0, 1, 2], at: "App/dev.mobileprovision")
        let scan = try DeclarationScan(["App"], files: world.environment().files)
        #expect(
            scan.containers.map(\.id.rawValue) == [
                "iCloud.com.example.drive", "iCloud.com.example.signed",
            ])
    }

    @Test func `what cannot be resolved or read is a problem, not silence`() throws {
        let world = try TestWorld()
        try world.put(Self.entitlements, at: "Alone.entitlements")
        try world.put("{ broken", at: "Broken.entitlements")
        try world.put("{ a = ; }", at: "X.xcodeproj/project.pbxproj")
        let scan = try DeclarationScan(["."], files: world.environment().files)
        #expect(scan.containers.map(\.id.rawValue) == ["iCloud.com.example.shared"])
        #expect(
            Set(scan.problems) == [
                "Alone.entitlements: \"iCloud.$(CFBundleIdentifier)\" has a variable, and no "
                    + "target names this file",
                "Broken.entitlements is not a property list that can be read",
                "X.xcodeproj/project.pbxproj is not a project file that can be read",
            ])
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
        try putApp(world)
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
        try putApp(world)
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

    @Test(
        arguments: [
            ("{}", "dictionary([:])"),
            ("{ a = b; }", "dictionary([\"a\": text(\"b\")])"),
            ("(a, \"b c\",)", "list([text(\"a\"), text(\"b c\")])"),
            ("/* x */ \"a\\\"\\n\" // y", "text(\"a\\\"\\n\")"),
            ("<0fbd 77>", "other"),
            ("{ p = a/b.c-d; q = \"\"; }", nil),
            ("{ a = b }", "nil"), ("{ a b; }", "nil"), ("(a b)", "nil"), ("{", "nil"),
            ("\"open", "nil"), ("a b", "nil"), ("", "nil"), ("<0f", "nil"), ("/* open", "nil"),
        ] as [(String, String?)])
    func `the old text form is read strictly`(text: String, value: String?) {
        var reader = OpenStepReader(Array(text.utf8))
        let read = reader.readDocument()
        if let value {
            let shown = read.map { "\($0)" } ?? "nil"
            #expect(shown.replacingOccurrences(of: "Commands.PropertyList.", with: "") == value)
        } else {
            #expect(read?["p"]?.text == "a/b.c-d" && read?["q"]?.text == "")
        }
    }

    @Test func `deep nesting is refused without harm`() {
        var reader = OpenStepReader(Array(repeating: UInt8(ascii: "("), count: 100_000))
        #expect(reader.readDocument() == nil)
    }

    @Test(arguments: [
        ("plain", "plain"), ("$(A)", "x y"), ("${A}-$(A)", "x y-x y"), ("$(B)", "[x y]"),
        ("$(CFBundleIdentifier)", "com.example"), ("$(A:rfc1034identifier)", "x-y"),
        ("$(A:c99extidentifier:upper)", "X_Y"), ("$(NONE)", "$(NONE)"), ("$(", "$("), ("$", "$"),
        ("$5", "$5"),
    ])
    func `settings are put in`(text: String, resolved: String) {
        let settings = BuildSettings(
            name: "T",
            ["A": "x y", "B": "[$(A)]", "PRODUCT_BUNDLE_IDENTIFIER": "com.example", "L": "$(L)"])
        #expect(settings.resolve(text) == resolved)
    }

    @Test func `a setting that names itself ends`() {
        let settings = BuildSettings(name: "T", ["L": "$(L)", "M": "$(M)$(M)"])
        #expect(BuildSettings.isUnresolved(settings.resolve("$(L)")))
        #expect(settings.resolve("$(M)").utf8.count < 1 << 20)
    }
}
