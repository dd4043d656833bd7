import Foundation
import RepositoryRoot

extension Repository {
    /// The folder that holds the test program and the modules.
    static let built: URL = {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let modules = tests.appendingPathComponent("Modules").path
        // Under some runners the first argument is the runner's own.
        return FileManager.default.fileExists(atPath: modules) ? tests : Bundle.main.bundleURL
    }()
}
