import OpenSSL

/// One connection, on a thread that may wait for it: requests are read and answered in turn.
struct Conversation: ~Copyable {
    private let tls: TLSConnection
    private let number: Int
    private var held: [UInt8] = []

    init(_ tls: consuming TLSConnection, _ number: Int) {
        self.tls = tls
        self.number = number
    }

    /// Goes on until either side ends it.
    mutating func run(_ say: (Request) -> Saying) {
        while let request = nextRequest() {
            switch say(request) {
            case .answer(let answer):
                guard write(answer.bytes) else { return }
                let ends = answer.headers.contains { $0.name == "Connection" }
                if ends { return tls.sendCloseNotify() }
            case .bytes(let bytes): guard write(bytes) else { return }
            case .bytesThenClose(let bytes):
                _ = write(bytes)
                return tls.sendCloseNotify()
            case .bytesForEver(let first, let then):
                guard write(first) else { return }
                while write(then) {}
                return
            case .silence:
                while more() {}
                return
            case .late(let bytes):
                while more() {}
                _ = write(bytes)
                return
            case .close: return
            }
        }
    }

    private mutating func nextRequest() -> Request? {
        var end = endOfHead()
        while end == nil {
            guard more() else { return nil }
            end = endOfHead()
        }
        let head = String(decoding: held[..<(end ?? 0)], as: UTF8.self)
        held.removeFirst((end ?? 0) + 4)
        let lines = head.split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count == 3 else { return nil }
        let headers = lines.dropFirst().map { line in
            let name = line.prefix { $0 != ":" }
            let value = line.dropFirst(name.count + 1).drop { $0 == " " }
            return Request.Header(name: name.lowercased(), value: String(value))
        }
        let length = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
        while held.count < length { guard more() else { return nil } }
        var request = Request(
            method: String(words[0]), target: String(words[1]), headers: headers,
            body: Array(held[..<length]))
        held.removeFirst(length)
        request.connection = number
        return request
    }

    private func endOfHead() -> Int? {
        guard held.count >= 4 else { return nil }
        return (0...(held.count - 4)).first {
            held[$0] == 13 && held[$0 + 1] == 10 && held[$0 + 2] == 13 && held[$0 + 3] == 10
        }
    }

    private mutating func more() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            switch chunk.withUnsafeMutableBytes({ tls.read(into: $0) }) {
            case .done(let count):
                held += chunk[..<count]
                return true
            case .wantsRead, .wantsWrite: continue
            case .closed, .failed: return false
            }
        }
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                guard case .done(let count) = tls.write(UnsafeRawBufferPointer(rebasing: rest))
                else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}
