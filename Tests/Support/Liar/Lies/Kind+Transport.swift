extension Kind {
    /// Answers that are broken below their JSON.
    static let transport: [Kind] = [
        Kind("cut before it is carried out") { _ in .close },
        Kind("cut after it is carried out") { exchange in
            _ = exchange.truth()
            return .close
        },
        bytes("a body cut short") { answer in
            let half = Array(answer.body.prefix(answer.body.count / 2))
            return .bytesThenClose(answer.head(length: answer.body.count) + half)
        },
        bytes("a head cut short") { answer in
            .bytesThenClose(Array(answer.bytes.prefix(20)))
        },
        bytes("a length that is too small") { answer in
            .bytes(answer.head(length: answer.body.count / 2) + answer.body)
        },
        bytes("a length too small, behind an empty object") { answer in
            .bytes(answer.head(length: 2) + Array("{}".utf8) + answer.body)
        },
        bytes("a length that is too large", needsPatience: true) { answer in
            .bytes(answer.head(length: answer.body.count + 100) + answer.body)
        },
        bytes("two lengths") { answer in
            var twice = answer
            twice.headers.append(.init(name: "Content-Length", value: "2"))
            return .bytesThenClose(twice.bytes)
        },
        bytes("no length, and the end in the middle") { answer in
            .bytesThenClose(answer.head(length: nil) + answer.body.prefix(answer.body.count / 2))
        },
        bytes("a chunk cut short") { answer in
            var head = answer
            head.headers.append(.init(name: "Transfer-Encoding", value: "chunked"))
            let size = Array(String(answer.body.count, radix: 16).utf8)
            return .bytesThenClose(
                head.head(length: nil) + size + [13, 10]
                    + answer.body.prefix(answer.body.count / 2))
        },
        bytes("a chunk without a size") { answer in
            var head = answer
            head.headers.append(.init(name: "Transfer-Encoding", value: "chunked"))
            return .bytesThenClose(head.head(length: nil) + Array("zz\r\n".utf8) + answer.body)
        },
        bytes("two answers") { answer in
            .bytes(answer.bytes + Answer(200, ["zones": [], "records": []]).bytes)
        },
        bytes("an answer of nothing before the real one") { answer in
            let nothing: Value = [
                "zones": [], "records": [], "subscriptions": [], "moreComing": false,
            ]
            return .bytes(Answer(200, nothing).bytes + answer.bytes)
        },
        bytes("100 Continue a thousand times before it") { answer in
            let goOn = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
            return .bytes((0..<1000).flatMap { _ in goOn } + answer.bytes)
        },
        bytes("gzip that nobody asked for") { answer in
            var packed = answer
            packed.headers.append(.init(name: "Content-Encoding", value: "gzip"))
            packed.body = Gzip.stored(answer.body)
            return .answer(packed)
        },
        bytes("called gzip, and plain") { answer in
            var packed = answer
            packed.headers.append(.init(name: "Content-Encoding", value: "gzip"))
            return .answer(packed)
        },
        bytes("a header that never ends") { answer in
            .bytesForEver(
                first: Array("HTTP/1.1 200 OK\r\n".utf8), then: Array("X-More: of it\r\n".utf8))
        },
        bytes("a header line that never ends") { _ in
            .bytesForEver(
                first: Array("HTTP/1.1 200 OK\r\nX-Long: ".utf8),
                then: [UInt8](repeating: UInt8(ascii: "x"), count: 4096))
        },
        bytes("a body that never ends") { answer in
            .bytesForEver(
                first: answer.head(length: nil) + answer.body,
                then: [UInt8](repeating: 0x20, count: 16_384))
        },
        bytes("a length of 10 GB") { answer in
            .bytesForEver(
                first: answer.head(length: 10_000_000_000) + answer.body,
                then: [UInt8](repeating: 0x20, count: 16_384))
        },
        bytes("no HTTP") { _ in .bytesThenClose(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)) },
        bytes("HTTP/0.9") { answer in .bytesThenClose(answer.body) },
        bytes("a status of 1000") { answer in
            .bytesThenClose(Array("HTTP/1.1 1000 OK\r\n\r\n".utf8) + answer.body)
        },
        Kind("silence, not carried out", needsPatience: true) { _ in .silence },
        bytes("an answer after the time-out", needsPatience: true) { .late($0.bytes) },
    ]

    private static func bytes(
        _ name: String, needsPatience: Bool = false, _ spell: @escaping @Sendable (Answer) -> Saying
    ) -> Kind {
        Kind(name, needsPatience: needsPatience) { exchange in
            let saying = exchange.truth()
            guard let answer = saying.answer else { return saying }
            return spell(answer)
        }
    }
}
