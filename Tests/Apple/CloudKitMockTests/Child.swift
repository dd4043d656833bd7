import Foundation
import ToolRunner

/// These tests once more, in a process of their own: those that are to fail, and those that must be alone.
enum Child {
    private static let variable = "CLOUDKIT_MOCK_CHILD"

    /// Whether this process is such a one.
    static let isHere = ProcessInfo.processInfo.environment[variable] != nil

    /// Runs some of the tests.
    ///
    /// - Parameter arguments: Of the test program.
    static func run(
        _ arguments: [String], _ variables: [String: String] = [:]
    ) throws -> Tool.Ended {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var all = ProcessInfo.processInfo.environment
        all[variable] = "yes"
        return try Tool.run(
            program, arguments, variables: all.merging(variables) { $1 }, errors: .joined)
    }

    /// Runs a suite of Swift Testing.
    static func run(suite: String, _ variables: [String: String] = [:]) throws -> Tool.Ended {
        try run(
            ["--testing-library", "swift-testing", "--filter", "CloudKitMockTests.\(suite)"],
            variables)
    }
}
