import AsyncOperations
import HTTPClient
import RawHTTPServer
import Testing

/// Answers that are larger, longer or other than they may be.
@Suite(.timeLimit(.minutes(30))) struct AnswerLimitTests {
    @Test func `an answer that is announced as too large is refused before it comes`()
        async throws
    {
        // The server announces 300 MB and says nothing more.
        let pair = try Pair { _ in
            .script { say in _ = say("HTTP/1.1 200 OK\r\nContent-Length: 300000000\r\n\r\n") }
        }
        defer { pair.end() }
        let error = try #require(await pair.failure())
        #expect(error.code == .tooLarge)
        #expect(error.mayHaveBeenCarriedOut)
        #expect(error.message.contains("33554432"))
    }

    @Test func `an answer without a length is read as far as the limit`() async throws {
        let said = Locked(0)
        let piece = String(repeating: "x", count: 64 << 10)
        let pair = try Pair {
            $0.responseBytesMax = 8 << 20
        } answer: { _ in
            .script { say in
                _ = say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                while said.withLock({ $0 }) < 300 << 20, say("10000\r\n\(piece)\r\n") {
                    said.withLock { $0 += 64 << 10 }
                }
            }
        }
        defer { pair.end() }
        #expect(await pair.failure()?.code == .tooLarge)
        // The limit, and what two sockets hold.
        #expect(said.withLock { $0 } < 32 << 20)
    }

    @Test(arguments: [
        "Content-Encoding: gzip", "Content-Encoding: identity, br", "Transfer-Encoding: gzip",
        "Transfer-Encoding: gzip, chunked", "Content-Length: 3", "Content-Length: -2",
        "Content-Length: 2x", "Content-Length: 0x2",
    ])
    func `an answer in a form that nobody asked for is refused`(header: String) async throws {
        let pair = try Pair { _ in .send(answer(200, "ok", headers: [header])) }
        defer { pair.end() }
        let error = try #require(await pair.failure())
        #expect(error.code == .invalidResponse, "\(error)")
        #expect(error.mayHaveBeenCarriedOut)
    }

    @Test(arguments: [
        "Content-Encoding: identity", "Content-Length: 2", "Content-Length: 02",
    ])
    func `saying the same twice is no harm`(header: String) async throws {
        let pair = try Pair { _ in .send(answer(200, "ok", headers: [header])) }
        defer { pair.end() }
        #expect(try await pair.get().body == Array("ok".utf8))
    }

    @Test(arguments: [
        // Many lines, one line, answers before the answer.
        ("HTTP/1.1 200 OK\r\n", "X: 0123456789\r\n"), ("HTTP/1.1 200 OK\r\nX: ", "0123456789"),
        ("", "HTTP/1.1 103 Early\r\nX: 0123456789\r\n\r\n"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X: 0123456789\r\n"),
    ])
    func `a head that does not end is given up`(begin: String, again: String) async throws {
        let said = Locked(0)
        let pair = try Pair { _ in
            .script { say in
                _ = say(begin)
                let piece = String(repeating: again, count: 100)
                while said.withLock({ $0 }) < 100 << 20, say(piece) {
                    said.withLock { $0 += piece.utf8.count }
                }
            }
        }
        defer { pair.end() }
        let error = try #require(await pair.failure())
        #expect(error.code == .tooLarge, "\(error)")
        #expect(said.withLock { $0 } < 16 << 20)
    }

    @Test func `only a status line that follows an interim answer begins another answer`()
        async throws
    {
        let pair = try Pair { _ in
            .send(
                "HTTP/1.1 103 Early\r\nX: early\r\n\r\nHTTP/1.1 200 OK\r\nX: real\r\n"
                    + "HTTP/1.1 500 No: header\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n"
                    + "HTTP/1.1 500 No: trailer\r\n\r\n")
        }
        defer { pair.end() }
        let response = try await pair.get()
        #expect(response.status == 200)
        #expect(response[header: "x"] == "real")
        #expect(response.body == Array("ok".utf8))
    }

    @Test func `an interim answer alone is none`() async throws {
        let pair = try Pair { _ in .sendThenClose("HTTP/1.1 103 Early\r\n\r\n") }
        defer { pair.end() }
        #expect(await pair.failure()?.code == .connectionLost)
    }

    @Test(arguments: [204, 206, 300, 304, 401, 502])
    func `any final status is an answer`(status: Int) async throws {
        let pair = try Pair { _ in
            .send(answer(status, headers: ["Location: https://localhost/other"]))
        }
        defer { pair.end() }
        #expect(try await pair.get().status == status)
        #expect(pair.server.requests.count == 1)
    }
}

@Suite struct BodyBufferTests {
    private func append(_ count: Int, to buffer: inout BodyBuffer) -> Bool {
        [UInt8](repeating: 7, count: count).withUnsafeBytes { buffer.append($0) }
    }

    @Test(arguments: [0, 1, 1000, 1 << 20])
    func `a body of the limit fits, and not a byte more`(limit: Int) {
        var buffer = BodyBuffer(bytesMax: limit)
        let (isExpected, isTaken) = (buffer.expect(limit), append(limit, to: &buffer))
        let isMoreTaken = append(1, to: &buffer)
        #expect(isExpected && isTaken && !isMoreTaken)
        #expect(buffer.bytes.count == limit)
        var other = BodyBuffer(bytesMax: limit)
        let isMoreExpected = other.expect(limit + 1)
        let isAllTaken = append(limit + 1, to: &other)
        #expect(!isMoreExpected && !isAllTaken)
        #expect(other.bytes.isEmpty)
    }

    @Test func `room is made once for an announced length`() {
        var buffer = BodyBuffer(bytesMax: 1 << 20)
        _ = buffer.expect(100_000)
        let capacity = buffer.bytes.capacity
        while buffer.bytes.count < 100_000, append(1000, to: &buffer) {}
        #expect(buffer.bytes.count == 100_000)
        #expect(buffer.bytes.capacity == capacity)
    }

    @Test func `without a length room never grows far beyond the limit`() {
        let limit = 3_000_000
        var buffer = BodyBuffer(bytesMax: limit)
        while append(16_384, to: &buffer) {}
        #expect(buffer.bytes.count > limit - 16_384)
        #expect(buffer.bytes.capacity < limit + 8192)
    }
}
