private import COpenSSL

/// SHA-256, at once or piece by piece.
@safe package struct SHA256: ~Copyable {
    /// The size of a digest in bytes.
    package static let byteCount = 32

    /// Looked up once: a lookup costs more than hashing a small body. Nothing changes it, so any
    /// thread may use it.
    private nonisolated(unsafe) static let algorithm = unsafe EVP_MD_fetch(nil, "SHA256", nil)

    private let context: OpaquePointer

    /// Starts a digest of what ``update(_:)`` will hand in.
    package init() {
        guard let context = unsafe EVP_MD_CTX_new(),
            unsafe EVP_DigestInit_ex2(context, Self.algorithm, nil) == 1
        else { preconditionFailure("OpenSSL offers no SHA-256") }
        unsafe self.context = context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Adds bytes to the message.
    package mutating func update(_ bytes: [UInt8]) {
        let done = unsafe bytes.withUnsafeBytes {
            unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count)
        }
        precondition(done == 1, "SHA-256 refused input")
    }

    /// Ends the message and returns its digest of 32 bytes.
    package consuming func finish() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
            var length: UInt32 = 0
            let done = unsafe EVP_DigestFinal_ex(context, buffer.baseAddress, &length)
            precondition(done == 1 && length == 32, "SHA-256 gave no digest")
            count = 32
        }
    }

    /// The digest of one message.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var digest = SHA256()
        digest.update(bytes)
        return digest.finish()
    }
}
