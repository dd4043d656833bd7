package import FileSystem
private import Glibc

extension Files {
    /// A sink that writes a new file, or one that replaces what is there.
    package func sink(_ path: String) throws(FileError) -> any TextSink {
        // Nobody waits here until somebody reads: a pipe without a reader is an error.
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK
        let descriptor = unsafe open(absolute(path), flags, 0o600)
        guard descriptor >= 0 else { throw FileError(path, "cannot be written", errno) }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        return DescriptorSink(descriptor, closesAtEnd: true)
    }
}
