internal import AsyncOperations
internal import Foundation

/// Reads from a local socket. It blocks; there is no run loop to schedule it on.
///
/// Its status is behind a lock and the socket is thread-safe, as ``ContinuationStreams`` needs it.
final class SocketInputStream: InputStream {
    private let socket: StreamSocket
    private let status = Locked(Stream.Status.notOpen)

    init(_ socket: StreamSocket) {
        self.socket = socket
        super.init(data: Data())
    }

    override var streamStatus: Stream.Status { status.withLock { $0 } }
    override var streamError: (any Error)? {
        streamStatus == .error ? CocoaError(.userActivityConnectionUnavailable) : nil
    }
    override var hasBytesAvailable: Bool {
        streamStatus == .open && socket.isReady(for: StreamSocket.readable)
    }

    override func open() {
        status.withLock { if $0 == .notOpen { $0 = .open } }
    }

    override func close() {
        let wasOpen = status.withLock { status in
            defer { status = .closed }
            return status == .open
        }
        if wasOpen { socket.stopReading() }
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        switch streamStatus {
        case .open: break
        case .atEnd: return 0
        default: return -1
        }
        let count = unsafe socket.read(into: buffer, count: len)
        if count <= 0, len > 0 {
            status.withLock { if $0 == .open { $0 = count == 0 ? .atEnd : .error } }
        }
        return count
    }
}
