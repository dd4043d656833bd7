import FileSystem
import Journal

/// Files that a run wrote outside the state folder, and that name what it is about: the run remembers where they
/// are, so that `forget` can list them.
enum RunFiles: String, CaseIterable {
    case plan = "plan file"
    case export = "export folder"

    /// Remembers where it was written.
    ///
    /// - Parameter path: Absolute.
    func change(_ path: String) -> JournalChange {
        .note(key: rawValue, value: Array(path.utf8))
    }

    /// The paths that a run remembers and where something is now.
    static func remaining(
        of run: Int64, in journal: any Journal, _ files: Files
    ) async throws(JournalError) -> [String] {
        var paths: [String] = []
        for kind in allCases {
            guard let path = try await journal.note(run: run, key: kind.rawValue) else { continue }
            let text = String(decoding: path, as: UTF8.self)
            if files.facts(text) != nil { paths.append(text) }
        }
        return paths
    }
}
