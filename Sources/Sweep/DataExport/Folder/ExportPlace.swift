import FileSystem

/// Decides whether a folder may be written into.
struct ExportPlace {
    /// Absolute.
    private let path: String
    private let files: Files

    init(_ path: String, in files: Files) {
        self.path = path
        self.files = files
    }

    /// Makes the folder where it is missing.
    ///
    /// - Throws: when it holds something else than an export under way, or others can look into it.
    func prepare() throws(ExportError) {
        guard !files.isLink(path) else {
            throw ExportError(.notAnExport, "\(path) is a symbolic link")
        }
        guard let facts = files.facts(path) else {
            return try exporting { () throws(FileError) in try files.makeFolder(path) }
        }
        guard facts.isFolder else { throw ExportError(.notAnExport, "\(path) is not a folder") }
        guard facts.isOurs, facts.mode & 0o077 == 0 else {
            throw ExportError(
                .notPrivate,
                "other users can read or change \(path): run \"chmod 700\" on it")
        }
        try check()
    }

    private func check() throws(ExportError) {
        let names = try exporting { () throws(FileError) in try files.names(in: path) }
        if names.contains(ExportPath.manifest) {
            throw ExportError(
                .otherExport, "\(path) contains a finished export: name another folder")
        }
        let isOurs = names.contains(ExportPath.lock) && names.allSatisfy(Self.isOurs)
        guard names.isEmpty || isOurs else {
            throw ExportError(.notAnExport, "\(path) contains something other than an export")
        }
    }

    /// Whether an export under way has such a thing: drafts bear the name of what they become.
    private static func isOurs(_ name: String) -> Bool {
        ExportPath.all.contains(name)
            || ExportPath.all.contains { name.hasPrefix($0 + ".") && name.hasSuffix(".part") }
    }

    /// Keeps others from writing into the folder for as long as the lock lives.
    func lock() throws(ExportError) -> LockFile {
        let lock = try locked()
        // Another process may have finished it meanwhile.
        try check()
        return lock
    }

    private func locked() throws(ExportError) -> LockFile {
        do throws(FileError) {
            let lock = try LockFile("\(path)/\(ExportPath.lock)")
            switch try lock.lock(0) {
            case .taken: return lock
            case .held: break
            case .unsupported:
                throw FileError(path, "is on a file system without locks")
            }
        } catch {
            throw ExportError(error)
        }
        throw ExportError(.locked, "another process is writing an export into \(path)")
    }
}
