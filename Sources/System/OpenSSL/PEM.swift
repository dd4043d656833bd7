private import COpenSSL

/// Reading and writing PEM through memory. The longest accepted input is 1 MiB.
enum PEM {
    static let bytesMax = 1 << 20

    /// Runs `body` over a read-only memory BIO.
    private static func reading(
        _ pem: [UInt8], _ body: (OpaquePointer) -> OpaquePointer?
    ) -> OpaquePointer? {
        guard !pem.isEmpty, pem.count <= bytesMax else { return nil }
        ERR_clear_error()
        return unsafe pem.withUnsafeBytes { bytes in
            guard let bio = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else {
                return nil
            }
            defer { unsafe BIO_free(bio) }
            return unsafe body(bio)
        }
    }

    /// A private key of any kind; the caller frees it. Passphrases are refused, never asked for.
    static func privateKey(_ pem: [UInt8]) throws(OpenSSLError) -> OpaquePointer {
        let key = unsafe reading(pem) { bio in
            unsafe PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
        }
        guard let key = unsafe key else {
            throw OpenSSLError.fromQueue(
                .keyUnreadable, "not a private key in PEM without a passphrase")
        }
        return unsafe key
    }

    /// A public key of any kind; the caller frees it.
    static func publicKey(_ pem: [UInt8]) throws(OpenSSLError) -> OpaquePointer {
        let key = unsafe reading(pem) { bio in
            unsafe PEM_read_bio_PUBKEY(bio, nil, { _, _, _, _ in -1 }, nil)
        }
        guard let key = unsafe key else {
            throw OpenSSLError.fromQueue(.keyUnreadable, "not a public key in PEM")
        }
        return unsafe key
    }

    /// All certificates in order, at most 16; the caller frees them.
    static func certificates(_ pem: [UInt8]) throws(OpenSSLError) -> [OpaquePointer] {
        var found: [OpaquePointer] = unsafe []
        _ = unsafe reading(pem) { bio in
            while unsafe found.count < 16,
                let next = unsafe PEM_read_bio_X509(bio, nil, { _, _, _, _ in -1 }, nil)
            {
                unsafe found.append(next)
            }
            return nil
        }
        guard unsafe !found.isEmpty else {
            throw OpenSSLError.fromQueue(.certificateUnreadable, "not a certificate in PEM")
        }
        ERR_clear_error()
        return unsafe found
    }

    /// What `body` writes to a memory BIO.
    static func written(_ body: (OpaquePointer) -> Int32) -> [UInt8] {
        guard let bio = unsafe BIO_new(BIO_s_mem()) else {
            preconditionFailure("OpenSSL is out of memory")
        }
        defer { unsafe BIO_free(bio) }
        precondition(unsafe body(bio) == 1, "OpenSSL cannot write PEM")
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe BIO_read(bio, &chunk, Int32(chunk.count))
            guard count > 0 else { return bytes }
            bytes += chunk.prefix(Int(count))
        }
    }
}
