import Basics
package import OpenSSL

/// Bytes with signatures over them and over what kind of bytes they are (DSSE 1.0.2).
///
/// What stands in it is nobody's word before ``verified(by:atLeast:)``.
///
/// - SeeAlso: <https://github.com/secure-systems-lab/dsse>
package struct Envelope: Sendable {
    package struct Signature: Sendable, Hashable {
        /// A hint at the key, never a decision.
        package let keyID: String
        package let bytes: [UInt8]
    }

    /// An in-toto statement.
    package static let statementType = "application/vnd.in-toto+json"
    /// Signatures of one envelope.
    package static let signaturesMax = 16

    package let payloadType: String
    private let payload: [UInt8]
    package let signatures: [Signature]

    /// Reads an envelope. Members that nobody knows are ignored: they are not signed.
    ///
    /// - Throws: `tooLarge`, `malformed`, `notAnEnvelope`, `base64`, `unsigned`,
    ///   `tooManySignatures`.
    package init(_ bytes: [UInt8]) throws(EvidenceError) {
        do throws(EvidenceError) {
            var members = try Members(StrictReader.read(bytes), "the envelope")
            payloadType = try members.text("payloadType")
            payload = try EnvelopeText.decode(members.text("payload"))
            let list = try members.list("signatures")
            guard !list.isEmpty else { throw EvidenceError(.unsigned, "it is not signed") }
            guard list.count <= Self.signaturesMax else {
                throw EvidenceError(
                    .tooManySignatures, "more than \(Self.signaturesMax) signatures")
            }
            var signatures: [Signature] = []
            for value in list {
                var signature = try Members(value, "a signature")
                signatures.append(
                    Signature(
                        keyID: try signature.optionalText("keyid") ?? "",
                        bytes: try EnvelopeText.decode(signature.text("sig"))))
            }
            self.signatures = signatures
        } catch {
            guard error.code == .fields else { throw error }
            throw EvidenceError(.notAnEnvelope, error.reason)
        }
    }

    /// Signs bytes with each of these keys.
    package init(
        signing payload: [UInt8], as payloadType: String = statementType, by keys: [SigningKey]
    ) throws(OpenSSLError) {
        self.payload = payload
        self.payloadType = payloadType
        let message = Self.message(payloadType, payload)
        var signatures: [Signature] = []
        for key in keys {
            signatures.append(
                Signature(keyID: key.verifying.id, bytes: try key.sign(message)))
        }
        self.signatures = signatures
    }

    /// What is signed: the kind and the bytes, each behind its length in bytes.
    package static func message(_ type: String, _ body: [UInt8]) -> [UInt8] {
        let head = "DSSEv1 \(type.utf8.count) \(type) \(body.count) "
        return Array(head.utf8) + body
    }

    /// The envelope as one line of JSON, without its end.
    package var bytes: [UInt8] {
        CanonicalValue.object([
            ("payload", .text(Base64.encode(payload))), ("payloadType", .text(payloadType)),
            (
                "signatures",
                .list(
                    signatures.map {
                        .object([
                            ("keyid", .text($0.keyID)), ("sig", .text(Base64.encode($0.bytes))),
                        ])
                    })
            ),
        ]).canonicalBytes
    }

    /// Whether it says, signed or not, that it is an addendum to a run: for who looks for their own
    /// entries, and never for a check.
    func claimsAddendum(to run: String) throws(EvidenceError) -> Bool {
        var statement = try Members(StrictReader.read(payload), "the statement")
        guard try statement.text("predicateType") == Addendum.predicateType else { return false }
        var predicate = try statement.object("predicate")
        return try predicate.text("run") == run
    }

    /// The bytes that keys of the caller have signed. Nothing else makes one.
    package struct Verified: Sendable {
        package let payload: [UInt8]
        /// The keys that have signed; each once.
        package let keys: [VerifyingKey]

        fileprivate init(payload: [UInt8], keys: [VerifyingKey]) {
            self.payload = payload
            self.keys = keys
        }
    }

    /// Checks the signatures against the keys that the caller trusts.
    ///
    /// - Parameter count: How many different keys must have signed; at least one.
    /// - Throws: `signature`, `threshold`, or `payloadType` when something else than a statement was
    ///   signed.
    package func verified(
        by trusted: [VerifyingKey], atLeast count: Int = 1
    ) throws(EvidenceError) -> Verified {
        let message = Self.message(payloadType, payload)
        var keys: [VerifyingKey] = []
        for key in trusted where !keys.contains(where: { $0.id == key.id }) {
            guard signatures.contains(where: { key.verify($0.bytes, of: message) }) else {
                continue
            }
            keys.append(key)
        }
        guard !keys.isEmpty else {
            throw EvidenceError(
                .signature, "none of the \(trusted.count) trusted keys has signed it")
        }
        guard keys.count >= max(1, count) else {
            throw EvidenceError(.threshold, "\(keys.count) of \(count) keys have signed it")
        }
        guard payloadType == Self.statementType else {
            throw EvidenceError(.payloadType, "the signed content is not an in-toto statement")
        }
        return Verified(payload: payload, keys: keys)
    }
}
