package import CloudModel

/// Checks web tokens and issues the next ones.
package struct WebTokenIssuer: Sendable {
    /// Why a token is not taken.
    package enum Refusal: Error, Sendable, Hashable {
        /// Never given out by this server: 401.
        case unknown
        /// Was good once: a new sign-in is needed, 421.
        case spent
        case expired
    }

    /// Whether a token is good for one request only.
    package var isSingleUse: Bool
    /// How long a token is good for.
    package var millisecondsMax: Int64

    private var mint: WebTokenMint
    /// Tokens chosen by tests, by text.
    private var chosen: [String: String] = [:]
    private var spent: [WebTokenMint.Content: Int64] = [:]
    private var spentChosen: Set<String> = []
    /// Tokens read lately, so that their digests are not computed at every request.
    private var known: [String: WebTokenMint.Content] = [:]

    private static let knownMax = 4096
    private static let spentMax = 200_000
    private static let chosenMax = 10_000

    package init(_ key: CredentialKey, isSingleUse: Bool, millisecondsMax: Int64) {
        mint = WebTokenMint(key)
        self.isSingleUse = isSingleUse
        self.millisecondsMax = millisecondsMax
    }

    /// A new token for a user who signs in.
    package mutating func issue(user: String, now: Timestamp) -> String {
        mint.issue(user: user, now: now)
    }

    /// Makes a text of the test's choice a token of `user`; false when it has another form or
    /// there are too many. Such tokens do not expire.
    package mutating func adopt(_ token: String, user: String) -> Bool {
        guard Self.mayBeToken(token), chosen.count < Self.chosenMax else { return false }
        chosen[token] = user
        spentChosen.remove(token)
        return true
    }

    /// Takes away a token of the test's choice; false when there is none.
    package mutating func remove(_ token: String) -> Bool {
        spentChosen.remove(token)
        return chosen.removeValue(forKey: token) != nil
    }

    /// Whether a text can be chosen as a token: printable ASCII, without spaces.
    static func mayBeToken(_ text: String) -> Bool {
        (1...1024).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Takes a token and says whose it is.
    package mutating func redeem(_ token: String, now: Timestamp) throws(Refusal) -> String {
        if let user = chosen[token] {
            guard isSingleUse else { return user }
            guard spentChosen.insert(token).inserted else { throw .spent }
            return user
        }
        guard let content = known[token] ?? mint.read(token) else { throw .unknown }
        guard now.milliseconds - content.issued <= millisecondsMax else { throw .expired }
        if isSingleUse {
            guard spent[content] == nil else { throw .spent }
            if spent.count >= Self.spentMax { forgetSpent(now: now) }
            spent[content] = content.issued
        } else if known[token] == nil {
            if known.count >= Self.knownMax { known = [:] }
            known[token] = content
        }
        return content.user
    }

    /// Makes a token good again that was spent on a request that failed or got no answer.
    package mutating func restore(_ token: String) {
        guard isSingleUse else { return }
        if chosen[token] != nil {
            spentChosen.remove(token)
        } else if let content = mint.read(token) {
            spent[content] = nil
        }
    }

    /// Drops what has expired, and of the rest the older half when that is not enough.
    private mutating func forgetSpent(now: Timestamp) {
        spent = spent.filter { now.milliseconds - $0.value <= millisecondsMax }
        guard spent.count >= Self.spentMax else { return }
        let times = spent.values.sorted()
        let middle = times[times.count / 2]
        spent = spent.filter { $0.value > middle }
    }
}
