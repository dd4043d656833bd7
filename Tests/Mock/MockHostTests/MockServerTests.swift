import Basics
import Foundation
import MockFaults
import MockHost
import MockSamples
import MockStore
import Testing
import ToolRunner

/// The server with its sockets, asked by curl.
struct MockServerTests {
    /// A server on a thread of its own, and the folder it keeps its authority in.
    final class Running: Sendable {
        let folder: URL
        let ready: MockReady
        private let server: MockServer
        private let ended = DispatchSemaphore(value: 0)

        init(_ change: (inout MockServerConfiguration) -> Void = { _ in }) throws {
            folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("mock-\(ProcessInfo.processInfo.globallyUniqueString)")
            var configuration = MockServerConfiguration(stateFolder: folder.path)
            configuration.readyFile = folder.path + "-ready.json"
            change(&configuration)
            server = try MockServer(configuration, clock: Self.clock)
            ready = try server.start()
            Thread.detachNewThread { [server, ended] in
                try? server.run()
                ended.signal()
            }
        }

        static let clock = WallClock {
            Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        }

        /// Stops it; whether it ended in time.
        func stop() -> Bool {
            server.stop(drain: .milliseconds(500))
            return ended.wait(timeout: .now() + 5) == .success
        }

        deinit {
            server.stop(drain: .zero)
            try? FileManager.default.removeItem(at: folder)
            try? FileManager.default.removeItem(atPath: folder.path + "-ready.json")
        }

        /// What curl prints and ends with.
        func curl(_ arguments: String...) throws -> (status: Int32, text: String) {
            try curl(arguments)
        }

        /// Sends requests that carry the administration's token.
        func curl(_ arguments: [String]) throws -> (status: Int32, text: String) {
            let token = ["-H", "Authorization: \(ready.adminToken.headerValue)"]
            return try curlAsStranger(token + arguments)
        }

        /// Sends requests without the token of the administration.
        func curlAsStranger(_ arguments: [String]) throws -> (status: Int32, text: String) {
            let ended = try Tool.run(
                "/usr/bin/curl", ["-sS", "--max-time", "20"] + arguments, errors: .joined)
            return (ended.status, ended.text)
        }

        /// A service URL as the user `ann`.
        func url(_ operation: String) -> String {
            "\(ready.url)/database/1/\(Samples.main)/development/private/\(operation)"
                + "?ckAPIToken=\(ready.apiToken)&ckWebAuthToken=\(ready.webTokens["ann"] ?? "")"
        }
    }

    @Test(arguments: ["--http1.1", "--http2"])
    func `a client that trusts the authority is served by either protocol`(
        version: String
    ) throws {
        let running = try Running()
        let answer = try running.curl(
            "--cacert", running.ready.caFile, version, "-w", "\n%{http_version} %{http_code}",
            running.url("users/caller"))
        #expect(answer.status == 0, "\(answer.text)")
        #expect(answer.text.contains("userRecordName"))
        #expect(answer.text.hasSuffix(version == "--http2" ? "2 200" : "1.1 200"))
        #expect(running.stop())
    }

    @Test func `a client that forgets the s of https is told so`() throws {
        let running = try Running()
        let plain = running.ready.url.replacing("https://", with: "http://")
        for path in ["/", "/_mock/v1/health", "/database/1/a"] {
            let answer = try running.curl("-i", plain + path)
            #expect(answer.status == 0 && answer.text.hasPrefix("HTTP/1.1 400"), "\(answer.text)")
            #expect(answer.text.contains("https://") && !answer.text.contains("ocation:"))
        }
        #expect(running.stop())
    }

