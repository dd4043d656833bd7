package import OpenSSL

/// An in-toto statement about an erasure: the verdict, and what it rests on.
///
/// One is made by a signer, which derives the verdict, or by reading what trusted keys have signed.
///
/// - SeeAlso: <https://github.com/in-toto/attestation/tree/main/spec/v1>
package struct ErasureStatement: Sendable {
    package let facts: ErasureFacts
    package let verdict: Verdict
    /// Why a statement that was just made is not complete, or would not be at Apple's host: the first rule
    /// of complete statements that it does not follow. nil for a statement that was read.
    package let shortfall: String?

    // MARK: Signing

    /// Says what facts come to: *complete* takes a proof that is about these very facts, and all rules.
    ///
    /// - Parameters:
    ///   - tally: What the events say.
    ///   - proof: The engine's proof; nil: there is none.
    /// - Throws: when the facts contradict themselves, so that not even a partial statement is true.
    package init(
        _ facts: ErasureFacts, _ tally: EventTally, provenBy proof: (any CompletionProof)?
    ) throws(EvidenceError) {
        let rules = ErasureRules(facts: facts)
        try rules.checkConsistency()
        self.facts = facts
        shortfall = Self.shortfall(rules, tally, proof)
        let isComplete = shortfall == nil
        verdict = facts.service.kind != .apple ? .rehearsal : isComplete ? .complete : .partial
    }

    private static func shortfall(
        _ rules: ErasureRules, _ tally: EventTally, _ proof: (any CompletionProof)?
    ) -> String? {
        guard let proof else { return "there is no proof that everything is empty" }
        if let mismatch = proof.mismatch(rules.facts) { return mismatch }
        do throws(EvidenceError) {
            try rules.checkCompleteness()
            try rules.checkCompleteness(tally)
            return nil
        } catch {
            return error.reason
        }
    }

    /// The statement's bytes: canonical JSON.
    package var bytes: [UInt8] {
        StatementFrame(
            ErasureFacts.predicateType, Self.subjects(facts), facts.predicate(verdict)
        ).bytes
    }

    private static func subjects(_ facts: ErasureFacts) -> [StatementFrame.Subject] {
        [StatementFrame.Subject(name: "events", digest: facts.events.sha256)]
            + (facts.plan.map { [StatementFrame.Subject(name: "plan", digest: $0.digest)] } ?? [])
    }

    /// The statement, signed.
    package func signed(by keys: [SigningKey]) throws(OpenSSLError) -> Envelope {
        try Envelope(signing: bytes, by: keys)
    }

    // MARK: Checking

    /// Reads what keys that the caller trusts have signed, and holds it to every rule that the
    /// statement alone can be held to.
    package init(_ verified: Envelope.Verified) throws(EvidenceError) {
        try self.init(StatementFrame(verified))
    }

    init(_ frame: StatementFrame) throws(EvidenceError) {
        (facts, verdict) = try ErasureFacts.read(
            frame.members(of: ErasureFacts.predicateType))
        shortfall = nil
        try frame.check(Self.subjects(facts))
        let rules = ErasureRules(facts: facts)
        try rules.checkConsistency()
        guard (facts.service.kind == .apple) != (verdict == .rehearsal) else {
            throw EvidenceError(
                .rehearsal,
                "the result is \(verdict.rawValue) of service \(facts.service.kind.rawValue)")
        }
        if verdict == .complete { try rules.checkCompleteness() }
    }

    /// Holds the statement to the events of its run.
    ///
    /// - Throws: `events`; for a complete one also `eventCounts`, `steps`, `passTimes`, `times`.
    package func check(_ digest: EventDigest, _ tally: EventTally) throws(EvidenceError) {
        let rules = ErasureRules(facts: facts)
        try rules.check(digest)
        if verdict == .complete { try rules.checkCompleteness(tally) }
    }
}
