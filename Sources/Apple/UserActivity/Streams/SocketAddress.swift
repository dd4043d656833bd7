private import Glibc

/// A socket in the file system, for its user alone.
enum SocketAddress {
    /// The longest path that the system takes.
    static let pathBytesMax = 107

    /// Connects to the socket at `path`; nil when nobody answers there.
    static func connect(to path: String) -> StreamSocket? {
        guard let descriptor = StreamSocket.make() else { return nil }
        let socket = StreamSocket(descriptor)
        let code = unsafe with(path) { unsafe Glibc.connect(descriptor, $0, $1) }
        return code == 0 ? socket : nil
    }

    /// Makes a socket at `path` that only this user can connect to, and listens. A socket that was
    /// left there by a process that is gone is replaced.
    ///
    /// - Returns: The descriptor; nil when it cannot be made or is in use.
    static func listen(at path: String) -> Int32? {
        guard let descriptor = StreamSocket.make() else { return nil }
        // What is set before binding becomes the file's mode.
        var isMade = fchmod(descriptor, 0o600) == 0 && bind(descriptor, to: path)
        if !isMade, errno == EADDRINUSE, connect(to: path) == nil, isSocket(path) {
            unsafe unlink(path)
            isMade = bind(descriptor, to: path)
        }
        guard isMade, Glibc.listen(descriptor, 16) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Waits for someone to connect; nil once ``stop(_:)`` was called.
    static func accept(on descriptor: Int32) -> StreamSocket? {
        while true {
            let connection = Glibc.accept(descriptor, nil, nil)
            if connection >= 0 {
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                return StreamSocket(connection)
            }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    /// Ends listening: who waits in ``accept(on:)`` goes on, and the file goes.
    static func stop(_ descriptor: Int32, path: String) {
        unsafe unlink(path)
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Gives the descriptor back to the system, when nobody uses it any more.
    static func release(_ descriptor: Int32) { close(descriptor) }

    private static func bind(_ descriptor: Int32, to path: String) -> Bool {
        unsafe with(path) { unsafe Glibc.bind(descriptor, $0, $1) } == 0
    }

    private static func isSocket(_ path: String) -> Bool {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else { return false }
        return facts.st_mode & S_IFMT == S_IFSOCK
    }

    /// Calls `body` with the address of `path`; -1 when it is too long.
    private static func with(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count <= pathBytesMax else { return -1 }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
