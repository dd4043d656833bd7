import Configuration
import FileSystem
import Foundation

/// A folder of its own for the files of one test.
final class TestFolder: Sendable {
    let path: String
    var files: Files { Files(workingFolder: path) }

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-configuration-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Puts a file into the folder.
    func put(_ text: String, at name: String, mode: Int = 0o644) throws {
        try put(Array(text.utf8), at: name, mode: mode)
    }

    func put(_ bytes: [UInt8], at name: String, mode: Int = 0o644) throws {
        let url = URL(fileURLWithPath: path).appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    /// The text of a file of the app that these tests are about.
    static func app(_ name: String) -> String {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("App/\(name)")
        return (try? String(contentsOf: url, encoding: .utf8)) ?? "\(url.path) is missing"
    }

    /// Puts a folder of that app into this one.
    func putApp(_ name: String) throws {
        try FileManager.default.copyItem(
            at: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("App/\(name)"),
            to: URL(fileURLWithPath: path).appendingPathComponent(name))
    }

    func source(variables: [String: String] = [:]) -> ConfigurationSource {
        ConfigurationSource(files: files, variables: ["HOME": path].merging(variables) { $1 })
    }
}
