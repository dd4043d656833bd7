private import COpenSSL

/// The TLS settings all connections of a server (or of a test client) share.
@safe package final class TLSContext: Sendable {
    nonisolated(unsafe) let handle: OpaquePointer

    /// For servers: TLS 1.2 and 1.3, ALPN `h2` and `http/1.1` in that order of preference.
    ///
    /// - Throws: `certificateUnreadable`, `keyUnreadable`, `keyMismatch`.
    package init(
        server identity: ServerIdentity, protocols: [String] = ["h2", "http/1.1"]
    ) throws(OpenSSLError) {
        preconditionFailure("not yet")
    }

    deinit { unsafe SSL_CTX_free(handle) }
}
