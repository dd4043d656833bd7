package import CloudModel

/// CloudKit's web service on this machine: sockets, TLS and state in one object.
///
/// `start()` returns once the socket listens; `run()` serves on the calling thread until `stop()`.
package final class MockServer: Sendable {
    package let configuration: MockServerConfiguration

    /// Makes a server that does not listen yet.
    package init(_ configuration: MockServerConfiguration, clock: WallClock)
        throws(MockServerError)
    {
        self.configuration = configuration
    }

    /// Opens the socket, writes the ready file and says where the server is.
    package func start() throws(MockServerError) -> MockReady {
        preconditionFailure("not yet")
    }

    /// Serves on the calling thread until the server is stopped.
    package func run() throws(MockServerError) {
        preconditionFailure("not yet")
    }

    /// Lets requests in flight finish for at most `drain`, then closes. Any thread, any time.
    package func stop(drain: Duration = .seconds(1)) {
        preconditionFailure("not yet")
    }
}
