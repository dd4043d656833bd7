import Foundation
import OpenSSL
import Testing

/// Both ends of a handshake over a socket pair, in one thread.
struct TLSTests {
    private let now = Int64(Date().timeIntervalSince1970)

    /// Two non-blocking sockets that are connected with each other; closed at the end.
    private final class Pair {
        let sockets: [Int32]
        init() {
            var sockets: [Int32] = [-1, -1]
            let code = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets)
            precondition(code == 0)
            for socket in sockets { _ = fcntl(socket, F_SETFL, O_NONBLOCK) }
            self.sockets = sockets
        }
        deinit { for socket in sockets { close(socket) } }
    }

    private struct Outcome {
        var server: TLSConnection.Step
        var client: TLSConnection.Step
        var version = ""
        var chosen: String?
        var failure: String?
        var echoed: [UInt8] = []
    }

    private func meet(
        server: TLSContext, client: TLSContext, host: String = "localhost"
    ) throws -> Outcome {
        let pair = Pair()
        let left = try TLSConnection(serverOn: pair.sockets[0], server)
        let right = try TLSConnection(clientOn: pair.sockets[1], host: host, client)
        var outcome = Outcome(server: .wantsRead, client: .wantsRead)
        for _ in 0..<10 {
            if outcome.client != .failed { outcome.client = right.handshake() }
            if outcome.server != .failed { outcome.server = left.handshake() }
        }
        outcome.version = right.version
        outcome.chosen = left.selectedProtocol
        outcome.failure = right.verificationFailure
        if outcome.server == .done(0), outcome.client == .done(0) {
            let message = Array("hello".utf8)
            #expect(message.withUnsafeBytes { left.write($0) } == .done(5))
            var buffer = [UInt8](repeating: 0, count: 100)
            if case .done(let count) = buffer.withUnsafeMutableBytes({ right.read(into: $0) }) {
                outcome.echoed = Array(buffer.prefix(count))
            }
            left.sendCloseNotify()
            #expect(buffer.withUnsafeMutableBytes { right.read(into: $0) } == .closed)
        }
        return outcome
    }

    @Test(arguments: [
        (false, ["h2", "http/1.1"], "TLSv1.3", "h2"), (true, ["http/1.1"], "TLSv1.2", "http/1.1"),
        (false, ["http/1.1", "h2"], "TLSv1.3", "h2"),
    ])
    func `two ends shake hands and speak`(
        tls12Only: Bool, protocols: [String], version: String, chosen: String
    ) throws {
        let authority = try CertificateAuthority.make(now: now)
        let names = ["localhost", "run-17.localhost", "127.0.0.1", "::1"]
        let server = try TLSContext(server: authority.issue(for: names, now: now))
        let client = try TLSContext(
            clientTrusting: authority.certificatePEM, protocols: protocols, tls12Only: tls12Only)
        for host in names {
            let outcome = try meet(server: server, client: client, host: host)
            #expect(outcome.server == .done(0))
            #expect(outcome.version == version)
            #expect(outcome.chosen == chosen)
            #expect(outcome.echoed == Array("hello".utf8))
        }
    }

    @Test func `a strange authority, a strange name and a strange protocol are refused`() throws {
        let authority = try CertificateAuthority.make(now: now)
        let server = try TLSContext(server: authority.issue(now: now))
        let other = try CertificateAuthority.make(now: now)
        let stranger = try TLSContext(clientTrusting: other.certificatePEM)
        let untrusted = try meet(server: server, client: stranger)
        #expect(untrusted.client == .failed)
        #expect(untrusted.failure != nil)
        let client = try TLSContext(clientTrusting: authority.certificatePEM)
        let misnamed = try meet(server: server, client: client, host: "example.com")
        #expect(misnamed.client == .failed)
        #expect(misnamed.failure?.contains("ostname mismatch") == true)
        let spdy = try TLSContext(
            clientTrusting: authority.certificatePEM, protocols: ["spdy/3"])
        #expect(try meet(server: server, client: spdy).server == .failed)
    }

    @Test func `garbage instead of a handshake fails and harms no later connection`() throws {
        let authority = try CertificateAuthority.make(now: now)
        let server = try TLSContext(server: authority.issue(now: now))
        let pair = Pair()
        let connection = try TLSConnection(serverOn: pair.sockets[0], server)
        let garbage = Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        #expect(write(pair.sockets[1], garbage, garbage.count) == garbage.count)
        #expect(connection.handshake() == .failed)
        let client = try TLSContext(clientTrusting: authority.certificatePEM)
        #expect(try meet(server: server, client: client).server == .done(0))
    }
}
