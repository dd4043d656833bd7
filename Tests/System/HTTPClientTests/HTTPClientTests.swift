import AsyncOperations
import Foundation
import HTTPClient
import OpenSSL
import RawHTTPServer
import Testing

@Suite struct HTTPClientTests {
    @Test func `request and answer arrive byte for byte`() async throws {
        let pair = try Pair { _ in
            .send(answer(207, "héllo\0", headers: ["X-One: a b ", "x-one:c", "Empty:"]))
        }
        defer { pair.end() }
        let body = Array("{\"a\":\"é\0\"}".utf8)
        let response = try await pair.client.send(
            HTTPClientRequest(
                .post, pair.url, headers: [("X-Token", "t=1"), ("X-Empty", "")], body: body))
        #expect(response.status == 207)
        #expect(response.body == Array("héllo\0".utf8))
        #expect(response.headers.filter { $0.name == "x-one" }.map(\.value) == ["a b", "c"])
        #expect(response[header: "empty"] == "")
        let seen = try #require(pair.server.requests.first)
        #expect(seen.body == body)
        let lines = seen.head.split(separator: "\r\n").map { $0.lowercased() }
        #expect(lines[0] == "post /path?query=1 http/1.1")
        #expect(lines.contains("x-token: t=1"))
        #expect(lines.contains("x-empty:"))
        #expect(lines.contains("content-length: \(body.count)"))
        #expect(!lines.contains { $0.hasPrefix("expect") || $0.hasPrefix("content-type") })
    }

