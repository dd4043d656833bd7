private import CShims
private import Glibc

/// An open file, read or written piece by piece; closed with its owner.
@safe package struct ByteFile: ~Copyable {
    private let descriptor: Int32
    /// What messages call it.
    private let name: String

    /// Opens a file that is there.
    ///
    /// - Parameter name: What messages call it; nil: its path.
    /// - Throws: Also when something else than a file is there, such as a folder or a pipe: nobody
    ///   waits here for who might write into it.
    package init(reading path: String, named name: String? = nil) throws(FileError) {
        self.name = name ?? path
        descriptor = try Self.openFile(path, self.name)
    }

    /// Begins a file that must not be there yet.
    ///
    /// - Parameter mode: Who may use it, before the process's mask: its owner only.
    package init(
        creating path: String, named name: String? = nil, mode: UInt32 = 0o600
    ) throws(FileError) {
        self.name = name ?? path
        descriptor = try Self.valid(
            unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode), "written", self.name)
    }

    /// What this process reads by itself, whatever that is.
    package static func standardInput() throws(FileError) -> ByteFile {
        try ByteFile(dup(0), "standard input")
    }

    /// Waits until it is on disk which files are in a folder.
    package static func synchronize(folder: String) throws(FileError) {
        try ByteFile(unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), folder).synchronize()
    }

    private init(_ descriptor: Int32, _ name: String) throws(FileError) {
        self.name = name
        self.descriptor = try Self.valid(descriptor, "read", name)
    }

    deinit { close(descriptor) }

    private static func valid(
        _ descriptor: Int32, _ use: String, _ name: String
    ) throws(FileError) -> Int32 {
        guard descriptor >= 0 else { throw FileError(name, "cannot be \(use)", errno) }
        return descriptor
    }

    private static func openFile(_ path: String, _ name: String) throws(FileError) -> Int32 {
        let descriptor = try valid(
            unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), "read", name)
        var facts = stat()
        let problem: FileError? =
            if unsafe fstat(descriptor, &facts) != 0 {
                FileError(name, "cannot be read", errno)
            } else if facts.st_mode & S_IFMT == S_IFDIR {
                FileError(name, "is a folder")
            } else if facts.st_mode & S_IFMT != S_IFREG {
                FileError(name, "is not a file")
            } else {
                nil
            }
        if let problem {
            close(descriptor)
            throw problem
        }
        return descriptor
    }

    /// Which file it is, and in which state.
    package borrowing func stamp() throws(FileError) -> FileStamp {
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0 else {
            throw FileError(name, "cannot be read", errno)
        }
        return FileStamp(facts)
    }

    /// The next piece, of at most `count` bytes; nil at the end.
    package borrowing func read(upTo count: Int) throws(FileError) -> [UInt8]? {
        var code: Int32 = 0
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var got = -1
            repeat {
                got = unsafe Glibc.read(descriptor, buffer.baseAddress, count)
            } while got < 0 && errno == EINTR
            if got < 0 { code = errno }
            filled = max(0, got)
        }
        guard code == 0 else { throw FileError(name, "cannot be read", code) }
        return piece.isEmpty ? nil : piece
    }

    /// A piece of at most `count` bytes from a place on; nil at the end. Leaves where ``read(upTo:)``
    /// goes on as it is.
    package borrowing func read(upTo count: Int, at place: Int) throws(FileError) -> [UInt8]? {
        var code: Int32 = 0
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var got = -1
            repeat {
                got = unsafe pread(descriptor, buffer.baseAddress, count, place)
            } while got < 0 && errno == EINTR
            if got < 0 { code = errno }
            filled = max(0, got)
        }
        guard code == 0 else { throw FileError(name, "cannot be read", code) }
        return piece.isEmpty ? nil : piece
    }

    /// Writes all of `bytes`.
    package borrowing func write(_ bytes: [UInt8]) throws(FileError) {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { all in
                unsafe Glibc.write(descriptor, all.baseAddress! + start, all.count - start)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw FileError(name, "cannot be written", count < 0 ? errno : EIO)
            }
            start += count
        }
    }

    /// Waits until all that was written is on disk.
    package borrowing func synchronize() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw FileError(name, "cannot be written", errno) }
    }

    /// Has the disk begin with what was written to a range, and does not wait: whoever waits for all of
    /// it later waits for less. A wish, so that nothing is told of its outcome.
    package borrowing func beginSynchronizing(from start: Int64, count: Int64) {
        cksweep_begin_writing(descriptor, start, count)
    }

    /// Waits until all that anybody wrote to the file is on disk, but not what only describes it,
    /// such as the time of the last change.
    package borrowing func synchronizeData() throws(FileError) {
        guard fdatasync(descriptor) == 0 else { throw FileError(name, "cannot be written", errno) }
    }
}
