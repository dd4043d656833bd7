import Evidence

/// What is told of a proof after it was made: nobody without one can make this.
package struct ProofSummary: Sendable, Hashable {
    package let cleanPasses: Int
    let binding: ProofBinding

    init(_ proof: borrowing VerifiedEmpty) {
        cleanPasses = proof.cleanPasses
        binding = proof.binding
    }
}

/// A signer says *complete* with nothing less.
extension ProofSummary: CompletionProof {
    package var run: String { binding.run }
    package var environment: String { binding.environment.rawValue }
    package var server: String { binding.server.url }
    package var serverKey: String? { binding.serverKey }
    package var containers: [String] { binding.subjects.map(\.container.rawValue).sorted() }
}
