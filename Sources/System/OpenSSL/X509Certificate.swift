private import COpenSSL

/// One certificate, owned.
@safe struct X509Certificate: ~Copyable {
    let handle: OpaquePointer

    init(owning handle: OpaquePointer) { unsafe self.handle = handle }

    /// The first certificate of a PEM text.
    init(pem: [UInt8]) throws(OpenSSLError) {
        let all = unsafe try PEM.certificates(pem)
        for index in unsafe all.indices.dropFirst() { unsafe X509_free(all[index]) }
        unsafe handle = all[0]
    }

    deinit { unsafe X509_free(handle) }

    /// A version 3 certificate with a random serial number, without issuer, extensions and
    /// signature.
    init(
        commonName: String, key: borrowing P256.PrivateKey, notBefore: Int64, notAfter: Int64
    ) throws(OpenSSLError) {
        guard let handle = unsafe X509_new() else {
            throw OpenSSLError.fromQueue(.failed, "cannot create a certificate")
        }
        var serial = SecureRandom.bytes(16)
        serial[0] = serial[0] & 0x7F | 0x40  // positive, and always of 16 bytes
        let number = unsafe BN_bin2bn(serial, Int32(serial.count), nil)
        defer { unsafe BN_free(number) }
        let subject = unsafe X509_get_subject_name(handle)
        guard
            unsafe X509_set_version(handle, 2) == 1,
            unsafe BN_to_ASN1_INTEGER(number, X509_get_serialNumber(handle)) != nil,
            unsafe ASN1_TIME_set(X509_getm_notBefore(handle), Int(notBefore)) != nil,
            unsafe ASN1_TIME_set(X509_getm_notAfter(handle), Int(notAfter)) != nil,
            unsafe X509_set_pubkey(handle, key.handle) == 1,
            unsafe X509_NAME_add_entry_by_txt(
                subject, "CN", MBSTRING_UTF8, commonName, -1, -1, 0) == 1
        else {
            unsafe X509_free(handle)
            throw OpenSSLError.fromQueue(.failed, "cannot create a certificate")
        }
        unsafe self.init(owning: handle)
    }

    /// Sets the issuer, adds extensions in OpenSSL's text form, and signs.
    borrowing func complete(
        issuer: OpaquePointer, key: borrowing P256.PrivateKey, extensions: [(Int32, String)]
    ) throws(OpenSSLError) {
        guard unsafe X509_set_issuer_name(handle, X509_get_subject_name(issuer)) == 1 else {
            throw OpenSSLError.fromQueue(.failed, "cannot name the issuer")
        }
        var context = unsafe X509V3_CTX()
        unsafe X509V3_set_ctx(&context, issuer, handle, nil, nil, 0)
        for (kind, text) in extensions {
            let value = unsafe X509V3_EXT_conf_nid(nil, &context, kind, text)
            defer { unsafe X509_EXTENSION_free(value) }
            guard unsafe value != nil, unsafe X509_add_ext(handle, value, -1) == 1 else {
                throw OpenSSLError.fromQueue(.failed, "cannot add “\(text)” to a certificate")
            }
        }
        guard unsafe X509_sign(handle, key.handle, EVP_sha256()) > 0 else {
            throw OpenSSLError.fromQueue(.failed, "cannot sign a certificate")
        }
    }

    /// The certificate in PEM.
    var pem: [UInt8] {
        unsafe PEM.written { unsafe PEM_write_bio_X509($0, handle) }
    }

    /// SHA-256 over the `SubjectPublicKeyInfo`; nil for a key that OpenSSL cannot write.
    var keyDigest: [UInt8]? {
        var bytes: UnsafeMutablePointer<UInt8>? = nil
        let count = unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(handle), &bytes)
        defer { unsafe CRYPTO_free(bytes, #file, #line) }
        guard count > 0 else {
            ERR_clear_error()
            return nil
        }
        return unsafe SHA256.hash(Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
    }

    /// When it ends, in seconds since 1970.
    var notAfter: Int64 {
        var parts = unsafe tm()
        guard unsafe ASN1_TIME_to_tm(X509_get0_notAfter(handle), &parts) == 1 else { return 0 }
        return unsafe Int64(timegm(&parts))
    }

    /// Whether the certificate belongs to the key.
    borrowing func belongs(to key: borrowing P256.PrivateKey) -> Bool {
        defer { ERR_clear_error() }
        return unsafe X509_check_private_key(handle, key.handle) == 1
    }

    /// Checks that `authority` vouches for this certificate at `now`, name constraints included.
    ///
    /// - Throws: `nameNotPermitted`, or `failed` (an expired authority, say).
    borrowing func verify(under authority: borrowing X509Certificate, now: Int64)
        throws(OpenSSLError)
    {
        let store = unsafe X509_STORE_new()
        let context = unsafe X509_STORE_CTX_new()
        defer {
            unsafe X509_STORE_CTX_free(context)
            unsafe X509_STORE_free(store)
            ERR_clear_error()
        }
        guard
            unsafe X509_STORE_add_cert(store, authority.handle) == 1,
            unsafe X509_STORE_CTX_init(context, store, handle, nil) == 1
        else { throw OpenSSLError.fromQueue(.failed, "cannot check a certificate") }
        unsafe X509_STORE_CTX_set_time(context, 0, time_t(now))
        guard unsafe X509_verify_cert(context) != 1 else { return }
        let reason = unsafe X509_STORE_CTX_get_error(context)
        let text = unsafe String(cString: X509_verify_cert_error_string(Int(reason)))
        throw OpenSSLError(
            reason == X509_V_ERR_PERMITTED_VIOLATION ? .nameNotPermitted : .failed,
            "the authority cannot issue this certificate: " + text)
    }
}
