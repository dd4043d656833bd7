/// What a connection speaks, HTTP/1.1 or HTTP/2: takes bytes, hands requests to the loop, and
/// gathers answers. It never touches the socket.
protocol WireSession: AnyObject {
    /// Reads bytes; requests that they complete are handled at once.
    func receive(_ bytes: Span<UInt8>, on connection: Connection, _ loop: HTTPLoop)
    /// Goes on with requests that were held back; called after answers were sent.
    func resume(on connection: Connection, _ loop: HTTPLoop)
    /// Takes the answer to a request that was put off; false when nobody waits for it.
    func deliver(_ response: HTTPResponse, to stream: UInt64) -> Bool
    /// Whether an answer to this request is awaited.
    func isWaiting(for stream: UInt64) -> Bool
    /// The body of this answer has more to send, or the sink of this request's body takes more.
    func resumeBody(of stream: UInt64)
    /// Replaces the answers that an application gave in this turn, whose commit failed.
    func failAnswers(of application: any HTTPApplication, with response: HTTPResponse)
    /// The requests whose answers an application has put off, or whose bodies it takes.
    func streams(waitingFor application: any HTTPApplication) -> [UInt64]
    /// Cuts the answers whose bodies an application is still making.
    func cutSources(of application: any HTTPApplication)
    /// The turn is over; what was answered in it is true.
    func noteCommitted()
    /// Appends what is to be sent, at most about 64 KiB; true when there is more.
    func gather(into out: inout [UInt8], _ loop: HTTPLoop) -> Bool
    /// Finishes what was begun and takes nothing new.
    func beginDrain(of connection: Connection, _ loop: HTTPLoop)
    /// The client will send no more.
    func noteEndOfInput()
    /// The connection is over: sinks of bodies that are not whole are told.
    func abandon()

    /// What may be added to what it holds, set before each call that adds.
    var allowance: MemoryBudget.Allowance { get set }
    /// Bytes of requests and answers that it holds.
    var heldBytes: Int { get }
    /// Bytes of request bodies that have come; HTTP/1.1 counts all that comes.
    var bodyBytesReceived: Int { get }
    /// Whether more bytes are welcome.
    var wantsInput: Bool { get }
    /// Whether it may be read while the socket has not taken all that is to be sent: what reading adds
    /// to that has a bound.
    var readsWhileSending: Bool { get }
    /// Whether requests were held back that can be served now.
    var canResume: Bool { get }
    /// Whether the connection is to be closed once everything is sent.
    var isFinished: Bool { get }
    /// Whether the connection is to be cut, since an answer broke off.
    var hasFailed: Bool { get }
    /// Whether closing at once could take an answer from the client: TCP forgets what is on its way
    /// when a socket is closed over unread bytes.
    var needsLinger: Bool { get }
    /// What the client is being waited for.
    var phase: ConnectionPhase { get }
    /// Whether the client has the rest of a body to send.
    var awaitsBody: Bool { get }
    /// Whether it is in the middle of one, also while its client is not waited for.
    var hasBody: Bool { get }
    /// Whether answers wait until the client lets them be sent, beyond what the socket takes.
    var awaitsWindow: Bool { get }
}

/// What a connection waits for. A new value starts a new deadline.
enum ConnectionPhase: Hashable {
    case handshake
    /// Between requests; counts them.
    case idle(UInt64)
    /// In the header fields of the request with this number.
    case headers(UInt64)
    /// Somewhere in requests or answers, where ``ProgressMeter`` holds for what the client does,
    /// and nothing for the application.
    case busy
    /// For the client to close after the last answer.
    case lingering
}
