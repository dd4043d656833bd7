import FileSystem

/// The file of one long-lived operation, held by whoever is at work on it, for as long as this lives.
final class KeptFile: Sendable {
    private let path: String
    private let files: Files
    private let lock: LockFile

    /// - Throws: when another process, or another part of this one, holds it.
    init(_ path: String, _ files: Files) throws(FileError) {
        self.path = path
        self.files = files
        lock = try LockFile(path + ".lock")
        switch try lock.lock(0) {
        case .taken: break
        case .held: throw FileError(path, "is in use by another process")
        case .unsupported: throw FileError(path, "cannot be locked on this file system")
        }
    }

    /// Removes the file: the operation has ended.
    func end() {
        files.remove(path)
        files.remove(path + ".lock")
    }
}
