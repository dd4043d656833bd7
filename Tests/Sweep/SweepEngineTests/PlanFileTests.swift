import Basics
import DeletionPlanning
import Foundation
import RepositoryRoot
import SweepEngine
import Testing

/// The plan file: what is written is read again, and nothing else.
struct PlanFileTests {
    private static let header = #"""
        {"containers":[{"identifier":"iCloud.com.example.one","user":"u"}],"created":1,"databases":["private"],"environment":"development","expires":2,"format":"cksweep-plan","nonce":"n","rehearsal":true,"server":"https://localhost","tool":"t","version":3}
        """#
    private static let place = #""container":"iCloud.com.example.one","database":"private""#
    private static let others = #""container":"iCloud.com.example.one","database":"shared""#

    private func read(_ text: String) throws -> [PlanLine] {
        let reader = PlanReader()
        let lines = try reader.feed(Array(text.utf8))
        _ = try reader.finish()
        return lines
    }

    static let good = [
        #"{\#(place),"delete":"zones","names":["a","b"]}"#,
        #"{\#(place),"delete":"defaultZone"}"#,
        #"{\#(place),"delete":"records","names":["a"],"type":"Note","zone":"_defaultZone"}"#,
        #"{\#(place),"delete":"subscriptions","names":["a"]}"#,
        #"{\#(place),"delete":"userRecord"}"#,
        #"{"because":"rule",\#(place),"keep":"zone","name":"R","reason":"law","rule":0}"#,
        #"{"because":"holdsKept",\#(place),"keep":"zone","name":"R"}"#,
        #"{"because":"rule",\#(place),"keep":"record","name":"R","rule":3,"type":"T","zone":"z"}"#,
        #"{"because":"notLookedInto",\#(place),"keep":"zone","name":"R"}"#,
        #"{\#(others),"delete":"zones","names":["a\n_b","a\n_c"]}"#,
        #"{\#(others),"delete":"records","names":["a"],"type":"Note","zone":"z\n_b"}"#,
        #"{"because":"staysWithOwner",\#(others),"keep":"record","name":"R","type":"T","zone":"z\n_b"}"#,
        #"{\#(place),"subject":"","unproven":"default zone"}"#,
        #"{\#(place),"subject":"Note","unproven":"public records"}"#,
    ]

    @Test(arguments: good)
    func `a line is written as it was read`(line: String) throws {
        let read = try PlanLine(Array(line.utf8), line: 1)
        #expect(String(decoding: read.bytes, as: UTF8.self) == line)
    }

    @Test(arguments: [("demonstration", 17), ("kept", 7), ("conditional", 3)])
    func `the plan that fuzzing begins with is whole`(seed: String, lines: Int) throws {
        let file = Repository.url("Tests/Fuzz/Seeds/plan/\(seed)")
        let text = Array(try Data(contentsOf: file).dropFirst())
        #expect(try read(String(decoding: text, as: UTF8.self)).count == lines)
    }

    static let malformed = [
        "", " ", "[]", "null", "{}", "{\"delete\"", "\u{FF}", "{\"format\":1}",
        #"{\#(place),"delete":"zones","names":[]}"#,
        #"{\#(place),"delete":"zones","names":["a","a"]}"#,
        #"{\#(place),"delete":"zones","names":[1]}"#,
        #"{\#(place),"delete":"zones","names":["_defaultZone"]}"#,
        #"{\#(place),"delete":"zones","names":[""]}"#,
        #"{\#(place),"delete":"zones"}"#,
        #"{\#(place),"delete":"zones","names":["a\n_b"]}"#,
        #"{\#(others),"delete":"zones","names":["a"]}"#,
        #"{\#(others),"delete":"zones","names":["a\n"]}"#,
        #"{\#(others),"delete":"zones","names":["\n_b"]}"#,
        #"{\#(others),"delete":"zones","names":["_defaultZone\n_b"]}"#,
        #"{\#(others),"delete":"records","names":["a"],"type":"Note","zone":"z"}"#,
        #"{\#(place),"delete":"everything"}"#,
        #"{\#(place),"delete":"zones","names":["a"],"force":true}"#,
        #"{\#(place),"delete":"zones","delete":"zones","names":["a"]}"#,
        #"{"container":"nonsense","database":"private","delete":"defaultZone"}"#,
        #"{"container":"iCloud.com.example.one","database":"all","delete":"defaultZone"}"#,
        #"{"because":"rule",\#(place),"keep":"zone","name":"R","rule":-1}"#,
        #"{"because":"rule",\#(place),"keep":"zone","name":"R","rule":9223372036854775807}"#,
        #"{"because":"whim",\#(place),"keep":"zone","name":"R"}"#,
        #"{\#(place),"delete":"records","names":["a"],"type":"","zone":"_defaultZone"}"#,
        String(repeating: "[", count: 5000),
    ]

    @Test(arguments: malformed)
    func `a malformed line is an error with its number`(line: String) throws {
        let error = #expect(throws: PlanFileError.self) {
            _ = try read(Self.header + "\n" + line + "\n")
        }
        #expect(error?.line == 2)
        #expect(error?.reason.isEmpty == false)
    }

    static let malformedHeaders = [
        (#""version":3"#, #""version":2"#), (#""rehearsal":true"#, #""rehearsal":1"#),
        ("cksweep-plan", "other"),
        ("development", "staging"), (#""databases":["private"]"#, #""databases":[]"#),
        (#""created":1"#, #""created":-1"#), (#""expires":2"#, #""expires":9223372036854775807"#),
        (#""nonce":"n","#, ""), (#"["private"]"#, #"["private","private"]"#),
        (#""user":"u""#, #""user":"u","extra":1"#),
    ]

    private static let conditions =
        #""nonce":"n","notBefore":5,"received":"2026-01-31","regime":"gdpr""#

    private static let conditional = header.replacingOccurrences(
        of: #""nonce":"n""#, with: conditions)

    @Test func `what a plan is bound to stands in its header`() throws {
        let read = try PlanLine(Array(Self.conditional.utf8), line: 1)
        #expect(String(decoding: read.bytes, as: UTF8.self) == Self.conditional)
        guard case .header(let header) = read else {
            Issue.record("no header")
            return
        }
        #expect(header.conditions.notBefore == Timestamp(milliseconds: 5))
        #expect(header.conditions.request?.due.iso8601 == "2026-02-28")
    }

    @Test(arguments: [
        (#""notBefore":5"#, #""notBefore":"5""#), (#""notBefore":5"#, #""notBefore":-1"#),
        ("2026-01-31", "2026-02-30"), ("2026-01-31", "31.1.2026"), ("gdpr", "GDPR"),
        (#""received":"2026-01-31","#, ""), (#","regime":"gdpr""#, ""),
    ])
    func `half a request or no time is no header`(from: String, to: String) throws {
        let header = Self.conditional.replacingOccurrences(of: from, with: to)
        #expect(header != Self.conditional)
        let error = #expect(throws: PlanFileError.self) { _ = try read(header + "\n") }
        #expect(error?.line == 1)
    }

    @Test(arguments: malformedHeaders)
    func `a malformed header is an error on line 1`(from: String, to: String) throws {
        let header = Self.header.replacingOccurrences(of: from, with: to)
        #expect(header != Self.header)
        let error = #expect(throws: PlanFileError.self) { _ = try read(header + "\n") }
        #expect(error?.line == 1)
    }

    /// A whole plan, made by the engine.
    private func plan() async throws -> [UInt8] {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, (0..<3).map { "zone \"\($0)\" \\" }, records: 1)
        try bench.seed(id, ["_defaultZone"], records: 4)
        let sweep = Sweep(request([id]), in: bench.world())
        let report = await sweep.plan(on: bench.readable())
        let path = bench.folder + "/the.plan"
        try await sweep.exportPlan(run: try #require(report.runID), to: path)
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test func `a plan is read in pieces of any size`() async throws {
        let bytes = try await plan()
        let whole = try read(String(decoding: bytes, as: UTF8.self))
        #expect(whole.count > 4)
        for size in [1, 2, 7, 64, 1000] {
            let reader = PlanReader()
            var lines: [PlanLine] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                lines += try reader.feed(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            let end = try reader.finish()
            #expect(lines == whole)
            #expect(end.facts.digest.utf8.count == 64)
            #expect(end.seal.utf8.count == 64)
        }
    }

    @Test func `a plan that is cut off anywhere is refused`() async throws {
        let bytes = try await plan()
        for end in bytes.indices {
            let reader = PlanReader()
            #expect(throws: PlanFileError.self) {
                _ = try reader.feed(Array(bytes[..<end]))
                _ = try reader.finish()
            }
        }
    }

    @Test func `a plan with any byte changed is refused`() async throws {
        let bytes = try await plan()
        // Whether a seal is the right one only its state folder can say.
        let seal = try #require(
            String(decoding: bytes, as: UTF8.self).range(of: #""seal":""#)?.upperBound)
        let start = String(decoding: bytes, as: UTF8.self)[..<seal].utf8.count
        for place in bytes.indices where !(start..<start + 64).contains(place) {
            for change: UInt8 in [1, 0x20] {
                var changed = bytes
                changed[place] ^= change
                let reader = PlanReader()
                #expect(throws: PlanFileError.self, "byte \(place)") {
                    _ = try reader.feed(changed)
                    _ = try reader.finish()
                }
            }
        }
    }

    @Test func `lines out of place are refused`() async throws {
        let text = String(decoding: try await plan(), as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        let orders = [
            lines + [lines[1]], [lines[1]] + lines, [lines[0]] + lines, lines.reversed(),
            Array(lines.dropFirst()), [lines[0]], lines + [lines[lines.count - 1]], [],
        ]
        for order in orders {
            #expect(throws: PlanFileError.self) {
                _ = try read(order.map { $0 + "\n" }.joined())
            }
        }
    }

    @Test(arguments: 0..<20)
    func `random bytes and random changes never trap`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let bytes = try await plan()
        for _ in 0..<50 {
            var changed = bytes
            for _ in 0...(random.next() % 8) {
                let place = Int(random.next() % UInt64(changed.count))
                switch random.next() % 3 {
                case 0: changed[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: changed.remove(at: place)
                default: changed.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                }
            }
            let reader = PlanReader()
            _ = try? reader.feed(changed)
            _ = try? reader.finish()
        }
    }
}
