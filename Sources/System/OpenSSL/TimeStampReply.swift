private import COpenSSL

/// What a time stamping authority answered, owned; nothing of it is checked.
@safe struct TimeStampReply: ~Copyable {
    let handle: OpaquePointer

    /// - Throws: `timeStampRefused` when the bytes are too many, no answer, or more than one.
    init(_ bytes: [UInt8]) throws(OpenSSLError) {
        guard !bytes.isEmpty, bytes.count <= TimeStampQuery.replyBytesMax else {
            throw OpenSSLError(.timeStampRefused, "the time stamp is empty, or too large")
        }
        var used = 0
        let handle = unsafe bytes.withUnsafeBufferPointer { buffer in
            let start = buffer.baseAddress
            var end = unsafe start
            let handle = unsafe d2i_TS_RESP(nil, &end, buffer.count)
            if let start = unsafe start, let end = unsafe end { used = unsafe end - start }
            return unsafe handle
        }
        guard let handle = unsafe handle else {
            throw OpenSSLError.fromQueue(.timeStampRefused, "not a time stamp in DER")
        }
        guard used == bytes.count else {
            unsafe TS_RESP_free(handle)
            throw OpenSSLError(.timeStampRefused, "trailing data after the time stamp")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe TS_RESP_free(handle) }

    /// When it says that it was made, in seconds since 1970.
    borrowing func moment() throws(OpenSSLError) -> Int64 {
        var parts = unsafe tm()
        guard let info = unsafe TS_RESP_get_tst_info(handle),
            unsafe ASN1_TIME_to_tm(TS_TST_INFO_get_time(info), &parts) == 1
        else { throw OpenSSLError.fromQueue(.timeStampRefused, "the time stamp contains no time") }
        return unsafe Int64(timegm(&parts))
    }
}
