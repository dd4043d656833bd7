import Basics
import Evidence
import Foundation
import OpenSSL
import Testing
import TimeStampAuthority

/// Time stamps of an authority that `openssl ts` plays, and those that are none (attack 14).
struct TimeStampTests {
    /// A little later than the authority's certificates are made.
    private static let now = Timestamp(
        milliseconds: Int64(Date().timeIntervalSince1970 * 1000) + 600_000)

    private let sample = SampleCase()
    private let nonce = [UInt8](repeating: 9, count: TimeStamp.nonceByteCount)

    private func envelope() throws -> [UInt8] {
        try sample.statement().signed(by: [Vectors.key()]).bytes
    }

    private func token(
        _ authority: TimeStampAuthority, over envelope: [UInt8]
    ) throws -> [UInt8] {
        try authority.reply(to: TimeStamp.query(about: envelope, nonce: nonce))
    }

    private func attest(
        _ envelope: [UInt8], _ token: [UInt8], _ root: [UInt8], at moment: Timestamp = now,
        trust: TrustFile? = nil
    ) throws -> Attestation {
        try Attestation(
            envelope: envelope, events: nil, proof: nil,
            trust: trust ?? SampleCase.trusting(Vectors.key()),
            stamp: .init(token: token, authorities: root, now: moment))
    }

    private func refusal(_ body: () throws -> Void) -> EvidenceError.Code? {
        #expect(throws: EvidenceError.self) { try body() }?.code
    }

    @Test func `a stamp holds for us and for openssl, and says when`() throws {
        let authority = try TimeStampAuthority()
        let envelope = try envelope()
        let token = try token(authority, over: envelope)
        #expect(try authority.accepts(token, over: envelope))
        let root = try authority.root()
        let stamp = try TimeStamp(
            .init(token: token, authorities: root, now: Self.now), over: envelope, nonce: nonce)
        let stampedAt = try attest(envelope, token, root).stampedAt
        #expect(stampedAt == stamp.moment)
        #expect(abs(stamp.moment.milliseconds - Self.now.milliseconds) < 3_600_000)
        #expect(try sample.attest(envelope).stampedAt == nil)
    }

    @Test(arguments: [true, false])
    func `a stamp over other bytes, with another nonce or by nobody we named is refused`(
        saysWho: Bool
    ) throws {
        let authority = try TimeStampAuthority(saysWho: saysWho)
        let stranger = try TimeStampAuthority()
        let envelope = try envelope()
        let token = try token(authority, over: envelope)
        let root = try authority.root()
        let other = try sample.forged { $0["requests"] = 21 }
        #expect(refusal { _ = try attest(other, token, root) } == .timeStamp)
        #expect(
            refusal { _ = try attest(envelope, token, try stranger.root()) } == .timeStamp)
        #expect(refusal { _ = try attest(envelope, token, []) } == .timeStamp)
        #expect(
            refusal {
                _ = try TimeStamp(
                    .init(token: token, authorities: root, now: Self.now), over: envelope,
                    nonce: [1, 2, 3])
            } == .timeStamp)
        // The other way round than it is written in a certificate.
        let web = try TimeStampAuthority(usage: "serverAuth")
        #expect(throws: (any Error).self) { try self.token(web, over: envelope) }
    }

    @Test func `a stamp that was changed, cut off or goes on is refused`() throws {
        let authority = try TimeStampAuthority()
        let envelope = try envelope()
        let token = try token(authority, over: envelope)
        let root = try authority.root()
        var changed = token
        changed[changed.count - 5] ^= 1
        let wrong = [
            [], [0x30], Array(token.dropLast()), token + [0], changed,
            [UInt8](repeating: 0x30, count: TimeStampQuery.replyBytesMax + 1),
        ]
        for token in wrong {
            #expect(refusal { _ = try attest(envelope, token, root) } == .timeStamp)
        }
    }

    @Test func `a stamp whose authority's certificate has ended is refused`() throws {
        let authority = try TimeStampAuthority()
        let envelope = try envelope()
        let token = try token(authority, over: envelope)
        let root = try authority.root()
        let late = Self.now.advanced(by: .seconds(4000 * 86_400))
        let early = Self.now.advanced(by: .seconds(-4000 * 86_400))
        for moment in [late, early] {
            let code = refusal { _ = try attest(envelope, token, root, at: moment) }
            #expect(code == .timeStamp)
        }
    }

    @Test func `what says that it was signed after it was stamped is refused`() throws {
        let authority = try TimeStampAuthority()
        let later = Self.now.advanced(by: .seconds(3600)).milliseconds
        let envelope = try sample.forged { $0["signedAt"] = later }
        let token = try token(authority, over: envelope)
        let root = try authority.root()
        #expect(refusal { _ = try attest(envelope, token, root) } == .times)
    }

    @Test func `what a revoked key signed is good only with a stamp from before`() throws {
        let authority = try TimeStampAuthority()
        let envelope = try envelope()
        let token = try token(authority, over: envelope)
        let root = try authority.root()
        func code(revokedAt moment: Timestamp) throws -> EvidenceError.Code? {
            let head = "revoked-at: \(moment.iso8601)\n"
            let trust = try TrustFile(
                Array(head.utf8) + Vectors.key().verifying.key.pem)
            do {
                _ = try attest(envelope, token, root, trust: trust)
                return nil
            } catch let error as EvidenceError {
                return error.code
            }
        }
        #expect(try code(revokedAt: Self.now.advanced(by: .seconds(3600))) == nil)
        #expect(try code(revokedAt: Self.now.advanced(by: .seconds(-3600))) == .keyNotValid)
    }
}
