import AsyncOperations
import Basics
import Foundation
import MockHost
import Testing
import ToolRunner

/// The certificates of a server that runs for longer than they live.
struct CertificateRenewalTests {
    private static let start: Int64 = 1_800_000_000
    private static let day: Int64 = 86_400

    /// A running server with a clock that the test moves.
    private final class Scene {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("renewal-\(ProcessInfo.processInfo.globallyUniqueString)")
        let now = Locked<Int64>(start)

        deinit { try? FileManager.default.removeItem(at: folder) }

        /// Does something while a server runs.
        func serve<Result>(_ body: (MockReady) throws -> Result) throws -> Result {
            let clock = WallClock { [now] in
                Timestamp(milliseconds: now.withLock { $0 } * 1000)
            }
            let server = try MockServer(
                MockServerConfiguration(stateFolder: folder.path), clock: clock)
            let ready = try server.start()
            let ended = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                do { try server.run() } catch { Issue.record(error) }
                ended.signal()
            }
            defer {
                server.stop(drain: .zero)
                ended.wait()
            }
            return try body(ready)
        }

        /// What a client that names a host is shown: the certificate's serial number and its last day after
        /// the start, once it is verified against the authority at the clock's time.
        func shown(_ host: String, _ ready: MockReady) throws -> (serial: String, lastDay: Int64) {
            let connected = try Tool.run(
                "/usr/bin/openssl",
                ["s_client", "-connect", "127.0.0.1:\(ready.port)", "-servername", host], input: [])
            let text = connected.text
            let first = try #require(text.range(of: "-----BEGIN CERTIFICATE-----"))
            let last = try #require(text.range(of: "-----END CERTIFICATE-----"))
            let file = folder.appendingPathComponent("shown.pem").path
            try (text[first.lowerBound..<last.upperBound] + "\n")
                .write(toFile: file, atomically: true, encoding: .utf8)
            let time = "\(now.withLock { $0 })"
            let verified = try Tool.run(
                "/usr/bin/openssl",
                [
                    "verify", "-CAfile", ready.caFile, "-attime", time, "-verify_hostname", host,
                    file,
                ], errors: .joined)
            #expect(verified.status == 0, "\(verified.text)")
            let facts = try Tool.run(
                "/usr/bin/openssl",
                ["x509", "-in", file, "-noout", "-serial", "-enddate", "-dateopt", "iso_8601"]
            ).text.split(separator: "\n").map(String.init)
            let date = try #require(facts.last?.split(separator: "=").last)
            let end = try Date(
                date.replacing(" ", with: "T"),
                strategy: Date.ISO8601FormatStyle())
            return (facts[0], (Int64(end.timeIntervalSince1970) - start) / day)
        }
    }

    @Test(arguments: ["localhost", "side.localhost"])
    func `a running server replaces a certificate with a third of its life left`(
        host: String
    ) throws {
        let scene = Scene()
        try scene.serve { ready throws in
            let authority = try Data(contentsOf: URL(fileURLWithPath: ready.caFile))
            let first = try scene.shown(host, ready)
            #expect(first.lastDay == 30)
            scene.now.withLock { $0 += 19 * Self.day }
            #expect(try scene.shown(host, ready) == first)
            scene.now.withLock { $0 += 2 * Self.day }
            let second = try scene.shown(host, ready)
            #expect(second.serial != first.serial && second.lastDay == 51)
            // Long after the first has expired.
            scene.now.withLock { $0 += 100 * Self.day }
            #expect(try scene.shown(host, ready).lastDay == 151)
            #expect(try Data(contentsOf: URL(fileURLWithPath: ready.caFile)) == authority)
        }
    }

    @Test func `a server that starts again shows a new certificate of the same authority`() throws {
        let scene = Scene()
        let first = try scene.serve { ready throws in
            #expect(try scene.shown("localhost", ready).lastDay == 30)
            return try Data(contentsOf: URL(fileURLWithPath: ready.caFile))
        }
        scene.now.withLock { $0 += 29 * Self.day }
        try scene.serve { ready throws in
            #expect(try scene.shown("localhost", ready).lastDay == 59)
            #expect(try Data(contentsOf: URL(fileURLWithPath: ready.caFile)) == first)
        }
    }

    @Test func `a clock that is set back gets a certificate that is valid then`() throws {
        let scene = Scene()
        try scene.serve { ready throws in
            scene.now.withLock { $0 += 25 * Self.day }
            _ = try scene.shown("localhost", ready)
            scene.now.withLock { $0 -= 24 * Self.day }
            #expect(try scene.shown("localhost", ready).lastDay == 31)
        }
    }
}
