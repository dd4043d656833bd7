private import COpenSSL

/// The TLS settings that all connections of a server, or of a test's client, share.
@safe package final class TLSContext: Sendable {
    /// Set up before `init` ends and not changed after; OpenSSL counts its uses with atomics.
    nonisolated(unsafe) let handle: OpaquePointer
    /// The ALPN names in order of preference, each after its length; lives as long as `handle`.
    private nonisolated(unsafe) let protocols: UnsafeMutableBufferPointer<UInt8>
    /// The identities of servers whose names clients ask for.
    private let named: NamedIdentities?

    /// The identity that a server shows a client who asks for it by this name, in lower case; nil: its own.
    package typealias NamedIdentities = @Sendable (_ name: String) -> ServerIdentity?

    private init(
        method: OpaquePointer?, protocols names: [String], named: NamedIdentities? = nil
    ) throws(OpenSSLError) {
        ERR_clear_error()
        guard let handle = unsafe SSL_CTX_new(method) else {
            throw OpenSSLError.fromQueue(.failed, "cannot start TLS")
        }
        unsafe self.handle = handle
        self.named = named
        let wire = names.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        unsafe protocols = .allocate(capacity: wire.count)
        _ = unsafe protocols.initialize(fromContentsOf: wire)
        unsafe cksweep_ctx_set_min_tls12(handle)
        unsafe cksweep_ctx_set_modes(handle)
        unsafe cksweep_ctx_no_session_cache(handle)
        guard
            unsafe SSL_CTX_set_cipher_list(
                handle, "ECDHE+AESGCM:ECDHE+CHACHA20:!aNULL") == 1
        else { throw OpenSSLError.fromQueue(.failed, "cannot set the ciphers") }
    }

    deinit {
        unsafe SSL_CTX_free(handle)
        unsafe protocols.deallocate()
    }

    /// For servers: TLS 1.2 and 1.3; by ALPN `h2`, then HTTP/1, unless told otherwise.
    ///
    /// - Parameter named: Asked in each handshake in which the client names the server, on the thread that
    ///   shakes hands. The handshake fails where what it gives cannot be used.
    /// - Throws: `certificateUnreadable`, `keyUnreadable`, `keyMismatch`, `failed` for what
    ///   OpenSSL holds too weak.
    package convenience init(
        server identity: ServerIdentity, protocols: [String] = ["h2", "http/1.1", "http/1.0"],
        named: NamedIdentities? = nil
    ) throws(OpenSSLError) {
        unsafe try self.init(method: TLS_server_method(), protocols: protocols, named: named)
        try use(identity)
        unsafe cksweep_ctx_set_server_options(handle)
        unsafe cksweep_ctx_set_read_ahead(handle)
        unsafe SSL_CTX_set_num_tickets(handle, 1)
        unsafe SSL_CTX_set_alpn_select_cb(
            handle, TLSContext.selectProtocol, Unmanaged.passUnretained(self).toOpaque())
        guard named != nil else { return }
        unsafe SSL_CTX_set_cert_cb(
            handle, TLSContext.selectIdentity, Unmanaged.passUnretained(self).toOpaque())
    }

    /// For clients: trusts the authorities in `pem` and nobody else.
    ///
    /// - Parameter tls12Only: Stay below TLS 1.3.
    /// - Throws: `certificateUnreadable`.
    package convenience init(
        clientTrusting pem: [UInt8], protocols: [String] = ["h2", "http/1.1"],
        tls12Only: Bool = false
    ) throws(OpenSSLError) {
        unsafe try self.init(method: TLS_client_method(), protocols: protocols)
        let authorities = unsafe try PEM.certificates(pem)
        let store = unsafe SSL_CTX_get_cert_store(handle)
        for index in unsafe authorities.indices {
            unsafe X509_STORE_add_cert(store, authorities[index])
            unsafe X509_free(authorities[index])
        }
        if tls12Only { unsafe cksweep_ctx_set_max_tls(handle, 2) }
        unsafe SSL_CTX_set_verify(handle, SSL_VERIFY_PEER, nil)
        unsafe SSL_CTX_set_alpn_protos(
            handle, self.protocols.baseAddress, UInt32(self.protocols.count))
    }

    private func use(_ identity: ServerIdentity) throws(OpenSSLError) {
        let chain = unsafe try PEM.certificates(identity.chainPEM)
        defer { for index in unsafe chain.indices { unsafe X509_free(chain[index]) } }
        guard unsafe SSL_CTX_use_certificate(handle, chain[0]) == 1 else {
            throw OpenSSLError.fromQueue(.failed, "cannot use the server's certificate")
        }
        for index in unsafe chain.indices.dropFirst() {
            guard unsafe cksweep_ctx_add_chain(handle, chain[index]) == 1 else {
                throw OpenSSLError.fromQueue(.failed, "cannot use the certificate chain")
            }
        }
        let key = unsafe try PEM.privateKey(identity.keyPEM)
        defer { unsafe EVP_PKEY_free(key) }
        guard unsafe X509_check_private_key(chain[0], key) == 1 else {
            ERR_clear_error()
            throw OpenSSLError(
                .keyMismatch, "the server's certificate and key do not belong together")
        }
        guard unsafe SSL_CTX_use_PrivateKey(handle, key) == 1 else {
            throw OpenSSLError.fromQueue(.failed, "cannot use the server's key")
        }
    }

    /// Has a connection show the identity of the name that its client asks for.
    private static let selectIdentity:
        @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = {
            connection, context in
            guard let connection = unsafe connection, let context = unsafe context else { return 0 }
            let owner = unsafe Unmanaged<TLSContext>.fromOpaque(context).takeUnretainedValue()
            guard let asked = unsafe SSL_get_servername(connection, TLSEXT_NAMETYPE_host_name)
            else { return 1 }
            let name = unsafe String(cString: asked)
            do throws(OpenSSLError) {
                unsafe try owner.show(name.lowercased(), on: connection)
                return 1
            } catch {
                return 0
            }
        }

    private func show(_ name: String, on connection: OpaquePointer) throws(OpenSSLError) {
        guard let identity = named?(name) else { return }
        let chain = unsafe try PEM.certificates(identity.chainPEM)
        defer { for index in unsafe chain.indices { unsafe X509_free(chain[index]) } }
        let key = unsafe try PEM.privateKey(identity.keyPEM)
        defer { unsafe EVP_PKEY_free(key) }
        guard unsafe SSL_use_cert_and_key(connection, chain[0], key, nil, 1) == 1 else {
            throw OpenSSLError.fromQueue(.failed, "cannot use the certificate of a name")
        }
    }

    /// Answers a client's ALPN list; a client that offers only strange protocols is refused.
    private static let selectProtocol: SSL_CTX_alpn_select_cb_func = {
        _, chosen, chosenLength, offered, offeredLength, context in
        guard let context = unsafe context else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        let owner = unsafe Unmanaged<TLSContext>.fromOpaque(context).takeUnretainedValue()
        var result: UnsafeMutablePointer<UInt8>? = nil
        let outcome = unsafe SSL_select_next_proto(
            &result, chosenLength, owner.protocols.baseAddress, UInt32(owner.protocols.count),
            offered, offeredLength)
        unsafe chosen?.pointee = UnsafePointer(result)
        return outcome == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL
    }
}
