import HTTPServer
import Synchronization
import Testing

/// A real server on loopback, spoken to in bytes.
@Suite(.timeLimit(.minutes(10)))
struct HTTP1ServerTests {
    private func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }

    @Test func `an answer has a length, the injected date and what the application said`() throws {
        let server = try TestServer { request, _, _ in
            .respond(
                HTTPResponse(
                    status: 404,
                    headers: [
                        "X-Path": request.path, "X-Query": request.query ?? "none",
                        "Content-Length": "999", "Connection": "upgrade", "X-Evil": "a\r\nb: c",
                    ], body: request.body))
        }
        let client = try TestClient(server.port)
        client.send("POST /p?q HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
        let answer = client.receive(until: "hi")
        #expect(
            answer == """
                HTTP/1.1 404 Not Found\r
                x-path: /p\r
                x-query: q\r
                x-evil: a  b: c\r
                date: Sun, 06 Nov 1994 08:49:37 GMT\r
                content-length: 2\r
                \r
                hi
                """)
        server.end()
    }

    @Test func `a connection is kept, and closed when the client asks for that`() throws {
        let server = try TestServer()
        let client = try TestClient(server.port)
        for _ in 0..<3 {
            client.send(get("/"))
            let answer = client.receive(until: "ok")
            #expect(answer.hasSuffix("\r\n\r\nok"))
            #expect(!answer.contains("connection:"))
        }
        client.send(get("/", "Connection: close\r\n"))
        let last = client.receiveAll()
        #expect(last.contains("connection: close\r\n"))
        #expect(last.hasSuffix("ok"))
        let old = try TestClient(server.port)
        old.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(old.receive(until: "ok").contains("connection: keep-alive"))
        old.send("GET / HTTP/1.0\r\n\r\n")
        #expect(old.receiveAll().contains("connection: close"))
        server.end()
    }

    @Test func `HEAD tells the length and sends no body`() throws {
        let server = try TestServer()
        let client = try TestClient(server.port)
        client.send("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let answer = client.receiveAll()
        #expect(answer.contains("content-length: 2\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n"))
        server.end()
    }

    @Test func `204 and 304 have neither a body nor a length`() throws {
        let server = try TestServer { _, _, _ in
            .respond(HTTPResponse(status: 204, body: [0x78]))
        }
        let client = try TestClient(server.port)
        client.send(get("/", "Connection: close\r\n"))
        let answer = client.receiveAll()
        #expect(!answer.contains("content-length"))
        #expect(answer.hasSuffix("\r\n\r\n"))
        server.end()
    }

    @Test func `pipelined requests are answered in order after one commit`() throws {
        let server = try TestServer { request, _, _ in
            .respond(HTTPResponse(status: 200, body: Array("<\(request.path)>".utf8)))
        }
        let client = try TestClient(server.port)
        let count = 30
        client.send((0..<count).map { get("/\($0)") }.joined())
        let all = client.receive(until: "</\(count - 1)>")
        let bodies = all.split(separator: "\r\n\r\n").dropFirst().map { $0.prefix { $0 != "H" } }
        #expect(bodies.map(String.init) == (0..<count).map { "</\($0)>" })
        server.end()
        let log = server.log.withLock { $0 }
        #expect(log.filter { $0 == "commit" }.count < count / 2, "\(log)")
    }

    @Test func `an answer that was put off holds back those behind it`() throws {
        let server = try TestServer { request, exchange, loop in
            guard request.path == "/slow" else {
                return .respond(HTTPResponse(status: 200, body: Array("fast".utf8)))
            }
            loop.schedule(after: .milliseconds(30)) { loop in
                let answer = HTTPResponse(status: 200, body: Array("slow".utf8))
                precondition(loop.respond(to: exchange, answer))
                precondition(!loop.respond(to: exchange, answer), "answered twice")
            }
            return .later
        }
        let client = try TestClient(server.port)
        client.send(get("/slow") + get("/fast"))
        let all = client.receive(until: "fast")
        #expect(all.range(of: "slow") != nil)
        #expect(all.hasSuffix("fast"))
        server.end()
    }

    @Test func `a cut comes after the commit and after earlier answers`() throws {
        let server = try TestServer { request, _, _ in
            request.path == "/cut"
                ? .cut : .respond(HTTPResponse(status: 200, body: Array("ok".utf8)))
        }
        let client = try TestClient(server.port)
        client.send(get("/a") + get("/cut") + get("/b"))
        let all = client.receiveAll()
        #expect(all.hasSuffix("ok"))
        #expect(all.split(separator: "HTTP/1.1 200").count == 1)
        server.end()
        #expect(server.log.withLock { $0 } == ["GET /a", "GET /cut", "commit", "wait"])
    }

    @Test func `a cut that was put off closes without an answer`() throws {
        let server = try TestServer { _, exchange, loop in
            loop.schedule(after: .milliseconds(10)) { precondition($0.cut(exchange)) }
            return .later
        }
        let client = try TestClient(server.port)
        client.send(get("/"))
        #expect(client.receiveAll() == "")
        server.end()
        #expect(server.log.withLock { $0 } == ["GET /", "commit", "wait", "commit", "wait"])
    }

    @Test func `when the commit fails every answer of the turn is 500`() throws {
        let server = try TestServer(commits: CommitScript())
        let client = try TestClient(server.port)
        client.send(get("/a"))
        let failed = client.receive(until: "\r\n\r\n")
        #expect(failed.hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
        #expect(failed.hasSuffix("content-length: 0\r\n\r\n"))
        client.send(get("/b"))
        #expect(client.receive(until: "ok").contains("200 OK"))
        server.end()
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\n\n", "400 Bad Request"),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", "501 Not Implemented"),
        ("GET / HTTP/3.0\r\n\r\n", "505 HTTP Version Not Supported"),
        (
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999999999999\r\n\r\n",
            "413 Content Too Large"
        ),
    ])
    func `bad requests get their status, are closed and never reach the application`(
        text: String, status: String
    ) throws {
        let server = try TestServer()
        let client = try TestClient(server.port)
        // What follows must neither be read as a request nor keep the client from the answer.
        client.send(text + get("/smuggled") + String(repeating: "x", count: 100_000))
        client.endWriting()
        let answer = client.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 \(status)\r\n"))
        #expect(answer.contains("connection: close\r\n"))
        server.end()
        #expect(!server.log.withLock { $0 }.contains { $0.contains("/") })
    }

    @Test func `a client that expects it is told to continue`() throws {
        let server = try TestServer { request, _, _ in
            .respond(HTTPResponse(status: 200, body: request.body))
        }
        let client = try TestClient(server.port)
        client.send(
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        #expect(client.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        client.send("abc")
        #expect(client.receive(until: "abc").contains("200 OK"))
        server.end()
    }

    @Test func `a client that has its answer is not told to continue`() throws {
        let tls = try TestTLS(clientProtocols: ["http/1.1"])
        let gates = [Watched(false), Watched(false)]
        let server = try TestServer(tls: tls.server) { request, _, _ in
            if request.path == "/gate" {
                gates[0].withLock { $0 = true }
                _ = gates[1].wait { $0 }
            }
            return .respond(HTTPResponse(status: 200, body: Array("ok".utf8)))
        }
        let client = try TestClient(server.port, trusting: tls.client)
        client.send(get("/"))
        #expect(client.receive(until: "ok").hasSuffix("ok"))
        let other = try TestClient(server.port, trusting: tls.client)
        other.send(get("/gate"))
        #expect(gates[0].wait { $0 })
        // Two records of TLS, which are read one by one in the turn that begins now.
        client.send(
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        client.send("abc" + get("/", "Connection: close\r\n"))
        gates[1].withLock { $0 = true }
        let answers = client.receiveAll()
        #expect(!answers.contains("100 Continue"))
        #expect(answers.components(separatedBy: " 200 OK").count == 3)
        server.end()
    }

    @Test func `a client that has ended its side still gets its answer`() throws {
        let server = try TestServer { _, exchange, loop in
            loop.schedule(after: .milliseconds(10)) {
                $0.respond(to: exchange, HTTPResponse(status: 200, body: Array("late".utf8)))
            }
            return .later
        }
        let client = try TestClient(server.port)
        client.send(get("/"))
        client.endWriting()
        #expect(client.receiveAll().hasSuffix("late"))
        server.end()
    }

    @Test func `an answer larger than the socket takes at once arrives whole`() throws {
        let size = 8 << 20
        let server = try TestServer { _, _, _ in
            .respond(HTTPResponse(status: 200, body: [UInt8](repeating: 0x61, count: size)))
        }
        let client = try TestClient(server.port)
        client.send(get("/", "Connection: close\r\n"))
        let all = client.receiveAll()
        #expect(all.utf8.count > size && all.hasSuffix("aaaa"))
        server.end()
    }
}
