import DonationStore
import Foundation
import Testing
import UserActivity

/// The activity types that an app declares (F9).
struct ManifestTests {
    static let propertyList = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>com.example.app</string>
        <key>NSUserActivityTypes</key>
        <array><string>com.example.app.second</string><string>com.example.app.reading</string></array>
        </dict></plist>
        """
    static let json = """
        {"CFBundleIdentifier": "com.example.app", "NSUserActivityTypes":
        ["com.example.app.second", "com.example.app.reading"]}
        """

    @Test(arguments: [propertyList, json])
    func `F9 declared types are taken over and others refused`(text: String) async throws {
        let app = try TestApp {
            $0.bundleIdentifier = ""
            #expect((try? $0.declare(propertyList: Data(text.utf8))) == [])
            #expect($0.bundleIdentifier == "com.example.app")
        }
        try await app.run { () async throws in
            makeActivity("declared").becomeCurrent()
            let other = NSUserActivity(activityType: "com.example.app.third")
            other.isEligibleForSearch = true
            other.becomeCurrent()
            #expect(try await app.problems().contains(.undeclaredType))
            #expect(try await app.titles() == ["declared"])
        }
    }

    @Test func `F9 an activity without a type gets the first one`() async throws {
        let app = try TestApp { _ = try? $0.declare(propertyList: Data(Self.json.utf8)) }
        try await app.run { () async throws in
            #expect(typeOfUntyped() == "com.example.app.second")
        }
        let undeclared = try TestApp()
        try await undeclared.run { () async throws in
            #expect(typeOfUntyped() == "")
        }
    }

    private func typeOfUntyped() -> String { (Untyped.self as any Making.Type).type }

    private protocol Making {
        static var type: String { get }
    }

    private enum Untyped: Making {
        @available(*, deprecated, message: "makes an activity without a type, as old code does")
        static var type: String { NSUserActivity().activityType }
    }

    @Test func `F9 what is wrong in the list is told`() throws {
        var configuration = DonationConfiguration(bundleIdentifier: "a", directory: "") { Date() }
        let findings = try configuration.declare(
            propertyList: Data(#"{"NSUserActivityTypes": ["com.a.b", "com.a.b", "flat"]}"#.utf8))
        #expect(findings.count == 2)
        #expect(throws: DonationError(.invalid, "neither a property list nor JSON")) {
            try configuration.declare(propertyList: Data("<plist".utf8))
        }
    }
}