    @Test(arguments: ["--http1.1", "--http2"])
    func `the date header shows the server's clock`(version: String) throws {
        let running = try Running()
        let ca = running.ready.caFile
        _ = try running.curl(
            "--cacert", ca, "-X", "PUT", running.ready.url + "/_mock/v1/clock",
            "-d", #"{"mode":"frozen","now":"2031-05-06T07:08:09Z"}"#)
        let answer = try running.curl(
            "--cacert", ca, version, "-i", running.ready.url + "/_mock/v1/health")
        #expect(answer.text.contains("ate: Tue, 06 May 2031 07:08:09 GMT"), "\(answer.text)")
    }

    @Test func `tokens outlive a restart of a server that keeps its store`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("kept-\(ProcessInfo.processInfo.globallyUniqueString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = try Running { $0.storage = .directory(folder) }
        let ready = first.ready
        #expect(first.stop())
        let second = try Running { $0.storage = .directory(folder) }
        #expect(second.ready.apiToken == ready.apiToken)
        let answer = try second.curl(
            "--cacert", second.ready.caFile,
            "\(second.ready.url)/database/1/\(Samples.main)/development/private/users/caller"
                + "?ckAPIToken=\(ready.apiToken)&ckWebAuthToken=\(ready.webTokens["ann"] ?? "")")
        #expect(answer.text.contains("userRecordName"), "\(answer.text)")
        let mode =
            try FileManager.default.attributesOfItem(
                atPath: folder + "/credentials.key")[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `a client that does not trust the authority sends nothing`() throws {
        let running = try Running()
        let answer = try running.curl(running.url("users/caller"))
        #expect(answer.status == 60, "\(answer.text)")
        let journal = try running.curl(
            "--cacert", running.ready.caFile, running.ready.url + "/_mock/v1/journal")
        #expect(journal.text.contains(#""total":0"#), "\(journal.text)")
    }

    @Test func `the ready file says what the ready line says`() throws {
        let running = try Running()
        let data = try Data(contentsOf: URL(fileURLWithPath: running.folder.path + "-ready.json"))
        let facts = try JSONDecoder().decode(Facts.self, from: data)
        #expect(
            running.ready.line == "ready \(facts.url) pid \(facts.pid) ca \(facts.ca)")
        #expect(facts.port == running.ready.port)
        #expect(facts.url == "https://localhost:\(facts.port)")
        #expect(facts.pid == ProcessInfo.processInfo.processIdentifier)
        let pem = try running.curl(
            "--cacert", facts.ca, running.ready.url + "/_mock/v1/ca.pem")
        #expect(pem.text == (try String(contentsOfFile: facts.ca, encoding: .utf8)))
    }

    private struct Facts: Decodable {
        var url: String
        var port: UInt16
        var pid: Int32
        var ca: String
    }

    @Test func `each route takes bodies up to a limit of its own`() throws {
        let running = try Running()
        let file = running.folder.appendingPathComponent("body")
        func status(_ url: String, _ count: Int) throws -> String {
            try Data(count: count).write(to: file)
            return try running.curl(
                "--cacert", running.ready.caFile, "-o", "/dev/null", "-w", "%{http_code}",
                "--data-binary", "@" + file.path, url
            ).text
        }
        let own = running.ready.url + "/_mock/"
        for (url, bytesMax, fitting) in [
            (own + "signin", 8192, "401"), (running.url("users/caller"), 64 << 10, "400"),
            (running.url("records/query"), (2 << 20) + (64 << 10), "400"),
            (own + "v1/users", 1 << 20, "400"), (own + "v1/seed", 2 << 20, "400"),
        ] {
            #expect(try status(url, bytesMax) == fitting, "\(url)")
            #expect(try status(url, bytesMax + 1) == "413", "\(url)")
        }
        // What leads nowhere is told so, however long its body is.
        for count in [8192, 8193, 100_000] {
            #expect(try status(own + "v1/nothing", count) == "404")
            #expect(try status(own + "v1/health", count) == "405")
        }
    }

    @Test func `a cut closes the connection and a delay holds the answer back`() throws {
        let running = try Running {
            $0.faults = [
                try? FaultRule(id: "a", text: "users/caller once -> cut after commit"),
                try? FaultRule(id: "b", text: "users/caller -> delay 120ms"),
            ].compactMap { $0 }
        }
        let ca = running.ready.caFile
        let cut = try running.curl("--cacert", ca, "--http1.1", running.url("users/caller"))
        #expect(cut.status == 52, "\(cut.text)")
        let late = try running.curl(
            "--cacert", ca, "-o", "/dev/null", "-w", "%{http_code} %{time_starttransfer}",
            running.url("users/caller"))
        let words = late.text.split(separator: " ")
        #expect(words.first == "200", "\(late.text)")
        #expect((words.last.flatMap { Double($0) } ?? 0) >= 0.12)
    }

    @Test func `what was answered is there after a restart, and so are tokens`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("store-\(ProcessInfo.processInfo.globallyUniqueString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let body =
            #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Kept"}}}]}"#
        let first = try Running { $0.storage = .directory(folder.path) }
        let made = try first.curl(
            "--cacert", first.ready.caFile, "-d", body, first.url("zones/modify"))
        #expect(made.text.contains("Kept"))
        #expect(first.stop())
        let token = first.ready.webTokens["ann"] ?? ""
        let second = try Running { $0.storage = .directory(folder.path) }
        let list = try second.curl(
            "--cacert", second.ready.caFile,
            "\(second.ready.url)/database/1/\(Samples.main)/development/private/zones/list"
                + "?ckAPIToken=\(first.ready.apiToken)&ckWebAuthToken=\(token)")
        #expect(list.text.contains("Kept"), "\(list.text)")
        #expect(second.stop())
    }

    @Test func `a large seed does not keep others waiting`() throws {
        let running = try Running()
        let ca = running.ready.caFile
        let seed = try ChildProcess(
            "/usr/bin/curl",
            [
                "-sS", "--cacert", ca, "-o", "/dev/null", "-H",
                "Authorization: \(running.ready.adminToken.headerValue)", "-d",
                #"{"profile":"wide","users":1,"zones":1000,"records":0}"#,
                running.ready.url + "/_mock/v1/seed",
            ])
        let answer = try running.curl(
            "--cacert", ca, "-w", "\n%{http_code}", running.url("users/caller"))
        #expect(answer.text.hasSuffix("200"))
        #expect(seed.wait() == 0)
        let summary = try running.curl("--cacert", ca, running.ready.url + "/_mock/v1/summary")
        #expect(summary.text.contains(#""zones":1000,"records":0"#), "\(summary.text)")
    }

    @Test func `two servers that start at once use one authority and one key`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("race-\(ProcessInfo.processInfo.globallyUniqueString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let results = ResultBox()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let made = Result {
                let certificates = CertificateFolder(stateFolder: folder.path)
                let authority = try certificates.authority(
                    names: ["localhost"], now: 1_768_465_800)
                return try authority.certificatePEM + certificates.serverKey().pem
            }
            results.add(made.map { String(decoding: $0, as: UTF8.self) })
        }
        let texts = try results.all.map { try $0.get() }
        #expect(texts.count == 8)
        #expect(Set(texts).count == 1)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        #expect(files == ["ca", "ca/ca.key", "ca/ca.pem", "ca/server.key"])
        for key in ["ca.key", "server.key"] {
            let mode =
                try FileManager.default.attributesOfItem(
                    atPath: folder.path + "/ca/\(key)")[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func `a folder from before there were server keys gets one, and keeps it`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("key-\(ProcessInfo.processInfo.globallyUniqueString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let certificates = CertificateFolder(stateFolder: folder.path)
        _ = try certificates.authority(names: ["localhost"], now: 1_768_465_800)
        try FileManager.default.removeItem(atPath: folder.path + "/ca/server.key")
        let first = try certificates.serverKey().pem
        #expect(try certificates.serverKey().pem == first)
        try Data("nonsense".utf8).write(to: folder.appendingPathComponent("ca/server.key"))
        #expect(throws: MockServerError.self) { try certificates.serverKey() }
    }

    /// Results from several threads.
    private final class ResultBox: @unchecked Sendable {
        // Holds: every use is under the lock.
        private let lock = NSLock()
        private var results: [Result<String, any Error>] = []

        func add(_ result: Result<String, any Error>) { lock.withLock { results.append(result) } }
        var all: [Result<String, any Error>] { lock.withLock { results } }
    }

    @Test func `what cannot start says why`() throws {
        let running = try Running()
        var taken = MockServerConfiguration(stateFolder: running.folder.path)
        taken.port = running.ready.port
        let busy = try #require(throws: MockServerError.self) {
            _ = try MockServer(taken, clock: Running.clock).start()
        }
        #expect(busy.code == .portInUse)
        #expect(busy.reason.contains("\(taken.port)"))
        var nowhere = MockServerConfiguration(stateFolder: "/proc/none/here")
        #expect(throws: MockServerError.self) {
            _ = try MockServer(nowhere, clock: Running.clock).start()
        }
        nowhere.names = []
        #expect(throws: MockServerError.self) { try MockServer(nowhere, clock: Running.clock) }
        var fixture = MockServerConfiguration(stateFolder: running.folder.path)
        fixture.fixtures = ["/no/such/file.json"]
        let missing = try #require(throws: MockServerError.self) {
            _ = try MockServer(fixture, clock: Running.clock).start()
        }
        #expect(missing.reason.contains("/no/such/file.json"))
    }
}
