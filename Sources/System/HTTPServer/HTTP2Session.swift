import CNghttp2

/// A connection's HTTP/2 side, framed by nghttp2.
///
/// Requests are handled after nghttp2 has read a piece of input, not inside its callbacks, so the
/// application never runs inside the library. Answers of a turn are submitted together, so that
/// small ones share a write.
@safe final class HTTP2Session: WireSession {
    private let handle: OpaquePointer
    private let limits: HTTPLimits
    private var streams: [Int32: HTTP2Stream] = [:]
    /// Streams of which nghttp2's callbacks have found something, or whose sinks go on.
    private var stirred: [HTTP2Stream] = []
    /// Sinks of bodies that will not be whole, still to be told.
    private var abandoned: [any HTTPBodySink] = []
    /// Whole requests.
    private var complete: [HTTP2Stream] = []
    /// Streams whose answers are to be submitted.
    private var answered: [HTTP2Stream] = []
    /// Streams whose bodies' sources have more.
    private var resumed: [Int32] = []
    private var meter: FloodMeter
    private var now: Int64
    /// Bytes of requests that were not handed out yet, and of answers.
    private var inputBytes = 0
    private var outputBytes = 0
    private var finishedCount: UInt64 = 0
    /// Streams that had ended when the drain began.
    private var finishedBeforeDrain: UInt64 = 0
    /// Streams that have more to receive, and whose answers wait for the client.
    private var receivingCount = 0
    private var unsentCount = 0
    private var drain = Drain.none
    private var isBroken = false
    private(set) var bodyBytesReceived = 0
    var allowance: MemoryBudget.Allowance

    /// The two steps of an orderly end (RFC 9113 section 6.8).
    private enum Drain { case none, announced, final }

    /// About how much goes into one write.
    private static let writeBytes = 64 << 10
    /// How many times the limit a head may have that is refused in an answer.
    private static let headerBytesFactor = 8
    /// How much of a refused body is read and forgotten before the stream is reset.
    private static let discardedBytesMax = 16 << 20
    /// Frames on their way out, such as answers to pings, above which no more is read.
    private static let queuedFramesMax = 256
    /// How long the last streams of a client may be on their way after the announcement.
    private static let drainGrace: Duration = .milliseconds(100)

