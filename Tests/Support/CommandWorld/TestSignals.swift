package import AsyncOperations
import Host

/// Signals that a test sends.
package final class TestSignals: Signals {
    private struct State {
        var handler: (@Sendable (Int32) -> Void)?
        /// One that came before anybody wanted it.
        var early: Int32?
    }
    private let state = Locked(State())

    package init() {}

    /// What was to be done before the end, each time it was said.
    package let lastActs = Locked<[Bool]>([])
    package func beforeEnd(_ body: (@Sendable () -> Void)?) {
        lastActs.withLock { $0.append(body != nil) }
    }
    package func onStop(_ body: @escaping @Sendable (Int32) -> Void) { take(body) }
    package func forward(_ body: @escaping @Sendable (Int32) -> Void) { take(body) }
    package func endProcess() { state.withLock { $0.handler = nil } }

    private func take(_ body: @escaping @Sendable (Int32) -> Void) {
        let early = state.withLock { state in
            state.handler = body
            return state.early.take()
        }
        if let early { body(early) }
    }

    package func send(_ signal: Int32) {
        let handler = state.withLock { state in
            if state.handler == nil { state.early = signal }
            return state.handler
        }
        handler?(signal)
    }
}
