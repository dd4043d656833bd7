import Foundation
import ToolRunner

/// The `cksweep` that was built beside these tests, run as its users run it.
enum Program {
    static let path = Tool.built("cksweep")

    struct Ended: Sendable {
        let status: Int32
        let wasKilled: Bool
        let output: String
        let errors: String
    }

    /// Runs a command to its end; with `killAfter` seconds, it is killed with SIGKILL then.
    ///
    /// - Parameter disk: The words that start it on a disk that fails.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], killAfter: Double? = nil,
        in housing: Housing = .plain, on disk: [String] = []
    ) throws -> Ended {
        var words = housing.words + disk + [path] + arguments
        if let killAfter {
            words =
                ["/usr/bin/timeout", "--signal", "KILL", String(format: "%.4f", killAfter)] + words
        }
        let ended = try Tool.run(
            words[0], Array(words.dropFirst()), variables: variables(environment), errors: .kept)
        // timeout(1) kills itself like its child.
        return Ended(
            status: ended.status, wasKilled: ended.status == 128 + SIGKILL, output: ended.text,
            errors: ended.errors)
    }

    /// Starts a command and hands back what it prints, line by line.
    ///
    /// - Parameter silenceMax: How long it may print nothing while somebody waits for that, in seconds.
    static func start(
        _ arguments: [String], environment: [String: String], in housing: Housing,
        silenceMax: Int32? = nil
    ) throws -> Started {
        let words = housing.words + [path] + arguments
        let output = ChildOutput(secondsMax: silenceMax)
        let process = try ChildProcess(
            words[0], Array(words.dropFirst()), variables: variables(environment),
            streams: [-1, output.stream, -1])
        try output.started()
        return Started(process: process, output: output)
    }

    /// A command under way.
    struct Started {
        let process: ChildProcess
        fileprivate let output: ChildOutput

        /// Waits until it has printed a line with this in it; nil when it ended without.
        func line(with text: String) throws -> String? {
            try reading {
                while let line = try output.line() {
                    if line.contains(text) { return line }
                }
                return nil
            }
        }

        /// Kills it, and waits until nothing is left of it.
        func kill() throws { try process.killWhole() }

        /// Waits for its end, and that of its output.
        func wait() throws -> Int32 {
            _ = try reading { try output.rest() }
            return process.wait()
        }

        /// Leaves nothing behind that nobody waits for any more.
        private func reading<Value>(_ body: () throws -> Value) throws -> Value {
            do {
                return try body()
            } catch {
                try process.killWhole()
                throw error
            }
        }
    }

    private static func variables(_ environment: [String: String]) -> [String: String] {
        ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("CLOUDKIT_") }
            .merging(environment) { $1 }
    }
}
