import Basics
import CloudModel
import Evidence
import Foundation
import OpenSSL
import Testing

/// A run at Apple's service over two containers that went well, and what its evidence is made of.
struct SampleCase {
    static let start: Int64 = 1_790_000_000_000
    static let first = "iCloud.com.example.a"
    static let second = "iCloud.com.example.b"
    static let plan = String(repeating: "ab", count: 32)

    var facts: ErasureFacts
    var events: [[UInt8]]
    var proof: SampleProof? = SampleProof()

    init(server: ServerFacts = .apple) {
        events = Self.events()
        func row(
            _ container: String, _ kind: String, _ counts: (inout EvidenceCounts) -> Void,
            _ outcome: EvidenceRow.Outcome, reason: String? = nil
        ) -> EvidenceRow {
            var numbers = EvidenceCounts()
            counts(&numbers)
            return EvidenceRow(
                place: .init(container: container, database: "private", kind: kind),
                outcome: outcome, code: nil, reason: reason, counts: numbers)
        }
        func deleted(_ count: Int, gone: Int = 0, kept: Int = 0) -> (inout EvidenceCounts) -> Void {
            {
                $0.found = count + gone + kept
                $0.planned = count + gone
                $0.deleted = count
                $0.alreadyGone = gone
                $0.kept = kept
            }
        }
        facts = ErasureFacts(
            run: .init(
                id: "20260921T131320Z-0a0b0c0d", verb: "sweep",
                nonce: String(repeating: "0c", count: 16), beganAt: Self.at(0),
                endedAt: Self.at(60), exitStatus: 0),
            signedAt: Self.at(61), toolVersion: "test",
            service: ServiceFacts(server, keyDigest: String(repeating: "5e", count: 32)),
            environment: "production",
            containers: [
                .init(identifier: Self.first, user: String(repeating: "a1", count: 16)),
                .init(identifier: Self.second, user: String(repeating: "b2", count: 16)),
            ], databases: ["private"],
            coverage: [
                row(Self.first, "custom zones", deleted(3), .deleted),
                row(
                    Self.first, "default zone", deleted(4, gone: 1, kept: 2), .deleted,
                    reason: "2 kept: kept for tax law"),
                row(Self.first, "subscriptions", deleted(0), .empty),
                row(Self.second, "custom zones", deleted(0), .empty),
                row(Self.second, "default zone", deleted(0), .empty),
                row(Self.second, "subscriptions", deleted(1), .deleted),
                row(Self.first, "local donations", deleted(7), .deleted),
            ],
            plan: .init(
                digest: Self.plan, nonce: String(repeating: "0d", count: 16),
                createdAt: Self.at(2), expiresAt: Self.at(3600), steps: 4,
                approvedAt: Self.at(5)), requests: 20, retries: 1,
            passes: [
                EvidencePass(
                    number: 1, beganAt: Self.at(20), endedAt: Self.at(22), requests: 8, rows: 6,
                    unread: 0, left: 1),
                EvidencePass(
                    number: 2, beganAt: Self.at(32), endedAt: Self.at(34), requests: 8, rows: 6,
                    unread: 0, left: 0),
                EvidencePass(
                    number: 3, beganAt: Self.at(44), endedAt: Self.at(46), requests: 8, rows: 6,
                    unread: 0, left: 0),
            ], passRule: .init(clean: 2, pauseMilliseconds: 10_000), allowedPartial: false,
            failures: 0,
            events: .init(
                count: 0, bytes: 0, sha256: "", chainHead: "", root: ""),
            ledger: .init(
                origin: "cksweep.test/log", index: 0,
                previousRoot: hex(MerkleTree().root)), continues: nil,
            pseudonymKey: String(repeating: "77", count: 32))
    }

    static func at(_ seconds: Int64) -> Timestamp {
        Timestamp(milliseconds: start + seconds * 1000)
    }

    private static func events() -> [[UInt8]] {
        func event(_ name: String, _ second: Int64, _ fields: [(String, CanonicalValue)] = [])
            -> [UInt8]
        {
            CanonicalValue.object(
                fields + [
                    ("at", .number(at(second).milliseconds)), ("event", .text(name)),
                ]
            ).canonicalBytes
        }
        func outcome(
            _ step: Int64, _ container: String, _ kind: String, _ deleted: Int64, gone: Int64 = 0,
            counted: Bool = true, at second: Int64 = 10
        ) -> [UInt8] {
            event(
                "outcome", second,
                [
                    ("alreadyGone", .number(gone)), ("container", .text(container)),
                    ("counted", .flag(counted)), ("database", .text("private")),
                    ("deleted", .number(deleted)), ("kind", .text(kind)), ("step", .number(step)),
                ])
        }
        return [
            event("inventory", 1), event("plan", 2), event("approved", 5),
            outcome(0, first, "custom zones", 3),
            outcome(1, first, "default zone", 1, counted: false),
            outcome(2, first, "default zone", 2),
            // The same step once more, after an interruption.
            outcome(2, first, "default zone", 4, gone: 1, at: 12),
            outcome(3, second, "subscriptions", 1, at: 13), event("verified", 50),
        ]
    }

    /// What the events come to.
    func digested() throws -> (digest: EventDigest, tally: EventTally) {
        var log = EventLog()
        for event in events { try log.take(event) }
        return log.finish()
    }

    /// The statement as an honest signer makes it.
    func statement() throws -> ErasureStatement {
        let (digest, tally) = try digested()
        var facts = facts
        facts.events = digest
        return try ErasureStatement(facts, tally, provenBy: proof)
    }

    /// The statement as somebody signs it who holds the key and says what they like.
    func forged(
        by keys: [SigningKey]? = nil, _ edit: (inout [String: Any]) throws -> Void
    ) throws -> [UInt8] {
        var object = try #require(
            try JSONSerialization.jsonObject(with: Data(try statement().bytes)) as? [String: Any])
        var predicate = try #require(object["predicate"] as? [String: Any])
        try edit(&predicate)
        object["predicate"] = predicate
        let json = Array(
            try JSONSerialization.data(
                withJSONObject: object, options: [.withoutEscapingSlashes]))
        let bytes: [UInt8]
        do throws(EvidenceError) {
            bytes = try StrictReader.read(json).canonicalBytes
        } catch {
            // What evidence cannot say is signed as it is.
            bytes = json
        }
        return try Envelope(signing: bytes, by: keys ?? [Vectors.key()]).bytes
    }

    /// Checks an envelope, against the events of this case where they are said to be there.
    func attest(
        _ envelope: [UInt8], events: [[UInt8]]? = nil, proof: [UInt8]? = nil,
        trust: TrustFile? = nil, atLeast count: Int = 1,
        expecting expectations: Expectations = Expectations()
    ) throws -> Attestation {
        let scratch = try Scratch()
        let path = try events.map {
            try scratch.write(Array($0.map { $0 + [0x0A] }.joined()), to: "events.jsonl")
        }
        return try Attestation(
            envelope: envelope, events: path, proof: proof,
            trust: try trust ?? Self.trusting(Vectors.key()), atLeast: count,
            expecting: expectations)
    }

    static func trusting(_ keys: SigningKey...) -> TrustFile {
        TrustFile(keys.map { TrustFile.Entry(name: "operator", key: $0.verifying) })
    }
}

/// A proof as the engine makes it, about the sample case.
struct SampleProof: CompletionProof {
    var cleanPasses = 2
    var run = "20260921T131320Z-0a0b0c0d"
    var environment = "production"
    var server = ServerFacts.apple.url
    var serverKey: String? = String(repeating: "5e", count: 32)
    var containers = [SampleCase.first, SampleCase.second]
}
