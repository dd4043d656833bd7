/// What a signer asks for before it says *complete*: the engine's proof that everything is gone, which
/// only its verification can make.
package protocol CompletionProof: Sendable {
    /// Clean passes in a row that it rests on.
    var cleanPasses: Int { get }
    var run: String { get }
    var environment: String { get }
    /// The server's address.
    var server: String { get }
    /// SHA-256 of the public key in the server's certificate, in hexadecimal.
    var serverKey: String? { get }
    /// The containers, sorted.
    var containers: [String] { get }
}

extension CompletionProof {
    /// Why it is no proof of what a statement says; nil: it is one.
    func mismatch(_ facts: ErasureFacts) -> String? {
        if run != facts.run.id { return "the proof is of another run" }
        if environment != facts.environment { return "the proof is of another environment" }
        if server != facts.service.url || serverKey != facts.service.keyDigest {
            return "the proof is of another server"
        }
        if containers != facts.containers.map(\.identifier) {
            return "the proof is of other containers"
        }
        return cleanPasses < facts.passRule.clean ? "the proof has too few passes" : nil
    }
}
