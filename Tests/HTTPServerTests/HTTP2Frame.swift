/// A frame of HTTP/2, for clients that misbehave on purpose.
struct HTTP2Frame: Hashable {
    enum Kind: UInt8 {
        case data, headers, priority, reset, settings, push, ping, goAway, windowUpdate
    }

    var kind: Kind
    var flags: UInt8 = 0
    var stream: UInt32 = 0
    var payload: [UInt8] = []

    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    var bytes: [UInt8] {
        let count = payload.count
        return [
            UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255), kind.rawValue,
            flags, UInt8(stream >> 24), UInt8(stream >> 16 & 255), UInt8(stream >> 8 & 255),
            UInt8(stream & 255),
        ] + payload
    }

    /// A request without a body, or the head of one with it.
    static func request(_ stream: UInt32, path: String = "/", ends: Bool = true) -> HTTP2Frame {
        let method: UInt8 = ends ? 0x82 : 0x83  // GET, POST
        let path = [0x04, UInt8(path.utf8.count)] + Array(path.utf8)
        return HTTP2Frame(
            kind: .headers, flags: ends ? 5 : 4, stream: stream,
            payload: [method, 0x87] + path + [0x01, 1, 0x61])
    }

    /// The number in a RST_STREAM, or behind the stream of a GOAWAY.
    var errorCode: UInt32? {
        switch kind {
        case .reset: payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        case .goAway: payload.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        default: nil
        }
    }

    /// The last stream that a GOAWAY promises to answer.
    var lastStream: UInt32 { payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
}

/// Reads frames off a connection.
struct HTTP2Reader {
    private var buffer: [UInt8] = []
    let client: TestClient

    init(_ client: TestClient) { self.client = client }

    /// The next frame; nil at the end of the connection.
    mutating func next() -> HTTP2Frame? {
        while true {
            if buffer.count >= 9 {
                let count = Int(buffer[0]) << 16 | Int(buffer[1]) << 8 | Int(buffer[2])
                if buffer.count >= 9 + count {
                    let stream = buffer[5..<9].reduce(0) { $0 << 8 | UInt32($1) }
                    let frame = HTTP2Frame(
                        kind: HTTP2Frame.Kind(rawValue: buffer[3]) ?? .push, flags: buffer[4],
                        stream: stream, payload: Array(buffer[9..<(9 + count)]))
                    buffer.removeFirst(9 + count)
                    return frame
                }
            }
            let piece = client.receive()
            if piece.isEmpty { return nil }
            buffer += piece
        }
    }

    /// All frames up to the one that is asked for, or the end.
    mutating func frames(until isLast: (HTTP2Frame) -> Bool) -> [HTTP2Frame] {
        var frames: [HTTP2Frame] = []
        while let frame = next() {
            frames.append(frame)
            if isLast(frame) { break }
        }
        return frames
    }
}
