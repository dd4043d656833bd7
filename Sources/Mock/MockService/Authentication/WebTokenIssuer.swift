package import Basics
package import MockStore

/// Checks web tokens and issues the next ones.
package struct WebTokenIssuer {
    /// Why a token is not taken.
    package enum Refusal: Error, Sendable, Hashable {
        /// Never given out by this server: 401.
        case unknown
        /// Was good once: a new sign-in is needed, 421.
        case spent
        case expired
    }

    /// What is known of a token that is taken.
    package struct Reading: Sendable, Hashable {
        package let user: String
        package let id: WebTokenID
        /// Larger than that of any token given out before.
        package let number: Int64
    }

    /// A token that a test or its configuration chose.
    package struct Chosen: Sendable, Hashable {
        let user: String
        let number: Int64
    }

    /// Tokens read lately, so that their digests are not computed at every request. One for all copies, as
    /// what a token says never changes.
    private final class Known {
        var contents: [String: WebTokenMint.Content] = [:]
    }

    /// Whether a token is good for one request only.
    package var isSingleUse: Bool
    /// How long a token is good for.
    package var millisecondsMax: Int64

    private var mint: WebTokenMint
    /// The chosen tokens, by their text.
    package private(set) var chosen: [String: Chosen] = [:]
    private let known = Known()

    private static let knownMax = 4096
    private static let chosenMax = 10_000

    /// - Parameter start: Larger than of any other issuer with this key.
    package init(
        _ key: CredentialKey, start: Int64, isSingleUse: Bool, millisecondsMax: Int64
    ) {
        mint = WebTokenMint(key, start: start)
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
        chosen[token] = Chosen(user: user, number: mint.nextNumber())
        return true
    }

    /// Takes away a token of the test's choice, if there is such a one.
    package mutating func remove(_ token: String) { chosen[token] = nil }

    /// Whether a text can be chosen as a token: printable ASCII, without spaces.
    static func mayBeToken(_ text: String) -> Bool {
        (1...1024).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Says whose a token is, and which it is.
    ///
    /// - Parameter isSpent: Whether a token was used; asked where each is good for one request only.
    package func read(
        _ token: String, now: Timestamp, isSpent: (WebTokenID) -> Bool = { _ in false }
    ) throws(Refusal) -> Reading {
        let reading: Reading
        if let owner = chosen[token] {
            reading = Reading(user: owner.user, id: .chosen(token), number: owner.number)
        } else {
            guard let content = content(of: token) else { throw .unknown }
            guard now.milliseconds - content.issued <= millisecondsMax else { throw .expired }
            reading = Reading(
                user: content.user, id: .made(content.number), number: content.number)
        }
        if isSingleUse, isSpent(reading.id) { throw .spent }
        return reading
    }

    private func content(of token: String) -> WebTokenMint.Content? {
        if let found = known.contents[token] { return found }
        guard let read = mint.read(token) else { return nil }
        if known.contents.count >= Self.knownMax { known.contents = [:] }
        known.contents[token] = read
        return read
    }

    /// That of the token given out last.
    package var lastNumber: Int64 { mint.number }
}
