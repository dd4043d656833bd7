import Foundation
import ToolRunner

/// The `cksweep` that was built beside these tests, run as its users run it.
enum Program {
    static let path: String = {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let beside = tests.appendingPathComponent("cksweep").path
        if FileManager.default.isExecutableFile(atPath: beside) { return beside }
        // Under some runners the first argument is the runner's own.
        return Bundle.main.bundleURL.appendingPathComponent("cksweep").path
    }()

    struct Ended: Sendable {
        let status: Int32
        let wasKilled: Bool
        let output: String
        let errors: String
    }

    /// Runs a command to its end; with `killAfter` seconds, it is killed with SIGKILL then.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], killAfter: Double? = nil
    ) throws -> Ended {
        let variables = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("CLOUDKIT_") }
            .merging(environment) { $1 }
        let ended: Tool.Ended
        if let killAfter {
            ended = try Tool.run(
                "/usr/bin/timeout",
                ["--signal", "KILL", String(format: "%.4f", killAfter), path] + arguments,
                variables: variables, errors: .kept)
        } else {
            ended = try Tool.run(path, arguments, variables: variables, errors: .kept)
        }
        // timeout(1) kills itself like its child.
        return Ended(
            status: ended.status, wasKilled: ended.status == 128 + SIGKILL, output: ended.text,
            errors: ended.errors)
    }
}
