import CNghttp2

/// The functions nghttp2 calls, which find their session and call its method.
@safe final class HTTP2Callbacks: Sendable {
    /// Made once; nghttp2 copies it into every session.
    static let shared = HTTP2Callbacks()

    nonisolated(unsafe) let handle: OpaquePointer

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
            unsafe HTTP2Callbacks.with(context) {
                unsafe $0.headerCame(
                    frame.pointee.hd.stream_id,
                    name: UnsafeBufferPointer(start: name, count: nameLength),
                    value: UnsafeBufferPointer(start: value, count: valueLength))
            }
            return 0
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
        let (count, isLast) = unsafe stream.readAnswer(into: buffer, capacity: capacity)
        if isLast { unsafe flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue) }
        unsafe with(context) { $0.bodySent(isLast: isLast) }
        return count
    }
}