    init(limits: HTTPLimits, allowance: MemoryBudget.Allowance, now: Int64) {
        self.limits = limits
        self.allowance = allowance
        self.now = now
        meter = FloodMeter(now: now)
        unsafe handle = HTTP2Callbacks.shared.makeSession(limits)
        unsafe nghttp2_session_set_user_data(handle, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { unsafe nghttp2_session_del(handle) }

    /// What the client sends is read even above the high-water mark and without free memory, if
    /// that may free some: by letting answers be sent, or by being refused.
    var wantsInput: Bool {
        unsafe nghttp2_session_want_read(handle) != 0 && !isBroken
            && (allowance.outputBytes > 0 || heldBytes > 0 || unsentCount > 0
                || receivingCount > 0)
    }
    var canResume: Bool {
        !isBroken && (mayDispatch || !stirred.isEmpty || !abandoned.isEmpty)
    }
    /// Otherwise a client that reads slowly could neither cancel an answer nor ask for another one.
    var readsWhileSending: Bool {
        unsafe nghttp2_session_get_outbound_queue_size(handle) < Self.queuedFramesMax
    }
    /// One at a time is always served: whole requests hold memory too.
    private var mayDispatch: Bool {
        !complete.isEmpty && (outputBytes == 0 || outputBytes < allowance.outputBytes)
    }

    var isFinished: Bool {
        if isBroken { return true }
        if unsafe nghttp2_session_want_write(handle) != 0 { return false }
        if unsafe nghttp2_session_want_read(handle) == 0 { return true }
        return drain == .final && streams.isEmpty && answered.isEmpty
    }

    var hasFailed: Bool { false }
    /// Clients send window updates until they have read the last answer.
    var needsLinger: Bool { drain != .final || finishedCount > finishedBeforeDrain }
    var heldBytes: Int { inputBytes + outputBytes }
    var phase: ConnectionPhase { streams.isEmpty ? .idle(finishedCount) : .busy }
    var hasBody: Bool { receivingCount > 0 }
    var awaitsBody: Bool {
        receivingCount > 0
            && streams.values.contains { $0.isReceiving && !$0.incoming.isWaiting }
    }
    var awaitsWindow: Bool { unsentCount > 0 }

    // MARK: Requests

    func receive(_ bytes: Span<UInt8>, on connection: Connection, _ loop: HTTPLoop) {
        now = loop.nowNanoseconds
        loop.touch(connection)
        let read = unsafe bytes.withUnsafeBufferPointer {
            unsafe nghttp2_session_mem_recv(handle, $0.baseAddress, $0.count)
        }
        if read < 0 { isBroken = true }
        resume(on: connection, loop)
    }

    func resume(on connection: Connection, _ loop: HTTPLoop) {
        let streams = stirred
        stirred = []
        for stream in streams where !connection.isCut { advance(stream, on: connection, loop) }
        tellAbandoned()
        while mayDispatch, !connection.isCut {
            let stream = complete.removeFirst()
            guard !stream.isClosed, !stream.hasAnswer else { continue }
            inputBytes -= stream.inputBytes
            let sink = stream.incoming.sink
            let request = stream.takeRequest()
            let (answer, application) = loop.dispatch(
                request, sink, of: stream.application, on: connection, stream: UInt64(stream.id))
            stream.application = application
            switch answer {
            case .respond(let response): self.answer(stream, response, canFail: true)
            case .later, .cut: break
            }
        }
    }

    /// Asks what becomes of a stream's body, hands on what has come of it, and sees whether that was
    /// all.
    private func advance(_ stream: HTTP2Stream, on connection: Connection, _ loop: HTTPLoop) {
        stream.isStirred = false
        guard !stream.isClosed, !stream.isComplete else { return }
        if stream.isTooLong { return refuse(stream, loop.refusal(ofLongBodyOf: stream.request)) }
        if stream.bodyBytesMax == nil, stream.hasBody {
            let (use, application) = loop.use(
                ofBodyOf: stream.request, length: stream.contentLength, on: connection,
                stream: UInt64(stream.id))
            switch use {
            case .collect(let bytesMax): stream.bodyBytesMax = bytesMax
            case .stream(let sink, let bytesMax):
                stream.bodyBytesMax = bytesMax
                stream.incoming.sink = sink
                stream.application = application
            case .refuse(let response):
                stream.application = application
                return refuse(stream, response)
            }
            guard stream.isWithinLimit(adding: 0) else {
                return refuse(stream, loop.refusal(ofLongBodyOf: stream.request))
            }
            if stream.expectsContinue, stream.isReceiving, stream.bodyCount == 0 {
                unsafe HTTP2Fields.submitContinue(to: stream.id, on: handle)
            }
        }
        var body = stream.incoming
        body.pour()
        // It may have been answered meanwhile.
        guard !stream.isComplete else { return }
        counting(stream) { stream.incoming.settle(after: body) }
        guard !stream.incoming.isWaiting else { return }
        consume(stream)
        if !stream.isReceiving { finish(stream) }
    }

    private func tellAbandoned() {
        let sinks = abandoned
        abandoned = []
        for sink in sinks { sink.abandon() }
    }

    func abandon() {
        for stream in streams.values { letGo(stream) }
        tellAbandoned()
    }

    func noteEndOfInput() { isBroken = true }

    func streamBegan(_ id: Int32) {
        streams[id] = HTTP2Stream(id: id)
        receivingCount += 1
    }

    /// False ends the connection: a few bytes may stand for many of the dynamic table, and reading
    /// those to their end only to refuse them would keep the loop busy.
    func headerCame(
        _ id: Int32, name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let stream = streams[id] else { return true }
        counting(stream) { unsafe stream.take(name: name, value: value, limits: limits) }
        return stream.headerBytesSeen <= Self.headerBytesFactor * limits.headerBytesMax
    }

    func bodyCame(_ id: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
        bodyBytesReceived += bytes.count
        // A body whose sink waits fills its own window, and must not hold up those beside it.
        unsafe _ = nghttp2_session_consume_connection(handle, bytes.count)
        guard let stream = streams[id] else { return }
        if !stream.isComplete {
            if !stream.isWithinLimit(adding: bytes.count) {
                // The application says with what to refuse it, outside of nghttp2.
                stream.isTooLong = true
                stir(stream)
            } else if stream.incoming.count + bytes.count > allowance.bodyBytes {
                refuse(stream, .overloaded)
            } else if inputBytes + bytes.count > limits.connectionBodyBytesMax {
                return reset(id, NGHTTP2_REFUSED_STREAM)
            } else {
                counting(stream) { unsafe stream.append(bytes) }
                return stir(stream)
            }
        }
        // Resetting the stream would be shorter, but libcurl 7.88 then hides the answer.
        unsafe _ = nghttp2_session_consume_stream(handle, id, bytes.count)
        stream.discardedBytes += bytes.count
        if stream.discardedBytes > Self.discardedBytesMax { reset(id, NGHTTP2_NO_ERROR) }
    }

    /// Lets the client send as much again as was taken of its body.
    private func consume(_ stream: HTTP2Stream) {
        let count = stream.consume()
        if count > 0 { unsafe _ = nghttp2_session_consume_stream(handle, stream.id, count) }
    }

    private func stir(_ stream: HTTP2Stream) {
        guard !stream.isStirred else { return }
        stream.isStirred = true
        stirred.append(stream)
    }

    /// Forgets a request that was not handed out. Its sink is told later, outside of nghttp2.
    private func letGo(_ stream: HTTP2Stream) {
        if let sink = stream.incoming.sink { abandoned.append(sink) }
        counting(stream) { _ = stream.takeRequest() }
    }

    /// Keeps count of what is kept of a request while it changes.
    private func counting(_ stream: HTTP2Stream, _ change: () -> Void) {
        inputBytes -= stream.inputBytes
        change()
        inputBytes += stream.inputBytes
    }

    private func refuse(_ stream: HTTP2Stream, _ response: HTTPResponse) {
        letGo(stream)
        stream.refuse(response)
        finish(stream)
    }

    func frameCame(_ header: nghttp2_frame_hd, isRequestHead: Bool) {
        let endsStream = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue:
            if header.length == 0, !endsStream { chargeFlood() }
            guard let stream = streams[header.stream_id] else { return }
            if isRequestHead {
                stream.hasBody = !endsStream && stream.contentLength != 0
                endHeaders(of: stream)
            }
            if endsStream { endReceiving(stream) }
            if isRequestHead || endsStream { stir(stream) }
        case NGHTTP2_PING.rawValue:
            let isAcknowledgement = header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0
            if isAcknowledgement { finishDrain() } else { chargeFlood() }
        case NGHTTP2_RST_STREAM.rawValue, NGHTTP2_SETTINGS.rawValue, NGHTTP2_PRIORITY.rawValue:
            chargeFlood()
        default: break
        }
    }

    private func endHeaders(of stream: HTTP2Stream) {
        counting(stream) {
            stream.endHeaders()
            if allowance.bodyBytes == 0 { stream.refuse(.overloaded) }
        }
        if stream.refusal != nil { finish(stream) }
    }

    /// The request is whole, or refused before it was.
    private func finish(_ stream: HTTP2Stream) {
        guard !stream.isComplete else { return }
        stream.isComplete = true
        if let refusal = stream.refusal {
            consume(stream)
            answer(stream, refusal, canFail: false)
        } else {
            complete.append(stream)
        }
    }

    /// The client sends no more of the request.
    private func endReceiving(_ stream: HTTP2Stream) {
        guard stream.isReceiving else { return }
        stream.isReceiving = false
        receivingCount -= 1
    }

    func streamClosed(_ id: Int32) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        stream.isClosed = true
        finishedCount += 1
        endReceiving(stream)
        letGo(stream)
        outputBytes -= stream.outputBytes
        guard stream.isAnswered else { return }
        if stream.unsent == nil { meter.credit() } else if !stream.awaitsSource { unsentCount -= 1 }
    }

