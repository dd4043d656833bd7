private import AsyncOperations
private import Glibc
package import OpenSSL

/// Listens, and serves on the thread that calls ``run(_:)``.
///
/// Sockets listen from `init` on, so ``port`` can be told to clients before `run`.
package final class HTTPServer: Sendable {
    /// The port in use.
    package let port: UInt16
    /// The addresses in use.
    package let addresses: [String]

    private let configuration: HTTPServerConfiguration
    private let listeners: Locked<[Listener]>
    private let wakeup: Wakeup

    /// Opens the listening sockets and makes the process ignore SIGPIPE.
    package init(_ configuration: HTTPServerConfiguration) throws(HTTPServerError) {
        signal(SIGPIPE, SIG_IGN)
        let opened = try Listener.openAll(configuration.addresses, port: configuration.port)
        guard let wakeup = Wakeup() else {
            throw HTTPServerError(
                code: .system, port: configuration.port, reason: "no file descriptor is left")
        }
        self.configuration = configuration
        self.wakeup = wakeup
        port = opened[0].port
        addresses = opened.map(\.address)
        listeners = Locked(opened)
    }

    /// Serves until ``stop(drain:)``. Call it once; it blocks its thread.
    package func run(_ application: any HTTPApplication) {
        let mine = listeners.withLock { listeners in
            defer { listeners = [] }
            return listeners
        }
        precondition(!mine.isEmpty, "a server runs once")
        let loop = HTTPLoop(configuration, wakeup: wakeup, listeners: mine, application)
        loop.run()
    }

    /// Ends ``run(_:)``: stops accepting at once, lets requests in flight finish for `drain`, then
    /// cuts what is left. From any thread and from signal handlers; a later call may shorten the
    /// wait, not lengthen it.
    package func stop(drain: Duration) { wakeup.stop(drainNanoseconds: drain.nanoseconds) }

    /// Runs `body` on the loop's thread, soon. From any thread. Dropped once `run` has ended.
    package func post(_ body: @escaping @Sendable (HTTPLoop) -> Void) { wakeup.post(body) }
}

/// How a server listens and what it puts up with.
package struct HTTPServerConfiguration: Sendable {
    /// Numeric addresses. One whose family this machine lacks is skipped if another works.
    package var addresses = ["127.0.0.1", "::1"]
    /// 0 takes any free port, the same for all addresses.
    package var port: UInt16 = 0
    /// nil speaks plain HTTP/1.1.
    package var tls: TLSContext?
    package var limits = HTTPLimits()
    package var deadlines = HTTPDeadlines()
    /// Seconds since 1970, for the `date` header; asked at most once a second.
    package var unixSeconds: @Sendable () -> Int64

    package init(tls: TLSContext?, unixSeconds: @escaping @Sendable () -> Int64) {
        self.tls = tls
        self.unixSeconds = unixSeconds
    }
}

/// Why a server cannot listen.
package struct HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: Sendable, Hashable {
        /// Another program listens on the port.
        case portInUse
        /// The system forbids the port to this user.
        case portForbidden
        /// An address is not numeric, or not of this machine.
        case addressUnusable
        /// The system refused for another reason.
        case system
    }

    package let code: Code
    /// The port asked for.
    package let port: UInt16
    package let reason: String

    package var description: String { reason }
}
