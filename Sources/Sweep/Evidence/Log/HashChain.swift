import OpenSSL

/// A chain of entries: each hash stands on the one before it. It grows with 32 bytes of state.
package struct HashChain: Sendable {
    /// Where a chain begins.
    package static let start = [UInt8](repeating: 0, count: SHA256.byteCount)

    package private(set) var head = start

    package init() {}

    package mutating func append(_ entry: [UInt8]) { head = SHA256.hash(head + entry) }
}
