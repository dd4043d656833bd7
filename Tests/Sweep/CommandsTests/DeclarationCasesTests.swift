import CommandWorld
import Commands
import Foundation
import RepositoryRoot
import Testing

/// `containers check` over apps that have the shape of real projects; see the README of `Tests/Sweep/Cases`.
@Suite(.timeLimit(.minutes(30)))
struct DeclarationCasesTests {
    /// One command in the folder of a case, and its result.
    struct Case: Sendable, CustomTestStringConvertible {
        let folder: String
        var from: String = "app"
        let code: Int32
        /// What must be printed, without regard to line breaks.
        let prints: [String]
        /// What must not be printed.
        var not: [String] = []
        var testDescription: String { "\(folder) --from \(from)" }
    }

    static let cases: [Case] =
        [
            Case(
                folder: "C01", code: 2,
                prints: [
                    "listed iCloud.org.example.shelf app/desktop/Entitlements.plist",
                    "NOT LISTED iCloud.org.example.shelf.backup "
                        + "app/signing/Shelf.release.entitlements.plist",
                    "NOT OK: 3 files read", ", 0 unreadable",
                ], not: ["error:", "TeamIdentifierPrefix"]),
            Case(
                folder: "C02", code: 0,
                prints: [
                    "listed iCloud.org.example.Radio app/Phone/Radio.entitlements, Radio (Release)",
                    ", 0 unreadable",
                ], not: ["error:", "NOT"]),
            Case(
                folder: "C03", from: "products", code: 2,
                prints: [
                    "listed iCloud.org.example.east products/east/East.entitlements, East (Release)",
                    "NOT LISTED iCloud.org.example.west products/west/West.entitlements, "
                        + "West (Release)",
                ], not: ["error:"]),
            Case(
                folder: "C05", code: 0,
                prints: ["listed iCloud.org.example.drawers app/Setup/Drawers.entitlements"],
                not: ["error:", "NOT"]),
            Case(
                folder: "C06", code: 2,
                prints: [
                    "error: app/1-truth-value.entitlements:4: "
                        + "com.apple.developer.icloud-container-identifiers is not a list",
                    "error: app/2-bundle-identifier.entitlements:5: container \"org.example.chess\" "
                        + "must begin with \"iCloud.\"; did you mean \"iCloud.org.example.chess\"?",
                    "error: app/3-small-letters.entitlements:5: container "
                        + "\"icloud.org.example.chess\" must begin with \"iCloud.\"; did you mean "
                        + "\"iCloud.org.example.chess\"?",
                    "NOT LISTED iCloud.org.example.letters app/4-team.entitlements",
                    "error: app/5-dictionary.entitlements:4: "
                        + "com.apple.developer.icloud-container-identifiers is not a list",
                    ", 4 unreadable",
                ]),
            Case(
                folder: "C09", from: "generated", code: 2,
                prints: ["NOT LISTED iCloud.org.example.rower generated/project.yml:9"],
                not: ["error:"]),
            Case(
                folder: "C09", from: "native", code: 2,
                prints: [
                    "NOT LISTED iCloud.org.example.log native/app.json:6",
                    "NOT LISTED iCloud.org.example.log.shared native/app.json:8",
                ], not: ["error:"]),
        ]
        + ["app", "app/", "app//", "app/../app", "./app/."].map {
            Case(
                folder: "C10", from: $0, code: 0,
                prints: [
                    "listed iCloud.org.example.slip", "/Slip/Slip.entitlements, Slip (Release)",
                ], not: ["error:", "NOT"])
        }

    @Test(arguments: cases)
    func `an app is judged by all that it declares`(each: Case) async throws {
        let world = try TestWorld()
        let source = "\(Self.folder)/\(each.folder)"
        for name in try FileManager.default.contentsOfDirectory(atPath: source) {
            try FileManager.default.copyItem(
                atPath: "\(source)/\(name)", toPath: "\(world.folder)/\(name)")
        }
        let code = await world.run(
            "containers", "check", "-c", "containers.json", "--from", each.from)
        let printed = unbroken(world.output.text + world.errors.text)
        #expect(code == each.code, "\(printed)")
        for text in each.prints { #expect(printed.contains(text), "\(text) in \(printed)") }
        for text in each.not { #expect(!printed.contains(text), "\(text) in \(printed)") }
    }

    private static let folder = Repository.url("Tests/Sweep/Cases").path
}
