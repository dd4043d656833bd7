private import Glibc

/// One end of a connection that never leaves this machine, closed when nobody holds it any more.
///
/// The kernel makes calls on one socket from several threads safe, and nothing else is held here.
final class StreamSocket: Sendable {
    /// Why bytes did not come or go.
    enum Failure: Error {
        /// The other side is gone, or was never there.
        case ended
        /// Nothing came in time.
        case timedOut
        /// What came is larger than may be.
        case tooLarge
    }

    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }

    /// Two ends joined to each other; nil when the system has none left.
    static func pair() -> (StreamSocket, StreamSocket)? {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        return (StreamSocket(ends[0]), StreamSocket(ends[1]))
    }

    /// A new socket that is joined to nothing; nil when the system has none left.
    static func make() -> Int32? {
        let descriptor = socket(AF_UNIX, kind, 0)
        return descriptor >= 0 ? descriptor : nil
    }

    private static var kind: Int32 {
        Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    }

    // MARK: Bytes

    /// Waits for bytes; 0 at the end, -1 when the socket is broken.
    func read(into buffer: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
        while true {
            let got = unsafe recv(descriptor, buffer, count, 0)
            if got >= 0 || errno != EINTR { return got }
        }
    }

    /// Waits until some bytes are taken; -1 when nobody reads any more.
    func write(_ buffer: UnsafePointer<UInt8>, count: Int) -> Int {
        while true {
            let sent = unsafe Glibc.send(descriptor, buffer, count, Int32(MSG_NOSIGNAL))
            if sent >= 0 || errno != EINTR { return sent }
        }
    }

    /// Whether a read or a write would not wait.
    func isReady(for events: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return unsafe poll(&entry, 1, 0) == 1
    }

    static var readable: Int32 { Int32(POLLIN) }
    static var writable: Int32 { Int32(POLLOUT) }

    /// Tells the other side that no more will be read.
    func stopReading() { _ = shutdown(descriptor, Int32(SHUT_RD)) }

    /// Tells the other side that no more will be written.
    func stopWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    // MARK: Messages

    /// The largest message, its length excluded.
    static let messageBytesMax = 1 << 20

    /// How long a read or a write may wait; zero: without end.
    func setTimeout(_ timeout: Duration) {
        let parts = timeout.components
        var limit = timeval(
            tv_sec: Int(parts.seconds), tv_usec: Int(parts.attoseconds / 1_000_000_000_000))
        let size = socklen_t(MemoryLayout<timeval>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    /// Sends a message: its length in four bytes, the highest first, and its bytes.
    func send(message: [UInt8]) throws(Failure) {
        guard message.count <= Self.messageBytesMax else { throw .tooLarge }
        var length = UInt32(message.count).bigEndian
        var bytes = unsafe withUnsafeBytes(of: &length) { unsafe [UInt8]($0) } + message
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return -1 }
                return unsafe write(base + sent, count: buffer.count - sent)
            }
            guard count > 0 else { throw Self.failure() }
            sent += count
        }
    }

    /// Waits for a message.
    func receiveMessage() throws(Failure) -> [UInt8] {
        let length = try receive(4).reduce(0) { $0 << 8 | Int($1) }
        guard length <= Self.messageBytesMax else { throw .tooLarge }
        return try receive(length)
    }

    private func receive(_ count: Int) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var got = 0
        while got < count {
            let more = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return -1 }
                return unsafe read(into: base + got, count: count - got)
            }
            if more == 0 { throw .ended }
            guard more > 0 else { throw Self.failure() }
            got += more
        }
        return bytes
    }

    private static func failure() -> Failure {
        errno == EAGAIN || errno == EWOULDBLOCK ? .timedOut : .ended
    }
}
