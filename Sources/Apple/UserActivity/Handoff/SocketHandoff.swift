internal import AsyncOperations
internal import Foundation

/// The way to an app in another process: each request is a connection of its own.
final class SocketHandoff: HandoffTransport {
    private let line: Line
    private let path: String
    private let timeout: Duration
    private let isClosed = Locked(false)

    init(socketPath: String, timeout: Duration) {
        path = socketPath
        self.timeout = timeout
        line = Line()
    }

    func close() { isClosed.withLock { $0 = true } }

    func send(_ request: [UInt8]) async throws(CocoaError) -> [UInt8] {
        try await line.exchange(request, with: try connection())
    }

    func openStreams(_ request: [UInt8]) throws(CocoaError) -> ContinuationStreams {
        let socket = try connection()
        guard case .done = HandoffReply(try Line.exchange(request, with: socket)) else {
            throw CocoaError(.userActivityHandoffFailed)
        }
        socket.setTimeout(.zero)
        return ContinuationStreams(socket)
    }

    private func connection() throws(CocoaError) -> StreamSocket {
        guard !isClosed.withLock({ $0 }), let socket = SocketAddress.connect(to: path) else {
            throw CocoaError(.userActivityConnectionUnavailable)
        }
        socket.setTimeout(max(timeout, .milliseconds(1)))
        return socket
    }

    /// Waits for answers, on a thread of its own.
    private actor Line {
        private let executor = ThreadExecutor(label: "handoff link")
        nonisolated var unownedExecutor: UnownedSerialExecutor {
            unsafe executor.asUnownedSerialExecutor()
        }

        func exchange(
            _ request: [UInt8], with socket: StreamSocket
        ) throws(CocoaError) -> [UInt8] {
            try Self.exchange(request, with: socket)
        }

        static func exchange(
            _ request: [UInt8], with socket: StreamSocket
        ) throws(CocoaError) -> [UInt8] {
            do throws(StreamSocket.Failure) {
                try socket.send(message: request)
                return try socket.receiveMessage()
            } catch {
                switch error {
                case .timedOut: throw CocoaError(.userActivityRemoteApplicationTimedOut)
                case .ended, .tooLarge: throw CocoaError(.userActivityHandoffFailed)
                }
            }
        }
    }
}
