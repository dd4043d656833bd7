import Foundation
import HTTPServer
import Testing
import ToolRunner

/// Request bodies that are handed on in pieces, and limits by route, against clients that are slow,
/// send too much, go away or stop.
@Suite(.timeLimit(.minutes(10)))
struct RequestBodyTests {
    enum Version: String, CaseIterable, Sendable { case http1, http2 }

    /// A client in the middle of a POST, of one version or the other.
    private struct Upload {
        let client: TestClient
        let version: Version
        private var reader: HTTP2Reader

        /// Sends the head.
        init(
            _ server: TestServer, _ tls: TestTLS, _ version: Version, _ path: String = "/",
            length: Int?, fields: [(String, String)] = []
        ) throws {
            self.version = version
            if version == .http1 {
                let plain = try TestTLS(authority: tls.authority, clientProtocols: ["http/1.1"])
                client = try TestClient(server.port, trusting: plain.client)
                let framing = length.map { "Content-Length: \($0)" } ?? "Transfer-Encoding: chunked"
                let others = fields.map { "\($0.0): \($0.1)\r\n" }.joined()
                client.send("POST \(path) HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\(others)\r\n")
            } else {
                client = try TestClient(server.port, trusting: tls.client)
                client.send(HTTP2Frame.preface + HTTP2Frame(kind: .settings).bytes)
                var head = HTTP2Frame.request(1, path: path, ends: false)
                let all = fields + (length.map { [("content-length", "\($0)")] } ?? [])
                for (name, value) in all {
                    head.payload += [0] + HTTP2Frame.length(name.utf8.count, 0)
                    head.payload += Array(name.lowercased().utf8)
                    head.payload += HTTP2Frame.length(value.utf8.count, 0) + Array(value.utf8)
                }
                client.send(head.bytes)
            }
            reader = HTTP2Reader(client)
        }

        /// Sends a piece of the body; of HTTP/2 no more than fits into a frame and the window.
        func send(_ piece: [UInt8], isChunk: Bool = false, isLast: Bool = false) {
            if version == .http2 {
                let flags: UInt8 = isLast ? 1 : 0
                client.send(
                    HTTP2Frame(kind: .data, flags: flags, stream: 1, payload: piece).bytes)
            } else if isChunk {
                client.send(String(piece.count, radix: 16) + "\r\n")
                client.send(piece + Array("\r\n".utf8))
                if isLast { client.send("0\r\n\r\n") }
            } else {
                client.send(piece)
            }
        }

        /// The status of the answer, and whether the client was told to continue before.
        mutating func status() -> (code: Int?, wasContinued: Bool) {
            var wasContinued = false
            if version == .http1 {
                var text = ""
                while true {
                    text += client.receive(until: "\r\n\r\n")
                    let code = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
                    guard code == 100 else { return (code, wasContinued) }
                    wasContinued = true
                    text = String(text.dropFirst("HTTP/1.1 100 Continue\r\n\r\n".count))
                    if text.contains("\r\n\r\n") { continue }
                }
            }
            while let frame = reader.next() {
                guard frame.kind == .headers, frame.stream == 1 else { continue }
                switch frame.payload.first {
                case 0x88: return (200, wasContinued)
                case 0x08, 0x48:
                    let value = frame.payload.dropFirst(2)
                    let code = Self.digits(value, isCoded: frame.payload[1] & 0x80 != 0)
                    guard code == 100 else { return (code, wasContinued) }
                    wasContinued = true
                default: return (nil, wasContinued)
                }
            }
            return (nil, wasContinued)
        }

        /// A status; of those in Huffman's code the ones that are met here.
        private static func digits(_ bytes: ArraySlice<UInt8>, isCoded: Bool) -> Int? {
            guard isCoded else { return Int(String(decoding: bytes.prefix(3), as: UTF8.self)) }
            return [[0x08, 0x01]: 100, [0x68, 0x01]: 401][Array(bytes.prefix(2))]
        }
    }

