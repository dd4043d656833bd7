package import Basics
package import OpenSSL

/// A statement that a ledger goes on under another key. Both keys sign it, so that nobody who trusts
/// the old one has to be told of the new one by another way.
package struct KeyChange: Sendable {
    package static let predicateType = "https://cksweep.dev/attestation/key-change/v1"

    /// The ID of the key that signed until now.
    package let from: String
    package let to: VerifyingKey
    package let changedAt: Timestamp
    package let ledger: ErasureFacts.LedgerPlace

    /// Signs the change with both keys.
    package static func envelope(
        from old: SigningKey, to new: SigningKey, at moment: Timestamp,
        in place: ErasureFacts.LedgerPlace
    ) throws(OpenSSLError) -> Envelope {
        let predicate = CanonicalValue.object([
            ("changedAt", .number(moment.milliseconds)), ("from", .text(old.verifying.id)),
            ("ledger", place.canonical),
            ("to", .text(Hexadecimal.encode(new.verifying.key.bytes))),
        ])
        let frame = StatementFrame(predicateType, subjects(new.verifying), predicate)
        return try Envelope(signing: frame.bytes, by: [old, new])
    }

    private static func subjects(_ key: VerifyingKey) -> [StatementFrame.Subject] {
        [StatementFrame.Subject(name: "key", digest: key.publicKeyDigest)]
    }

    /// Reads a change from an envelope, which a trusted key and the new one must have signed.
    ///
    /// - Throws: `fields`, `signature` when one of the two has not signed.
    init(
        _ frame: StatementFrame, _ verified: Envelope.Verified, in envelope: Envelope
    ) throws(EvidenceError) {
        var members = try frame.members(of: Self.predicateType)
        from = try members.digest("from")
        let bytes = Hexadecimal.decode(try members.digest("to")) ?? []
        do throws(OpenSSLError) {
            to = VerifyingKey(try Ed25519.PublicKey(bytes: bytes))
        } catch {
            throw EvidenceError(.fields, "the new key is invalid: \(error.reason)")
        }
        changedAt = try members.time("changedAt")
        ledger = try ErasureFacts.LedgerPlace(reading: members.object("ledger"))
        try members.finish()
        try frame.check(Self.subjects(to))
        let old = from
        guard let known = verified.keys.first(where: { $0.id == old }) else {
            throw EvidenceError(.signature, "the old key has not signed the change")
        }
        _ = try envelope.verified(by: [known, to], atLeast: 2)
    }
}
