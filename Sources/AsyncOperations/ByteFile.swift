private import Glibc

/// An open file, read or written piece by piece; closed with its owner.
@safe package struct ByteFile: ~Copyable {
    /// Why a file could not be used: the number the system gave.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let number: Int32
        /// As the system words it, such as `No space left on device`.
        package var description: String { unsafe String(cString: strerror(number)) }
    }

    private let descriptor: Int32

    private init(_ descriptor: Int32) throws(Failure) {
        guard descriptor >= 0 else { throw Failure(number: errno) }
        self.descriptor = descriptor
    }

    /// Opens a file that is there.
    package init(reading path: String) throws(Failure) {
        try self.init(unsafe open(path, O_RDONLY | O_CLOEXEC))
    }

    /// Begins a file that must not be there yet, for its owner only.
    package init(creating path: String) throws(Failure) {
        try self.init(unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
    }

    deinit { close(descriptor) }

    /// The next piece, of at most `count` bytes; nil at the end.
    package borrowing func read(upTo count: Int) throws(Failure) -> [UInt8]? {
        var number: Int32 = 0
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var got = -1
            repeat {
                got = unsafe Glibc.read(descriptor, buffer.baseAddress, count)
            } while got < 0 && errno == EINTR
            if got < 0 { number = errno }
            filled = max(0, got)
        }
        guard number == 0 else { throw Failure(number: number) }
        return piece.isEmpty ? nil : piece
    }

    /// Writes all of `bytes`.
    package borrowing func write(_ bytes: [UInt8]) throws(Failure) {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { all in
                unsafe Glibc.write(descriptor, all.baseAddress! + start, all.count - start)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(number: count < 0 ? errno : EIO) }
            start += count
        }
    }

    /// Waits until all that was written is on disk.
    package borrowing func synchronize() throws(Failure) {
        guard fsync(descriptor) == 0 else { throw Failure(number: errno) }
    }

    /// Waits until all that anybody wrote to the file is on disk, but not what only describes it,
    /// such as the time of the last change.
    package borrowing func synchronizeData() throws(Failure) {
        guard fdatasync(descriptor) == 0 else { throw Failure(number: errno) }
    }
}
