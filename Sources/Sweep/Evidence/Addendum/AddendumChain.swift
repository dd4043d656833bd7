import Basics
import OpenSSL

/// The addenda of one statement, checked: each by a key that is trusted, about this very statement,
/// and in its place.
package struct AddendumChain: Sendable {
    /// In their order; empty where there are none.
    package private(set) var addenda: [Addendum] = []
    private let statement: String
    private let facts: ErasureFacts
    private var previous: String?

    /// Begins behind a statement that was checked.
    ///
    /// - Parameter statement: The bytes of its file.
    package init(of statement: [UInt8], _ facts: ErasureFacts) {
        self.statement = Hexadecimal.encode(SHA256.hash(statement))
        self.facts = facts
    }

    /// Takes the next addendum.
    ///
    /// - Parameter proof: The bytes of the proof that it is in its ledger; nil: not at hand.
    /// - Throws: what is wrong with its envelope; `keyNotValid`; `addendum` when it is about another
    ///   run or statement, or another addendum belongs before it.
    package mutating func take(
        _ bytes: [UInt8], proof: [UInt8]?, trust: TrustFile, atLeast count: Int = 1
    ) throws(EvidenceError) {
        let verified = try Envelope(bytes).verified(by: trust.keys, atLeast: count)
        let addendum = try Addendum(verified)
        try trust.check(verified.keys, at: addendum.signedAt)
        guard addendum.run == facts.run.id, addendum.statement == statement else {
            throw EvidenceError(.addendum, "the addendum is about another run's statement")
        }
        guard addendum.number == addenda.count + 1 && addendum.previous == previous else {
            throw EvidenceError(
                .addendum,
                "addendum \(addenda.count + 1) is missing, changed or in another place")
        }
        guard addendum.signedAt >= addenda.last?.signedAt ?? facts.signedAt else {
            throw EvidenceError(
                .addendum,
                "the addendum was signed before the statement or addendum it refers to")
        }
        try check(addendum.content)
        if let proof { try check(proof, of: bytes, at: addendum.ledger, trust) }
        previous = Hexadecimal.encode(SHA256.hash(bytes))
        addenda.append(addendum)
    }

    private func check(
        _ bytes: [UInt8], of envelope: [UInt8], at place: ErasureFacts.LedgerPlace?,
        _ trust: TrustFile
    ) throws(EvidenceError) {
        let proof = try LedgerProof(bytes)
        let checkpoint = try proof.check(envelope, signedBy: trust.keys)
        guard let place, proof.index == place.index, checkpoint.origin == place.origin else {
            throw EvidenceError(.inclusion, "the proof is for another position in the ledger")
        }
    }

    /// What happened must have happened to the same person, at the same service.
    private func check(_ content: Addendum.Content) throws(EvidenceError) {
        switch content {
        case .look(let look):
            guard look.containers == facts.containers, look.environment == facts.environment,
                look.service.url == facts.service.url, look.service.kind == facts.service.kind
            else {
                throw EvidenceError(
                    .addendum, "the scan was of another user, container or service")
            }
        case .access(let access):
            guard access.results.map(\.container) == facts.containers.map(\.identifier),
                access.environment == facts.environment, access.service.url == facts.service.url,
                access.service.kind == facts.service.kind
            else {
                throw EvidenceError(
                    .addendum, "access was changed in other containers or at another service")
            }
        case .hook: return
        }
    }
}
