package import Basics
import OpenSSL

/// The keys that somebody trusts, and when: what a stranger keeps of an operator.
///
/// One block a key: lines `name: …`, and where they are wanted `not-before: …`, `not-after: …` and
/// `revoked-at: …` with times as `2026-01-15T08:30:00Z`, then the key in PEM. `#` begins a remark.
package struct TrustFile: Sendable {
    /// One key, and when it may sign.
    package struct Entry: Sendable {
        package let name: String
        package let key: VerifyingKey
        package var notBefore: Timestamp?
        package var notAfter: Timestamp?
        package var revokedAt: Timestamp?

        package init(name: String, key: VerifyingKey) {
            self.name = name
            self.key = key
        }

        /// Why the key may not have signed at a moment; nil: it may.
        ///
        /// What was signed before a key was revoked stays good only where somebody else vouches for
        /// the time: the moment is the signer's own word.
        ///
        /// - Parameter stampedAt: When a trusted authority saw what was signed; nil: none did.
        func problem(at moment: Timestamp, stampedAt: Timestamp?) -> String? {
            if let revokedAt, stampedAt.map({ $0 >= revokedAt }) ?? true {
                return "the key \(key.shortID) was revoked"
            }
            if let notBefore, moment < notBefore {
                return "the key \(key.shortID) was not in use yet"
            }
            if let notAfter, moment > notAfter {
                return "the key \(key.shortID) was no longer in use"
            }
            return nil
        }
    }

    package static let keysMax = 100
    private static let bytesMax = 1 << 20

    package let entries: [Entry]

    /// The keys that a caller named one by one.
    package init(_ entries: [Entry]) { self.entries = entries }

    /// Reads a trust file, or a file that is nothing but one key in PEM.
    ///
    /// - Throws: `unreadable`, with the line.
    package init(_ bytes: [UInt8]) throws(EvidenceError) {
        guard bytes.count <= Self.bytesMax else {
            throw EvidenceError(.tooLarge, "a trust file of more than \(Self.bytesMax) bytes")
        }
        var reader = TrustFileReader()
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            try reader.take(String(decoding: line, as: UTF8.self), index + 1)
        }
        entries = try reader.finish()
    }

    package var keys: [VerifyingKey] { entries.map(\.key) }

    /// The same, with the new key of a change instead of the one that was given up.
    func changing(_ change: KeyChange) -> TrustFile {
        let names = entries.filter { $0.key.id == change.from }.map(\.name)
        return TrustFile(
            entries.filter { $0.key.id != change.from }
                + [Entry(name: names.first ?? change.to.shortID, key: change.to)])
    }

    /// Refuses keys that may not have signed at a moment.
    ///
    /// - Throws: `keyNotValid`.
    func check(
        _ keys: [VerifyingKey], at moment: Timestamp, stampedAt: Timestamp? = nil
    ) throws(EvidenceError) {
        for entry in entries where keys.contains(where: { $0.id == entry.key.id }) {
            if let problem = entry.problem(at: moment, stampedAt: stampedAt) {
                throw EvidenceError(.keyNotValid, problem)
            }
        }
    }
}
