import AsyncOperations
import Host

/// Gives prepared lines; then the end of input.
package final class PreparedInput: LineInput {
    private let lines: Locked<[String]>
    package init(_ lines: [String] = []) { self.lines = Locked(lines) }
    package func line(within time: Duration) async -> String? {
        lines.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}

/// Does something while somebody is asked, and then gives the answer.
package struct ActingInput: LineInput {
    /// Gets how long may be thought.
    package let act: @Sendable (Duration) async -> String?

    package init(act: @escaping @Sendable (Duration) async -> String?) { self.act = act }

    package func line(within time: Duration) async -> String? { await act(time) }
}
