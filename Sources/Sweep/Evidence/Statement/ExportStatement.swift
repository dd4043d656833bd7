package import Basics
package import OpenSSL

/// An in-toto statement in which an operator vouches for an export: for its manifest, which names
/// every other file by its SHA-256.
package struct ExportStatement: Sendable {
    package static let predicateType = "https://cksweep.dev/attestation/export/v1"
    private static let subjectName = "manifest.json"

    /// SHA-256 of the manifest in hexadecimal.
    package let manifestDigest: String
    /// The signer's own word.
    package let signedAt: Timestamp
    /// The keys that the caller trusts and that have signed.
    package let signers: [VerifyingKey]

    /// Signs a manifest.
    ///
    /// - Parameter digest: SHA-256 of the manifest in hexadecimal.
    package static func envelope(
        ofManifest digest: String, at moment: Timestamp, by key: SigningKey
    ) throws(OpenSSLError) -> Envelope {
        let frame = StatementFrame(
            predicateType, [StatementFrame.Subject(name: subjectName, digest: digest)],
            .object([("signedAt", .number(moment.milliseconds))]))
        return try Envelope(signing: frame.bytes, by: [key])
    }

    /// Reads what keys that the caller trusts have signed.
    ///
    /// - Throws: why it is not to be believed.
    package init(envelope bytes: [UInt8], trust: TrustFile) throws(EvidenceError) {
        let verified = try Envelope(bytes).verified(by: trust.keys)
        let frame = try StatementFrame(verified)
        var members = try frame.members(of: Self.predicateType)
        signedAt = try members.time("signedAt")
        try members.finish()
        guard let subject = frame.subjects.first else {
            throw EvidenceError(.fields, "the statement names no subject")
        }
        try frame.check([StatementFrame.Subject(name: Self.subjectName, digest: subject.digest)])
        manifestDigest = subject.digest
        signers = verified.keys
        try trust.check(verified.keys, at: signedAt)
    }
}
