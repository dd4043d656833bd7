public import Foundation

/// The checkout from which the tests were built.
public enum Repository {
    /// The folder of the package description, found upwards from this file wherever it lies.
    public static let root: URL = {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        while !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
        {
            precondition(folder.path != "/", "no Package.swift above \(#filePath)")
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    /// A file or folder, by its path from the root.
    public static func url(_ path: String) -> URL { root.appending(path: path) }

    /// The text of a file, by its path from the root.
    public static func text(_ path: String) throws -> String {
        try String(contentsOf: url(path), encoding: .utf8)
    }
}
