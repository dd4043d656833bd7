import Donations
import Testing

struct ManifestTests {
    static func texts(_ texts: String...) -> ManifestValue { .list(texts.map { .text($0) }) }

    @Test func `a manifest gives bundle, types, intents, containers, team and synonyms`() {
        let manifest = Manifest(
            .dictionary([
                "CFBundleIdentifier": .text("com.example.soup"),
                "NSUserActivityTypes": Self.texts("com.example.soup.view", "com.example.soup.edit"),
                "NSExtension": .dictionary([
                    "NSExtensionAttributes": .dictionary([
                        "IntentsSupported": Self.texts("OrderSoupIntent"),
                        "IntentsRestrictedWhileLocked": Self.texts("OrderSoupIntent"),
                    ])
                ]),
                "NSUbiquitousContainers": .dictionary(["iCloud.com.example.b": .dictionary([:])]),
                "com.apple.developer.icloud-container-identifiers": Self.texts(
                    "iCloud.com.example.b", "iCloud.com.example.a"),
                "application-identifier": .text("ABCDE12345.com.example.soup"),
                "INAlternativeAppNames": .list([
                    .dictionary([
                        "INAlternativeAppName": .text("Soup"),
                        "INAlternativeAppNamePronunciationHint": .text("soop"),
                    ])
                ]),
                "UILaunchStoryboardName": .number(3),
            ]))
        #expect(manifest.findings == [])
        #expect(manifest.bundleIdentifier == "com.example.soup")
        #expect(manifest.activityTypes == ["com.example.soup.view", "com.example.soup.edit"])
        #expect(manifest.intents == ["OrderSoupIntent"])
        #expect(manifest.containers == ["iCloud.com.example.a", "iCloud.com.example.b"])
        #expect(manifest.teamIdentifier == "ABCDE12345")
        #expect(manifest.synonyms == [.init(name: "Soup", pronunciation: "soop")])
        #expect(manifest.declares(activityType: "com.example.soup.edit"))
        #expect(!manifest.declares(activityType: "com.example.soup.share"))
    }

    @Test(arguments: [
        ("NSUserActivityTypes", texts("com.a.b", "com.a.b"), ManifestFinding.Code.repeated),
        ("NSUserActivityTypes", texts("reading"), .notReverseDNS),
        ("NSUserActivityTypes", texts("com..reading"), .notReverseDNS),
        ("NSUserActivityTypes", texts("com.example.re ading"), .notReverseDNS),
        ("NSUserActivityTypes", texts("$(PRODUCT_BUNDLE_IDENTIFIER).view"), .notReverseDNS),
        ("NSUserActivityTypes", texts(""), .emptyName),
        ("NSUserActivityTypes", .text("com.a.b"), .wrongKind),
        ("NSUserActivityTypes", .list([.number(1)]), .wrongKind),
        ("CFBundleIdentifier", .text("soup"), .notReverseDNS),
        ("CFBundleIdentifier", .flag(true), .wrongKind),
        ("INIntentsRestrictedWhileLocked", texts("X"), .restrictedNotSupported),
        ("INIntentsSupported", texts("X", "X"), .repeated),
        ("INAlternativeAppNames", .list([.dictionary([:])]), .emptyName),
        ("INAlternativeAppNames", .other, .wrongKind),
        ("NSUbiquitousContainers", .list([]), .wrongKind),
        (
            "INAlternativeAppNames",
            .list(
                (1...4).map { .dictionary(["INAlternativeAppName": .text("n\($0)")]) }),
            .tooManySynonyms
        ),
    ])
    func `a mistake is found`(key: String, value: ManifestValue, code: ManifestFinding.Code) {
        let findings = Manifest(.dictionary([key: value])).findings
        #expect(findings.map(\.code) == [code])
        #expect(findings.allSatisfy { !$0.message.isEmpty })
    }

    @Test func `what is no dictionary is one finding`() {
        #expect(Manifest(.list([])).findings.map(\.code) == [.wrongKind])
    }

    @Test func `Apple's own types need not be the app's`() {
        let manifest = Manifest(
            .dictionary(["NSUserActivityTypes": Self.texts("NSUserActivityTypeBrowsingWeb")]))
        #expect(manifest.findings == [])
    }
}
