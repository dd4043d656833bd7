import Basics
import CloudModel
import Evidence
import Foundation
import OpenSSL
import Testing

/// The attacks of the module's article, one of each, by their numbers: whatever is tried, evidence is
/// refused, and for what it is. The other tests of this folder try each in more ways.
struct FifteenAttacksTests {
    struct Attack: Sendable, CustomTestStringConvertible {
        let number: Int
        let name: String
        let code: EvidenceError.Code
        let attempt: @Sendable (SampleCase) throws -> Void
        var testDescription: String { "\(number) \(name)" }

        init(
            _ number: Int, _ name: String, _ code: EvidenceError.Code,
            _ attempt: @escaping @Sendable (SampleCase) throws -> Void
        ) {
            self.number = number
            self.name = name
            self.code = code
            self.attempt = attempt
        }
    }

    /// The envelope of an honest statement, changed after it was signed.
    private static func changed(
        _ sample: SampleCase, _ edit: (inout [String: Any]) throws -> Void
    ) throws -> [UInt8] {
        let bytes = try sample.statement().signed(by: [Vectors.key()]).bytes
        var envelope = try #require(
            try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        try edit(&envelope)
        return Array(try JSONSerialization.data(withJSONObject: envelope))
    }

    /// The same with another signature, made over `message`.
    private static func signed(
        _ sample: SampleCase, over message: (String, [UInt8]) -> [UInt8]
    ) throws -> [UInt8] {
        try changed(sample) { envelope in
            let type = try #require(envelope["payloadType"] as? String)
            let signature = try Vectors.key().sign(message(type, try sample.statement().bytes))
            envelope["signatures"] = [
                ["keyid": Vectors.keyID, "sig": Base64.encode(signature)]
            ]
        }
    }

    private static func forge(
        _ edit: @escaping @Sendable (inout [String: Any]) -> Void
    ) -> @Sendable (SampleCase) throws -> Void {
        { sample in _ = try sample.attest(try sample.forged { edit(&$0) }) }
    }

    static let attacks: [Attack] = [
        Attack(1, "a rehearsal sold as real", .rehearsal) { _ in
            let sample = SampleCase(server: ServerFacts(url: "https://x", isRehearsal: true))
            _ = try sample.attest(try sample.forged { $0["verdict"] = "complete" })
        },
        Attack(2, "a changed byte", .signature) { sample in
            _ = try sample.attest(
                try changed(sample) { envelope in
                    let payload = try #require(envelope["payload"] as? String)
                    envelope["payload"] = "f" + payload.dropFirst()
                })
        },
        Attack(3, "a signature over the bare payload", .signature) { sample in
            _ = try sample.attest(try signed(sample) { $1 })
        },
        Attack(4, "a key that nobody trusts", .signature) { sample in
            let key = try Vectors.strangeKey()
            _ = try sample.attest(try sample.statement().signed(by: [key]).bytes)
        },
        Attack(5, "one key counted as two", .threshold) { sample in
            let key = try Vectors.key()
            _ = try sample.attest(
                try sample.statement().signed(by: [key, key]).bytes, atLeast: 2)
        },
        Attack(6, "a length with a leading zero", .signature) { sample in
            _ = try sample.attest(
                try signed(sample) {
                    Array("DSSEv1 0\($0.utf8.count) \($0) \($1.count) ".utf8) + $1
                })
        },
        Attack(7, "complete over a partial run", .notComplete, forge { $0["failures"] = 1 }),
        Attack(8, "totals that do not add up", .totals) { sample in
            _ = try sample.attest(
                try sample.forged { predicate in
                    var counts = try #require(predicate["counts"] as? [String: Any])
                    counts["deleted"] = 1
                    predicate["counts"] = counts
                })
        },
        Attack(9, "an event left out", .events) { sample in
            _ = try sample.attest(
                try sample.statement().signed(by: [Vectors.key()]).bytes,
                events: Array(sample.events.dropLast()))
        },
        Attack(10, "a checkpoint by a strange key", .checkpoint) { sample in
            let envelope = try sample.statement().signed(by: [Vectors.key()]).bytes
            let checkpoint = Checkpoint(
                origin: "cksweep.test/log", size: 1, root: MerkleTree.leaf(envelope))
            let note = try checkpoint.signed(by: Vectors.strangeKey())
            let proof = LedgerProof(index: 0, path: [], note: note)
            _ = try sample.attest(envelope, proof: proof.bytes)
        },
        Attack(11, "a proof of another entry", .inclusion) { sample in
            let envelope = try sample.statement().signed(by: [Vectors.key()]).bytes
            let checkpoint = Checkpoint(
                origin: "cksweep.test/log", size: 1, root: MerkleTree.leaf([1]))
            let note = try checkpoint.signed(by: Vectors.key())
            let proof = LedgerProof(index: 0, path: [], note: note)
            _ = try sample.attest(envelope, proof: proof.bytes)
        },
        Attack(12, "the evidence of another run", .otherThanExpected) { sample in
            var expected = Expectations()
            expected.run = "20260921T131320Z-00000000"
            _ = try sample.attest(
                try sample.statement().signed(by: [Vectors.key()]).bytes, expecting: expected)
        },
        Attack(13, "no pass at all", .passes, forge { $0["passes"] = [String]() }),
        Attack(14, "signed before the end", .times, forge { $0["signedAt"] = SampleCase.start }),
        Attack(15, "a hundred thousand brackets", .malformed) { sample in
            _ = try sample.attest([UInt8](repeating: 0x5B, count: 100_000))
        },
    ]

    @Test func `there is one of each`() {
        #expect(Self.attacks.map(\.number) == Array(1...15))
    }

    @Test(arguments: attacks)
    func `the attack is refused for what it is`(attack: Attack) throws {
        let sample = SampleCase()
        let error = #expect(throws: EvidenceError.self) { try attack.attempt(sample) }
        #expect(error?.code == attack.code, "\(error?.reason ?? "")")
    }
}
