import CNghttp2

/// A connection's HTTP/2 side, framed by nghttp2.
///
/// Requests are handled after nghttp2 has read a piece of input, not inside its callbacks, so the
/// application never runs inside the library. Answers of a turn are submitted together and leave
/// in one write.
@safe final class HTTP2Session: WireSession {
    private let handle: OpaquePointer
    private let limits: HTTPLimits
    private var streams: [Int32: HTTP2Stream] = [:]
    /// Whole requests that nghttp2's callbacks have found.
    private var complete: [HTTP2Stream] = []
    /// Streams whose answers are to be submitted.
    private var answered: [HTTP2Stream] = []
    private var meter: FloodMeter
    private var now: Int64
    private var bodyBytes = 0
    private var finishedCount: UInt64 = 0
    private var sentCount: UInt64 = 0
    private var unsentCount = 0
    private var drain = Drain.none
    private var isBroken = false

    /// The two steps of an orderly end (RFC 9113 section 6.8).
    private enum Drain { case none, announced, final }

    /// The reading window of a stream and of the connection.
    private static let streamWindowBytes: UInt32 = 256 << 10
    private static let connectionWindowBytes: Int32 = 1 << 20
    /// About how much goes into one write.
    private static let writeBytes = 64 << 10
    /// How much of a refused body is read and forgotten before the stream is reset.
    private static let discardedBytesMax = 16 << 20
    /// How long the last streams of a client may be on their way after the announcement.
    private static let drainGrace: Duration = .milliseconds(100)

