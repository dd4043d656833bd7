import Foundation

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
        let process = Process()
        if let killAfter {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
            process.arguments =
                ["--signal", "KILL", String(format: "%.4f", killAfter), path] + arguments
        } else {
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
        }
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("CLOUDKIT_") }
            .merging(environment) { $1 }
        let output = Pipe()
        let folder = FileManager.default.temporaryDirectory
        let errors = folder.appendingPathComponent("cksweep-errors-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        defer { try? FileManager.default.removeItem(at: errors) }
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        // timeout(1) kills itself like its child.
        let killed =
            process.terminationReason == .uncaughtSignal || process.terminationStatus == 137
        return Ended(
            status: process.terminationStatus, wasKilled: killed,
            output: String(decoding: text, as: UTF8.self),
            errors: (try? String(contentsOf: errors, encoding: .utf8)) ?? "")
    }
}
