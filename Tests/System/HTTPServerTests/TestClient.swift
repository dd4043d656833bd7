import CShims
import Foundation
import OpenSSL

/// A blocking socket with a time limit, with TLS or without.
final class TestClient {
    enum Failure: Error {
        case connect(Int32)
        case handshake
    }

    private let descriptor: Int32
    private var tls: TLSConnection?

    /// A read or write that takes longer fails the test rather than hang it.
    private static let secondsMax = 10

    init(
        _ port: UInt16, address: String = "127.0.0.1", trusting context: TLSContext? = nil
    ) throws {
        descriptor = cksweep_connect(address, port)
        guard descriptor >= 0 else { throw Failure.connect(-descriptor) }
        var limit = timeval(tv_sec: Self.secondsMax, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(
                descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        if let context {
            tls = try TLSConnection(clientOn: descriptor, host: address, context)
            guard tls?.handshake() == .done(0) else { throw Failure.handshake }
        }
    }

    /// For `poll`.
    var socket: Int32 { descriptor }

    /// Closing will tell the server at once that nobody is there any more.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in
                if let step = tls?.write(buffer) {
                    guard case .done(let count) = step else { return -1 }
                    return count
                }
                return Foundation.send(descriptor, buffer.baseAddress, buffer.count, 0x4000)
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Some bytes; empty at the end, after an error, and after the time limit.
    func receive(_ max: Int = 65_536) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: max)
        let count = buffer.withUnsafeMutableBytes { bytes in
            if let step = tls?.read(into: bytes) {
                guard case .done(let count) = step else { return 0 }
                return count
            }
            return recv(descriptor, bytes.baseAddress, bytes.count, 0)
        }
        return Array(buffer.prefix(Swift.max(0, count)))
    }

    /// Everything up to the end of the connection.
    func receiveAll() -> String {
        var all: [UInt8] = []
        while true {
            let piece = receive()
            if piece.isEmpty { return String(decoding: all, as: UTF8.self) }
            all += piece
        }
    }

    /// Reads until `text` has come, or the end.
    func receive(until text: String) -> String {
        var all = ""
        while !all.contains(text) {
            let piece = receive()
            if piece.isEmpty { break }
            all += String(decoding: piece, as: UTF8.self)
        }
        return all
    }

    /// Ends our side; the other may still speak.
    func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }
}
