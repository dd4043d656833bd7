import AsyncOperations
import Glibc
package import OpenSSL

/// A server that says exactly the bytes it is told to, over TLS or plainly, on 127.0.0.1.
package final class RawServer: Sendable {
    /// A request as it arrived.
    package struct Request: Sendable {
        package var head: String
        package var body: [UInt8]
        /// Which connection it came on, from 0.
        package var connection: Int

        /// The request line, without the version.
        package var line: String {
            head.split(separator: "\r\n")[0].split(separator: " ").prefix(2)
                .joined(separator: " ")
        }

        /// The value of a header, its name in any case.
        package subscript(header name: String) -> String? {
            head.split(separator: "\r\n").dropFirst()
                .first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { String($0.dropFirst(name.utf8.count + 1)) }
                .map { $0.hasPrefix(" ") ? String($0.dropFirst()) : $0 }
        }
    }

    /// What to say.
    package enum Reply: Sendable {
        case send(String)
        /// Ends TCP without a word of TLS, as a machine that fails does.
        case sendThenClose(String)
        /// Ends TLS, then TCP, as a server does that has waited long enough.
        case sendThenPart(String)
        case close
        /// Says nothing until the client goes away.
        case hang
        /// Says what the function says, which may wait, then reads the next request. Saying
        /// returns whether the client was still there.
        case script(@Sendable (_ say: (String) -> Bool) -> Void)
    }

    /// Any free one.
    package let port: UInt16
    private let listener: Int32
    /// What new connections are met with.
    private let context: Locked<TLSContext?>
    private let answer: @Sendable (Request) -> Reply
    private struct State {
        var requests: [Request] = []
        var connections = 0
        var gone = 0
        var closed = 0
        var waiting: [(closed: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }
    private let state = Locked(State())

    /// Listens at once; `identity` nil speaks plain HTTP.
    package init(_ identity: ServerIdentity?, answer: @escaping @Sendable (Request) -> Reply) throws
    {
        context = Locked(try Self.context(identity))
        self.answer = answer
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) | listen(descriptor, 64)
                    | getsockname(descriptor, $0, &length)
            }
        }
        precondition(code == 0, "cannot listen")
        port = UInt16(bigEndian: address.sin_port)
        _ = DedicatedThread(label: "raw-accept") { [self] in acceptAll() }
    }

    private static func context(_ identity: ServerIdentity?) throws -> TLSContext? {
        try identity.map { try TLSContext(server: $0, protocols: ["http/1.1"]) }
    }

    /// Shows another certificate from now on: to those who come, and not to those who are there.
    package func become(_ identity: ServerIdentity) throws {
        let other = try Self.context(identity)
        context.withLock { $0 = other }
    }

    /// What arrived so far.
    package var requests: [Request] { state.withLock { $0.requests } }
    /// How many connections were made so far.
    package var connections: Int { state.withLock { $0.connections } }
    /// How many connections the client has ended.
    package var gone: Int { state.withLock { $0.gone } }

    /// Returns once the server has closed so many connections.
    package func hasClosed(_ count: Int) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if state.closed >= count { return continuation.resume() }
                state.waiting.append((count, continuation))
            }
        }
    }

    private func noteClosed() {
        state.withLock { state in
            state.closed += 1
            for each in state.waiting where each.closed <= state.closed {
                each.continuation.resume()
            }
            state.waiting.removeAll { $0.closed <= state.closed }
        }
    }

    /// Takes no more connections.
    package func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func acceptAll() {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { break }
            let number = state.withLock { state in
                state.connections += 1
                return state.connections - 1
            }
            _ = DedicatedThread(label: "raw-serve") { [self] in
                blockBrokenPipes()
                serve(descriptor, number)
                close(descriptor)
                noteClosed()
            }
        }
        close(listener)
    }

    private func serve(_ descriptor: Int32, _ number: Int) {
        guard let context = context.withLock({ $0 }) else {
            _ = converse(
                number, read: { recv(descriptor, $0.baseAddress, $0.count, 0) },
                write: { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) })
            return
        }
        guard let tls = try? TLSConnection(serverOn: descriptor, context),
            tls.handshake() == .done(0)
        else { return }
        func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
            while true {
                switch tls.read(into: buffer) {
                case .done(let count): return count
                case .wantsRead, .wantsWrite: continue
                case .closed, .failed: return 0
                }
            }
        }
        func write(_ buffer: UnsafeRawBufferPointer) -> Int {
            if case .done(let count) = tls.write(buffer) { count } else { -1 }
        }
        if converse(number, read: read, write: write) { tls.sendCloseNotify() }
    }

    /// Reads requests and answers them until either side ends it; whether to end it politely.
    private func converse(
        _ number: Int, read: (UnsafeMutableRawBufferPointer) -> Int,
        write: (UnsafeRawBufferPointer) -> Int
    ) -> Bool {
        var held: [UInt8] = []
        func more() -> Bool {
            var chunk = [UInt8](repeating: 0, count: 16_384)
            let count = chunk.withUnsafeMutableBytes(read)
            if count > 0 { held += chunk[..<count] }
            return count > 0
        }
        func say(_ text: String) -> Bool {
            Array(text.utf8).withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = write(UnsafeRawBufferPointer(rebasing: rest))
                    guard count > 0 else { return false }
                    rest = rest.dropFirst(count)
                }
                return true
            }
        }
        while true {
            var end: Int?
            while true {
                end = (0..<max(0, held.count - 3)).first {
                    held[$0...].starts(with: [13, 10, 13, 10])
                }
                if end != nil { break }
                guard more() else { return noteGone() }
            }
            let head = String(decoding: held[..<(end ?? 0)], as: UTF8.self)
            held.removeFirst((end ?? 0) + 4)
            let length =
                head.split(separator: "\r\n")
                .first { $0.lowercased().hasPrefix("content-length:") }
                .flatMap { Int($0.dropFirst(15).filter { $0 != " " }) } ?? 0
            while held.count < length { guard more() else { return noteGone() } }
            let request = Request(
                head: head, body: Array(held[..<length]), connection: number)
            held.removeFirst(length)
            state.withLock { $0.requests.append(request) }
            switch answer(request) {
            case .send(let text): _ = say(text)
            case .sendThenClose(let text):
                _ = say(text)
                return false
            case .sendThenPart(let text):
                _ = say(text)
                return true
            case .script(let script): withoutActuallyEscaping(say) { script($0) }
            case .close: return false
            case .hang:
                while more() {}
                return noteGone()
            }
        }
    }

    private func noteGone() -> Bool {
        state.withLock { $0.gone += 1 }
        return false
    }

    private func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}

/// A whole HTTP/1.1 answer.
package func answer(_ status: Int = 200, _ body: String = "", headers: [String] = []) -> String {
    let lines = ["HTTP/1.1 \(status) Whatever", "Content-Length: \(body.utf8.count)"] + headers
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
}
