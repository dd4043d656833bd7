import Basics
import Evidence
import Foundation
import OpenSSL
import RepositoryRoot
import Testing

/// Signatures under a plan: those of trusted keys over exactly this plan count, and nothing else.
struct PlanApprovalTests {
    private let ada: SigningKey
    private let bob: SigningKey
    private let plan = PlanApproval.Plan(
        digest: String(repeating: "ab", count: 32), createdAt: Self.at(0), expiresAt: Self.at(3600))

    init() throws {
        ada = SigningKey(try Ed25519.PrivateKey(seed: [UInt8](repeating: 1, count: 32)))
        bob = SigningKey(try Ed25519.PrivateKey(seed: [UInt8](repeating: 2, count: 32)))
    }

    private static func at(_ second: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_790_000_000_000 + second * 1000)
    }

    /// The keys that count.
    private func counting(
        _ bytes: [UInt8], plan other: PlanApproval.Plan? = nil, trusting keys: [SigningKey]? = nil,
        at second: Int64 = 100
    ) throws -> [String] {
        try PlanApprovals(bytes).of(
            other ?? plan, by: (keys ?? [ada, bob]).map(\.verifying), at: Self.at(second),
            skew: .seconds(300)
        ).map(\.key.id)
    }

    private func signed(by keys: [SigningKey], at second: Int64 = 60) throws -> [UInt8] {
        var approvals = PlanApprovals()
        for key in keys { approvals = try approvals.adding(key, to: plan, at: Self.at(second)) }
        return approvals.bytes
    }

    @Test func `the signatures of two people count as two, whatever their order`() throws {
        let ids = [ada.verifying.id, bob.verifying.id]
        #expect(try counting(signed(by: [ada, bob])) == ids)
        #expect(try counting(signed(by: [bob, ada])) == ids)
        #expect(try counting(signed(by: [bob])) == [ids[1]])
        #expect(try counting([]) == [])
    }

    @Test func `one key is one person, however often it signs or is named`() throws {
        let once = try signed(by: [ada])
        #expect(try counting(once + once) == [ada.verifying.id])
        #expect(try counting(once, trusting: [ada, ada]) == [ada.verifying.id])
        let error = #expect(throws: EvidenceError.self) {
            _ = try PlanApprovals(once).adding(ada, to: plan, at: Self.at(70))
        }
        #expect(error?.code == .threshold)
    }

    @Test func `a key that nobody trusts counts for nothing`() throws {
        #expect(try counting(signed(by: [ada, bob]), trusting: [bob]) == [bob.verifying.id])
        #expect(try counting(signed(by: [ada]), trusting: [bob]) == [])
    }

    @Test func `a signature is over one plan and its times`() throws {
        let bytes = try signed(by: [ada, bob])
        let digest = PlanApproval.Plan(
            digest: String(repeating: "ac", count: 32), createdAt: plan.createdAt,
            expiresAt: plan.expiresAt)
        let longer = PlanApproval.Plan(
            digest: plan.digest, createdAt: plan.createdAt, expiresAt: Self.at(7200))
        for other in [digest, longer] { #expect(try counting(bytes, plan: other) == []) }
    }

    @Test(arguments: [(-301, false), (-300, true), (0, true), (3599, true), (3600, false)])
    func `it counts when it was signed while the plan was good`(
        second: Int64, counts: Bool
    ) throws {
        let bytes = try signed(by: [ada], at: second)
        #expect(try counting(bytes, at: max(second, 100)).isEmpty != counts)
    }

    @Test func `a signature from the future counts for nothing`() throws {
        #expect(try counting(signed(by: [ada], at: 401), at: 100) == [])
        #expect(try counting(signed(by: [ada], at: 400), at: 100) == [ada.verifying.id])
    }

    @Test func `any other byte and it counts for nothing, or is no approval`() throws {
        let whole = try signed(by: [ada])
        // The hint at the key is not signed; nothing is concluded from it.
        let hint = Array("\"keyid\":\"\(ada.verifying.id)\"".utf8)
        let start = try #require(
            whole.indices.first { whole[$0...].starts(with: hint) })
        for index in whole.indices where !(start..<start + hint.count).contains(index) {
            var bytes = whole
            bytes[index] ^= 1
            do throws(EvidenceError) {
                #expect(
                    try PlanApprovals(bytes).of(
                        plan, by: [ada.verifying], at: Self.at(100), skew: .seconds(300)
                    ).isEmpty, "byte \(index)")
            } catch {
                #expect(!error.reason.isEmpty)
            }
        }
    }

    @Test func `evidence of another kind is no approval, though the right key signed it`() throws {
        let statement = try Envelope(
            signing: Array(#"{"_type":"https://in-toto.io/Statement/v1"}"#.utf8), by: [ada])
        #expect(try counting(statement.bytes + [0x0A]) == [])
    }

    /// Made by `openssl pkeyutl`.
    @Test(arguments: [("one", 1), ("two", 2)])
    func `the approvals that fuzzing begins with are some`(seed: String, count: Int) throws {
        let file = Repository.url("Tests/Fuzz/Seeds/approvals/\(seed)")
        let approvals = try PlanApprovals(Array(try Data(contentsOf: file)))
        #expect(approvals.count == count)
        #expect(approvals.bytes == Array(try Data(contentsOf: file)))
    }

    @Test func `a file has a bound`() throws {
        let one = try signed(by: [ada])
        let many = Array(repeatElement(one, count: 17).joined())
        #expect(throws: EvidenceError.self) { try PlanApprovals(many) }
        let long = [UInt8](repeating: 0x20, count: PlanApprovals.bytesMax + 1)
        #expect(throws: EvidenceError.self) { try PlanApprovals(long) }
        for garbage in ["{", "[]", "null", "{}", "\u{0}", "PEM"] {
            #expect(throws: EvidenceError.self) { try PlanApprovals(one + Array(garbage.utf8)) }
        }
    }
}
