import AsyncOperations
import Host

/// What all that speak for one verb have in common: the server they speak of, and what is said at
/// the very end.
package final class Outlet: Sendable {
    private struct State {
        var rehearsal: String?
        var lastWords: [@Sendable () -> Void] = []
        var hasVerdict = false
        var files: [(path: String, sink: any TextSink)] = []
    }
    private let state = Locked(State())

    package init() {}

    /// The address of the server of a rehearsal; nil: none, or not known yet.
    package var rehearsal: String? { state.withLock { $0.rehearsal } }

    /// From now on everything is said of a rehearsal.
    package func begin(rehearsalAt server: String) { state.withLock { $0.rehearsal = server } }

    /// Has `words` said when the verb has ended.
    package func atEnd(_ words: @escaping @Sendable () -> Void) {
        state.withLock { $0.lastWords.append(words) }
    }

    /// Whether the last words say of which server they are.
    package var hasVerdict: Bool { state.withLock { $0.hasVerdict } }

    /// Has the verdict of a run said when the verb has ended, after everything else.
    package func giveVerdict(_ words: @escaping @Sendable () -> Void) {
        state.withLock {
            $0.hasVerdict = true
            $0.lastWords.insert(words, at: 0)
        }
    }

    /// Has the file looked at in the end: what it did not take is told.
    func watch(_ sink: any TextSink, at path: String) {
        state.withLock { $0.files.append((path, sink)) }
    }

    /// Says what is left to say.
    ///
    /// - Returns: What of the output was lost; empty: nothing.
    func end() -> [String] {
        let ended = state.withLock { state in
            defer {
                state.lastWords = []
                state.files = []
            }
            return state
        }
        for words in ended.lastWords.reversed() { words() }
        return ended.files.compactMap { file in
            file.sink.problem.map { "\(file.path) cannot be written: \($0)" }
        }
    }
}
