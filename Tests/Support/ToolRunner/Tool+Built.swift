import Foundation

extension Tool {
    /// The path of a program that was built beside these tests.
    package static func built(_ name: String) -> String {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let beside = tests.appendingPathComponent(name).path
        if FileManager.default.isExecutableFile(atPath: beside) { return beside }
        // Under some runners the first argument is the runner's own.
        return Bundle.main.bundleURL.appendingPathComponent(name).path
    }
}
