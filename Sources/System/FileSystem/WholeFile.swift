private import Glibc
private import Synchronization

/// A file that appears whole or not at all, and on disk.
///
/// Whoever lets go of it before ``finish(replacing:)`` has succeeded leaves nothing behind.
@safe package struct WholeFile: ~Copyable {
    private let path: String
    /// What messages call it.
    private let name: String
    private let draft: String
    private let file: ByteFile
    private var buffer: [UInt8] = []

    /// Bytes that are gathered before they are written.
    private static let bufferBytesMax = 1 << 18
    /// Of this process, so that two drafts of one file do not meet.
    private static let drafts = Atomic<Int>(0)

    /// Begins a file that is to stand at `path`.
    ///
    /// - Parameters:
    ///   - name: What messages call it; nil: its path.
    ///   - mode: Who may use it, before the process's mask: its owner only.
    package init(
        _ path: String, named name: String? = nil, mode: UInt32 = 0o600
    ) throws(FileError) {
        self.path = path
        self.name = name ?? path
        let number = Self.drafts.add(1, ordering: .relaxed).newValue
        draft = "\(path).\(getpid()).\(number).part"
        // Left by an earlier process that had this one's number.
        unsafe unlink(draft)
        file = try ByteFile(creating: draft, named: self.name, mode: mode)
    }

    // Once the draft is in its place, nothing has its old name.
    deinit { unsafe unlink(draft) }

    /// Adds to the file.
    package mutating func write(_ bytes: [UInt8]) throws(FileError) {
        buffer.append(contentsOf: bytes)
        guard buffer.count >= Self.bufferBytesMax else { return }
        try flush()
    }

    /// Puts the file in its place, on disk.
    ///
    /// - Parameter replacing: Without it a file that is there already is an error.
    package consuming func finish(replacing: Bool = true) throws(FileError) {
        try flush()
        try file.synchronize()
        guard unsafe (replacing ? rename(draft, path) : link(draft, path)) == 0 else {
            throw errno == EEXIST
                ? FileError(name, "exists already and is not overwritten")
                : FileError(name, "cannot be written", errno)
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        try ByteFile.synchronize(folder: folder)
    }

    private mutating func flush() throws(FileError) {
        try file.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
