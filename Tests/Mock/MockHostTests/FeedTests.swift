import CloudModel
import CloudWire
import Foundation
import HTTPServer
import JSON
import MockSamples
import Testing

/// What those who watch the server are told.
@Suite(.timeLimit(.minutes(10)))
struct FeedTests {
    /// A server-sent event.
    struct Event {
        let id: String?
        let name: String
        let data: JSONValue

        /// All of a text; comments and what only sets the pause are left out.
        static func all(_ text: String) throws -> [Event] {
            try text.components(separatedBy: "\n\n").compactMap { part in
                var fields: [String: String] = [:]
                for line in part.split(separator: "\n") {
                    let pair = line.split(separator: ":", maxSplits: 1)
                    guard pair.count == 2, pair[0] != "" else { continue }
                    fields[String(pair[0])] = pair[1].trimmingCharacters(in: .whitespaces)
                }
                guard let name = fields["event"] else { return nil }
                let data = try JSONDocument.parse(Array((fields["data"] ?? "").utf8)).root
                return Event(id: fields["id"], name: name, data: data)
            }
        }
    }

    private let notes = RecordZone.ID("Notes")

    private func save(_ bench: Bench, _ names: [String]) throws {
        let operations = names.map {
            RecordOperation(.forceReplace, recordName: $0, recordType: "Note")
        }
        let request = RecordModifyRequest(operations: operations, zoneID: notes)
        #expect(try bench.call(.write(.modifyRecords(request)))?.status == 200)
    }

    private func events(
        _ bench: Bench, _ query: String = "?after=0", headers: HTTPHeaders = [:]
    ) throws -> [Event] {
        let answer = try bench.admin("GET", "feed" + query, headers: headers)
        try #require(answer.status == 200, "\(answer.text)")
        #expect(answer.headers["content-type"] == "text/event-stream")
        return try Event.all(answer.text)
    }

