/// What a connection speaks, HTTP/1.1 or HTTP/2: takes bytes, hands requests to the loop, and
/// gathers answers. It never touches the socket.
protocol WireSession: AnyObject {
    /// Reads bytes; requests that they complete are handled at once.
    func receive(_ bytes: Span<UInt8>, on connection: Connection, _ loop: HTTPLoop)
    /// Goes on with bytes that were held back; called after answers were sent.
    func resume(on connection: Connection, _ loop: HTTPLoop)
    /// Takes the answer to a request that was put off; false when nobody waits for it.
    func deliver(_ response: HTTPResponse, to stream: UInt64) -> Bool
    /// Whether an answer to this request is awaited.
    func isWaiting(for stream: UInt64) -> Bool
    /// Replaces the answers of this turn, whose commit failed.
    func failAnswers(with response: HTTPResponse)
    /// Appends what is to be sent, at most about 64 KiB; true when there is more.
    func gather(into out: inout [UInt8], _ loop: HTTPLoop) -> Bool
    /// Finishes what was begun and takes nothing new.
    func beginDrain(of connection: Connection, _ loop: HTTPLoop)
    /// The client will send no more.
    func noteEndOfInput()

    /// Whether more bytes are welcome.
    var wantsInput: Bool { get }
    /// Whether bytes were held back that can be read now.
    var canResume: Bool { get }
    /// Whether the connection is to be closed once everything is sent.
    var isFinished: Bool { get }
    /// Whether closing at once could take an answer from the client: TCP forgets what is on its way
    /// when a socket is closed over unread bytes.
    var needsLinger: Bool { get }
    /// What the client is being waited for.
    var phase: ConnectionPhase { get }
}

/// What a connection waits for. A new value starts a new deadline.
enum ConnectionPhase: Hashable {
    case handshake
    /// Between requests; counts them.
    case idle(UInt64)
    /// In the header fields of the request with this number.
    case headers(UInt64)
    /// In the body of the request with this number; since when, where that is not now.
    case body(UInt64, since: Int64?)
    /// For the application; without a deadline.
    case application
    /// For the client to take what is sent; counts what it took.
    case writing(UInt64)
    /// For the client to close after the last answer.
    case lingering
}
