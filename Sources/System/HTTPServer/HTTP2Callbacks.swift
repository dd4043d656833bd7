import CNghttp2

/// The functions nghttp2 calls, which find their session and call its method.
@safe final class HTTP2Callbacks: Sendable {
    /// Made once; nghttp2 copies it into every session.
    static let shared = HTTP2Callbacks()

    /// Filled in `init` and only read after it.
    private nonisolated(unsafe) let handle: OpaquePointer
    /// The reading window of a stream and of the connection.
    private static let streamWindowBytes: UInt32 = 256 << 10
    private static let connectionWindowBytes: Int32 = 1 << 20

    private init() {
        var made: OpaquePointer?
        guard unsafe nghttp2_session_callbacks_new(&made) == 0, let made = unsafe made else {
            preconditionFailure("nghttp2 has no memory")
        }
        unsafe handle = made
        unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(made) { _, frame, context in
            guard let frame = unsafe frame,
                unsafe frame.pointee.hd.type == UInt8(NGHTTP2_HEADERS.rawValue),
                unsafe frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST
            else { return 0 }
            unsafe HTTP2Callbacks.with(context) {
                unsafe $0.streamBegan(frame.pointee.hd.stream_id)
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_header_callback(made) {
            _, frame, name, nameLength, value, valueLength, _, context in
            guard let frame = unsafe frame,
                unsafe frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST
            else { return 0 }
            var goesOn = true
            unsafe HTTP2Callbacks.with(context) {
                goesOn = unsafe $0.headerCame(
                    frame.pointee.hd.stream_id,
                    name: UnsafeBufferPointer(start: name, count: nameLength),
                    value: UnsafeBufferPointer(start: value, count: valueLength))
            }
            return goesOn ? 0 : Int32(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
        }
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(made) {
            _, _, stream, bytes, count, context in
            unsafe HTTP2Callbacks.with(context) {
                unsafe $0.bodyCame(stream, UnsafeBufferPointer(start: bytes, count: count))
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(made) { _, frame, context in
            guard let frame = unsafe frame else { return 0 }
            let header = unsafe frame.pointee.hd
            let category = unsafe frame.pointee.headers.cat
            let isRequestHead =
                header.type == UInt8(NGHTTP2_HEADERS.rawValue) && category == NGHTTP2_HCAT_REQUEST
            unsafe HTTP2Callbacks.with(context) {
                $0.frameCame(header, isRequestHead: isRequestHead)
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(made) {
            _, stream, _, context in
            unsafe HTTP2Callbacks.with(context) { $0.streamClosed(stream) }
            return 0
        }
    }

    /// A session that sends its settings first. Whoever takes it frees it.
    func makeSession(_ limits: HTTPLimits) -> OpaquePointer {
        var option: OpaquePointer?
        guard unsafe nghttp2_option_new(&option) == 0 else {
            preconditionFailure("nghttp2 has no memory")
        }
        defer { unsafe nghttp2_option_del(option) }
        unsafe nghttp2_option_set_max_settings(option, 32)
        unsafe nghttp2_option_set_max_outbound_ack(option, 500)
        unsafe nghttp2_option_set_no_closed_streams(option, 1)
        unsafe nghttp2_option_set_no_auto_window_update(option, 1)
        var made: OpaquePointer?
        guard unsafe nghttp2_session_server_new2(&made, handle, nil, option) == 0,
            let made = unsafe made
        else { preconditionFailure("nghttp2 has no memory") }
        let settings = [
            (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, UInt32(limits.streamsMax)),
            (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, Self.streamWindowBytes),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, UInt32(limits.headerBytesMax)),
        ].map { nghttp2_settings_entry(settings_id: Int32($0.rawValue), value: $1) }
        unsafe nghttp2_submit_settings(made, 0, settings, settings.count)
        unsafe nghttp2_session_set_local_window_size(made, 0, 0, Self.connectionWindowBytes)
        return unsafe made
    }

    /// Finds the session, which whoever called nghttp2 keeps alive.
    private static func with(
        _ context: UnsafeMutableRawPointer?, _ body: (HTTP2Session) -> Void
    ) {
        guard let context = unsafe context else {
            preconditionFailure("nghttp2 lost its session")
        }
        unsafe body(Unmanaged<HTTP2Session>.fromOpaque(context).takeUnretainedValue())
    }

    /// Gives nghttp2 the next piece of an answer's body; `source` is the stream.
    static let readBody: nghttp2_data_source_read_callback = {
        _, _, buffer, capacity, flags, source, context in
        guard let source = unsafe source, let flags = unsafe flags, let buffer = unsafe buffer,
            let pointer = unsafe source.pointee.ptr
        else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
        let stream = unsafe Unmanaged<HTTP2Stream>.fromOpaque(pointer).takeUnretainedValue()
        var count = 0
        unsafe with(context) { session in
            count = unsafe session.readBody(
                of: stream, into: UnsafeMutableBufferPointer(start: buffer, count: capacity),
                &flags.pointee)
        }
        return count
    }
}
