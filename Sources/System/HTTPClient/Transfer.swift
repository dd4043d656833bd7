private import CCurl

/// One request on its way, and what has arrived of its answer. Lives on the curl thread.
@safe final class Transfer {
    let number: UInt64
    let request: HTTPClientRequest
    let url: RequestURL
    let handle: EasyHandle
    /// How long it may take in all.
    let timeout: Duration
    let deadline: ContinuousClock.Instant
    private let reply: TransferInbox.Reply
    private let keys: ServerKeys
    private let sockets: SocketTable
    private let checksInput: Bool

    /// Whether libcurl was let send the request; it may have been carried out.
    private(set) var wasSent = false
    private(set) var refusal: TransferRefusal?
    private(set) var needsFreshConnection = false
    private var head: ResponseHead
    private var body: BodyBuffer
    /// Who takes the body of an answer that is well, and how much of it has come.
    private var sink: BodySink? { request.sink }
    private var poured = 0
    /// Of that, what they have not been given yet.
    private var gathered: [UInt8] = []
    /// How much of the request's body was given.
    private var given = 0

    init(
        number: UInt64, request: HTTPClientRequest, url: RequestURL, handle: EasyHandle,
        keys: ServerKeys, sockets: SocketTable, reply: TransferInbox.Reply,
        configuration: HTTPClientConfiguration
    ) {
        self.number = number
        self.request = request
        self.url = url
        self.handle = handle
        self.keys = keys
        self.sockets = sockets
        self.reply = reply
        timeout = min(request.timeout ?? configuration.requestTimeout, configuration.requestTimeout)
        deadline = .now + timeout
        // Between two requests on an HTTP/2 connection the server may say this and that.
        checksInput = configuration.http.version == .http1
        // What HEAD announces does not come.
        head = ResponseHead(
            bytesMax: configuration.headerBytesMax,
            bodyBytesMax: request.method == .head
                ? .max : max(configuration.responseBytesMax, request.sink?.bytesMax ?? 0))
        body = BodyBuffer(bytesMax: configuration.responseBytesMax)
    }

    var timeLeft: Duration { deadline - .now }

    /// Hands the rest of a whole body on to who takes it; false when they do not.
    func pourRest() -> Bool {
        guard let sink, !gathered.isEmpty else { return true }
        let rest = gathered
        gathered = []
        guard sink.take(rest) else {
            refusal = .notTaken
            return false
        }
        return true
    }

    /// Answers the waiting task. To be called once.
    func finish(_ failure: HTTPClientError?) {
        if let failure {
            reply.resume(returning: .failure(failure))
        } else if !head.isComplete {
            // libcurl takes the end of the connection for the end of the headers.
            reply.resume(
                returning: .failure(
                    HTTPClientError(
                        .connectionLost,
                        "the connection to \(url.host) ended amid the headers of the response",
                        mayHaveBeenCarriedOut: true)))
        } else {
            keys.noteAnswer(of: url.origin)
            reply.resume(
                returning: .success(
                    HTTPClientResponse(
                        status: handle.status, headers: head.headers, body: body.bytes)))
        }
    }

    /// Whether it is to be sent again, on a connection of its own, because the one that libcurl
    /// chose was not fit for it and nothing was sent: once, since a new connection is fit.
    func takesFreshConnection() -> Bool {
        defer { isUnfit = false }
        return isUnfit
    }
    private var isUnfit = false

    // MARK: What libcurl calls back with

    /// Whether the request may be sent now, over the connection from this local port.
    ///
    /// Once: libcurl would repeat a request that got no answer on a reused connection, but it may
    /// have been carried out, and repeating is the caller's choice. Not where unread input waits,
    /// which would be taken for its answer. And only to a server with the key of the first request.
    func maySend(fromPort port: Int32) -> Bool {
        if wasSent { return false }
        if checksInput, !needsFreshConnection, handle.isReused,
            sockets.hasInput(localPort: port) || handle.hasPendingBytes
        {
            isUnfit = true
            needsFreshConnection = true
            return false
        }
        if url.isSecure {
            guard let key = handle.peerKeyDigest else {
                refusal = .keyUnknown
                return false
            }
            guard keys.admits(key, of: url.origin) else {
                refusal = .keyChanged
                return false
            }
        }
        wasSent = true
        return true
    }

    /// Puts the next piece of the request's body where libcurl sends it from.
    ///
    /// - Returns: how many bytes that is, 0 at the end; nil when they cannot be had.
    func giveBody(_ room: UnsafeMutableRawBufferPointer) -> Int? {
        guard let source = request.source else { return 0 }
        let wanted = min(room.count, source.byteCount - given)
        guard wanted > 0 else { return 0 }
        guard let piece = source.give(wanted), 1...wanted ~= piece.count else {
            refusal = .notGiven
            return nil
        }
        unsafe room.copyBytes(from: piece)
        given += piece.count
        return piece.count
    }

    /// Takes a piece of the body; false when there is too much of it.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let sink, handle.status == 200 { return unsafe pour(bytes, into: sink) }
        guard unsafe body.append(bytes) else {
            refusal = .bodyTooLarge
            return false
        }
        return true
    }

    /// Gathers pieces for who takes the body; false when there is too much of it, or they do not.
    private func pour(_ bytes: UnsafeRawBufferPointer, into sink: BodySink) -> Bool {
        poured += bytes.count
        guard poured <= sink.bytesMax else {
            refusal = .longerThan(sink.bytesMax)
            return false
        }
        // In the size that is handed on: libcurl comes with a TLS record at a time.
        if gathered.isEmpty {
            gathered.reserveCapacity(min(sink.bytesMax, BodySink.pieceBytes + bytes.count))
        }
        unsafe gathered.append(contentsOf: bytes)
        return gathered.count < BodySink.pieceBytes || pourRest()
    }

    /// Takes a header line with its end; false when the answer is refused for it.
    func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let wasComplete = head.isComplete
        if let problem = unsafe head.take(bytes) {
            refusal = .head(problem)
            return false
        }
        guard head.isComplete, !wasComplete, request.method != .head, let count = head.bodyBytes
        else { return true }
        guard let sink, handle.status == 200 else { return body.expect(count) }
        // Refused by whom it is for, before any of it is read.
        if count > sink.bytesMax { refusal = .longerThan(sink.bytesMax) }
        return count <= sink.bytesMax
    }

    /// The transfer that a callback's context stands for.
    static func from(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }
}
