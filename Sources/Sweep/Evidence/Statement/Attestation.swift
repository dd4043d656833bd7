package import Basics

/// Evidence that was checked: who signed it, what it says, and how far it could be held to what lies
/// beside it.
package struct Attestation: Sendable {
    package let statement: ErasureStatement
    package let signers: [VerifyingKey]
    /// Whether the events of the run were there and checked.
    package let hasEvents: Bool
    /// When an authority saw it, where a time stamp was there and checked.
    package let stampedAt: Timestamp?
    /// The ledger's size then, where a proof of it was there and checked.
    package let ledgerSize: Int?
    /// What was added to the statement later, as far as it is at hand: checked, and in order.
    package var addenda: [Addendum] = []

    /// Bytes of an envelope.
    package static let envelopeBytesMax = StrictReader.bytesMax

    /// Checks evidence with nothing but files and keys.
    ///
    /// - Parameters:
    ///   - envelope: The bytes of the envelope, as they stand in the ledger.
    ///   - events: The path of the events; nil: they are not at hand.
    ///   - proof: The bytes of the proof that the envelope is in its ledger; nil: not at hand.
    ///   - kept: A checkpoint that the caller has kept: a proof must not be older; nil: none.
    ///   - stamp: A time stamp over the envelope, and whose word to take; nil: none is asked for.
    /// - Throws: why the evidence is not to be believed.
    package init(
        envelope bytes: [UInt8], events: String?, proof: [UInt8]?, since kept: [UInt8]? = nil,
        trust: TrustFile,
        stamp: TimeStamp.Given? = nil, atLeast count: Int = 1,
        expecting expectations: Expectations = Expectations()
    ) throws(EvidenceError) {
        let verified = try Envelope(bytes).verified(by: trust.keys, atLeast: count)
        let statement = try ErasureStatement(verified)
        let stamp = try stamp.map { stamp throws(EvidenceError) in
            try TimeStamp(stamp, over: bytes)
        }
        try stamp?.check(signedAt: statement.facts.signedAt)
        try trust.check(
            verified.keys, at: statement.facts.signedAt, stampedAt: stamp?.moment)
        try expectations.check(statement)
        if let events {
            let (digest, tally) = try EventLog.read(events)
            try statement.check(digest, tally)
        }
        ledgerSize = try proof.map { proof throws(EvidenceError) in
            let proof = try LedgerProof(proof)
            let checkpoint = try proof.check(bytes, signedBy: trust.keys)
            guard let place = statement.facts.ledger, proof.index == place.index,
                checkpoint.origin == place.origin
            else {
                throw EvidenceError(.inclusion, "the proof is for another position in the ledger")
            }
            try kept.map { kept throws(EvidenceError) in
                try Checkpoint(kept, signedBy: trust.keys)
            }?.check(isNotLaterThan: checkpoint)
            return checkpoint.size
        }
        guard kept == nil || proof != nil else {
            throw EvidenceError(.inclusion, "there is no proof of the ledger to check it against")
        }
        self.statement = statement
        signers = verified.keys
        hasEvents = events != nil
        stampedAt = stamp?.moment
    }
}