    @Test func `a pooled handle forgets the request before`() async throws {
        let pair = try Pair { _ in .send(answer(200, "x")) }
        defer { pair.end() }
        let requests: [HTTPClientRequest] = [
            HTTPClientRequest(.put, pair.url, headers: [("X-A", "1")], body: [1, 2]),
            HTTPClientRequest(.get, pair.url),
            HTTPClientRequest(.post, pair.url),
            HTTPClientRequest(.delete, pair.url),
            HTTPClientRequest(.options, pair.url),
        ]
        for request in requests { _ = try await pair.client.send(request) }
        let seen = pair.server.requests
        #expect(
            seen.map { String($0.head.prefix { $0 != " " }) }
                == ["PUT", "GET", "POST", "DELETE", "OPTIONS"])
        #expect(seen.map(\.body.count) == [2, 0, 0, 0, 0])
        #expect(seen.filter { $0.head.contains("X-A") }.count == 1)
        // One, but for a machine so slow that a connection between two requests grew too old.
        #expect(pair.server.connections < requests.count)
    }

    @Test func `many requests at once are all answered, each with its own answer`() async throws {
        let pair = try Pair { request in
            .send(answer(200, String(decoding: request.body, as: UTF8.self)))
        }
        defer { pair.end() }
        let (client, url) = (pair.client, pair.url)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<300 {
                group.addTask {
                    let body = Array("number \(number)".utf8)
                    let request = HTTPClientRequest(.post, url, body: body)
                    return try await client.send(request).body == body
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        #expect(pair.server.connections <= 16)
    }

    @Test func `a redirect is an answer, and is not followed`() async throws {
        let pair = try Pair { _ in .send(answer(302, headers: ["Location: /other"])) }
        defer { pair.end() }
        #expect(try await pair.client.send(HTTPClientRequest(.get, pair.url)).status == 302)
        #expect(pair.server.requests.count == 1)
    }

    @Test func `only the last of several answers counts, and its trailer is not a header`()
        async throws
    {
        let pair = try Pair { _ in
            .send(
                "HTTP/1.1 103 Early Hints\r\nX-Token: early\r\n\r\nHTTP/1.1 200 OK\r\n"
                    + "X-Token: real\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n"
                    + "X-Token: late\r\n\r\n")
        }
        defer { pair.end() }
        let response = try await pair.client.send(HTTPClientRequest(.get, pair.url))
        #expect(response.headers.filter { $0.name == "x-token" }.map(\.value) == ["real"])
        #expect(response.body == Array("ab".utf8))
    }

    // MARK: Time and size

    @Test func `silence ends in a time-out, and the request may have been carried out`()
        async throws
    {
        let pair = try Pair {
            $0.requestTimeout = .seconds(3)
        } answer: { request in
            request.line.hasPrefix("HEAD") ? .send(answer()) : .hang
        }
        defer { pair.end() }
        // The connection stands already, so a slow machine does not make this another time-out.
        _ = try? await pair.client.send(HTTPClientRequest(.head, pair.url))
        let error = await failureOf(pair.client, HTTPClientRequest(.get, pair.url))
        #expect(error?.code == .timedOut)
        #expect(error?.mayHaveBeenCarriedOut == true)
    }

    @Test func `a server that never shakes hands is a time-out before sending`() async throws {
        // The listener's queue takes the connection; nobody speaks TLS.
        let silent = try RawServer(nil) { _ in .hang }
        defer { silent.stop() }
        var configuration = HTTPClientConfiguration(trust: .system)
        configuration.connectTimeout = .milliseconds(100)
        let client = HTTPClient(configuration: configuration)
        let error = await failureOf(
            client, HTTPClientRequest(.get, "https://127.0.0.1:\(silent.port)/"))
        #expect(error?.code == .timedOut)
        #expect(error?.mayHaveBeenCarriedOut == false)
    }

    @Test(arguments: [
        answer(200, String(repeating: "x", count: 101)),
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"
            + String(repeating: "x", count: 200),
        "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 2000))\r\n\r\n",
    ])
    func `an answer over a limit is refused`(text: String) async throws {
        let pair = try Pair {
            $0.responseBytesMax = 100
            $0.headerBytesMax = 1000
        } answer: { _ in
            .sendThenClose(text)
        }
        defer { pair.end() }
        let error = await failureOf(pair.client, HTTPClientRequest(.get, pair.url))
        #expect(error?.code == .tooLarge)
    }

    @Test func `an answer of exactly the limit passes`() async throws {
        let pair = try Pair {
            $0.responseBytesMax = 100
        } answer: { _ in
            .send(answer(200, String(repeating: "x", count: 100)))
        }
        defer { pair.end() }
        #expect(try await pair.client.send(HTTPClientRequest(.get, pair.url)).body.count == 100)
    }

    // MARK: Lost connections

    @Test(arguments: [
        RawServer.Reply.close,
        .sendThenClose("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"),
        .sendThenClose("HTTP/1.1 200 OK\r\nConte"),
    ])
    func `a cut after the request is a lost answer, and nothing is repeated`(
        reply: RawServer.Reply
    ) async throws {
        let pair = try Pair { _ in reply }
        defer { pair.end() }
        let error = await failureOf(
            pair.client, HTTPClientRequest(.post, pair.url, body: [1]))
        #expect(error?.code == .connectionLost)
        #expect(error?.mayHaveBeenCarriedOut == true)
        #expect(pair.server.requests.count == 1)
    }

    @Test(arguments: [HTTPClientRequest.Method.get, .post])
    func `a cut on a reused connection is not repeated behind our back`(
        method: HTTPClientRequest.Method
    ) async throws {
        let pair = try Pair { request in
            request.head.contains("/cut") ? .close : .send(answer(200))
        }
        defer { pair.end() }
        let base = "https://localhost:\(pair.server.port)"
        _ = try await pair.client.send(HTTPClientRequest(method, base + "/warm"))
        let error = await failureOf(pair.client, HTTPClientRequest(method, base + "/cut"))
        #expect(error?.code == .connectionLost)
        #expect(error?.mayHaveBeenCarriedOut == true)
        #expect(pair.server.requests.count == 2)
    }

    @Test func `what is not HTTP is no answer`() async throws {
        let pair = try Pair { _ in .sendThenClose("220 mail.example ESMTP\r\n") }
        defer { pair.end() }
        let error = await failureOf(pair.client, HTTPClientRequest(.get, pair.url))
        #expect(error?.code == .invalidResponse)
    }

    @Test func `a port where nobody listens is reported as such`() async throws {
        let pair = try Pair { _ in .send(answer()) }
        pair.end()
        let client = HTTPClient(configuration: HTTPClientConfiguration())
        let error = await failureOf(client, HTTPClientRequest(.get, pair.url))
        #expect(error?.code == .couldNotConnect)
        #expect(error?.mayHaveBeenCarriedOut == false)
        #expect(error?.message.contains("localhost") == true)
    }

    @Test func `a name without an address is reported as such`() async {
        var configuration = HTTPClientConfiguration()
        configuration.connectTimeout = .seconds(3)
        let client = HTTPClient(configuration: configuration)
        let error = await failureOf(client, HTTPClientRequest(.get, "https://nowhere.invalid/"))
        // A machine whose name server does not answer can only time out.
        #expect([.nameNotResolved, .timedOut].contains(error?.code))
        #expect(error?.mayHaveBeenCarriedOut == false)
    }

    // MARK: Cancellation and the end

    @Test func `cancelling takes the request off its connection`() async throws {
        let pair = try Pair { _ in .hang }
        defer { pair.end() }
        let (client, url) = (pair.client, pair.url)
        let task = Task { await failureOf(client, HTTPClientRequest(.get, url)) }
        while pair.server.requests.isEmpty { await Task.yield() }
        task.cancel()
        let error = await task.value
        #expect(error?.code == .cancelled)
        #expect(error?.mayHaveBeenCarriedOut == true)
        while pair.server.gone == 0 { await Task.yield() }
    }

    @Test func `a task cancelled before it sends, sends nothing`() async throws {
        let pair = try Pair { _ in .send(answer()) }
        defer { pair.end() }
        let (client, url) = (pair.client, pair.url)
        let error = await withTaskGroup(of: HTTPClientError?.self) { group in
            group.cancelAll()
            group.addTask { await failureOf(client, HTTPClientRequest(.get, url)) }
            return await group.next() ?? nil
        }
        #expect(error?.code == .cancelled)
        #expect(error?.mayHaveBeenCarriedOut == false)
        #expect(pair.server.requests.isEmpty)
    }

    @Test func `shutting down ends what is under way and refuses what comes after`() async throws {
        let pair = try Pair { _ in .hang }
        let (client, url) = (pair.client, pair.url)
        let task = Task { await failureOf(client, HTTPClientRequest(.get, url)) }
        while pair.server.requests.isEmpty { await Task.yield() }
        pair.end()
        pair.end()
        #expect(await task.value?.code == .shutDown)
        #expect(await failureOf(client, HTTPClientRequest(.get, url))?.code == .shutDown)
    }

    // MARK: What is not sent

    @Test(arguments: [
        "http://example.com/", "http://127.0.0.1.example.com/", "ftp://localhost/",
        "file:///etc/passwd", "https://", "https://user:secret@localhost/", "https://local host/",
        "https://localhost/\r\nX: y", "nonsense", "", "http://localhost.example/",
        "https://localhost/" + String(repeating: "x", count: 70_000),
    ])
    func `URLs that must not be requested are refused, without their secrets`(url: String) async {
        let client = HTTPClient(configuration: HTTPClientConfiguration())
        let error = await failureOf(client, HTTPClientRequest(.get, url))
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("secret") == false)
        #expect(HTTPClientRequest.problem(inURL: url) != nil)
    }

    @Test(arguments: [("X\r\nY", "1"), ("", "1"), ("X:", "1"), ("X", "1\r\nY: 2"), ("X", "\0")])
    func `headers cannot break out of their line`(name: String, value: String) async {
        let client = HTTPClient(configuration: HTTPClientConfiguration())
        let request = HTTPClientRequest(.get, "https://localhost:1/", headers: [(name, value)])
        #expect(await failureOf(client, request)?.code == .invalidRequest)
    }

    @Test func `plain HTTP reaches this machine`() async throws {
        let server = try RawServer(nil) { _ in .send(answer(200, "plain")) }
        defer { server.stop() }
        let client = HTTPClient(configuration: HTTPClientConfiguration())
        let response = try await client.send(
            HTTPClientRequest(.get, "http://127.0.0.1:\(server.port)/"))
        #expect(response.body == Array("plain".utf8))
    }
}
