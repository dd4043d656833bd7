private import COpenSSL

/// A TLS connection that another library made with this OpenSSL, and goes on owning.
///
/// Good only inside the call that handed it over, on the thread that drives the connection.
@safe package struct ForeignTLSConnection: ~Copyable {
    private let handle: OpaquePointer

    /// - Parameter handle: The library's `SSL *`.
    package init(_ handle: UnsafeMutableRawPointer) {
        unsafe self.handle = OpaquePointer(handle)
    }

    /// Which key the peer has proven to hold: SHA-256 over the `SubjectPublicKeyInfo` of its own
    /// certificate, 32 bytes. A certificate renewed for the same key keeps it. Nil before the
    /// handshake is over.
    ///
    /// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc7469#section-2.4>
    package var peerKeyDigest: [UInt8]? {
        guard let certificate = unsafe SSL_get1_peer_certificate(handle) else { return nil }
        return unsafe X509Certificate(owning: certificate).keyDigest
    }

    /// Whether OpenSSL holds bytes of the peer that nobody has read, for which the socket need not
    /// be readable.
    package var hasPending: Bool { unsafe SSL_has_pending(handle) == 1 }
}
