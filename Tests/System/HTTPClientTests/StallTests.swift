import AsyncOperations
import Foundation
import HTTPClient
import HTTPServer
import OpenSSL
import RandomSeeds
import Testing

/// Answers each request after 50 ms with as many bytes as it asks for.
private final class Pages: HTTPApplication {
    func handle(
        _ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop
    ) -> HTTPAnswer {
        let count = Int(String(decoding: request.body, as: UTF8.self)) ?? 0
        let page = [UInt8](repeating: 0x20, count: count)
        loop.schedule(after: .milliseconds(50)) {
            _ = $0.respond(to: exchange, HTTPResponse(status: 200, headers: [:], body: page))
        }
        return .later
    }
}

/// Looks like those of a sweep at three containers of 10,000 zones: in each, lists with large pages
/// and a feed with many small ones are read side by side.
///
/// With HTTP/2 libcurl 7.88.1 stops for 10 s or a multiple of it, in some looks here and in a quarter
/// of real ones. `CKSWEEP_HTTP2=1` runs the test with HTTP/2 whatever the version, to see that, or to try another
/// release. One look here; 100 of them in a long run.
@Suite(.serialized, .timeLimit(.minutes(20))) struct StallTests {
    private static let variables = ProcessInfo.processInfo.environment
    /// How many sources are read side by side, of how many pages each, and how large these are.
    private static let sources = Array(
        repeating: [(pages: 10, bytes: 200_000), (pages: 50, bytes: 30_000)], count: 3
    ).flatMap { $0 }

    @Test func `while pages are read there is no pause in which none arrives`() async throws {
        let now = Int64(Date().timeIntervalSince1970)
        let authority = try CertificateAuthority.make(now: now)
        let context = try TLSContext(server: authority.issue(now: now))
        let server = try HTTPServer(HTTPServerConfiguration(tls: context, unixSeconds: { now }))
        let thread = DedicatedThread(label: "pages") { server.run(Pages()) }
        defer {
            server.stop(drain: .zero)
            thread.join()
        }
        let url = "https://localhost:\(server.port)/"
        for number in 0..<Seeds.count(1, long: 100) {
            var configuration = HTTPClientConfiguration(trust: .pem(authority.certificatePEM))
            if Self.variables["CKSWEEP_HTTP2"] != nil {
                configuration.http = HTTPVersionPolicy(.http2, connectionsPerHost: 4)
            }
            let client = HTTPClient(configuration: configuration)
            // Reads one small page after the other: what this machine is busy with, it feels too.
            configuration.http = HTTPVersionPolicy(.http1, connectionsPerHost: 1)
            let control = HTTPClient(configuration: configuration)
            defer {
                client.shutdown()
                control.shutdown()
            }
            let isOver = Locked(false)
            // From one time on: a machine that is too busy to begin the one may have begun the other.
            let began = ContinuousClock.now
            async let usual = longestPause(control, url, [(Int.max, 100)], since: began) {
                isOver.withLock { $0 }
            }
            let longest = try await longestPause(client, url, Self.sources, since: began) { false }
            isOver.withLock { $0 = true }
            // Below the 10 s that libcurl stops for, and above what a busy machine takes.
            let bound = Duration.seconds(5) + (try await usual) * 4
            #expect(longest < bound, "look \(number)")
        }
    }

    /// Reads the sources side by side; the longest time in which no page arrived.
    private func longestPause(
        _ client: HTTPClient, _ url: String, _ sources: [(pages: Int, bytes: Int)],
        since began: ContinuousClock.Instant, until isOver: @escaping @Sendable () -> Bool
    ) async throws -> Duration {
        let clock = ContinuousClock()
        let seen = Locked((last: began, longest: Duration.zero))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for source in sources {
                group.addTask {
                    var page = 0
                    while page < source.pages, !isOver() {
                        let request = HTTPClientRequest(
                            .post, url, body: Array("\(source.bytes)".utf8))
                        let response = try await client.send(request)
                        #expect(response.body.count == source.bytes)
                        seen.withLock { seen in
                            seen.longest = max(seen.longest, clock.now - seen.last)
                            seen.last = clock.now
                        }
                        page += 1
                    }
                }
            }
            try await group.waitForAll()
        }
        return seen.withLock { $0.longest }
    }
}
