import CloudModel
import DeletionPlanning

/// Whose data, where: what everything in a proof must be about.
struct ProofBinding: Sendable, Hashable {
    let run: String
    let environment: Container.Environment
    let server: ServerFacts
    /// SHA-256 of the public key in the server's certificate; nil where there is no TLS.
    let serverKey: String?
    let subjects: [PlanFacts.Subject]
}
