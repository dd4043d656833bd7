import AsyncOperations
import CloudClient
import CloudModel

/// Keeps a token in memory, and what was asked of it in which order.
final class MemoryKeeper: WebAuthTokenKeeper {
    private struct State {
        var token: String?
        var acts: [String] = []
        var failure: CloudError?
    }
    private let state: Locked<State>

    init(_ token: String?) { state = Locked(State(token: token)) }

    var acts: [String] { state.withLock { $0.acts } }
    var token: String? { state.withLock { $0.token } }

    /// Something else that belongs into the order.
    func note(_ act: String) { state.withLock { $0.acts.append(act) } }
    /// What another process does.
    func change(to token: String?) { state.withLock { $0.token = token } }
    /// From now on nothing can be kept.
    func fail(_ error: CloudError) { state.withLock { $0.failure = error } }

    func hold(alone: Bool) async throws(CloudError) -> String? {
        state.withLock { state in
            state.acts.append(alone ? "hold alone" : "hold")
            return state.token
        }
    }

    func keep(_ token: String) async throws(CloudError) {
        // Whoever does not wait for it comes in between.
        await Task.yield()
        let failure = state.withLock { state in
            state.acts.append("keep \(token)")
            if state.failure == nil { state.token = token }
            return state.failure
        }
        if let failure { throw failure }
    }

    func release() async { state.withLock { $0.acts.append("release") } }
}
