import CloudKit
import CloudModel
import Testing

/// An app's own deletion path, compiled for Linux as it stands and run against the mock server.
struct EraserTests {
    static let apps = ["EraserSwift5", "EraserSwift6"]
    private static let containers = [
        "iCloud.com.example.myexampleapp", "iCloud.com.example.myexampleapp.documents",
        "iCloud.com.example.myexampleapp.settings",
    ]

    /// Only the default zone is left, whatever the server makes of its deletion.
    private func expectNothingCustom(_ ended: Program.Ended) {
        for container in Self.containers {
            #expect(
                ended.lines.contains("left: \(container) _defaultZone"), "\(ended.output)")
        }
    }

    @Test(arguments: apps) func `custom zones go though the default zone is refused`(
        app: String
    ) throws {
        let ended = try Program.underMockServer(app, ["--default-zone", "refuse"])
        #expect(ended.status == 0)
        let failures = ended.lines.filter { $0.hasPrefix("erasing failed: 2 ") }
        #expect(failures.count == 3, "\(ended.output)")
        #expect(failures.allSatisfy { $0.contains("_defaultZone") && $0.contains("(12)") })
        expectNothingCustom(ended)
    }

    @Test(arguments: apps, ["purge", "ignore"])
    func `deletion succeeds where the default zone's does`(app: String, mode: String) throws {
        let ended = try Program.underMockServer(app, ["--default-zone", mode])
        #expect(ended.status == 0)
        #expect(ended.lines.filter { $0.hasPrefix("erased:") }.count == 3, "\(ended.output)")
        expectNothingCustom(ended)
    }

    static let errors: [(CloudError.Code, CKError.Code)] = [
        (.accessDenied, .permissionFailure), (.authenticationFailed, .notAuthenticated),
        (.authenticationRequired, .notAuthenticated), (.badRequest, .invalidArguments),
        (.internalError, .internalError), (.quotaExceeded, .quotaExceeded),
        (.throttled, .requestRateLimited), (.tryAgainLater, .serviceUnavailable),
        (.zoneNotFound, .zoneNotFound),
    ]

    @Test(arguments: errors)
    func `an error of the listing reaches the app`(
        code: CloudError.Code, native: CKError.Code
    ) throws {
        let rule = "zones/list 3 times -> \(code.rawValue)"
        let ended = try Program.underMockServer("EraserSwift6", ["--fault", rule])
        let expected = "listing failed: \(native.rawValue)"
        #expect(ended.lines.filter { $0 == expected }.count == 3, "\(ended.output)")
    }

    @Test(arguments: errors)
    func `an error of the deletion reaches the app`(
        code: CloudError.Code, native: CKError.Code
    ) throws {
        let rule = "zones/modify 3 times -> \(code.rawValue)"
        let ended = try Program.underMockServer("EraserSwift5", ["--fault", rule])
        let expected = "erasing failed: \(native.rawValue) "
        #expect(ended.lines.filter { $0.hasPrefix(expected) }.count == 3, "\(ended.output)")
        // Who is told to sign in again sees nothing until then.
        #expect(
            ended.output.contains("left: iCloud.com.example.myexampleapp Ideas")
                == (code != .authenticationRequired))
    }

    /// One connection serves all three containers, so its end may take other answers with it.
    @Test func `a lost answer to a deletion is told as lost`() throws {
        let ended = try Program.underMockServer(
            "EraserSwift6",
            [
                "--fault",
                "zones/modify in container iCloud.com.example.myexampleapp once -> cut after commit",
            ])
        let lost = ended.lines.filter { $0.hasPrefix("erasing failed: 34 ") }
        #expect(
            lost.contains { $0.contains("\"iCloud.com.example.myexampleapp\"") }, "\(ended.output)")
        #expect(ended.lines.contains("left: iCloud.com.example.myexampleapp _defaultZone"))
    }

    @Test func `an app that nothing configures is told what to set`() throws {
        let app = try Program.run(Program.path("EraserSwift6"), [])
        #expect(app.lines.filter { $0 == "listing failed: 9" }.count == 3, "\(app.output)")
    }
}
