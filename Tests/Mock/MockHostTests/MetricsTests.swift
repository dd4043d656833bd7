import CloudModel
import Foundation
import HTTPServer
import MockStore
import Testing

/// The numbers that are collected, read by a strict reader.
@Suite(.timeLimit(.minutes(10)))
struct MetricsTests {
    /// What an exposition says, or why it is none.
    struct Exposition {
        struct Malformed: Error, CustomStringConvertible {
            let description: String
        }

        private(set) var kinds: [String: String] = [:]
        /// Samples by name and labels as they are written.
        private(set) var samples: [String: Double] = [:]

        init(_ text: String) throws {
            guard text.hasSuffix("\n# EOF\n") else { throw Malformed(description: "no EOF") }
            var family = ""
            for line in text.dropLast("# EOF\n".count).split(separator: "\n") {
                if line.hasPrefix("#") {
                    try read(descriptor: line, &family)
                } else {
                    try read(sample: line, family)
                }
            }
        }

        private mutating func read(descriptor line: Substring, _ family: inout String) throws {
            guard let match = line.wholeMatch(of: #/# (TYPE|UNIT|HELP) ([a-z_]+) (.+)/#) else {
                throw Malformed(description: "\(line)")
            }
            let (name, value) = (String(match.2), String(match.3))
            switch match.1 {
            case "TYPE":
                guard kinds[name] == nil, ["counter", "gauge"].contains(value) else {
                    throw Malformed(description: "\(line)")
                }
                kinds[name] = value
                family = name
            case "UNIT":
                guard name == family, name.hasSuffix("_" + value) else {
                    throw Malformed(description: "\(line)")
                }
            default: guard name == family else { throw Malformed(description: "\(line)") }
            }
        }

        private mutating func read(sample line: Substring, _ family: String) throws {
            let pattern =
                #/([a-z_]+)(\{[a-z]+="(?:[^"\\\n]|\\[\\n"])*"(?:,[a-z]+="(?:[^"\\\n]|\\[\\n"])*")*\})? ([0-9]+(?:\.[0-9]+)?)/#
            guard let match = line.wholeMatch(of: pattern), let value = Double(match.3),
                match.1 == family + (kinds[family] == "counter" ? "_total" : "")
            else { throw Malformed(description: "\(line)") }
            let name = String(match.1) + (match.2.map(String.init) ?? "")
            guard samples.updateValue(value, forKey: name) == nil else {
                throw Malformed(description: "twice: \(line)")
            }
        }

        subscript(name: String) -> Double? { samples["cksweep_mock_" + name] }
    }

