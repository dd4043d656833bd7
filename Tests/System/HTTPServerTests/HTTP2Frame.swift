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

    /// A request without a body, its path in Huffman's code, which this knows for a few characters
    /// (RFC 7541 appendix B).
    static func request(_ stream: UInt32, coded path: String) -> HTTP2Frame {
        let coded = huffman(path)
        return HTTP2Frame(
            kind: .headers, flags: 5, stream: stream,
            payload: [0x82, 0x87, 0x04] + length(coded.count, 0x80) + coded + [0x01, 1, 0x61])
    }

    /// The length of a text (RFC 7541 section 5.2), with the bit that says how it is spelled.
    static func length(_ count: Int, _ bit: UInt8) -> [UInt8] {
        if count < 0x7F { return [bit | UInt8(count)] }
        var bytes = [bit | 0x7F]
        var left = count - 0x7F
        while left >= 0x80 {
            bytes.append(UInt8(left & 0x7F) | 0x80)
            left >>= 7
        }
        return bytes + [UInt8(left)]
    }

    private static func huffman(_ text: String) -> [UInt8] {
        var bits = ""
        for character in text {
            if character == "/" {
                bits += "011000"
            } else {
                let place = Array("012aceiost").firstIndex(of: character)!
                bits += String(repeating: "0", count: 5 - String(place, radix: 2).count)
                bits += String(place, radix: 2)
            }
        }
        bits += String(repeating: "1", count: (8 - bits.count % 8) % 8)
        return stride(from: 0, to: bits.count, by: 8).map { start in
            UInt8(bits.dropFirst(start).prefix(8), radix: 2)!
        }
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
