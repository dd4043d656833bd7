package import Basics
import OpenSSL

/// Somebody else's word, by RFC 3161, that an envelope was there at a moment.
///
/// Only the SHA-256 of the envelope leaves the machine. The token lies beside the envelope, and
/// `openssl ts -verify -data RUN.json -in RUN.tsr -CAfile CA` checks it too.
package struct TimeStamp: Sendable, Hashable {
    package let moment: Timestamp

    /// Signer and authority may disagree about the time by so many milliseconds.
    static let skewMax: Int64 = 300_000
    /// Bytes of a nonce.
    package static let nonceByteCount = 16

    /// A token, and whom to take the word of.
    package struct Given: Sendable {
        let token: [UInt8]
        let authorities: [UInt8]
        let now: Timestamp

        /// - Parameters:
        ///   - token: An authority's answer in DER.
        ///   - authorities: The certificates that are trusted for time stamps, in PEM.
        ///   - now: When the authority's certificate must be good.
        package init(token: [UInt8], authorities: [UInt8], now: Timestamp) {
            self.token = token
            self.authorities = authorities
            self.now = now
        }
    }

    /// Checks a token that was kept.
    ///
    /// - Throws: `timeStamp` when it is over other bytes, by somebody else, or does not hold.
    init(_ given: Given, over envelope: [UInt8]) throws(EvidenceError) {
        try self.init(given, over: envelope, nonce: nil)
    }

    /// Checks the answer to a question with a nonce.
    package init(
        _ given: Given, over envelope: [UInt8], nonce: [UInt8]?
    ) throws(EvidenceError) {
        do throws(OpenSSLError) {
            let query = try TimeStampQuery(sha256: SHA256.hash(envelope), nonce: nonce)
            let seconds = try query.verify(
                given.token, authorities: given.authorities, at: given.now.milliseconds / 1000)
            moment = Timestamp(milliseconds: seconds * 1000)
        } catch {
            throw EvidenceError(.timeStamp, error.reason)
        }
    }

    /// The question about an envelope.
    package static func query(
        about envelope: [UInt8], nonce: [UInt8]
    ) throws(EvidenceError) -> [UInt8] {
        do throws(OpenSSLError) {
            return try TimeStampQuery(sha256: SHA256.hash(envelope), nonce: nonce).bytes
        } catch {
            throw EvidenceError(.timeStamp, error.reason)
        }
    }

    /// Refuses a statement that says it was signed after it was stamped.
    func check(signedAt: Timestamp) throws(EvidenceError) {
        guard signedAt.milliseconds <= moment.milliseconds + Self.skewMax else {
            throw EvidenceError(
                .times, "R11: the signing time is after the time stamp: a clock is wrong")
        }
    }
}
