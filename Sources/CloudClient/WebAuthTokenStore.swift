import AsyncOperations

/// The web auth token of one container and environment, shared by all databases there.
///
/// The service may send a new token with every answer; the last one that arrived counts. Requests
/// in flight together use the same token, which the service accepts.
package final class WebAuthTokenStore: Sendable, CustomStringConvertible, CustomReflectable {
    private struct State {
        var token: String?
        var version: UInt64 = 0
    }
    private let state: Locked<State>
    private let persist: (@Sendable (String?) -> Void)?
    /// The version last given to `persist`. Held while it runs, so that an older token never
    /// overwrites a newer one.
    private let persisted = Locked(UInt64(0))

    /// - Parameter persist: Called after each change, one call at a time, with the newest token;
    ///   nil when it was forgotten.
    package init(token: String?, persist: (@Sendable (String?) -> Void)? = nil) {
        state = Locked(State(token: token))
        self.persist = persist
    }

    /// The token to send; nil when the user has to sign in.
    package var current: String? { state.withLock { $0.token } }

    /// Takes the token that an answer brought.
    package func rotate(to token: String) {
        guard !token.isEmpty else { return }
        change { $0 != token ? .some(token) : nil }
    }

    /// Forgets a token that the service no longer accepts, unless a newer one came meanwhile.
    package func forget(ifStill spent: String) {
        change { $0 == spent ? .some(nil) : nil }
    }

    /// Stores what `next` makes of the token; nil leaves it as it is.
    private func change(_ next: (String?) -> String??) {
        let isChanged = state.withLock { state in
            guard let token = next(state.token) else { return false }
            state.token = token
            state.version += 1
            return true
        }
        guard isChanged, let persist else { return }
        persisted.withLock { last in
            let newest = state.withLock { $0 }
            guard newest.version > last else { return }
            last = newest.version
            persist(newest.token)
        }
    }

    package var description: String { "web auth token" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
