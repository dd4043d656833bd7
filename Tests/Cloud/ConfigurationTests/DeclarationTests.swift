import Configuration
import Foundation
import Testing

struct DeclarationTests {

    @Test func `containers are found through targets and settings`() throws {
        let world = try TestFolder()
        try world.putApp("Code")
        let scan = try DeclarationScan(["Code"], files: world.files)
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
        let world = try TestFolder()
        let key = "com.apple.developer.icloud-container-identifiers"
        let data = try PropertyListSerialization.data(
            fromPropertyList: [
                key: ["iCloud.com.example.one", "*"], "n": 3, "d": Date(timeIntervalSince1970: 0),
                "b": Data([1, 2]), "t": true, "r": 1.5,
            ], format: form, options: 0)
        try world.put(Array(data), at: "App.entitlements")
        let scan = try DeclarationScan(["."], files: world.files)
        #expect(scan.containers.map(\.id.rawValue) == ["iCloud.com.example.one"])
        #expect(scan.problems == [])
    }

    @Test func `Info plists and signed profiles are read`() throws {
        let world = try TestFolder()
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
        let scan = try DeclarationScan(["App"], files: world.files)
        #expect(
            scan.containers.map(\.id.rawValue) == [
                "iCloud.com.example.drive", "iCloud.com.example.signed",
            ])
    }

    @Test func `what cannot be resolved or read is a problem, not silence`() throws {
        let world = try TestFolder()
        try world.put(TestFolder.app("Code/App/My App.entitlements"), at: "Alone.entitlements")
        try world.put("{ broken", at: "Broken.entitlements")
        try world.put("{ a = ; }", at: "X.xcodeproj/project.pbxproj")
        let scan = try DeclarationScan(["."], files: world.files)
        #expect(scan.containers.map(\.id.rawValue) == ["iCloud.com.example.shared"])
        #expect(
            Set(scan.problems) == [
                "Alone.entitlements:10: \"iCloud.$(CFBundleIdentifier)\" contains a variable, and no "
                    + "target uses this file",
                "Broken.entitlements is not a readable property list",
                "X.xcodeproj/project.pbxproj is not a readable project file",
            ])
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
            #expect(
                shown.replacingOccurrences(of: "Configuration.PropertyList.", with: "") == value)
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
