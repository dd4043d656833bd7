import Foundation
import RepositoryRoot
import ToolRunner

/// Programs that were built beside these tests, run as their users run them.
enum Program {
    static func path(_ name: String) -> String { Tool.built(name) }

    struct Ended: Sendable {
        let status: Int32
        let output: String
        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// Runs an app against a mock server of its own; standard output and errors come together.
    static func underMockServer(_ app: String, _ options: [String]) throws -> Ended {
        let lists = Repository.url("Containers")
        let state = FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-cloudkit-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: state) }
        return try run(
            path("cksweep"),
            [
                "mock", "exec", "--state", state, "--seed",
                lists.appendingPathComponent("fixtures/demo.json").path,
            ] + options + ["--", path(app)],
            ["CLOUDKIT_CONTAINERS": lists.appendingPathComponent("example.json").path])
    }

    static func run(
        _ path: String, _ arguments: [String], _ variables: [String: String] = [:],
        in folder: String = NSTemporaryDirectory()
    ) throws -> Ended {
        let environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("CLOUDKIT_") }
            .merging(variables) { $1 }
        let ended = try Tool.run(
            path, arguments, variables: environment, folder: folder, errors: .joined)
        return Ended(status: ended.status, output: ended.text)
    }
}
