internal import AsyncOperations
private import Glibc

/// One end of a local socket pair, closed when both its streams are gone.
final class StreamSocket: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }

    /// Two ends joined to each other; nil when the system has none left.
    static func pair() -> (StreamSocket, StreamSocket)? {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        return (StreamSocket(ends[0]), StreamSocket(ends[1]))
    }

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
            let sent = unsafe send(descriptor, buffer, count, Int32(MSG_NOSIGNAL))
            if sent >= 0 || errno != EINTR { return sent }
        }
    }

    /// Whether a read or a write would not wait.
    func isReady(for events: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return unsafe poll(&entry, 1, 0) == 1
    }

    /// Tells the other side that no more will be read.
    func stopReading() { _ = shutdown(descriptor, Int32(SHUT_RD)) }

    /// Tells the other side that no more will be written.
    func stopWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    static var readable: Int32 { Int32(POLLIN) }
    static var writable: Int32 { Int32(POLLOUT) }
}
