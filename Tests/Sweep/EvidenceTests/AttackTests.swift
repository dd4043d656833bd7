import CloudModel
import Evidence
import Foundation
import OpenSSL
import Testing

/// Statements of somebody who holds the key and lies: each lie is refused for what it is.
struct AttackTests {
    /// One lie.
    struct Lie: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: EvidenceError.Code
        let edit: @Sendable (inout [String: Any]) throws -> Void

        init(
            _ name: String, _ code: EvidenceError.Code,
            _ edit: @escaping @Sendable (inout [String: Any]) throws -> Void
        ) {
            testDescription = name
            self.code = code
            self.edit = edit
        }
    }

    /// Changes one row and, unless told otherwise, makes the totals fit.
    private static func row(
        _ index: Int, _ fields: [String: any Sendable], totals: Bool = true
    ) -> @Sendable (inout [String: Any]) throws -> Void {
        { predicate in
            var rows = try #require(predicate["coverage"] as? [[String: Any]])
            rows[index].merge(fields) { $1 }
            predicate["coverage"] = rows
            guard totals else { return }
            var counts = try #require(predicate["counts"] as? [String: Any])
            for key in counts.keys {
                counts[key] = rows.reduce(0) { $0 + ($1[key] as? Int ?? 0) }
            }
            predicate["counts"] = counts
        }
    }

    private static func inside(
        _ key: String, _ fields: [String: any Sendable]
    ) -> @Sendable (inout [String: Any]) throws -> Void {
        { predicate in
            var object = try #require(predicate[key] as? [String: Any])
            object.merge(fields) { $1 }
            predicate[key] = object
        }
    }

    /// A plan that so many had to sign, and keys of one digit that did.
    private static func approvals(
        _ needed: Int, by digits: [String]
    ) -> @Sendable (inout [String: Any]) throws -> Void {
        { predicate in
            var plan = try #require(predicate["plan"] as? [String: Any])
            plan["approvals"] = [
                "needed": needed,
                "by": digits.map {
                    [
                        "key": String(repeating: $0, count: 64),
                        "envelope": String(repeating: "e", count: 64),
                    ]
                },
            ]
            predicate["plan"] = plan
        }
    }

    private static func pass(
        _ index: Int, _ fields: [String: any Sendable]
    ) -> @Sendable (inout [String: Any]) throws -> Void {
        { predicate in
            var passes = try #require(predicate["passes"] as? [[String: Any]])
            passes[index].merge(fields) { $1 }
            predicate["passes"] = passes
        }
    }

    private static func time(_ second: Int64) -> Int64 { SampleCase.at(second).milliseconds }

    static let lies: [Lie] = [
        // 1
        Lie("a rehearsal sold as complete", .rehearsal, inside("service", ["kind": "other"])),
        Lie(
            "another host said to be Apple's", .rehearsal,
            inside("service", ["url": "https://localhost:8443"])),
        Lie("a rehearsal at another host that is said to be Apple's", .rehearsal) { predicate in
            var service = try #require(predicate["service"] as? [String: Any])
            service["url"] = "https://localhost:8443"
            predicate["service"] = service
            predicate["verdict"] = "rehearsal"
        },
        Lie("a rehearsal at Apple's", .rehearsal) { $0["verdict"] = "rehearsal" },
        Lie("a plan that one of two has signed", .notComplete, approvals(2, by: ["a"])),
        Lie("a plan that one has signed twice", .notComplete, approvals(2, by: ["a", "a"])),
        Lie("a plan that nobody had to sign", .notComplete, approvals(0, by: ["a"])),
        Lie("an approval by no key", .fields, approvals(1, by: ["x"])),
        Lie("a request that was due before it came", .times) {
            $0["request"] = ["due": "2026-01-01", "received": "2026-01-31", "regime": "gdpr"]
        },
        Lie("a request on a day that there is not", .fields) {
            $0["request"] = ["due": "2026-02-30", "received": "2026-01-31", "regime": "gdpr"]
        },
        Lie("a request under something that is no word", .fields) {
            $0["request"] = ["due": "2026-02-28", "received": "2026-01-31", "regime": "<b>"]
        },
        // 7
        Lie("a row that failed", .notComplete, row(2, ["outcome": "failed"])),
        Lie("a row that was not scanned", .notComplete, row(2, ["outcome": "not looked at"])),
        Lie("a row that is not proven", .notComplete, row(2, ["outcome": "cannot be proven"])),
        Lie("something left", .notComplete, row(2, ["left": 1, "found": 1])),
        Lie("something kept by no rule", .notComplete, row(2, ["kept": 1, "found": 1])),
        Lie("a run that was allowed to be partial", .notComplete) { $0["allowedPartial"] = true },
        Lie("failures", .notComplete) { $0["failures"] = 1 },
        Lie("another exit status", .notComplete, inside("run", ["exitStatus": 5])),
        Lie("the user is unknown", .notComplete) { predicate in
            var subjects = try #require(predicate["containers"] as? [[String: Any]])
            subjects[1]["user"] = "unknown"
            predicate["containers"] = subjects
        },
        Lie("a row of the closed list is missing", .coverage) { predicate in
            var rows = try #require(predicate["coverage"] as? [[String: Any]])
            rows.remove(at: 3)
            predicate["coverage"] = rows
        },
        Lie("a container without rows", .coverage) { predicate in
            var subjects = try #require(predicate["containers"] as? [[String: Any]])
            subjects.append(["identifier": "iCloud.com.example.c", "user": subjects[0]["user"]!])
            predicate["containers"] = subjects
        },
        Lie("a container left out", .coverage) { predicate in
            let subjects = try #require(predicate["containers"] as? [[String: Any]])
            predicate["containers"] = [subjects[0]]
        },
        Lie("a row twice", .coverage) { predicate in
            var rows = try #require(predicate["coverage"] as? [[String: Any]])
            rows.append(rows[3])
            predicate["coverage"] = rows
        },
        Lie("unknown database", .coverage) { $0["databases"] = ["secret"] },
        Lie("no database", .coverage) { $0["databases"] = [String]() },
        // 8
        Lie("R1 more found than told of", .rowSum, row(0, ["found": 4])),
        Lie("R1 less found than told of", .rowSum, row(0, ["found": 2])),
        Lie("R2 more planned than found", .plannedSum, row(0, ["planned": 4])),
        Lie("R2 less planned than gone", .plannedSum, row(0, ["planned": 2])),
        Lie("R3 other totals", .totals, inside("counts", ["deleted": 9])),
        Lie("R3 a row that is in no total", .totals, row(0, ["found": 4], totals: false)),
        Lie("a negative count", .fields, row(0, ["found": -3])),
        Lie("a count as text", .fields, row(0, ["found": "3"])),
        Lie("a count that is no integer", .malformed, row(0, ["found": 3.5])),
        Lie(
            "a count beyond 2^53", .malformed,
            row(0, ["found": 9_007_199_254_740_992], totals: false)),
        // 12, 13, 14
        Lie("R6 one clean pass", .passes, pass(1, ["left": 1])),
        Lie("R6 something unread", .passes, pass(2, ["unread": 1])),
        Lie("R6 fewer rows", .passes, pass(2, ["rows": 1])),
        Lie("R6 no pass at all", .passes) { $0["passes"] = [[String: Any]]() },
        Lie("R6 a pass left out", .passes, pass(0, ["number": 4])),
        Lie("a pass that listed zones only", .fields, pass(2, ["method": "zones"])),
        Lie("R8 a pass that asked nothing", .passRequests, pass(2, ["requests": 0])),
        Lie("R7 passes that overlap", .passTimes, pass(2, ["beganAt": time(33)])),
        Lie("R7 a pause too short", .passTimes, pass(2, ["beganAt": time(38)])),
        Lie("R7 a pass that ends before it begins", .passTimes, pass(0, ["endedAt": time(1)])),
        Lie("R11 signed before the end", .times) { $0["signedAt"] = time(40) },
        Lie("R11 approved before it was planned", .times, inside("plan", ["approvedAt": time(1)])),
        Lie("R11 approved too late", .times, inside("plan", ["expiresAt": time(4)])),
        Lie(
            "R11 approved after it was carried out", .times,
            inside("plan", ["approvedAt": time(40)])
        ),
        Lie("R11 never approved", .times) { predicate in
            var plan = try #require(predicate["plan"] as? [String: Any])
            plan["approvedAt"] = nil
            predicate["plan"] = plan
        },
        // Fields
        Lie("a field that nobody knows", .fields) { $0["also"] = "complete" },
        Lie("a field that nobody knows, further in", .fields, row(0, ["also": 1])),
        Lie("a field is missing", .fields) { $0["retries"] = nil },
        Lie("a verdict that nobody knows", .fields) { $0["verdict"] = "COMPLETE" },
        Lie("a short digest", .fields, inside("events", ["sha256": "ab"])),
        Lie("a skew of clocks as text", .fields) {
            $0["clockSkewMilliseconds"] = ["first": "0", "last": 0]
        },
        Lie("a program without a digest", .fields, inside("tool", ["build": "1.2"])),
        Lie(
            "another plan than the subject", .fields,
            inside("plan", ["digest": hex(SHA256.hash([]))])),
    ]

    @Test(arguments: lies)
    func `the lie is refused for what it is`(lie: Lie) throws {
        let sample = SampleCase()
        let envelope = try sample.forged { try lie.edit(&$0) }
        let error = #expect(throws: EvidenceError.self) { try sample.attest(envelope) }
        #expect(error?.code == lie.code, "\(error?.reason ?? "")")
    }

    @Test func `what is not changed is not refused`() throws {
        let sample = SampleCase()
        #expect(throws: Never.self) {
            try sample.attest(try sample.forged { _ in }, events: sample.events)
        }
    }

    // MARK: The statement's frame

    private func framed(_ edit: (String) -> String) throws -> EvidenceError.Code? {
        let sample = SampleCase()
        let text = String(decoding: try sample.statement().bytes, as: UTF8.self)
        let envelope = try Envelope(signing: utf8(edit(text)), by: [Vectors.key()])
        return #expect(throws: EvidenceError.self) { try sample.attest(envelope.bytes) }?.code
    }

    @Test func `a statement of another kind or version is refused`() throws {
        #expect(try framed { $0.replacing("Statement/v1", with: "Statement/v2") } == .statementType)
        #expect(try framed { $0.replacing("erasure/v1", with: "erasure/v2") } == .predicateType)
        #expect(
            try framed { $0.replacing("\"name\":\"plan\"", with: "\"name\":\"plane\"") } == .fields)
        #expect(try framed { $0.replacing("{\"_type\"", with: "{ \"_type\"") } == .malformed)
        #expect(try framed { $0 + "\n" } == .malformed)
        #expect(
            try framed {
                $0.replacing("\"retries\":1", with: "\"retries\":1,\"retries\":1")
            } == .malformed)
    }

    // MARK: Events

    /// Refused with the statement's own digest of other events.
    private func swapped(_ edit: (inout [[UInt8]]) -> Void) throws -> EvidenceError? {
        let sample = SampleCase()
        var events = sample.events
        edit(&events)
        let envelope = try sample.statement().signed(by: [Vectors.key()]).bytes
        return #expect(throws: EvidenceError.self) { try sample.attest(envelope, events: events) }
    }

    @Test func `R12 events that were cut, changed, swapped, doubled or brought in are refused`()
        throws
    {
        #expect(
            try swapped { $0.removeLast() }?.reason
                == "R12: there are 8 events, and 9 were signed")
        #expect(try swapped { $0.removeAll() }?.code == .events)
        #expect(try swapped { $0.swapAt(0, 1) }?.code == .events)
        #expect(try swapped { $0.append($0[0]) }?.code == .events)
        #expect(try swapped { $0.insert($0[0], at: 3) }?.code == .events)
        #expect(try swapped { $0[2][$0[2].count - 3] ^= 1 }?.code == .events)
        #expect(try swapped { $0[0] = utf8("no JSON") }?.code == .events)
        let sample = SampleCase()
        let envelope = try sample.statement().signed(by: [Vectors.key()]).bytes
        let scratch = try Scratch()
        let cut = try scratch.write(Array(sample.events.joined(separator: [0x0A])), to: "e")
        let error = #expect(throws: EvidenceError.self) {
            try Attestation(
                envelope: envelope, events: cut, proof: nil,
                trust: SampleCase.trusting(Vectors.key()))
        }
        #expect(error?.reason == "R12: the last event is truncated")
    }

    /// Refused although the statement was made for just these events.
    private func told(
        _ edit: (inout SampleCase) throws -> Void
    ) throws -> EvidenceError.Code? {
        var sample = SampleCase()
        let honest = try sample.statement()
        #expect(honest.verdict == .complete)
        try edit(&sample)
        let digest = try sample.digested().digest
        let events: [String: any Sendable] = [
            "bytes": digest.bytes, "chainHead": digest.chainHead, "count": digest.count,
            "root": digest.root, "sha256": digest.sha256,
        ]
        let envelope = try sample.forged {
            $0["events"] = events
            $0["verdict"] = "complete"
        }
        return #expect(throws: EvidenceError.self) {
            try sample.attest(envelope, events: sample.events)
        }?.code
    }

    @Test func `R4, R5, R7, R11 events that tell of something else are refused`() throws {
        func replace(_ index: Int, _ old: String, _ new: String) -> (inout SampleCase) -> Void {
            {
                let text = String(decoding: $0.events[index], as: UTF8.self)
                $0.events[index] = utf8(text.replacing(old, with: new))
            }
        }
        #expect(try told(replace(3, "\"deleted\":3", "\"deleted\":2")) == .eventCounts)
        #expect(try told(replace(7, "subscriptions", "other things")) == .eventCounts)
        #expect(try told { $0.events.remove(at: 4) } == .steps)
        #expect(try told(replace(8, "\(Self.time(50))", "\(Self.time(90))")) == .times)
        #expect(try told(replace(7, "\(Self.time(13))", "\(Self.time(33))")) == .passTimes)
        #expect(try told(replace(3, "\(Self.time(10))", "\(Self.time(3))")) == .times)
    }

    // MARK: Another case than asked for

    @Test func `evidence of another case is refused`() throws {
        let sample = SampleCase()
        let envelope = try sample.statement().signed(by: [Vectors.key()]).bytes
        func refusal(_ edit: (inout Expectations) -> Void) -> EvidenceError.Code? {
            var expected = Expectations()
            edit(&expected)
            return #expect(throws: EvidenceError.self) {
                try sample.attest(envelope, expecting: expected)
            }?.code
        }
        #expect(refusal { $0.run = "20260921T131320Z-00000000" } == .otherThanExpected)
        #expect(refusal { $0.containers = [SampleCase.first] } == .otherThanExpected)
        #expect(refusal { $0.environment = "development" } == .otherThanExpected)
        #expect(refusal { $0.plan = Vectors.keyID } == .otherThanExpected)
        #expect(refusal { $0.notBefore = SampleCase.at(1) } == .otherThanExpected)
        #expect(refusal { $0.verdict = .partial } == .notComplete)
        var all = Expectations()
        all.run = sample.facts.run.id
        all.containers = [SampleCase.first, SampleCase.second]
        all.environment = "production"
        all.plan = SampleCase.plan
        all.notBefore = SampleCase.at(0)
        all.verdict = .complete
        #expect(throws: Never.self) { try sample.attest(envelope, expecting: all) }
    }

    @Test func `a rehearsal is refused where the real thing is asked for`() throws {
        let sample = SampleCase(server: ServerFacts(url: "https://localhost", isRehearsal: true))
        let envelope = try sample.statement().signed(by: [Vectors.key()]).bytes
        #expect(try sample.attest(envelope).statement.verdict == .rehearsal)
        for verdict in [Verdict.complete, .partial] {
            var expected = Expectations()
            expected.verdict = verdict
            let error = #expect(throws: EvidenceError.self) {
                try sample.attest(envelope, expecting: expected)
            }
            #expect(error?.code == .rehearsal)
        }
    }

    @Test func `nothing of a hostile statement is echoed raw`() throws {
        let sample = SampleCase()
        let envelope = try sample.forged {
            $0["\u{1B}[2J" + String(repeating: "x", count: 999)] = 1
        }
        let error = #expect(throws: EvidenceError.self) { try sample.attest(envelope) }
        #expect(error?.code == .fields)
        #expect(error?.reason.contains("\u{1B}") == false)
        let long = try sample.forged { $0[String(repeating: "x", count: 9999)] = 1 }
        let reason = #expect(throws: EvidenceError.self) { try sample.attest(long) }?.reason
        #expect((reason?.count ?? 9999) < 200)
    }
}
