import FileSystem
private import Glibc

/// Both ends of a pipe; closed on exec.
struct Pipe {
    let reading: Int32
    let writing: Int32

    init(for name: String) throws(FileError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else {
            throw FileError(name, "cannot be given a pipe", errno)
        }
        (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    /// Writes what fits into it.
    func write(_ bytes: [UInt8], for name: String) throws(FileError) {
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe Glibc.write(writing, bytes.baseAddress, bytes.count)
        }
        guard count == bytes.count else {
            throw FileError(name, "cannot be given its input", errno)
        }
    }

    func wake() {
        let byte: [UInt8] = [0]
        _ = unsafe byte.withUnsafeBytes { unsafe Glibc.write(writing, $0.baseAddress, 1) }
    }

    func close() {
        Glibc.close(reading)
        Glibc.close(writing)
    }
}
