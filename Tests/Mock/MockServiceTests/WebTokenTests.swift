import Basics
import MockSamples
import MockService
import Testing

/// Web tokens: made, read, expired; see also ``SpentTokenTests``.
struct WebTokenTests {
    /// An issuer that can be asked inside an expectation.
    private final class Issuer {
        var tokens: WebTokenIssuer
        init(_ tokens: WebTokenIssuer) { self.tokens = tokens }

        func issue(user: String, now: Timestamp) -> String { tokens.issue(user: user, now: now) }
        func read(_ text: String, now: Timestamp) throws(WebTokenIssuer.Refusal) -> String {
            try tokens.read(text, now: now).user
        }
        func adopt(_ token: String, user: String) -> Bool { tokens.adopt(token, user: user) }
    }

    private func issuer(seed: UInt64 = 7, start: Int64 = 1) -> Issuer {
        Issuer(
            WebTokenIssuer(
                CredentialKey(seed: seed), start: start, isSingleUse: false,
                millisecondsMax: 1_800_000))
    }
    private func moment(_ milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: Samples.start.milliseconds + milliseconds)
    }

    @Test(arguments: [
        "ann", "a", "user.with-every_sign@example", String(repeating: "u", count: 64),
    ])
    func `a token has the documented form and says whose it is`(user: String) throws {
        let issuer = issuer()
        let token = issuer.issue(user: user, now: moment(0))
        #expect(token.utf8.count >= 100)
        #expect(token.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
        #expect(try issuer.read(token, now: moment(1)) == user)
    }

    @Test func `old tokens go on working until they expire`() throws {
        let issuer = issuer()
        let first = issuer.issue(user: "ann", now: moment(0))
        let second = issuer.issue(user: "ann", now: moment(5000))
        #expect(first != second)
        #expect(try issuer.read(first, now: moment(1_800_000)) == "ann")
        #expect(throws: WebTokenIssuer.Refusal.expired) {
            try issuer.read(first, now: moment(1_800_001))
        }
        #expect(try issuer.read(second, now: moment(1_800_001)) == "ann")
    }

    @Test func `a restarted server knows its tokens and no others`() throws {
        let before = issuer()
        let token = before.issue(user: "ann", now: moment(0))
        let after = issuer(start: 2)
        #expect(try after.read(token, now: moment(1)) == "ann")
        #expect(after.issue(user: "ann", now: moment(0)) != token)
        let stranger = issuer(seed: 8)
        #expect(throws: WebTokenIssuer.Refusal.unknown) {
            try stranger.read(token, now: moment(1))
        }
    }

    @Test(arguments: [0, 1, 20, 40, 60, 99])
    func `a changed token is not known`(index: Int) {
        let issuer = issuer()
        var digits = Array(issuer.issue(user: "ann", now: moment(0)).utf8)
        digits[index] = digits[index] == 0x30 ? 0x31 : 0x30
        #expect(throws: WebTokenIssuer.Refusal.unknown) {
            try issuer.read(String(decoding: digits, as: UTF8.self), now: moment(0))
        }
    }

    @Test(arguments: ["", "x", "00", String(repeating: "0", count: 5000), "é", "a b"])
    func `text that was never a token is not known`(text: String) {
        let issuer = issuer()
        #expect(throws: WebTokenIssuer.Refusal.unknown) { try issuer.read(text, now: moment(0)) }
    }

    @Test(arguments: [
        "ab+cd/ef==gh_1", "x", "158__54__AAp=:!", String(repeating: "t", count: 1024),
    ])
    func `a chosen token may have any form`(token: String) throws {
        let issuer = issuer()
        #expect(issuer.adopt(token, user: "bob"))
        #expect(try issuer.read(token, now: moment(0)) == "bob")
    }

    @Test(arguments: ["", "with space", "naïve", String(repeating: "t", count: 1025)])
    func `what cannot stand in a query is no token`(token: String) {
        #expect(!issuer().adopt(token, user: "bob"))
    }
}
