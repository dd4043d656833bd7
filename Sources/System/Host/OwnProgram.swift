private import FoundationEssentials
private import Glibc

/// The file that this process runs, and the programs that were installed with it.
package enum OwnProgram {
    /// Its path; nil where the system does not say.
    package static var path: String? {
        // It is read from /proc, which may not be mounted.
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }

    /// The folder that it is in; nil where the system does not say.
    package static var folder: String? {
        guard let path, let end = path.lastIndex(of: "/") else { return nil }
        return String(path[..<end])
    }

    /// The path of another program: in the folder of this one, or else on PATH. nil: it is not installed.
    ///
    /// - Parameters:
    ///   - folder: The folder of this program.
    ///   - path: The value of `PATH`.
    package static func companion(
        _ name: String, in folder: String? = OwnProgram.folder, path: String?
    ) -> String? {
        let listed = (path ?? "").split(separator: ":").map(String.init)
        // A relative folder would be another one in each working folder, so it is ignored.
        let folders = (folder.map { [$0] } ?? []) + listed.filter { $0.hasPrefix("/") }
        return folders.map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
    }
}
