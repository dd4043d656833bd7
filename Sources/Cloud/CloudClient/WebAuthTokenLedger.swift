/// Which request bears which web auth token, and what its answer means for the next one.
///
/// As documented a token is good for one request; as observed old ones go on working. So requests in
/// flight together use the same token, until one is refused because another was quicker: from then on
/// each waits for the token that the one before it brings.
struct WebAuthTokenLedger: Sendable {
    /// What a request that asks for a token is to do.
    enum Turn: Sendable, Hashable {
        /// Bear this; nil: nobody is signed in.
        case go(String?)
        /// Take hold of the kept token, and say so with ``opened(with:)`` or ``closed()``.
        case open
        case wait
    }

    /// What an answer leads to.
    enum Consequence: Sendable, Hashable {
        case none
        /// The request was not carried out and may be sent again with another token.
        case mayRepeat
        /// The newest token was refused and nobody here has another: find out whether anybody else has,
        /// and say so with ``resolved(with:)``.
        case resolve
    }

    /// Whether a token is kept outside as well.
    private let isKept: Bool
    private(set) var token: String?
    /// How many requests under way bear each token.
    private var lent: [String: Int] = [:]
    /// Whether the service was seen to take each token once.
    private(set) var isSingleUse = false
    /// Whether the kept token is held here.
    private var isHeld = false
    /// Whether somebody here takes hold of it, lets go of it, or looks for another.
    private var isBusy = false

    init(token: String?, isKept: Bool) {
        self.token = token
        self.isKept = isKept
    }

    // MARK: Requests

    /// A token for a request.
    mutating func lend() -> Turn {
        guard !isBusy else { return .wait }
        if isKept, !isHeld {
            isBusy = true
            return .open
        }
        guard let token else { return .go(nil) }
        guard !isSingleUse || lent.isEmpty else { return .wait }
        lent[token, default: 0] += 1
        return .go(token)
    }

    /// Takes a token back from a request, with what came of it.
    mutating func settle(_ token: String, _ verdict: WebAuthTokenStore.Verdict) -> Consequence {
        let others = (lent[token] ?? 1) - 1
        lent[token] = others > 0 ? others : nil
        switch verdict {
        case .next(let next):
            rotate(to: next)
            return .none
        case .nothing: return .none
        case .refused:
            guard self.token == token, lent.isEmpty else {
                isSingleUse = isSingleUse || self.token != nil
                return self.token == nil ? .none : .mayRepeat
            }
            isBusy = true
            return .resolve
        }
    }

    /// Takes the token that an answer brought.
    mutating func rotate(to token: String) {
        if !token.isEmpty { self.token = token }
    }

    // MARK: The kept token

    /// The kept token is held, and is borne by the request that took hold of it; nil: it is not, since
    /// nobody is signed in.
    mutating func opened(with kept: String?) {
        isBusy = false
        token = kept
        guard let kept else { return }
        isHeld = true
        lent[kept, default: 0] += 1
    }

    /// Whether no request needs the hold any more: then let go of it, and say so with ``closed()``.
    mutating func mayClose() -> Bool {
        guard isHeld, !isBusy, lent.isEmpty else { return false }
        isBusy = true
        return true
    }

    /// The kept token is not held.
    mutating func closed() {
        isHeld = false
        isBusy = false
    }

    /// Whether this request is the one to look for a token where nobody is signed in; others wait
    /// and ask again.
    mutating func beginSigningIn() -> Bool {
        guard !isBusy, token == nil else { return false }
        isBusy = true
        return true
    }

    /// The search for another token is over, and nothing is held.
    ///
    /// - Parameters:
    ///   - other: What to go on with; nil: nobody is signed in.
    ///   - wasSpent: Whether another process had used the refused one up.
    mutating func resolved(with other: String?, wasSpent: Bool) {
        isSingleUse = isSingleUse || wasSpent
        token = other
        closed()
    }
}