    private func reset(_ id: Int32, _ code: nghttp2_error_code) {
        unsafe nghttp2_submit_rst_stream(handle, 0, id, code.rawValue)
    }

    private func chargeFlood() {
        guard !meter.charge(now: now), !isBroken else { return }
        unsafe nghttp2_session_terminate_session(handle, NGHTTP2_ENHANCE_YOUR_CALM.rawValue)
    }

    // MARK: Answers

    func isWaiting(for stream: UInt64) -> Bool {
        guard let id = Int32(exactly: stream), let found = streams[id] else { return false }
        return !found.hasAnswer
    }

    func deliver(_ response: HTTPResponse, to stream: UInt64) -> Bool {
        guard isWaiting(for: stream), let found = streams[Int32(stream)] else { return false }
        // Before its end: the rest is read and forgotten.
        letGo(found)
        found.isComplete = true
        consume(found)
        answer(found, response, canFail: true)
        return true
    }

    private func answer(_ stream: HTTP2Stream, _ response: HTTPResponse, canFail: Bool) {
        stream.response = response.limited(to: allowance.answerBytes)
        stream.canFail = canFail
        outputBytes += stream.outputBytes
        answered.append(stream)
    }

    func failAnswers(of application: any HTTPApplication, with response: HTTPResponse) {
        for stream in answered
        where stream.canFail && stream.response?.survivesRollback == false
            && stream.application === application
        {
            outputBytes += stream.isClosed ? 0 : response.body.count - stream.outputBytes
            stream.response = response
        }
    }

