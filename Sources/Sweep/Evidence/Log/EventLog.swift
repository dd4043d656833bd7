import Basics
import FileSystem
import OpenSSL

/// The events of a run, one after the other: what they come to, whether they are being written or
/// checked. It holds a few bytes a step, and no event.
package struct EventLog: ~Copyable {
    /// Bytes of one event.
    package static let eventBytesMax = 1 << 20

    private var file = SHA256()
    private var chain = HashChain()
    private var tree = MerkleTree()
    private var bytes = 0
    /// What the events say became of the plan's steps.
    package private(set) var tally = EventTally()

    package init() {}

    /// Takes the next event: one object in canonical JSON, without the end of its line.
    ///
    /// - Throws: `events` when it is something else.
    package mutating func take(_ event: [UInt8]) throws(EvidenceError) {
        guard event.count <= Self.eventBytesMax else {
            throw EvidenceError(.events, "R12: an event of more than \(Self.eventBytesMax) bytes")
        }
        file.update(event + [0x0A])
        bytes += event.count + 1
        chain.append(event)
        tree.append(event)
        do throws(EvidenceError) {
            try tally.take(Members(StrictReader.read(event), "an event"))
        } catch {
            throw EvidenceError(.events, "R12: event \(tree.count - 1): \(error.reason)")
        }
    }

    /// What all of them come to.
    package consuming func finish() -> (digest: EventDigest, tally: EventTally) {
        let digest = EventDigest(
            count: tree.count, bytes: bytes, sha256: Hexadecimal.encode(file.finish()),
            chainHead: Hexadecimal.encode(chain.head), root: Hexadecimal.encode(tree.root))
        return (digest, tally)
    }

    /// Reads a file of events from its beginning to its end.
    ///
    /// - Throws: `unreadable`, `events`.
    package static func read(
        _ path: String
    ) throws(EvidenceError) -> (digest: EventDigest, tally: EventTally) {
        var log = EventLog()
        var rest: [UInt8] = []
        do {
            let file = try ByteFile(reading: path)
            while let piece = try file.read(upTo: 1 << 18) {
                rest += piece
                var start = 0
                while let end = rest[start...].firstIndex(of: 0x0A) {
                    try log.take(Array(rest[start..<end]))
                    start = end + 1
                }
                rest.removeFirst(start)
                guard rest.count <= eventBytesMax else {
                    throw EvidenceError(.events, "R12: an event without an end")
                }
            }
        } catch let error as EvidenceError {
            throw error
        } catch {
            throw EvidenceError(.unreadable, "\(error)")
        }
        guard rest.isEmpty else {
            throw EvidenceError(.events, "R12: the last event is truncated")
        }
        return log.finish()
    }
}