    @Test(arguments: Version.allCases)
    func `a body of 50 MB passes through, and little of it is kept`(version: Version) throws {
        let tls = try TestTLS()
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let block = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        var (body, expected) = (Data(), UInt64(0))
        for _ in 0..<50 {
            body.append(contentsOf: block)
            expected = RecordingSink.checksum(block, after: expected)
        }
        let files = (folder.appendingPathComponent("ca"), folder.appendingPathComponent("body"))
        try Data(tls.authority.certificatePEM).write(to: files.0)
        try body.write(to: files.1)
        let seen = Watched(RecordingSink.Seen())
        let server = try TestServer(
            tls: tls.server,
            bodies: { _, length, exchange, loop in
                let sink = RecordingSink(seen, loop) { [weak loop] _ in
                    // As one that writes to a disk does.
                    loop?.schedule(after: .zero) { $0.resumeBody(of: exchange) }
                    return .notNow
                }
                return .stream(sink, bytesMax: length ?? 0)
            })
        let got = try Tool.run(
            "/usr/bin/curl",
            [
                "-sS", "--max-time", "120", version == .http1 ? "--http1.1" : "--http2",
                "--cacert", files.0.path, "-w", "%{http_code} %{size_upload}", "-H", "Expect:",
                "-T", files.1.path, "https://localhost:\(server.port)/",
            ])
        #expect(got.text == "ok200 \(50 << 20)")
        let result = seen.withLock { $0 }
        #expect(result.count == 50 << 20)
        #expect(result.checksum == expected)
        #expect(result.heldMax < 1 << 20, "\(result.heldMax) bytes were held")
        #expect((result.handled, result.abandoned) == (1, 0))
        server.end()
    }

