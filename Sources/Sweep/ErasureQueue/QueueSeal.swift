private import OpenSSL

/// What keeps people's names out of the database: digests to find them by, boxes that only the key opens.
///
/// The key never comes into the database.
package struct QueueSeal: Sendable {
    package static let keyByteCount = 32
    private let digestKey: [UInt8]
    private let boxKey: [UInt8]

    /// - Parameter key: 32 random bytes, the same for all who share the queue.
    package init(key: [UInt8]) {
        precondition(key.count == Self.keyByteCount, "the queue's key has 32 bytes")
        digestKey = HMACSHA256.authenticate(Array("cksweep queue digest".utf8), key: key)
        boxKey = HMACSHA256.authenticate(Array("cksweep queue box".utf8), key: key)
    }

    /// What stands for `text` in the database.
    func digest(_ text: [UInt8], of kind: String) -> [UInt8] {
        HMACSHA256.authenticate(Array(kind.utf8) + [0] + text, key: digestKey)
    }

    func seal(_ plain: [UInt8], for person: [UInt8], as kind: String) -> [UInt8] {
        SealedBox.seal(plain, key: boxKey, context: Array(kind.utf8) + [0] + person)
    }

    func open(
        _ box: [UInt8], for person: [UInt8], as kind: String
    ) throws(QueueError) -> [UInt8] {
        guard
            let plain = SealedBox.open(box, key: boxKey, context: Array(kind.utf8) + [0] + person)
        else {
            throw QueueError(.unreadable, "a \(kind) in the queue is not sealed with this key")
        }
        return plain
    }
}
