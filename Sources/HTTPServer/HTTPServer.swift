private import AsyncOperations
private import Glibc

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
