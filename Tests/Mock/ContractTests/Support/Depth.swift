/// How far a test's commands travel until the service has them.
enum Depth: String, Sendable, CaseIterable {
    /// Straight into the mock service.
    case inProcess
    /// Spelled as on the wire and read back, in both directions, without a connection.
    case wire
    /// Through the client, TLS and the server's loop.
    case tls
}