    init(limits: HTTPLimits, now: Int64) {
        self.limits = limits
        self.now = now
        meter = FloodMeter(now: now)
        var option: OpaquePointer?
        guard unsafe nghttp2_option_new(&option) == 0 else {
            preconditionFailure("nghttp2 has no memory")
        }
        defer { unsafe nghttp2_option_del(option) }
        unsafe nghttp2_option_set_max_settings(option, 32)
        unsafe nghttp2_option_set_max_outbound_ack(option, 500)
        unsafe nghttp2_option_set_no_closed_streams(option, 1)
        var made: OpaquePointer?
        // The session's context is set right below, when self is whole.
        let code = unsafe nghttp2_session_server_new2(
            &made, HTTP2Callbacks.shared.handle, nil, option)
        guard code == 0, let made = unsafe made
        else { preconditionFailure("nghttp2 has no memory") }
        unsafe handle = made
        unsafe nghttp2_session_set_user_data(made, Unmanaged.passUnretained(self).toOpaque())
        let settings = [
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
                value: UInt32(limits.streamsMax)),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue),
                value: Self.streamWindowBytes),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
                value: UInt32(limits.headerBytesMax)),
        ]
        unsafe nghttp2_submit_settings(made, 0, settings, settings.count)
        unsafe nghttp2_session_set_local_window_size(
            made, 0, 0, Self.connectionWindowBytes)
    }

    deinit { unsafe nghttp2_session_del(handle) }

    var wantsInput: Bool { unsafe nghttp2_session_want_read(handle) != 0 && !isBroken }
    var canResume: Bool { false }

    var isFinished: Bool {
        if isBroken { return true }
        if unsafe nghttp2_session_want_write(handle) != 0 { return false }
        if unsafe nghttp2_session_want_read(handle) == 0 { return true }
        return drain == .final && streams.isEmpty && answered.isEmpty
    }

    var needsLinger: Bool { drain != .final }

    var phase: ConnectionPhase {
        if let oldest = streams.values.filter(\.isReceiving).min(by: { $0.id < $1.id }) {
            return .body(UInt64(oldest.id), since: oldest.beganAt)
        }
        if unsentCount > 0 { return .writing(sentCount) }
        return streams.isEmpty ? .idle(finishedCount) : .application
    }

    // MARK: Input

    func receive(_ bytes: Span<UInt8>, on connection: Connection, _ loop: HTTPLoop) {
        now = loop.nowNanoseconds
        loop.touch(connection)
        let read = unsafe bytes.withUnsafeBufferPointer {
            unsafe nghttp2_session_mem_recv(handle, $0.baseAddress, $0.count)
        }
        if read < 0 { isBroken = true }
        dispatchComplete(on: connection, loop)
    }

    private func dispatchComplete(on connection: Connection, _ loop: HTTPLoop) {
        let found = complete
        complete = []
        for stream in found where !connection.isCut && !stream.isClosed {
            switch loop.dispatch(stream.request, on: connection, stream: UInt64(stream.id)) {
            case .respond(let response): answer(stream, response, canFail: true)
            case .later, .cut: break
            }
        }
    }

    func resume(on connection: Connection, _ loop: HTTPLoop) {}

    func noteEndOfInput() { isBroken = true }

    func streamBegan(_ id: Int32) { streams[id] = HTTP2Stream(id: id, now: now) }

    func headerCame(
        _ id: Int32, name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
    ) {
        unsafe streams[id]?.take(name: name, value: value, limits: limits)
    }

    func bodyCame(_ id: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
        guard let stream = streams[id] else { return }
        guard stream.refusal == nil else {
            // Resetting the stream would be shorter, but libcurl 7.88 then hides the answer.
            stream.discardedBytes += bytes.count
            if stream.discardedBytes > Self.discardedBytesMax { reset(stream.id, NGHTTP2_NO_ERROR) }
            return
        }
        guard stream.request.body.count + bytes.count <= limits.bodyBytesMax else {
            bodyBytes -= stream.request.body.count
            stream.refuse(413)
            return finish(stream)
        }
        guard bodyBytes + bytes.count <= limits.connectionBodyBytesMax else {
            return reset(stream.id, NGHTTP2_REFUSED_STREAM)
        }
        bodyBytes += bytes.count
        unsafe stream.append(bytes)
    }

    func frameCame(_ header: nghttp2_frame_hd, isRequestHead: Bool) {
        let endsStream = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue:
            if header.length == 0, !endsStream { chargeFlood() }
            guard let stream = streams[header.stream_id] else { return }
            if isRequestHead { endHeaders(of: stream, endsStream: endsStream) }
            if endsStream {
                finish(stream)
                stream.isReceiving = false
            }
        case NGHTTP2_PING.rawValue:
            let isAcknowledgement = header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0
            if isAcknowledgement { finishDrain() } else { chargeFlood() }
        case NGHTTP2_RST_STREAM.rawValue, NGHTTP2_SETTINGS.rawValue, NGHTTP2_PRIORITY.rawValue:
            chargeFlood()
        default: break
        }
    }

    private func endHeaders(of stream: HTTP2Stream, endsStream: Bool) {
        stream.endHeaders()
        if stream.refusal != nil {
            finish(stream)
        } else if stream.expectsContinue, !endsStream {
            unsafe HTTP2Fields.submitContinue(to: stream.id, on: handle)
        }
    }

    /// The request is whole, or refused before it was.
    private func finish(_ stream: HTTP2Stream) {
        guard !stream.isComplete else { return }
        stream.isComplete = true
        bodyBytes -= stream.request.body.count
        if let status = stream.refusal {
            answer(stream, HTTPResponse(status: status), canFail: false)
        } else {
            complete.append(stream)
        }
    }

    func streamClosed(_ id: Int32) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        stream.isClosed = true
        finishedCount += 1
        if !stream.isComplete { bodyBytes -= stream.request.body.count }
        if stream.isAnswered {
            if stream.answerSent == stream.answer.count { meter.credit() } else { unsentCount -= 1 }
        }
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
        return found.isComplete && !found.isAnswered && found.response == nil
    }

    func deliver(_ response: HTTPResponse, to stream: UInt64) -> Bool {
        guard isWaiting(for: stream), let found = streams[Int32(stream)] else {
            return false
        }
        answer(found, response, canFail: true)
        return true
    }

    private func answer(
        _ stream: HTTP2Stream, _ response: HTTPResponse, canFail: Bool
    ) {
        stream.response = response
        stream.canFail = canFail
        answered.append(stream)
    }

    func failAnswers(with response: HTTPResponse) {
        for stream in answered where stream.canFail && stream.response?.standsAlone != true {
            stream.response = response
        }
    }

    func gather(into output: inout [UInt8], _ loop: HTTPLoop) -> Bool {
        submitAnswers(loop)
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
            submit(response, to: stream, loop.date)
        }
    }

    private func submit(_ response: HTTPResponse, to stream: HTTP2Stream, _ date: DateField) {
        stream.isAnswered = true
        let hasBody = response.status != 204 && response.status != 304
        if hasBody, stream.request.method != "HEAD" { stream.answer = response.body }
        var provider = unsafe nghttp2_data_provider(
            source: nghttp2_data_source(ptr: Unmanaged.passUnretained(stream).toOpaque()),
            read_callback: HTTP2Callbacks.readBody)
        let isBodyless = stream.answer.isEmpty
        if !isBodyless { unsentCount += 1 }
        let code = unsafe withUnsafePointer(to: &provider) { provider in
            unsafe HTTP2Fields.submit(
                response, length: hasBody ? response.body.count : nil, date: date, to: stream.id,
                on: handle, provider: isBodyless ? nil : provider)
        }
        if code != 0 { isBroken = true }
    }

    func bodySent(isLast: Bool) {
        sentCount += 1
        if isLast { unsentCount -= 1 }
    }

    // MARK: Drain

    func beginDrain(of connection: Connection, _ loop: HTTPLoop) {
        guard drain == .none else { return }
        drain = .announced
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
