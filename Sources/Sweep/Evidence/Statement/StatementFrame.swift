/// What every in-toto statement of ours has around its predicate.
///
/// - SeeAlso: <https://github.com/in-toto/attestation/tree/main/spec/v1>
struct StatementFrame {
    static let statementType = "https://in-toto.io/Statement/v1"

    /// What a statement is about: files that do not change, by their digests.
    struct Subject: Hashable {
        let name: String
        /// SHA-256 in hexadecimal.
        let digest: String
    }

    let predicateType: String
    let subjects: [Subject]
    let predicate: CanonicalValue

    init(_ predicateType: String, _ subjects: [Subject], _ predicate: CanonicalValue) {
        self.predicateType = predicateType
        self.subjects = subjects
        self.predicate = predicate
    }

    /// The statement's bytes: canonical JSON.
    var bytes: [UInt8] {
        CanonicalValue.object([
            ("_type", .text(Self.statementType)), ("predicate", predicate),
            ("predicateType", .text(predicateType)),
            (
                "subject",
                .list(
                    subjects.map {
                        .object([
                            ("digest", .object([("sha256", .text($0.digest))])),
                            ("name", .text($0.name)),
                        ])
                    })
            ),
        ]).canonicalBytes
    }

    /// Reads what keys that the caller trusts have signed.
    ///
    /// - Throws: `malformed`, `statementType`, `fields`.
    init(_ verified: Envelope.Verified) throws(EvidenceError) {
        var members = try Members(StrictReader.canonical(verified.payload), "the statement")
        guard try members.text("_type") == Self.statementType else {
            throw EvidenceError(.statementType, "not an in-toto statement of version 1")
        }
        predicateType = try members.text("predicateType")
        subjects = try members.objects("subject") { subject throws(EvidenceError) in
            var digest = try subject.object("digest")
            let value = try digest.digest("sha256")
            try digest.finish()
            return Subject(name: try subject.text("name"), digest: value)
        }
        predicate = try members.value("predicate")
        try members.finish()
    }

    /// The predicate's fields.
    ///
    /// - Throws: `fields`, or `predicateType` when the statement is of another kind, or is not about
    ///   just these subjects.
    func members(of type: String) throws(EvidenceError) -> Members {
        guard predicateType == type else {
            throw EvidenceError(.predicateType, "not a statement of the kind or version \(type)")
        }
        return try Members(predicate, "the statement")
    }

    func check(_ expected: [Subject]) throws(EvidenceError) {
        guard subjects == expected else {
            throw EvidenceError(.fields, "the subjects are not those of the predicate")
        }
    }
}
