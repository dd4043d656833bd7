/// A keyed digest: HMAC-SHA-256 at the edge, something cheap of the same size in the simulation.
package struct SyncDigest: Sendable {
    private let digest: @Sendable (_ key: [UInt8], _ message: [UInt8]) -> [UInt8]

    /// A digest that gives 32 bytes.
    package init(_ digest: @escaping @Sendable ([UInt8], [UInt8]) -> [UInt8]) {
        self.digest = digest
    }

    /// The 32 bytes of a message under a key.
    package func callAsFunction(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        digest(key, message)
    }
}
