private import FoundationEssentials

/// The file that this process runs.
package enum OwnProgram {
    /// The folder that it is in; nil where the system does not say.
    package static var folder: String? {
        // Without /proc nobody knows.
        guard
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            let end = path.lastIndex(of: "/")
        else { return nil }
        return String(path[..<end])
    }
}
