import AsyncOperations

/// The key that each server showed when the first request was sent to it: what later connections
/// have to show as well.
///
/// As many entries as hosts are asked, which the caller names.
final class ServerKeys: Sendable {
    private struct Entry {
        let digest: [UInt8]
        var hasAnswered = false
    }
    private let entries = Locked<[String: Entry]>([:])

    /// Whether a request may go to a server that showed this key; the first key stays.
    func admits(_ digest: [UInt8], of origin: String) -> Bool {
        entries.withLock { entries in
            guard let known = entries[origin] else {
                entries[origin] = Entry(digest: digest)
                return true
            }
            return known.digest == digest
        }
    }

    /// Remembers that an answer came from the server with this key.
    func noteAnswer(of origin: String) {
        entries.withLock { $0[origin]?.hasAnswered = true }
    }

    /// The key of the server that answered; nil before that.
    func digest(of origin: String) -> [UInt8]? {
        entries.withLock { entries in
            entries[origin].flatMap { $0.hasAnswered ? $0.digest : nil }
        }
    }
}
