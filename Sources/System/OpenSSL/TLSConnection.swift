private import COpenSSL

/// TLS over one non-blocking socket, which it does not own.
///
/// OpenSSL reads and writes the descriptor itself: that saves one copy each way over memory BIOs.
/// Nothing here waits; what cannot go on says what it waits for.
@safe package struct TLSConnection: ~Copyable {
    /// How a step ended.
    package enum Step: Sendable, Hashable {
        /// So many bytes were read or written; 0 for a handshake that is over.
        case done(Int)
        case wantsRead
        case wantsWrite
        /// The peer said that it will send no more.
        case closed
        /// The connection is unusable.
        case failed
    }

    private let handle: OpaquePointer

    /// The server's side of a connection.
    package init(serverOn descriptor: Int32, _ context: TLSContext) throws(OpenSSLError) {
        let handle = unsafe try Self.made(context, descriptor)
        unsafe self.handle = handle
        unsafe SSL_set_accept_state(handle)
    }

    /// The client's side; the server's certificate must name `host`, a DNS name or an address.
    package init(
        clientOn descriptor: Int32, host: String, _ context: TLSContext
    ) throws(OpenSSLError) {
        let handle = unsafe try Self.made(context, descriptor)
        unsafe self.handle = handle
        let parameters = unsafe SSL_get0_param(handle)
        if unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, host) != 1 {
            ERR_clear_error()
            unsafe SSL_set1_host(handle, host)
            unsafe cksweep_set_server_name(handle, host)
        }
        unsafe SSL_set_connect_state(handle)
    }

    private static func made(
        _ context: TLSContext, _ descriptor: Int32
    ) throws(OpenSSLError) -> OpaquePointer {
        guard let handle = unsafe SSL_new(context.handle) else {
            throw OpenSSLError.fromQueue(.failed, "cannot start a TLS connection")
        }
        guard unsafe SSL_set_fd(handle, descriptor) == 1 else {
            unsafe SSL_free(handle)
            throw OpenSSLError.fromQueue(.failed, "cannot start a TLS connection")
        }
        return unsafe handle
    }

    deinit { unsafe SSL_free(handle) }

    /// Goes on with the handshake.
    package borrowing func handshake() -> Step {
        let code = unsafe SSL_do_handshake(handle)
        return code == 1 ? .done(0) : failure(code)
    }

    /// Reads what is there, at most the buffer's size.
    package borrowing func read(into buffer: UnsafeMutableRawBufferPointer) -> Step {
        var count = 0
        let code = unsafe SSL_read_ex(handle, buffer.baseAddress, buffer.count, &count)
        return code == 1 ? .done(count) : failure(code)
    }

    /// Writes as much as the socket takes; after `wantsWrite` the same bytes must come again.
    package borrowing func write(_ buffer: UnsafeRawBufferPointer) -> Step {
        var count = 0
        let code = unsafe SSL_write_ex(handle, buffer.baseAddress, buffer.count, &count)
        return code == 1 ? .done(count) : failure(code)
    }

    /// Whether bytes wait inside OpenSSL, for which the socket will not become readable again.
    package var hasPending: Bool { unsafe SSL_has_pending(handle) == 1 }

    /// Tells the peer that nothing more will be sent; does not wait for its answer.
    package borrowing func sendCloseNotify() {
        unsafe SSL_shutdown(handle)
        ERR_clear_error()
    }

    /// What ALPN settled on; nil when the client did not ask.
    package var selectedProtocol: String? {
        var name: UnsafePointer<UInt8>? = nil
        var length: UInt32 = 0
        unsafe SSL_get0_alpn_selected(handle, &name, &length)
        guard let name = unsafe name, length > 0 else { return nil }
        return unsafe String(
            decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    /// `TLSv1.3`, say.
    package var version: String { unsafe String(cString: SSL_get_version(handle)) }

    /// Why the peer's certificate was refused; nil when it was not.
    package var verificationFailure: String? {
        let result = unsafe SSL_get_verify_result(handle)
        guard result != Int(X509_V_OK) else { return nil }
        return unsafe String(cString: X509_verify_cert_error_string(result))
    }

    /// The queue of errors is the thread's, so it is emptied for the next connection's sake.
    private borrowing func failure(_ code: Int32) -> Step {
        defer { ERR_clear_error() }
        return switch unsafe SSL_get_error(handle, code) {
        case SSL_ERROR_WANT_READ: .wantsRead
        case SSL_ERROR_WANT_WRITE: .wantsWrite
        case SSL_ERROR_ZERO_RETURN: .closed
        default: .failed
        }
    }
}
