private import COpenSSL

/// Why a key, a certificate or a TLS setting was refused.
///
/// `reason` is for people; it never holds key material.
package struct OpenSSLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of thing went wrong.
    package enum Code: String, Sendable, CaseIterable {
        /// A file cannot be read.
        case fileUnreadable
        /// A key is not PEM, is damaged, or is protected by a passphrase.
        case keyUnreadable
        /// A key is of another kind than ECDSA P-256.
        case keyNotP256
        /// A key is of another kind than Ed25519.
        case keyNotEd25519
        /// A certificate is not PEM or is damaged.
        case certificateUnreadable
        /// A certificate and a key do not belong together.
        case keyMismatch
        /// A name is neither a DNS name nor an IP address.
        case nameInvalid
        /// A name lies outside of what the authority may certify.
        case nameNotPermitted
        /// A time stamp is none, or is over other bytes, or by nobody who is trusted.
        case timeStampRefused
        /// OpenSSL failed for another reason.
        case failed
    }

    package let code: Code
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { reason }

    /// Reads and empties this thread's OpenSSL error queue; call it right after the failure.
    static func fromQueue(_ code: Code, _ context: String) -> OpenSSLError {
        let number = ERR_peek_last_error()
        ERR_clear_error()
        guard number != 0, let text = unsafe ERR_reason_error_string(number) else {
            return OpenSSLError(code, context)
        }
        return OpenSSLError(code, context + ": " + (unsafe String(cString: text)))
    }
}
