import Glibc

/// Which file it is, and in which state: whoever writes to the file or puts another in its place
/// changes it, within what the file system's clock can tell apart.
package struct FileStamp: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64
    /// Bytes.
    package let size: Int64
    private let modifiedSeconds: Int64
    private let modifiedNanoseconds: Int64

    init(_ facts: stat) {
        device = UInt64(facts.st_dev)
        number = UInt64(facts.st_ino)
        size = Int64(facts.st_size)
        modifiedSeconds = Int64(facts.st_mtim.tv_sec)
        modifiedNanoseconds = Int64(facts.st_mtim.tv_nsec)
    }
}
