package import CloudModel

/// The service that a statement is about: what was believed, and who it proved to be.
package struct ServiceFacts: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case apple
        /// A mock server, or anything else that is not Apple's: a rehearsal.
        case other
    }

    /// Scheme, host and port.
    package let url: String
    /// SHA-256 of the public key in its certificate, in hexadecimal; nil where there was no TLS.
    package let keyDigest: String?
    /// Derived from the address and the proof of its key, never from what somebody says.
    package let kind: Kind

    /// - Parameter server: The server that was believed.
    package init(_ server: ServerFacts, keyDigest: String?) {
        self.init(url: server.url, isRehearsal: server.isRehearsal, keyDigest: keyDigest)
    }

    private init(url: String, isRehearsal: Bool, keyDigest: String?) {
        self.url = url
        self.keyDigest = keyDigest
        let isApple = !isRehearsal && url == ServerFacts.apple.url && keyDigest != nil
        kind = isApple ? .apple : .other
    }

    var canonical: CanonicalValue {
        .object([
            ("keySHA256", .optional(keyDigest)), ("kind", .text(kind.rawValue)),
            ("url", .text(url)),
        ])
    }

    /// - Throws: `rehearsal` when it says of another service that it is Apple's.
    init(_ members: consuming Members) throws(EvidenceError) {
        let kind = try members.word("kind", Kind.self)
        let keyDigest = try members.optionalDigest("keySHA256")
        self.init(
            url: try members.text("url"), isRehearsal: kind == .other, keyDigest: keyDigest)
        guard self.kind == kind else {
            throw EvidenceError(
                .rehearsal, "it declares another service as Apple's")
        }
        try members.finish()
    }
}