    @Test func `a client on HTTP1 is not read on while the sink wants nothing`() throws {
        let seen = Watched(RecordingSink.Seen())
        let paused = Watched<ExchangeID?>(nil)
        let size = 48 << 20
        let server = try TestServer(
            bodies: { _, _, exchange, loop in
                .stream(
                    RecordingSink(seen, loop) { sink in
                        guard sink.seen.withLock({ $0.pieces }) == 1 else { return .more }
                        paused.withLock { $0 = exchange }
                        return .notNow
                    }, bytesMax: size)
            })
        let client = try TestClient(server.port)
        // Requests handled, bytes taken and bytes held while it waits.
        let waiting = Watched([] as [Int])
        let watcher = Thread {
            guard paused.wait(until: { $0 != nil }) else { return }
            let handled = server.requestsWhenCalm()
            let numbers = [handled, seen.withLock { $0.count }, server.bytesHeld()]
            waiting.withLock { $0 = numbers }
            server.server.post { loop in
                if let exchange = paused.withLock({ $0 }) { loop.resumeBody(of: exchange) }
            }
        }
        watcher.start()
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n")
        client.send([UInt8](repeating: 97, count: size))
        client.send("GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(client.receiveAll().components(separatedBy: " 200 OK").count == 3)
        let numbers = waiting.withLock { $0 }
        #expect(numbers.first == 0)
        #expect(numbers.dropFirst().allSatisfy { $0 <= 128 << 10 }, "\(numbers)")
        #expect(seen.withLock { $0.count } == size)
        server.end()
    }

    @Test func `a stream whose sink wants nothing gets no window, and others go on`() throws {
        let tls = try TestTLS()
        let seen = Watched(RecordingSink.Seen())
        let paused = Watched<ExchangeID?>(nil)
        let server = try TestServer(
            tls: tls.server,
            bodies: { request, _, exchange, loop in
                guard request.path == "/paused" else { return .collect(bytesMax: 1 << 20) }
                let sink = RecordingSink(seen, loop) { _ in
                    paused.withLock { $0 = exchange }
                    return .notNow
                }
                return .stream(sink, bytesMax: 1 << 20)
            })
        let client = try TestClient(server.port, trusting: tls.client)
        client.send(HTTP2Frame.preface + HTTP2Frame(kind: .settings).bytes)
        var reader = HTTP2Reader(client)
        // The window is larger once the client knows of it.
        _ = reader.frames { $0.kind == .settings && $0.flags == 0 }
        client.send(HTTP2Frame(kind: .settings, flags: 1).bytes)
        client.send(HTTP2Frame.request(1, path: "/paused", ends: false).bytes)
        // All that the window of 256 KiB lets through, a fifth of each frame padding.
        let frame = HTTP2Frame(
            kind: .data, flags: 8, stream: 1,
            payload: [200] + [UInt8](repeating: 97, count: 823) + [UInt8](repeating: 0, count: 200))
        for _ in 0..<256 { client.send(frame.bytes) }
        // Six times as much passes by.
        var windows: [UInt32: Int] = [:]
        func answer(to stream: UInt32) -> HTTP2Frame? {
            reader.frames {
                if $0.kind == .windowUpdate {
                    windows[$0.stream, default: 0] += Int(
                        $0.payload.reduce(0) { $0 << 8 | UInt32($1) })
                }
                return $0.kind == .headers && $0.stream == stream
            }.last
        }
        for stream in stride(from: 3, through: 13, by: 2) as StrideThrough<UInt32> {
            client.send(HTTP2Frame.request(stream, path: "/other", ends: false).bytes)
            for index in 1...16 {
                client.send(
                    HTTP2Frame(
                        kind: .data, flags: index == 16 ? 1 : 0, stream: stream,
                        payload: [UInt8](repeating: 98, count: 16 << 10)
                    ).bytes)
            }
            #expect(answer(to: stream)?.payload.first == 0x88)
        }
        #expect(windows[0, default: 0] > 1 << 20)
        // Of the padding nothing is kept.
        #expect(windows[1, default: 0] <= 256 * 201 + (64 << 10))
        #expect(seen.withLock { $0.pieces } == 1)
        #expect(server.bytesHeld() < 1 << 20)
        // It goes on, piece by piece, until all has come.
        client.send(HTTP2Frame(kind: .data, flags: 1, stream: 1).bytes)
        @Sendable func goOn(_ loop: HTTPLoop) {
            guard let exchange = paused.withLock({ $0 }), loop.resumeBody(of: exchange) else {
                return
            }
            loop.schedule(after: .milliseconds(1), goOn)
        }
        server.server.post(goOn)
        #expect(answer(to: 1)?.payload.first == 0x88)
        #expect(seen.withLock { $0.count } == 256 * 823)
        #expect(seen.withLock { $0.abandoned } == 0)
        server.end()
    }

    @Test(arguments: Version.allCases, [true, false])
    func `each route has its own limit, and what is too long never reaches the application`(
        version: Version, isStreamed: Bool
    ) throws {
        let tls = try TestTLS()
        let seen = Watched(RecordingSink.Seen())
        let server = try TestServer(
            tls: tls.server,
            bodies: { request, _, _, loop in
                let bytesMax = request.path == "/small" ? 10 : 1000
                return isStreamed
                    ? .stream(RecordingSink(seen, loop), bytesMax: bytesMax)
                    : .collect(bytesMax: bytesMax)
            })
        let expectation = [("Expect", "100-continue")]
        for (path, bytesMax) in [("/small", 10), ("/large", 1000)] {
            var announced = try Upload(
                server, tls, version, path, length: bytesMax + 1, fields: expectation)
            #expect(announced.status() == (413, false), "\(path) announced")
            var grown = try Upload(server, tls, version, path, length: nil)
            grown.send([UInt8](repeating: 97, count: bytesMax), isChunk: true)
            grown.send([97], isChunk: true)
            #expect(grown.status() == (413, false), "\(path) grown")
            var fitting = try Upload(
                server, tls, version, path, length: bytesMax, fields: expectation)
            fitting.send([UInt8](repeating: 97, count: bytesMax), isLast: true)
            #expect(fitting.status().code == 200)
            var chunked = try Upload(server, tls, version, path, length: nil)
            chunked.send([UInt8](repeating: 97, count: bytesMax), isChunk: true, isLast: true)
            #expect(chunked.status() == (200, false))
        }
        server.end()
        let handled = server.log.withLock { $0.count { $0.hasPrefix("POST") } }
        #expect((handled, seen.withLock { $0.handled }) == (isStreamed ? (0, 4) : (4, 0)))
        // Two of each path are too long.
        #expect(seen.withLock { $0.abandoned } == (isStreamed ? 4 : 0))
    }

    @Test(arguments: Version.allCases)
    func `a client that expects it is told to continue, unless it is refused`(version: Version)
        throws
    {
        let tls = try TestTLS()
        let server = try TestServer(
            tls: tls.server,
            bodies: { request, _, _, _ in
                request["authorization"] == nil
                    ? .refuse(HTTPResponse(status: 401)) : .collect(bytesMax: 10)
            })
        let expectation = [("Expect", "100-continue")]
        var stranger = try Upload(server, tls, version, length: 2, fields: expectation)
        #expect(stranger.status() == (401, false))
        let known = expectation + [("Authorization", "x")]
        var friend = try Upload(server, tls, version, length: 2, fields: known)
        if version == .http1 {
            let line = "HTTP/1.1 100 Continue\r\n\r\n"
            #expect(friend.client.receive(until: "\r\n\r\n") == line)
        }
        friend.send(Array("hi".utf8), isLast: true)
        #expect(friend.status() == (200, version == .http2))
        server.end()
        #expect(server.log.withLock { $0.count { $0.hasPrefix("POST") } } == 1)
    }

    private enum Leaving: CaseIterable { case close, reset, end, resetStream }

    @Test(arguments: Version.allCases, [true, false])
    func `when a client goes away its sink is told, once`(version: Version, isPaused: Bool)
        throws
    {
        let tls = try TestTLS()
        for leaving in Leaving.allCases where leaving != .resetStream || version == .http2 {
            // What waits is not read, so that the end of what it sends goes unseen.
            if isPaused, leaving == .end || leaving == .close, version == .http1 { continue }
            let seen = Watched(RecordingSink.Seen())
            let server = try TestServer(
                tls: tls.server,
                bodies: { _, _, _, loop in
                    let sink = RecordingSink(seen, loop) { _ in isPaused ? .notNow : .more }
                    return .stream(sink, bytesMax: 1000)
                })
            var upload: Upload? = try Upload(server, tls, version, length: 1000)
            upload?.send(Array("abc".utf8))
            #expect(seen.wait { $0.count == 3 })
            switch leaving {
            case .close: break
            case .reset: upload?.client.resetOnClose()
            case .end: upload?.client.endWriting()
            case .resetStream:
                upload?.client.send(
                    HTTP2Frame(kind: .reset, stream: 1, payload: [0, 0, 0, 8]).bytes)
            }
            if leaving == .close || leaving == .reset { upload = nil }
            #expect(seen.wait { $0.abandoned > 0 }, "\(leaving)")
            #expect(server.waitOnLoop { $0.bytesHeld == 0 })
            upload = nil
            server.end()
            #expect(seen.withLock { $0.abandoned } == 1)
            #expect(seen.withLock { $0.handled } == 0)
        }
    }

    @Test func `a sink is told when the server ends`() throws {
        let seen = Watched(RecordingSink.Seen())
        let server = try TestServer(
            bodies: { _, _, _, loop in .stream(RecordingSink(seen, loop), bytesMax: 1000) })
        let client = try TestClient(server.port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc")
        #expect(seen.wait { $0.count == 3 })
        server.end()
        #expect(seen.withLock { $0.abandoned } == 1)
    }

    @Test(arguments: Version.allCases, [true, false])
    func `a request can be answered before its body has ended`(version: Version, isInside: Bool)
        throws
    {
        let tls = try TestTLS()
        let taken = Watched([] as [Bool])
        let seen = Watched(RecordingSink.Seen())
        let server = try TestServer(
            tls: tls.server,
            bodies: { _, _, exchange, loop in
                let sink = RecordingSink(seen, loop) { [weak loop] _ in
                    let refuse: (HTTPLoop) -> Void = { loop in
                        let full = HTTPResponse(status: 503)
                        let isTaken = [
                            loop.respond(to: exchange, full), loop.respond(to: exchange, full),
                        ]
                        taken.withLock { $0 = isTaken }
                    }
                    if isInside, let loop {
                        refuse(loop)
                    } else {
                        loop?.schedule(after: .milliseconds(5), refuse)
                    }
                    return .more
                }
                return .stream(sink, bytesMax: 1000)
            })
        var upload = try Upload(server, tls, version, length: 6)
        upload.send(Array("abc".utf8))
        #expect(upload.status() == (503, false))
        #expect(seen.wait { $0.abandoned == 1 })
        #expect(taken.withLock { $0 } == [true, false])
        // What comes later goes nowhere, and on HTTP/2 harms nobody.
        upload.send(Array("def".utf8), isLast: true)
        if version == .http2 {
            upload.client.send(HTTP2Frame.request(3).bytes)
            var reader = HTTP2Reader(upload.client)
            #expect(reader.frames { $0.kind == .headers && $0.stream == 3 }.last != nil)
        } else {
            #expect(upload.client.receiveAll() == "")
        }
        server.end()
        #expect(seen.withLock { ($0.count, $0.abandoned, $0.handled) } == (3, 1, 0))
    }

    @Test(arguments: Version.allCases)
    func `a client is measured while it is waited for, and not while its sink is`(version: Version)
        throws
    {
        let tls = try TestTLS()
        var deadlines = HTTPDeadlines.endless
        deadlines.body = .seconds(1)
        let wasThere = Watched<Bool?>(nil)
        let seen = Watched(RecordingSink.Seen())
        let server = try TestServer(
            tls: tls.server, deadlines: deadlines,
            bodies: { _, _, exchange, loop in
                let sink = RecordingSink(seen, loop) { [weak loop] _ in
                    loop?.schedule(after: .seconds(3)) {
                        let isThere = $0.resumeBody(of: exchange)
                        wasThere.withLock { $0 = isThere }
                    }
                    return .notNow
                }
                return .stream(sink, bytesMax: 1000)
            })
        let upload = try Upload(server, tls, version, length: 6)
        upload.send(Array("abc".utf8))
        #expect(seen.wait { $0.count == 3 })
        #expect(wasThere.wait { $0 != nil })
        #expect(wasThere.withLock { $0 } == true)
        #expect(seen.wait { $0.abandoned == 1 })
        #expect(server.waitForConnections(0))
        server.end()
    }

    @Test(arguments: Version.allCases)
    func `what a sink keeps counts, and is refused when memory is short`(version: Version) throws {
        let tls = try TestTLS()
        var limits = HTTPLimits()
        limits.memoryBytesMax = 256 << 10
        let seen = Watched(RecordingSink.Seen())
        let server = try TestServer(
            tls: tls.server, limits: limits,
            bodies: { _, _, _, loop in
                .stream(RecordingSink(seen, loop, keeps: true), bytesMax: 1 << 20)
            })
        var upload = try Upload(server, tls, version, length: 1 << 20)
        for count in 1...8 {
            upload.send([UInt8](repeating: 97, count: 15 << 10))
            #expect(server.waitOnLoop { $0.bytesHeld >= count * (15 << 10) })
        }
        for _ in 0..<3 { upload.send([UInt8](repeating: 97, count: 15 << 10)) }
        #expect(upload.status() == (503, false))
        #expect(seen.withLock { $0.abandoned } == 1)
        #expect(server.waitOnLoop { $0.bytesHeld < 1 << 10 })
        server.end()
    }
}
