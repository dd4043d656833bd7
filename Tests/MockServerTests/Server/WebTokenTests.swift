import CloudModel
import MockServer
import Testing

/// Web tokens: made, read, rotated, spent, expired.
struct WebTokenTests {
    /// A desk that can be asked inside an expectation.
    private final class Desk {
        var desk: WebTokenIssuer
        init(_ desk: WebTokenIssuer) { self.desk = desk }

        func issue(user: String, now: Timestamp) -> String { desk.issue(user: user, now: now) }
        func successor(user: String, now: Timestamp) -> String {
            desk.successor(user: user, now: now)
        }
        func redeem(_ text: String, now: Timestamp) throws(WebTokenIssuer.Refusal) -> String {
            try desk.redeem(text, now: now)
        }
        func adopt(_ token: String, user: String) -> Bool { desk.adopt(token, user: user) }
    }

    private func desk(singleUse: Bool = false, seed: UInt64 = 7) -> Desk {
        Desk(
            WebTokenIssuer(
                CredentialKey(seed: seed), isSingleUse: singleUse, millisecondsMax: 1_800_000))
    }
    private func moment(_ milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: Samples.start.milliseconds + milliseconds)
    }

    @Test(arguments: [
        "ann", "a", "user.with-every_sign@example", String(repeating: "u", count: 64),
    ])
    func `a token has the documented form and says whose it is`(user: String) throws {
        let desk = desk()
        let token = desk.issue(user: user, now: moment(0))
        #expect(token.utf8.count >= 100)
        #expect(token.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
        #expect(try desk.redeem(token, now: moment(1)) == user)
    }

    @Test func `old tokens go on working until they expire`() throws {
        let desk = desk()
        let first = desk.issue(user: "ann", now: moment(0))
        let second = desk.successor(user: "ann", now: moment(5000))
        #expect(first != second)
        #expect(try desk.redeem(first, now: moment(1_800_000)) == "ann")
        #expect(throws: WebTokenIssuer.Refusal.expired) {
            try desk.redeem(first, now: moment(1_800_001))
        }
        #expect(try desk.redeem(second, now: moment(1_800_001)) == "ann")
    }

    @Test func `a single-use token is spent by its use`() throws {
        let desk = desk(singleUse: true)
        let token = desk.issue(user: "ann", now: moment(0))
        #expect(try desk.redeem(token, now: moment(0)) == "ann")
        #expect(throws: WebTokenIssuer.Refusal.spent) { try desk.redeem(token, now: moment(0)) }
        let next = desk.successor(user: "ann", now: moment(0))
        #expect(next != desk.successor(user: "ann", now: moment(0)))
        #expect(try desk.redeem(next, now: moment(0)) == "ann")
    }

    @Test func `a restarted server knows its tokens and no others`() throws {
        let before = desk()
        let token = before.issue(user: "ann", now: moment(0))
        let after = desk()
        #expect(try after.redeem(token, now: moment(1)) == "ann")
        let stranger = desk(seed: 8)
        #expect(throws: WebTokenIssuer.Refusal.unknown) {
            try stranger.redeem(token, now: moment(1))
        }
    }

    @Test(arguments: [0, 1, 20, 40, 60, 99])
    func `a changed token is not known`(index: Int) {
        let desk = desk()
        var digits = Array(desk.issue(user: "ann", now: moment(0)).utf8)
        digits[index] = digits[index] == 0x30 ? 0x31 : 0x30
        #expect(throws: WebTokenIssuer.Refusal.unknown) {
            try desk.redeem(String(decoding: digits, as: UTF8.self), now: moment(0))
        }
    }

    @Test(arguments: ["", "x", "00", String(repeating: "0", count: 5000), "é", "a b"])
    func `text that was never a token is not known`(text: String) {
        let desk = desk()
        #expect(throws: WebTokenIssuer.Refusal.unknown) { try desk.redeem(text, now: moment(0)) }
    }

    @Test func `a chosen token may hold plus, slash and equals, also as a space`() throws {
        let desk = desk()
        #expect(desk.adopt("ab+cd/ef==gh_1", user: "bob"))
        #expect(try desk.redeem("ab+cd/ef==gh_1", now: moment(0)) == "bob")
        #expect(try desk.redeem("ab cd/ef==gh_1", now: moment(0)) == "bob")
        #expect(!desk.adopt("short", user: "bob"))
        #expect(!desk.adopt("with space and more", user: "bob"))
    }
}
