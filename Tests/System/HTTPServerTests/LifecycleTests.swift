import Foundation
import HTTPServer
import OpenSSL
import Testing

/// Listening, deadlines, limits and the end.
@Suite(.timeLimit(.minutes(10)))
struct LifecycleTests {
    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `both loopback families listen on the same free port`() throws {
        let server = try TestServer(addresses: ["127.0.0.1", "::1"])
        #expect(server.port != 0)
        for address in server.server.addresses {
            let client = try TestClient(server.port, address: address)
            client.send(Self.request)
            #expect(client.receive(until: "ok").hasSuffix("ok"))
        }
        #expect(server.server.addresses.first == "127.0.0.1")
        server.end()
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "P", "get / HTTP/1.1\r\n", "PRI * HTTP/2.0",
    ])
    func `who speaks without TLS is told in a sentence that TLS is spoken`(text: String) throws {
        let tls = try TestTLS(clientProtocols: ["http/1.1"])
        let server = try TestServer(tls: tls.server)
        let client = try TestClient(server.port)
        client.send(text)
        let answer = client.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(answer.contains("content-type: text/plain"))
        #expect(answer.contains("connection: close\r\n"))
        #expect(answer.hasSuffix("begin the address with https://\n"))
        // No application has heard of it, and who speaks TLS is served.
        #expect(server.log.withLock { $0 }.isEmpty)
        let other = try TestClient(server.port, trusting: tls.client)
        other.send(Self.request)
        #expect(other.receive(until: "ok").hasSuffix("ok"))
        server.end()
    }

    @Test func `what is neither TLS nor a request is cut`() throws {
        let server = try TestServer(tls: TestTLS().server)
        let client = try TestClient(server.port)
        client.send([0x00, 0x47, 0x45, 0x54])
        #expect(!client.receiveAll().contains("HTTP"))
        server.end()
    }

    @Test func `a port in use is named`() throws {
        let server = try TestServer()
        var configuration = HTTPServerConfiguration(tls: nil) { 0 }
        configuration.addresses = ["127.0.0.1"]
        configuration.port = server.port
        let error = #expect(throws: HTTPServerError.self) { try HTTPServer(configuration) }
        #expect(error?.code == .portInUse)
        #expect(error?.port == server.port)
        #expect(error?.description == "port \(server.port) of 127.0.0.1 is in use")
        server.end()
    }

    @Test func `what is no address of this machine is skipped beside one that is`() throws {
        #expect(throws: HTTPServerError.self) { try TestServer(addresses: ["192.0.2.1"]) }
        #expect(throws: HTTPServerError.self) { try TestServer(addresses: ["localhost"]) }
        #expect(throws: HTTPServerError.self) { try TestServer(addresses: []) }
        let server = try TestServer(addresses: ["192.0.2.1", "127.0.0.1"])
        #expect(server.server.addresses == ["127.0.0.1"])
        server.end()
    }

    @Test(arguments: [
        ("handshake", ""), ("headers", "GET / HT"),
        ("body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"),
        ("idle", ""),
    ])
    func `a client that is slow in a phase is cut`(phase: String, text: String) throws {
        var deadlines = HTTPDeadlines.endless
        let short = Duration.milliseconds(40)
        var tls: TLSContext?
        switch phase {
        case "handshake":
            deadlines.handshake = short
            let now = Int64(Date().timeIntervalSince1970)
            tls = try TLSContext(server: CertificateAuthority.make(now: now).issue(now: now))
        case "headers": deadlines.headers = short
        case "body": deadlines.body = short
        default: deadlines.idle = short
        }
        let server = try TestServer(tls: tls, deadlines: deadlines)
        let began = ContinuousClock.now
        let client = try TestClient(server.port)
        if !text.isEmpty { client.send(text) }
        #expect(client.receive().isEmpty)
        #expect(ContinuousClock.now - began > .milliseconds(20))
        server.expectNoConnection(while: client)
        server.end()
    }

    @Test func `a drop of bytes now and then does not lengthen a phase`() throws {
        var deadlines = HTTPDeadlines.endless
        deadlines.headers = .milliseconds(60)
        let server = try TestServer(deadlines: deadlines)
        let client = try TestClient(server.port)
        // Each wait for an answer that does not come takes 10 ms or more: 200 are many times the deadline.
        var poll = pollfd(fd: client.socket, events: Int16(POLLIN), revents: 0)
        let isCut = (0..<200).contains { _ in
            client.send("G")
            return Foundation.poll(&poll, 1, 10) != 0
        }
        #expect(isCut)
        server.end()
    }

    @Test func `a client that does not take its answer is cut`() throws {
        var deadlines = HTTPDeadlines()
        deadlines.write = .milliseconds(40)
        let size = 32 << 20
        let server = try TestServer(deadlines: deadlines) { _, _, _ in
            .respond(HTTPResponse(status: 200, body: [UInt8](repeating: 0x61, count: size)))
        }
        let client = try TestClient(server.port)
        client.send(Self.request)
        #expect(server.waitForRequests())
        // Nothing is read until the server has hung up.
        #expect(server.waitForConnections(0))
        #expect(client.receiveAll().utf8.count < size)
        server.end()
    }

    @Test func `more clients than allowed wait until one leaves`() throws {
        var limits = HTTPLimits()
        limits.connectionsMax = 2
        let server = try TestServer(limits: limits)
        var first: TestClient? = try TestClient(server.port)
        let second = try TestClient(server.port)
        for client in [first, second] {
            client?.send(Self.request)
            #expect(client?.receive(until: "ok").hasSuffix("ok") == true)
        }
        let third = try TestClient(server.port)
        third.send(Self.request)
        var poll = pollfd(fd: third.socket, events: Int16(POLLIN), revents: 0)
        #expect(Foundation.poll(&poll, 1, 50) == 0, "the third was served too early")
        first = nil
        #expect(third.receive(until: "ok").hasSuffix("ok"))
        server.end()
    }

    @Test func `stopping ends idle connections at once and lets work in flight finish`() throws {
        let held = Watched<ExchangeID?>(nil)
        let server = try TestServer { _, exchange, _ in
            held.withLock { $0 = exchange }
            return .later
        }
        let idle = try TestClient(server.port)
        let busy = try TestClient(server.port)
        busy.send(Self.request)
        #expect(held.wait { $0 != nil })
        let exchange = try #require(held.withLock { $0 })
        server.server.stop(drain: .seconds(600))
        #expect(idle.receiveAll() == "")
        // The client gives up reading after a while, too: it was the server that ended it.
        withExtendedLifetime((idle, busy)) { #expect(server.waitForConnections(1)) }
        server.server.post {
            $0.respond(to: exchange, HTTPResponse(status: 200, body: Array("done".utf8)))
        }
        let answer = busy.receiveAll()
        #expect(answer.contains("connection: close\r\n"))
        #expect(answer.hasSuffix("done"))
        server.end(drain: .seconds(600))
    }

    @Test func `what is not done when the drain is over is cut`() throws {
        let server = try TestServer { _, _, _ in .later }
        let client = try TestClient(server.port)
        client.send(Self.request)
        #expect(server.waitForRequests())
        let clock = ContinuousClock()
        let waited = clock.measure { server.end(drain: .milliseconds(50)) }
        #expect(waited > .milliseconds(30))
        #expect(client.receiveAll() == "")
    }

    @Test func `what is posted runs on the loop, also an answer`() throws {
        let server = try TestServer { _, _, _ in .later }
        let client = try TestClient(server.port)
        let box = Watched([] as [ExchangeID])
        let other = try TestServer { _, exchange, _ in
            box.withLock { $0.append(exchange) }
            return .later
        }
        let waiting = try TestClient(other.port)
        waiting.send(Self.request)
        #expect(box.wait { !$0.isEmpty })
        other.server.post { loop in
            for exchange in box.withLock({ $0 }) {
                loop.respond(to: exchange, HTTPResponse(status: 200, body: Array("yo".utf8)))
            }
        }
        #expect(waiting.receive(until: "yo").hasSuffix("yo"))
        other.end()
        client.send(Self.request)
        server.end()
    }

    @Test func `background work goes on although every turn has something else to do`() throws {
        let server = try TestServer()
        let (idles, ended) = (server.idles, Watched<Bool?>(nil))
        // Posts for the next turn, so that no turn is without an event.
        @Sendable func keepBusy(_ loop: HTTPLoop, _ turns: Int, _ before: Int) {
            let isDone = idles.withLock { $0 } > before + 2
            if isDone || turns == 300_000 { return ended.withLock { $0 = isDone } }
            loop.post { keepBusy($0, turns + 1, before) }
        }
        server.server.post { loop in keepBusy(loop, 0, idles.withLock { $0 }) }
        #expect(ended.wait { $0 != nil })
        #expect(ended.withLock { $0 } == true)
        server.end()
    }

    @Test func `background work that cannot be committed takes no answer with it`() throws {
        let (waiting, commits) = (Watched<ExchangeID?>(nil), CommitScript(isArmed: false))
        let server = try TestServer(commits: commits) { _, exchange, _ in
            waiting.withLock { $0 = exchange }
            return .later
        } upkeep: { loop in
            guard let exchange = waiting.withLock({ $0.take() }) else { return false }
            commits.arm()
            loop.commitTurn()
            // Answered in the same turn.
            loop.schedule(after: .zero) {
                $0.respond(to: exchange, HTTPResponse(status: 200, body: Array("ok".utf8)))
            }
            return false
        }
        let client = try TestClient(server.port)
        client.send(Self.request)
        #expect(client.receive(until: "\r\n").hasPrefix("HTTP/1.1 200"))
        #expect(commits.nextFails(.commit) == false, "the background work was committed")
        server.end()
    }

    @Test func `an answer to a client that has gone is dropped`() throws {
        let outcome = Watched<Bool?>(nil)
        let held = Watched<ExchangeID?>(nil)
        let server = try TestServer { _, exchange, _ in
            held.withLock { $0 = exchange }
            return .later
        }
        var client: TestClient? = try TestClient(server.port)
        client?.send(Self.request)
        #expect(held.wait { $0 != nil })
        let exchange = try #require(held.withLock { $0 })
        client?.resetOnClose()
        client = nil
        #expect(server.waitForConnections(0))
        server.server.post { loop in
            let isThere = loop.respond(to: exchange, HTTPResponse(status: 200))
            outcome.withLock { $0 = isThere }
        }
        #expect(outcome.wait { $0 != nil })
        #expect(outcome.withLock { $0 } == false)
        server.end()
    }
}
