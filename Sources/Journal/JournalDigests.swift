/// The cryptography that a journal needs, handed in.
package struct JournalDigests: Sendable {
    /// SHA-256, for the chain of events.
    package let hash: @Sendable (_ bytes: [UInt8]) -> [UInt8]
    /// HMAC-SHA-256, for fences that stand when their names are forgotten.
    package let authenticate: @Sendable (_ bytes: [UInt8], _ key: [UInt8]) -> [UInt8]
    /// Bytes nobody can guess, for keys.
    package let random: @Sendable (_ count: Int) -> [UInt8]

    package init(
        hash: @escaping @Sendable (_ bytes: [UInt8]) -> [UInt8],
        authenticate: @escaping @Sendable (_ bytes: [UInt8], _ key: [UInt8]) -> [UInt8],
        random: @escaping @Sendable (_ count: Int) -> [UInt8]
    ) {
        self.hash = hash
        self.authenticate = authenticate
        self.random = random
    }
}
