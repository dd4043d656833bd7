/// Listens, and serves on the thread that calls ``run(_:)``.
///
/// Sockets listen from `init` on, so ``port`` can be told to clients before `run`.
package final class HTTPServer: Sendable {
    /// The port in use.
    package let port: UInt16
    /// The addresses in use.
    package let addresses: [String]

    /// Opens the listening sockets.
    package init(_ configuration: HTTPServerConfiguration) throws(HTTPServerError) {
        preconditionFailure("not yet")
    }

    /// Serves until ``stop(drain:)``. Call it once; it blocks its thread.
    package func run(_ application: any HTTPApplication) { preconditionFailure("not yet") }

    /// Ends ``run(_:)``: stops accepting at once, lets requests in flight finish for `drain`, then
    /// cuts what is left. From any thread and from signal handlers; a second call shortens the
    /// wait to its own `drain`.
    package func stop(drain: Duration) { preconditionFailure("not yet") }

    /// Runs `body` on the loop's thread, soon. From any thread. Dropped once `run` has ended.
    package func post(_ body: @escaping @Sendable (HTTPLoop) -> Void) {
        preconditionFailure("not yet")
    }
}
