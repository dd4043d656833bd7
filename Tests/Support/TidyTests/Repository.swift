import Foundation
import RepositoryRoot

// The sources of this package, as text.
extension Repository {
    struct File: Sendable {
        let path: String
        let lines: [String]
        /// `Sources/ROOM/MODULE/…`, and of tests alike.
        var module: String { path.split(separator: "/").dropFirst(2).first.map(String.init) ?? "" }
    }

    /// The Swift files below `folder`, in the order of their paths.
    static func swiftFiles(below folder: String) throws -> [File] {
        let base = url(folder)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: base.path)
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            let text = try String(contentsOf: base.appendingPathComponent(path), encoding: .utf8)
            return File(
                path: "\(folder)/\(path)",
                lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(
                    String.init))
        }
    }
}
