import AsyncOperations
package import CloudModel

/// The web auth token of one container and environment, shared by all databases there.
///
/// The service may send a new token with every answer; the last one that arrived counts. As
/// documented a token is good for one request; as observed old ones go on working. So requests in
/// flight together use the same token, until one is refused because another was quicker: from
/// then on each waits for the token that the one before it brings.
package final class WebAuthTokenStore: Sendable, CustomStringConvertible, CustomReflectable {
    /// Requests that wait for a token at a time; one more is told to come back.
    package static let waitingMax = 1_024

    /// What an answer said about the token its request bore.
    package enum Verdict: Sendable, Hashable {
        /// Here is the next one.
        case next(String)
        /// Nothing, or there was no answer.
        case nothing
        /// It is not accepted: somebody has to sign in.
        case refused
    }

    /// What a request gets that asks for a token.
    private enum Loan: Sendable {
        case token(String?)
        case cancelled
        case tooMany
    }

    private struct State {
        var token: String?
        var version: UInt64 = 0
        /// How many requests under way bear a token.
        var lent: [String: Int] = [:]
        /// Whether the service was seen to take each token once.
        var isSingleUse = false
        var waiting: [(id: UInt64, continuation: CheckedContinuation<Loan, Never>)] = []
        var lastID: UInt64 = 0

        /// A token for a request; nil while it has to wait for one.
        mutating func lend() -> Loan? {
            guard let token else { return .token(nil) }
            guard !isSingleUse || lent.isEmpty else { return nil }
            lent[token, default: 0] += 1
            return .token(token)
        }

        /// Takes the token that an answer brought.
        ///
        /// - Returns: Whether it is another than before.
        mutating func rotate(to token: String) -> Bool {
            guard !token.isEmpty, token != self.token else { return false }
            change(to: token)
            return true
        }

        mutating func change(to token: String?) {
            self.token = token
            version += 1
        }
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

    /// The newest token; nil when the user has to sign in.
    package var current: String? { state.withLock { $0.token } }

    // MARK: Requests

    /// The token for one request, to be given back with ``settle(_:_:)``; nil when the user has to
    /// sign in.
    ///
    /// - Throws: `cancelled`, when the task was while it waited for its turn; `throttled`, when
    ///   ``waitingMax`` others wait.
    package func lend() async throws(CloudError) -> String? {
        let (id, atOnce) = state.withLock { state in
            state.lastID += 1
            return (state.lastID, state.lend())
        }
        let loan = if let atOnce { atOnce } else { await turn(id) }
        switch loan {
        case .token(let token): return token
        case .cancelled: throw CloudError(.cancelled, reason: "cancelled before it was sent")
        case .tooMany:
            throw CloudError(
                .throttled, reason: "not sent: \(Self.waitingMax) requests wait for a token")
        }
    }

    /// Takes a token back, with what came of its request.
    ///
    /// - Returns: Whether it was refused only because the service takes each token once and
    ///   another request was quicker: then this one was not carried out, and can be sent again.
    package func settle(_ token: String, _ verdict: Verdict) -> Bool {
        // In one step: between giving the token back and taking the next one, the refusal of another
        // request with the same token would look like a sign-out.
        let (mayRepeat, isChanged) = state.withLock { state in
            let others = (state.lent[token] ?? 1) - 1
            state.lent[token] = others > 0 ? others : nil
            switch verdict {
            case .next(let next): return (false, state.rotate(to: next))
            case .nothing: return (false, false)
            case .refused:
                guard state.token == token else {
                    state.isSingleUse = state.isSingleUse || state.token != nil
                    return (state.token != nil, false)
                }
                guard others == 0 else {
                    state.isSingleUse = true
                    return (true, false)
                }
                state.change(to: nil)
                return (false, true)
            }
        }
        if isChanged { persistNewest() }
        wake()
        return mayRepeat
    }

    /// Takes the token that an answer brought.
    package func rotate(to token: String) {
        if state.withLock({ $0.rotate(to: token) }) { persistNewest() }
    }

    // MARK: Turns

    /// Waits in line.
    private func turn(_ id: UInt64) async -> Loan {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let loan = state.withLock { state -> Loan? in
                    if let loan = state.lend() { return loan }
                    guard state.waiting.count < Self.waitingMax else { return .tooMany }
                    state.waiting.append((id, continuation))
                    return nil
                }
                if let loan { continuation.resume(returning: loan) }
                if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
    }

    private func leave(_ id: UInt64) {
        let left = state.withLock { state in
            state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
        }
        left?.continuation.resume(returning: .cancelled)
    }

    /// Hands the token to whoever is next.
    private func wake() {
        let woken = state.withLock { state in
            var woken: [(CheckedContinuation<Loan, Never>, Loan)] = []
            while let first = state.waiting.first, let loan = state.lend() {
                state.waiting.removeFirst()
                woken.append((first.continuation, loan))
            }
            return woken
        }
        for (continuation, loan) in woken { continuation.resume(returning: loan) }
    }

    private func persistNewest() {
        guard let persist else { return }
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
