import AsyncOperations
import HTTPServer
import Testing

/// One server with several applications, each of which has turns of its own.
@Suite(.timeLimit(.minutes(10)))
struct SeveralApplicationsTests {
    /// Hands requests on by the first letter of their path.
    private final class Desk: HTTPApplication {
        let applications: [Character: ScriptedApplication]

        init(_ applications: [Character: ScriptedApplication]) {
            self.applications = applications
        }

        func recipient(of request: inout HTTPRequest, _ loop: HTTPLoop) -> any HTTPApplication {
            applications[request.target.dropFirst().first ?? " "] ?? self
        }

        func handle(
            _ request: HTTPRequest, _ exchange: ExchangeID, _ loop: HTTPLoop
        ) -> HTTPAnswer { .respond(HTTPResponse(status: 404)) }
    }

    private static var ok: HTTPResponse { HTTPResponse(status: 200, body: Array("ok".utf8)) }

    private func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    /// Serves an application under `/a`, with this script, and one under `/b`.
    private func serve(
        _ script: CommitScript? = nil,
        _ handler:
            @escaping @Sendable (
                [Character: ScriptedApplication], HTTPRequest, ExchangeID, HTTPLoop
            ) -> HTTPAnswer = { _, _, _, _ in .respond(Self.ok) }
    ) throws -> (server: HTTPServer, thread: DedicatedThread, log: Watched<[String]>) {
        var configuration = HTTPServerConfiguration(tls: nil) { TestServer.unixSeconds }
        configuration.addresses = ["127.0.0.1"]
        let server = try HTTPServer(configuration)
        let log = Watched([] as [String])
        let thread = DedicatedThread(label: "server") {
            final class Box { var applications: [Character: ScriptedApplication] = [:] }
            let box = Box()
            for name in ["a", "b"] as [Character] {
                box.applications[name] = ScriptedApplication(
                    log: log, idles: Watched(0), commits: name == "a" ? script : nil
                ) { handler(box.applications, $0, $1, $2) }
            }
            server.run(Desk(box.applications))
            box.applications = [:]
        }
        return (server, thread, log)
    }

    @Test func `a commit that fails takes the answers of its own application alone`() throws {
        let (server, thread, log) = try serve(CommitScript())
        let client = try TestClient(server.port)
        client.send(get("/b1") + get("/a") + get("/b2") + get("/c"))
        let text = client.receive(until: "404 Not Found\r\n")
        let statuses = text.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
        #expect(statuses == ["200", "500", "200", "404"])
        #expect(log.withLock { $0.count { $0 == "commit" } } == 2)
        server.stop(drain: .zero)
        thread.join()
    }

    @Test func `of a commit that nobody knows of, only its own application's clients are cut`()
        throws
    {
        let waiting = Watched<[Character: ExchangeID]>([:])
        let (server, thread, _) = try serve(CommitScript(failing: .wait, isArmed: false)) {
            applications, request, exchange, loop in
            waiting.withLock { $0[request.target.last ?? " "] = exchange }
            let all = waiting.withLock { $0 }
            guard all.count == 2 else { return .later }
            applications["a"]?.commits?.arm()
            // In one turn, each as its own work.
            loop.schedule(after: .zero) { loop in
                for (name, exchange) in all {
                    guard let application = applications[name] else { continue }
                    loop.run(as: application) { _ = loop.respond(to: exchange, Self.ok) }
                }
            }
            return .later
        }
        let (first, second) = (try TestClient(server.port), try TestClient(server.port))
        first.send(get("/a"))
        second.send(get("/b"))
        #expect(first.receiveAll() == "")
        #expect(second.receive(until: "ok").hasSuffix("ok"))
        server.stop(drain: .zero)
        thread.join()
    }

    @Test func `who waits for an application that ends is answered, and its timers are forgotten`()
        throws
    {
        let hasEnded = Watched(false)
        let (server, thread, log) = try serve { applications, request, exchange, loop in
            guard request.target == "/b" else {
                // One is always due, also when the application ends.
                func tick(_ loop: HTTPLoop) {
                    loop.schedule(after: .milliseconds(5)) { loop in
                        guard hasEnded.withLock({ $0 }) else { return tick(loop) }
                        applications["a"]?.log.withLock { $0.append("late") }
                    }
                }
                tick(loop)
                return .later
            }
            if let application = applications["a"] {
                loop.end(application, with: HTTPResponse(status: 410))
            }
            hasEnded.withLock { $0 = true }
            loop.schedule(after: .milliseconds(60)) { $0.respond(to: exchange, Self.ok) }
            return .later
        }
        let client = try TestClient(server.port)
        client.send(get("/a"))
        #expect(log.wait { $0.contains("GET /a") })
        let other = try TestClient(server.port)
        other.send(get("/b"))
        #expect(client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 410"))
        #expect(other.receive(until: "ok").hasSuffix("ok"))
        #expect(log.withLock { !$0.contains("late") })
        server.stop(drain: .zero)
        thread.join()
    }
}
