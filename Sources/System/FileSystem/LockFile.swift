private import CShims
private import Glibc

/// A file whose bytes are locked: as many locks as one needs in one file that stays empty.
///
/// Locks belong to the open file (OFD locks), not to the process: two owners in one process shut
/// each other out, too, and they count across PID namespaces that share the file system. They end
/// with this value, and with the process, however that ends.
///
/// - SeeAlso: <https://man7.org/linux/man-pages/man2/F_OFD_SETLK.2const.html>
package final class LockFile: Sendable {
    /// What came of trying.
    package enum Outcome: Sendable {
        case taken
        /// Somebody else holds it.
        case held
        /// The file system has no such locks.
        case unsupported
    }

    private let path: String
    private let descriptor: Int32

    /// Opens a file, which is made for its owner only where it is missing. Never waits.
    ///
    /// - Throws: when the path is no file, or cannot be opened.
    package init(_ path: String) throws(FileError) {
        self.path = path
        descriptor = unsafe open(
            path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw FileError(path, "cannot be opened", errno) }
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw FileError(path, "is not a file")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Tries to take the lock at a place, from 0 on. One that is held here already is taken.
    ///
    /// - Parameter isShared: Whether others may hold it too, as long as they share it.
    package func lock(_ place: Int64, isShared: Bool = false) throws(FileError) -> Outcome {
        let kind = isShared ? cksweep_lock_shared : cksweep_lock_alone
        switch cksweep_lock_byte(descriptor, place, kind) {
        case 0: return .taken
        case EAGAIN: return .held
        case EINVAL, ENOLCK, ENOSYS, EOPNOTSUPP: return .unsupported
        case let code: throw FileError(path, "cannot be locked", code)
        }
    }

    /// Lets go of the lock at a place.
    package func unlock(_ place: Int64) {
        _ = cksweep_lock_byte(descriptor, place, cksweep_lock_none)
    }
}
