/// How far a test's requests travel until the mock service has them.
///
/// The same test runs at each of them: the service, its faults, clock, journal and snapshots are the same.
public enum MockDepth: String, Sendable, Hashable, CaseIterable {
    /// Straight into the service, in this process: no wire form and no socket. The fastest.
    case inProcess
    /// As the requests and answers of the web service, bytes and tokens with them, but in this process.
    case wire
    /// Over TLS to a server on a port of its own, whose certificate is verified. The most faithful.
    case socket
}
