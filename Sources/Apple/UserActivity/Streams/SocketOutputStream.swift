internal import AsyncOperations
internal import Foundation

/// Writes to a local socket. It blocks; there is no run loop to schedule it on.
///
/// Its status is behind a lock and the socket is thread-safe, as ``ContinuationStreams`` needs it.
final class SocketOutputStream: OutputStream {
    private let socket: StreamSocket?
    private let status = Locked(Stream.Status.notOpen)

    init(_ socket: StreamSocket) {
        self.socket = socket
        super.init(toMemory: ())
    }

    /// Foundation demands this one; a stream made by it leads nowhere.
    required init(toMemory: ()) {
        socket = nil
        super.init(toMemory: ())
    }

    override var streamStatus: Stream.Status { status.withLock { $0 } }
    override var streamError: (any Error)? {
        streamStatus == .error ? CocoaError(.userActivityConnectionUnavailable) : nil
    }
    override var hasSpaceAvailable: Bool {
        streamStatus == .open && socket?.isReady(for: StreamSocket.writable) == true
    }

    override func open() {
        status.withLock { if $0 == .notOpen { $0 = .open } }
    }

    override func close() {
        let wasOpen = status.withLock { status in
            defer { status = .closed }
            return status == .open
        }
        if wasOpen { socket?.stopWriting() }
    }

    override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
        guard streamStatus == .open, let socket else { return -1 }
        let count = unsafe socket.write(buffer, count: len)
        if count < 0 { status.withLock { if $0 == .open { $0 = .error } } }
        return count
    }
}
