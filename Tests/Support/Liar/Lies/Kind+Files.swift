/// What addresses of files answer, and what addresses records give.
extension Kind {
    static func file(_ name: String, _ answer: Answer) -> Kind {
        Kind(name) { _ in .answer(answer) }
    }

    /// The file as it was, or other bytes, from whatever was kept of it somewhere.
    static let filesThere: [Kind] = [
        file("the file still", Answer(200, body: Array("the file".utf8))),
        file("other bytes", Answer(200, page: "Sign in")),
        file("no bytes", Answer(200)),
        file("a part of the file", Answer(206, body: Array("t".utf8))),
        file("no such part", Answer(416)),
        Kind("bytes for ever") { _ in
            .bytesForEver(
                first: Answer(200).head(length: nil), then: [UInt8](repeating: 0x61, count: 65_536))
        },
        Kind("not found the first time, and then the file") { exchange in
            let isFirst = exchange.memory.withLock { memory in
                defer { memory[exchange.request.target] = true }
                return memory[exchange.request.target] == nil
            }
            return .answer(isFirst ? Answer(404) : Answer(200, body: Array("the file".utf8)))
        },
    ]

    /// Answers that tell neither that the file is there nor that it is gone.
    static let filesUnknown: [Kind] = [
        file("410", Answer(410)),
        file("204", Answer(204)), file("304", Answer(304)), file("400", Answer(400)),
        file("401", Answer(401)), file("405", Answer(405)), file("451", Answer(451)),
        file(
            "403 until later",
            Answer(403, headers: [.init(name: "Expires", value: "Fri, 15 Jan 2027 09:00:00 GMT")])),
        file(
            "302 to where nothing is",
            Answer(302, headers: [.init(name: "Location", value: "https://localhost:1/gone")])),
        file("500", Answer(500)), unavailable,
        Kind("the end of the connection") { _ in .close },
        Kind("half of an answer") { _ in
            .bytesThenClose(Array("HTTP/1.1 404 Not Found\r\nContent-Le".utf8))
        },
        Kind("bytes that are no answer") { _ in .bytesThenClose(Array("404 gone\r\n\r\n".utf8)) },
        Kind("nothing", needsPatience: true) { _ in .silence },
    ]

    static let unavailable = file("503", Answer(503))

    /// 410 at a moment of the server's clock.
    static let expired = file(
        "410 at eight",
        Answer(410, headers: [.init(name: "Date", value: "Fri, 15 Jan 2027 08:00:00 GMT")]))

    /// The file at the address of before, and the truth at the one that is told now.
    static let firstAddress = Kind("the file at the address that was told first") { exchange in
        exchange.request.target.hasSuffix("?second")
            ? exchange.truth() : .answer(Answer(200, body: Array("the file".utf8)))
    }

    /// Other addresses in records than those of the files.
    static func addresses(
        _ name: String, _ change: @escaping @Sendable (String) -> String?
    ) -> Kind {
        Kind(name) { exchange in
            let saying = exchange.truth()
            guard var answer = saying.answer, let json = answer.json else { return saying }
            answer.body =
                json.changing("downloadURL") { value in
                    change(value.text ?? "").map(Value.string)
                }.bytes
            return .answer(answer)
        }
    }
}
