internal import AsyncOperations
internal import Foundation

/// Lets apps in other processes of this user continue what is current here.
///
/// It answers on a socket in the file system that only its user can open, one request after the
/// other, on a thread of its own. Nothing leaves the machine.
public actor HandoffServer {
    private let origin: HandoffOrigin
    private let path: String
    private let listener: Int32
    private let isClosed = Locked(false)
    private let executor = ThreadExecutor(label: "handoff")

    /// The thread that waits for connections.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// How long a connection may take to say what it wants.
    static let requestTimeout = Duration.seconds(30)

    /// Opens the socket.
    ///
    /// - Parameter socketPath: At most 107 bytes, in a folder that is the user's own.
    /// - Throws: 4609 of `NSCocoaErrorDomain` when the socket cannot be made or is in use.
    public init(for origin: HandoffOrigin, socketPath: String) throws {
        guard let listener = SocketAddress.listen(at: socketPath) else {
            throw CocoaError(.userActivityConnectionUnavailable)
        }
        self.origin = origin
        self.listener = listener
        path = socketPath
    }

    deinit {
        close()
        SocketAddress.release(listener)
    }

    /// Answers until ``close()`` is called.
    public func serve() async {
        while !isClosed.withLock({ $0 }), let socket = SocketAddress.accept(on: listener) {
            await answer(socket)
        }
    }

    /// Ends ``serve()``, and takes the socket away. What is being answered is answered.
    public nonisolated func close() {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        if isFirst { SocketAddress.stop(listener, path: path) }
    }

    private func answer(_ socket: StreamSocket) async {
        socket.setTimeout(Self.requestTimeout)
        guard let request = try? socket.receiveMessage() else { return }
        guard case .streams = HandoffRequest(request) else {
            try? socket.send(message: await origin.answer(request))
            return
        }
        let isWanted = origin.expectsStreams(for: request)
        let failure = HandoffReply.failure(code: CocoaError.Code.userActivityHandoffFailed.rawValue)
        let reply = isWanted ? HandoffReply.done : failure
        guard (try? socket.send(message: reply.bytes)) != nil, isWanted else { return }
        socket.setTimeout(.zero)
        _ = origin.accept(ContinuationStreams(socket), for: request)
    }
}