    func streams(waitingFor application: any HTTPApplication) -> [UInt64] {
        streams.values.filter { $0.application === application && !$0.hasAnswer }
            .map { UInt64($0.id) }.sorted()
    }

    func cutSources(of application: any HTTPApplication) {
        for stream in streams.values where stream.application === application {
            guard stream.unsent?.hasSource ?? (stream.response?.source != nil) else { continue }
            stream.response = nil
            reset(stream.id, NGHTTP2_INTERNAL_ERROR)
        }
    }

    func noteCommitted() { for stream in answered { stream.canFail = false } }

    func resumeBody(of stream: UInt64) {
        guard let id = Int32(exactly: stream), let found = streams[id] else { return }
        if found.incoming.sink != nil {
            counting(found) { found.incoming.resume() }
            stir(found)
        }
        guard found.awaitsSource else { return }
        found.awaitsSource = false
        unsentCount += 1
        resumed.append(id)
    }

    func gather(into output: inout [UInt8], _ loop: HTTPLoop) -> Bool {
        submitAnswers(loop)
        for id in resumed { unsafe _ = nghttp2_session_resume_data(handle, id) }
        resumed = []
        while output.count < Self.writeBytes {
            var bytes: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(handle, &bytes)
            guard count > 0 else {
                if count < 0 { isBroken = true }
                return false
            }
            unsafe output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
        }
        return true
    }

    private func submitAnswers(_ loop: HTTPLoop) {
        guard !answered.isEmpty else { return }
        let ready = answered
        answered = []
        for stream in ready where !stream.isAnswered && !stream.isClosed {
            guard let response = stream.response.take() else { continue }
            submit(response, to: stream, loop.date(of: stream.application))
        }
    }

    private func submit(_ response: HTTPResponse, to stream: HTTP2Stream, _ date: DateField) {
        stream.isAnswered = true
        let isBodyless = !response.hasBody || stream.isHead || response.length == 0
        if isBodyless {
            outputBytes -= response.body.count
        } else {
            stream.unsent = UnsentBody(response)
            unsentCount += 1
        }
        var provider = unsafe nghttp2_data_provider(
            source: nghttp2_data_source(ptr: Unmanaged.passUnretained(stream).toOpaque()),
            read_callback: HTTP2Callbacks.readBody)
        let code = unsafe withUnsafePointer(to: &provider) { provider in
            unsafe HTTP2Fields.submit(
                response, length: response.hasBody ? response.length : nil, date: date,
                to: stream.id, on: handle, provider: isBodyless ? nil : provider)
        }
        if code != 0 { isBroken = true }
    }

    /// Copies the next bytes of an answer's body, of which nghttp2 sends what the client lets it.
    ///
    /// - Returns: What nghttp2 is to be told.
    func readBody(
        of stream: HTTP2Stream, into buffer: UnsafeMutableBufferPointer<UInt8>,
        _ flags: inout UInt32
    ) -> Int {
        guard var body = stream.unsent else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
        outputBytes -= body.heldBytes
        let step = body.next(buffer.count)
        outputBytes += body.heldBytes
        stream.unsent = body
        switch step {
        case .bytes(let bytes, let isLast):
            _ = unsafe buffer.update(fromContentsOf: bytes)
            if isLast {
                flags |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue)
                outputBytes -= body.heldBytes
                stream.unsent = nil
                unsentCount -= 1
            }
            return bytes.count
        case .waiting:
            stream.awaitsSource = true
            unsentCount -= 1
            return Int(NGHTTP2_ERR_DEFERRED.rawValue)
        case .failed: return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
    }

    // MARK: Drain

    func beginDrain(of connection: Connection, _ loop: HTTPLoop) {
        guard drain == .none else { return }
        finishedBeforeDrain = finishedCount
        drain = .announced
        for stream in streams.values.sorted(by: { $0.id < $1.id }) {
            let isReady = stream.unsent?.finish() ?? stream.response?.source?.finish() ?? false
            if isReady { resumeBody(of: UInt64(stream.id)) }
        }
        unsafe nghttp2_submit_shutdown_notice(handle)
        unsafe nghttp2_submit_ping(handle, 0, nil)
        loop.schedule(after: Self.drainGrace) { [weak self, weak connection] loop in
            self?.finishDrain()
            if let connection { loop.touch(connection) }
        }
    }

    /// What is in flight has arrived; nothing later will be read.
    private func finishDrain() {
        guard drain == .announced else { return }
        drain = .final
        let last = unsafe nghttp2_session_get_last_proc_stream_id(handle)
        unsafe nghttp2_submit_goaway(
            handle, 0, last, NGHTTP2_NO_ERROR.rawValue, nil, 0)
    }
}
