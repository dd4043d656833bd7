private import COpenSSL

/// A question to a time stamping authority (RFC 3161): the digest of something, and nothing else of it.
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc3161>
@safe package struct TimeStampQuery: ~Copyable {
    private let handle: OpaquePointer

    /// Bytes of an answer: a token and the certificates of its authority.
    package static let replyBytesMax = 1 << 16

    /// - Parameters:
    ///   - digest: SHA-256 of what is to be stamped.
    ///   - nonce: What the answer must repeat; nil: for checking an answer that was kept.
    package init(sha256 digest: [UInt8], nonce: [UInt8]? = nil) throws(OpenSSLError) {
        precondition(digest.count == SHA256.byteCount, "a digest of another size")
        guard let handle = unsafe TS_REQ_new() else {
            throw OpenSSLError.fromQueue(.failed, "cannot ask for a time stamp")
        }
        let imprint = unsafe TS_MSG_IMPRINT_new()
        let algorithm = unsafe X509_ALGOR_new()
        let number = unsafe BN_bin2bn(nonce, Int32(nonce?.count ?? 0), nil)
        let integer = unsafe BN_to_ASN1_INTEGER(number, nil)
        defer {
            unsafe ASN1_INTEGER_free(integer)
            unsafe BN_free(number)
            unsafe X509_ALGOR_free(algorithm)
            unsafe TS_MSG_IMPRINT_free(imprint)
        }
        var bytes = digest
        guard
            unsafe X509_ALGOR_set0(algorithm, OBJ_nid2obj(NID_sha256), V_ASN1_NULL, nil) == 1,
            unsafe TS_MSG_IMPRINT_set_algo(imprint, algorithm) == 1,
            unsafe TS_MSG_IMPRINT_set_msg(imprint, &bytes, Int32(bytes.count)) == 1,
            unsafe TS_REQ_set_version(handle, 1) == 1,
            unsafe TS_REQ_set_msg_imprint(handle, imprint) == 1,
            // The authority's certificate comes along, so that the answer can be kept by itself.
            unsafe TS_REQ_set_cert_req(handle, 1) == 1,
            unsafe nonce == nil || TS_REQ_set_nonce(handle, integer) == 1
        else {
            unsafe TS_REQ_free(handle)
            throw OpenSSLError.fromQueue(.failed, "cannot ask for a time stamp")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe TS_REQ_free(handle) }

    /// The question in DER, `application/timestamp-query`.
    package var bytes: [UInt8] {
        var bytes: UnsafeMutablePointer<UInt8>? = nil
        let count = unsafe i2d_TS_REQ(handle, &bytes)
        defer { unsafe CRYPTO_free(bytes, #file, #line) }
        precondition(count > 0, "OpenSSL cannot write DER")
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// Checks that an answer is to this very question, and was signed by an authority that the caller
    /// trusts, with a certificate for time stamps that is good at a moment.
    ///
    /// - Parameters:
    ///   - reply: The answer in DER, `application/timestamp-reply`.
    ///   - authorities: The certificates that are trusted, in PEM.
    ///   - moment: Seconds since 1970.
    /// - Returns: when it was stamped, in seconds since 1970.
    /// - Throws: `timeStampRefused`; `certificateUnreadable` when no authority can be read.
    package borrowing func verify(
        _ reply: [UInt8], authorities: [UInt8], at moment: Int64
    ) throws(OpenSSLError) -> Int64 {
        let response = try TimeStampReply(reply)
        guard let store = unsafe X509_STORE_new() else {
            throw OpenSSLError.fromQueue(.failed, "cannot check a time stamp")
        }
        guard let context = unsafe TS_REQ_to_TS_VERIFY_CTX(handle, nil) else {
            unsafe X509_STORE_free(store)
            throw OpenSSLError.fromQueue(.failed, "cannot check a time stamp")
        }
        // The context frees the store.
        unsafe TS_VERIFY_CTX_set_store(context, store)
        defer { unsafe TS_VERIFY_CTX_free(context) }
        let trusted = unsafe try PEM.certificates(authorities)
        defer { for index in unsafe trusted.indices { unsafe X509_free(trusted[index]) } }
        for index in unsafe trusted.indices {
            guard unsafe X509_STORE_add_cert(store, trusted[index]) == 1 else {
                throw OpenSSLError.fromQueue(.failed, "cannot trust a certificate")
            }
        }
        unsafe X509_VERIFY_PARAM_set_time(X509_STORE_get0_param(store), time_t(moment))
        unsafe TS_VERIFY_CTX_add_flags(context, Int32(TS_VFY_SIGNATURE))
        guard unsafe TS_RESP_verify_response(context, response.handle) == 1 else {
            throw OpenSSLError.fromQueue(.timeStampRefused, "the time stamp is invalid")
        }
        return try response.moment()
    }
}
