/// One event of a run's evidence chain.
package struct EventRow: Sendable, Hashable {
    package let number: Int
    package let body: [UInt8]
    /// SHA-256 over the hash before it and the body; the first stands on 32 zero bytes.
    package let hash: [UInt8]
}