    @Test func `requests come with what they have changed, in order`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        try save(bench, ["a", "b"])
        let delete = RecordModifyRequest(operations: [.forceDelete("a")], zoneID: notes)
        _ = try bench.call(.write(.modifyRecords(delete)))
        _ = try bench.call(Samples.deleteZones("Notes"))
        let events = try events(bench)
        #expect(events.first?.name == "hello")
        let told = events.dropFirst().map { event in
            let data = event.data
            return [
                event.name, data["operation"]?.string ?? data["kind"]?.string,
                data["zone"]?.string, data["record"]?.string,
                (data["number"] ?? data["request"])?.int64.map { "\($0)" },
            ].compactMap(\.self).joined(separator: " ")
        }
        #expect(
            told == [
                "request zones/modify 1", "change create Notes 1",
                "request records/modify 2", "change create Notes a 2", "change create Notes b 2",
                "request records/modify 3", "change delete Notes a 3",
                "request zones/modify 4", "change delete Notes 4",
            ])
        let change = try #require(events.first { $0.data["record"] != nil }?.data)
        #expect(change["container"]?.string == Samples.main.rawValue)
        #expect(change["environment"]?.string == "development")
        #expect(change["database"]?.string == "private" && change["user"]?.string == "ann")
        #expect(change["recordType"]?.string == "Note")
    }

    @Test func `what a batch undoes is no change`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        let operations = [
            RecordOperation(.create, recordName: "a", recordType: "Note"),
            RecordOperation(
                .update, recordName: "missing", recordType: "Note", recordChangeTag: "1"),
        ]
        let request = RecordModifyRequest(operations: operations, zoneID: notes, atomic: true)
        _ = try bench.call(.write(.modifyRecords(request)))
        #expect(try events(bench).allSatisfy { $0.data["record"] == nil })
    }

    @Test func `a listener goes on after the last event it has got`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        let before = try events(bench)
        let last = try #require(before.last?.id)
        try save(bench, ["a"])
        let rest = try events(bench, "?after=0", headers: ["last-event-id": last])
        #expect(rest.map(\.name) == ["hello", "request", "change"])
        let number = try #require(last.split(separator: "-").last)
        #expect(try events(bench, "?after=\(number)").map(\.id) == rest.map(\.id))
        // Without a place, what comes from now on; and one may go on from the greeting.
        let now = try events(bench, "")
        #expect(now.map(\.name) == ["hello"])
        #expect(now[0].id == rest.last?.id)
    }

    @Test func `a listener of another server is told that it has missed everything`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        for place in ["12-1", "999999"] {
            let events = try events(bench, "?after=" + place)
            #expect(events.map(\.name) == ["hello", "gap", "request", "change"], "\(place)")
            #expect(
                events.dropFirst().first?.data["reason"]?.string?.contains(place) == true)
        }
    }

    @Test func `what is not kept any more is told as a gap`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        for batch in 0..<51 {
            try save(bench, (0..<200).map { "\(batch)-\($0)" })
        }
        let events = try events(bench)
        try #require(events.count > 2 && events[1].name == "gap")
        let (from, to) = (events[1].data["from"]?.int64 ?? 0, events[1].data["to"]?.int64 ?? 0)
        #expect(from == 1 && to == 2 + 51 * 201 - 10_000)
        #expect(events[1].data["lost"]?.int64 == to)
        #expect(events[2].id?.hasSuffix("-\(to + 1)") == true)
    }

    @Test func `a request that the journal has forgotten leaves a gap`() throws {
        let bench = try Bench { $0.journalEntriesMax = 1 }
        try bench.make("Notes")
        try save(bench, ["a"])
        let names = try events(bench).map(\.name)
        #expect(names == ["hello", "gap", "change", "request", "change"])
    }

    @Test func `faults, the clock, resets and other administration are told`() throws {
        let bench = try Bench()
        try bench.admin("PUT", "faults", #"["zones/list -> THROTTLED"]"#)
        _ = try bench.call(.read(.listZones(token: nil)))
        try bench.admin("POST", "clock/advance", #"{"by":"1h"}"#)
        try bench.admin("POST", "reset", #"{"also":["clock"]}"#)
        try bench.admin("PUT", "options", #"{"nothing":1}"#)
        let events = try events(bench, "?after=0&kinds=fault,clock,reset,administration")
        let told = events.dropFirst().map { "\($0.name) \($0.data["path"]?.string ?? "")" }
        #expect(
            told == [
                "administration faults", "fault ", "clock ", "administration clock/advance",
                "reset ", "clock ", "administration reset",
            ])
        try #require(events.count == 8)
        #expect(events[2].data["fault"]?.string == "fault-1")
        #expect(events[5].data["generation"]?.int64 == 2)
    }

    @Test func `what a turn has done that is not stored is told to nobody`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        let before = try events(bench).count
        try bench.lose { bench in
            let wire = WireRequest(
                .write(.modifyZones([.create(RecordZone.ID("Lost"))])), at: Samples.address())
            let target =
                wire.path + "?ckAPIToken=" + bench.app.apiToken + "&ckWebAuthToken="
                + WireQuery.encoded(bench.webToken("ann"))
            _ = bench.app.respond(
                HTTPRequest(method: wire.method, target: target, body: wire.body))
        }
        let events = try events(bench)
        #expect(events.dropFirst(before).map(\.name) == ["request"])
    }

    @Test(arguments: [
        ("?kinds=requests", "request"), ("?after=x", "id of an event"),
        ("?after=-1", "id of an event"),
        ("?after=1-2-3", "id of an event"), ("?afer=1", "after"),
    ])
    func `a wrong query is refused`(query: String, reason: String) throws {
        let answer = try Bench().admin("GET", "feed" + query)
        #expect(answer.status == 400 && answer.text.contains(reason), "\(answer.text)")
    }

    // MARK: - Over sockets

    /// A curl that watches.
    private final class Watcher {
        private let process = Process()
        private let output = Pipe()
        private(set) var text = ""

        init(_ running: MockServerTests.Running, _ query: String, version: String) throws {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
            process.arguments = [
                "-sSN", version, "--max-time", "60", "--cacert", running.ready.caFile,
                "-H", "Authorization: \(running.ready.adminToken.headerValue)",
                running.ready.url + "/_mock/v1/feed" + query,
            ]
            process.standardOutput = output
            try process.run()
        }

        /// Reads until a text has come so often; false at the end.
        func read(until wanted: String, times: Int = 1) -> Bool {
            while text.components(separatedBy: wanted).count <= times {
                let data = output.fileHandleForReading.availableData
                guard !data.isEmpty else { return false }
                text += String(decoding: data, as: UTF8.self)
            }
            return true
        }

        /// Reads all there is; what curl ends with.
        func end() -> Int32 {
            _ = read(until: "\u{0}")
            process.waitUntilExit()
            return process.terminationStatus
        }

        func kill() {
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    @Test(arguments: ["--http1.1", "--http2"])
    func `a listener is told at once, and does not keep the server from ending`(
        version: String
    ) throws {
        let running = try MockServerTests.Running()
        let watcher = try Watcher(running, "", version: version)
        #expect(watcher.read(until: "event: hello"))
        for count in 1...3 {
            _ = try running.curl("--cacert", running.ready.caFile, running.url("zones/list"))
            #expect(watcher.read(until: "event: request", times: count))
        }
        #expect(running.stop())
        #expect(watcher.end() == 0, "\(watcher.text)")
        #expect(watcher.text.contains("event: end"))
    }

    @Test func `so many can watch, and a place is free again when one goes`() throws {
        let running = try MockServerTests.Running()
        let watchers = try (0..<16).map { _ in try Watcher(running, "", version: "--http1.1") }
        for watcher in watchers { #expect(watcher.read(until: "event: hello")) }
        func status() throws -> String {
            try running.curl(
                "--cacert", running.ready.caFile, "-o", "/dev/null", "-m", "1", "-w",
                "%{http_code}", running.ready.url + "/_mock/v1/feed"
            ).text
        }
        #expect(try status().hasPrefix("503"))
        watchers[0].kill()
        // The server sees the end of the connection when it comes to it.
        var seen = ""
        for _ in 0..<100 where !seen.contains("200") { seen = try status() }
        #expect(seen.contains("200"), "\(seen)")
        for watcher in watchers.dropFirst() { watcher.kill() }
        #expect(running.stop())
    }

    @Test func `each namespace has a feed of its own`() throws {
        let running = try MockServerTests.Running { $0.makesNamespaces = true }
        let home = try Watcher(running, "", version: "--http2")
        #expect(home.read(until: "event: hello"))
        let other = running.ready.url.replacing("localhost", with: "other.localhost")
        _ = try running.curl(
            "--cacert", running.ready.caFile, "--resolve",
            "other.localhost:\(running.ready.port):127.0.0.1", "-X", "POST",
            other + "/_mock/v1/clock/advance", "-d", #"{"by":"1h"}"#)
        _ = try running.curl("--cacert", running.ready.caFile, running.url("zones/list"))
        #expect(home.read(until: "event: request"))
        #expect(!home.text.contains("clock"))
        #expect(running.stop())
        #expect(home.end() == 0)
    }
}
