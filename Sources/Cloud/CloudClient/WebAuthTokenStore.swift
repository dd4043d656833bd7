import AsyncOperations
package import CloudModel

/// The web auth token of one container and environment, shared by all databases there.
///
/// The service may send a new token with every answer; the last one that arrived counts, and is on
/// disk, where it is kept there, before the answer is handed on and before the next request.
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

    /// Asks somebody to sign in while requests wait.
    ///
    /// - Returns: The token of the person who signed in; nil: nobody did, and nobody is asked again.
    /// - Throws: Why nothing more may be sent.
    package typealias SignIn = @Sendable () async throws(CloudError) -> String?

    /// What somebody who waits is woken with.
    private enum Call: Sendable {
        case turn(WebAuthTokenLedger.Turn)
        case cancelled
        case tooMany
    }

    private struct State {
        var ledger: WebAuthTokenLedger
        var waiting: [(id: UInt64, continuation: CheckedContinuation<Call, Never>)] = []
        var lastID: UInt64 = 0
        /// Why nothing more may be sent.
        var failure: CloudError?
        var signIn: SignIn?
    }
    private let state: Locked<State>
    private let keeper: (any WebAuthTokenKeeper)?

    /// A token that is kept in this process only.
    package convenience init(token: String?, signIn: SignIn? = nil) {
        self.init(token: token, keeper: nil, signIn: signIn)
    }

    /// A token that is kept outside, and read there when it is needed.
    package convenience init(keptIn keeper: any WebAuthTokenKeeper, signIn: SignIn? = nil) {
        self.init(token: nil, keeper: keeper, signIn: signIn)
    }

    private init(token: String?, keeper: (any WebAuthTokenKeeper)?, signIn: SignIn?) {
        let ledger = WebAuthTokenLedger(token: token, isKept: keeper != nil)
        state = Locked(State(ledger: ledger, signIn: signIn))
        self.keeper = keeper
    }

    /// The newest token; nil when the user has to sign in.
    package var current: String? { state.withLock { $0.ledger.token } }

    // MARK: Requests

    /// The token for one request, to be given back with ``settle(_:_:)``; nil when the user has to
    /// sign in.
    ///
    /// - Throws: `cancelled`, when the task was while it waited for its turn; `throttled`, when
    ///   ``waitingMax`` others wait; what the keeper throws, from then on.
    package func lend() async throws(CloudError) -> String? {
        while true {
            if let failure = state.withLock({ $0.failure }) { throw failure }
            switch await nextCall() {
            case .turn(.go(let token)): return token
            case .turn(.wait): continue
            case .turn(.open): return try await open()
            case .cancelled: throw CloudError(.cancelled, reason: "cancelled before it was sent")
            case .tooMany:
                throw CloudError(
                    .throttled, reason: "not sent: \(Self.waitingMax) requests wait for a token")
            }
        }
    }

    /// Takes a token back, with what came of its request.
    ///
    /// - Returns: Whether it was refused only because the service takes each token once and
    ///   another request was quicker, or somebody has signed in since: then this one was not carried
    ///   out, and can be sent again.
    /// - Throws: Why nothing more may be sent, where that came out while looking for another token. A
    ///   token that could not be kept is told to the next request: this one was answered.
    package func settle(_ token: String, _ verdict: Verdict) async throws(CloudError) -> Bool {
        if case .next(let next) = verdict { await keep(next) }
        switch state.withLock({ $0.ledger.settle(token, verdict) }) {
        case .none:
            await closeIfIdle()
            return false
        case .mayRepeat:
            await closeIfIdle()
            return true
        case .resolve: return try await resolve(token)
        }
    }

    /// Has somebody sign in after a request that bore no token was refused.
    ///
    /// - Returns: Whether it can be sent again.
    /// - Throws: Why nothing more may be sent.
    package func signInAgain() async throws(CloudError) -> Bool {
        guard state.withLock({ $0.signIn != nil }) else { return false }
        guard state.withLock({ $0.ledger.beginSigningIn() }) else { return true }
        return try await resolve(nil)
    }

    /// Takes the token that an answer brought.
    package func rotate(to token: String) { state.withLock { $0.ledger.rotate(to: token) } }

    // MARK: The kept token

    private func open() async throws(CloudError) -> String? {
        guard let keeper else { preconditionFailure("nothing is stored") }
        defer { wake() }
        do throws(CloudError) {
            let alone = state.withLock { $0.ledger.isSingleUse }
            let kept = try await keeper.hold(alone: alone)
            state.withLock { $0.ledger.opened(with: kept) }
            return kept
        } catch {
            state.withLock { $0.ledger.closed() }
            throw error
        }
    }

    private func closeIfIdle() async {
        if let keeper, state.withLock({ $0.ledger.mayClose() }) {
            await keeper.release()
            state.withLock { $0.ledger.closed() }
        }
        wake()
    }

    /// Puts a token on disk. Where that fails nothing is sent any more: the service has taken the
    /// old one back, and after this process nobody would know the new one.
    private func keep(_ token: String) async {
        guard let keeper, token != current else { return }
        do throws(CloudError) {
            try await keeper.keep(token)
        } catch {
            fail(error)
        }
    }

    private func fail(_ error: CloudError) {
        state.withLock { $0.failure = $0.failure ?? error }
    }

    // MARK: Another token

    /// Looks for a token to go on with, after the newest one that is known here was refused: another
    /// process may have used it up, or somebody may sign in.
    private func resolve(_ refused: String?) async throws(CloudError) -> Bool {
        var other: String?
        var wasSpent = false
        defer {
            state.withLock { [other, wasSpent] in
                $0.ledger.resolved(with: other, wasSpent: wasSpent)
            }
            wake()
        }
        do throws(CloudError) {
            other = try await newerKept(than: refused)
            wasSpent = other != nil && refused != nil
            if other == nil { other = try await signedIn() }
        } catch {
            fail(error)
            throw error
        }
        return other != nil
    }

    /// The kept token where it is another. Nobody has requests under way meanwhile, so that it is not
    /// about to be replaced.
    private func newerKept(than refused: String?) async throws(CloudError) -> String? {
        guard let keeper else { return nil }
        await keeper.release()
        guard let kept = try await keeper.hold(alone: true) else { return nil }
        await keeper.release()
        return kept == refused ? nil : kept
    }

    private func signedIn() async throws(CloudError) -> String? {
        guard let signIn = state.withLock({ $0.signIn }) else { return nil }
        guard let token = try await signIn() else {
            state.withLock { $0.signIn = nil }
            return nil
        }
        return token
    }

    // MARK: Turns

    /// What this request is to do, after waiting in line where it has to.
    private func nextCall() async -> Call {
        let (id, turn) = state.withLock { state in
            state.lastID += 1
            return (state.lastID, state.ledger.lend())
        }
        guard turn == .wait else { return .turn(turn) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let call = state.withLock { state -> Call? in
                    let turn = state.ledger.lend()
                    guard turn == .wait else { return .turn(turn) }
                    guard state.waiting.count < Self.waitingMax else { return .tooMany }
                    state.waiting.append((id, continuation))
                    return nil
                }
                if let call { continuation.resume(returning: call) }
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

    /// Calls whoever is next.
    private func wake() {
        let woken = state.withLock { state in
            var woken: [(CheckedContinuation<Call, Never>, Call)] = []
            while let first = state.waiting.first {
                let turn = state.failure == nil ? state.ledger.lend() : .wait
                guard turn != .wait || state.failure != nil else { break }
                state.waiting.removeFirst()
                woken.append((first.continuation, .turn(turn)))
            }
            return woken
        }
        for (continuation, call) in woken { continuation.resume(returning: call) }
    }

    package var description: String { "web auth token" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
