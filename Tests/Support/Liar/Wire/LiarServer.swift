import AsyncOperations
import Glibc
package import OpenSSL

/// A TLS server on 127.0.0.1 that does with each connection and request what it is told.
package final class LiarServer: Sendable {
    /// How a connection is begun.
    package enum Greeting: Sendable {
        case tls(TLSContext)
        /// Bytes that are no TLS, and the end.
        case garbage
        case close
    }

    /// Any free one.
    package let port: UInt16
    private let listener: Int32
    private let acceptor: Locked<DedicatedThread?>

    /// Listens at once.
    ///
    /// - Parameters:
    ///   - greet: Asked for each connection.
    ///   - say: Asked for each request.
    package init(
        greet: @escaping @Sendable () -> Greeting,
        say: @escaping @Sendable (Request) -> Saying
    ) throws(LiarError) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) | listen(descriptor, 128)
                    | getsockname(descriptor, $0, &length)
            }
        }
        guard descriptor >= 0, code == 0 else { throw LiarError("cannot listen: \(errno)") }
        port = UInt16(bigEndian: address.sin_port)
        listener = descriptor
        acceptor = Locked(
            DedicatedThread(label: "liar-accept") {
                Self.acceptAll(descriptor, greet, say)
            })
    }

    /// Takes no more connections; those there are end when the client ends them.
    package func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        let thread = acceptor.withLock { thread in
            defer { thread = nil }
            return thread
        }
        guard let thread else { return }
        thread.join()
        close(listener)
    }

    private static func acceptAll(
        _ listener: Int32, _ greet: @escaping @Sendable () -> Greeting,
        _ say: @escaping @Sendable (Request) -> Saying
    ) {
        var number = 0
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { return }
            let (mine, greeting) = (number, greet())
            number += 1
            _ = DedicatedThread(label: "liar-serve") {
                blockBrokenPipes()
                Self.serve(descriptor, mine, greeting, say)
                close(descriptor)
            }
        }
    }

    private static func serve(
        _ descriptor: Int32, _ number: Int, _ greeting: Greeting,
        _ say: @Sendable (Request) -> Saying
    ) {
        switch greeting {
        case .close: return
        case .garbage:
            _ = "HTTP/1.1 400 Plain\r\n\r\n".withCString { send(descriptor, $0, 22, 0) }
        case .tls(let context):
            guard let tls = try? TLSConnection(serverOn: descriptor, context),
                tls.handshake() == .done(0)
            else { return }
            var conversation = Conversation(tls, number)
            conversation.run(say)
        }
    }

    /// A client that hangs up must not end the process.
    private static func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