    private func collect(_ bench: Bench) throws -> Exposition {
        let answer = try bench.admin("GET", "metrics")
        #expect(answer.status == 200)
        #expect(
            answer.headers["content-type"]
                == "application/openmetrics-text; version=1.0.0; charset=utf-8")
        return try Exposition(answer.text)
    }

    private let notes = RecordZone.ID("Notes")

    @Test func `requests are counted by operation and result`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        try bench.admin("PUT", "faults", #"["1st zones/list -> THROTTLED"]"#)
        _ = try bench.call(.read(.listZones(token: nil)))
        _ = try bench.call(.read(.listZones(token: nil)))
        for kind in [RecordOperation.Kind.create, .create] {
            let operation = RecordOperation(kind, recordName: "a", recordType: "Note")
            let other = RecordOperation(.forceUpdate, recordName: "b", recordType: "Note")
            let request = RecordModifyRequest(
                operations: [operation, other], zoneID: notes, atomic: false)
            _ = try bench.call(.write(.modifyRecords(request)))
        }
        let metrics = try collect(bench)
        func requests(_ operation: String, _ result: String) -> Double? {
            metrics[#"requests_total{operation="\#(operation)",result="\#(result)"}"#]
        }
        #expect(requests("zones/modify", "OK") == 1)
        #expect(requests("zones/list", "THROTTLED") == 1 && requests("zones/list", "OK") == 1)
        #expect(requests("records/modify", "OK") == 1)
        #expect(requests("records/modify", "PARTIAL") == 1)
        #expect(metrics[#"faults_fired_total{fault="fault-1"}"#] == 1)
        #expect(metrics[#"records{environment="development",database="private"}"#] == 2)
        #expect(metrics[#"zones{environment="development",database="private"}"#] == 1)
        #expect(metrics[#"zones{environment="production",database="private"}"#] == 0)
        // Two places for what was created, one for what was updated.
        #expect(metrics[#"feed_places{environment="development",database="private"}"#] == 3)
        #expect(metrics["users"] == 2 && metrics["journal_entries"] == 5)
        #expect(metrics[#"request_bytes_total{operation="records/modify"}"#] ?? 0 > 100)
        #expect(metrics["resident_memory_bytes"] ?? 0 > 1e6)
    }

    @Test func `the oldest token grows older with the server's clock`() throws {
        let bench = try Bench()
        #expect(try collect(bench)["oldest_token_age_seconds"] == 0)
        try bench.admin("PUT", "clock", #"{"mode":"frozen","milliseconds":1768465800000}"#)
        _ = try bench.reply(.read(.databaseChanges(token: nil, limit: nil)))
        try bench.admin("POST", "clock/advance", #"{"milliseconds":60000}"#)
        _ = try bench.reply(.read(.databaseChanges(token: nil, limit: nil)), as: "bob")
        try bench.admin("POST", "clock/advance", #"{"milliseconds":30050}"#)
        let metrics = try collect(bench)
        #expect(metrics["oldest_token_age_seconds"] == 90.05 && metrics["feed_positions"] == 2)
    }

    @Test func `what is no operation is counted as other, and a cut as such`() throws {
        let bench = try Bench()
        try bench.admin("PUT", "faults", #"["zones/list -> cut before commit"]"#)
        #expect(try bench.call(.read(.listZones(token: nil))) == nil)
        for path in ["/database/1/a", "/x\"y\\z"] {
            _ = try bench.send(HTTPRequest(method: "POST", target: path))
        }
        let metrics = try collect(bench)
        #expect(metrics[#"requests_total{operation="zones/list",result="CUT"}"#] == 1)
        let others = metrics.samples.filter { $0.key.contains(#"operation="other",result"#) }
        #expect(others.values.reduce(0, +) == 2, "\(metrics.samples.keys)")
    }

    @Test func `of very many faults the last are counted together`() throws {
        let bench = try Bench()
        for round in 0..<2 {
            let rules = (0..<600).map { "\"r\(round)-\($0): any -> delay 1ms\"" }
            try bench.admin("PUT", "faults", "[\(rules.joined(separator: ","))]")
            _ = try bench.call(.read(.caller))
        }
        let metrics = try collect(bench)
        #expect(metrics[#"faults_fired_total{fault="other"}"#] == 200)
        let families = metrics.samples.keys.count { $0.contains("faults_fired_total") }
        #expect(families == 1001)
    }

    @Test func `what was counted stays when the journal is forgotten and the store is reset`()
        throws
    {
        let bench = try Bench()
        try bench.make("Notes")
        let before = try collect(bench)
        try bench.admin("POST", "reset", #"{"also":["journal","faults"]}"#)
        let after = try collect(bench)
        for (name, value) in before.samples where name.contains("_total") {
            #expect(after.samples[name] ?? -1 >= value, "\(name)")
        }
        #expect(after["journal_entries"] == 0)
    }

    @Test func `connections are counted where there are some`() throws {
        let running = try MockServerTests.Running()
        let answer = try running.curl(
            "--cacert", running.ready.caFile, running.ready.url + "/_mock/v1/metrics")
        let metrics = try Exposition(answer.text)
        #expect(metrics["connections"] ?? 0 >= 1 && metrics["held_bytes"] != nil)
        #expect(running.stop())
    }
}
