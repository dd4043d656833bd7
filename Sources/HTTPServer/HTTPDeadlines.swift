/// How long each phase of a connection may take; then it is cut.
package struct HTTPDeadlines: Sendable, Hashable {
    /// From accept to the end of the TLS handshake.
    package var handshake: Duration = .seconds(10)
    /// From the first byte of a request to the end of its header fields.
    package var headers: Duration = .seconds(10)
    /// From the end of the header fields to the end of the body.
    package var body: Duration = .seconds(60)
    /// Between two requests.
    package var idle: Duration = .seconds(75)
    /// While the client does not take what is sent.
    package var write: Duration = .seconds(30)

    package init() {}
}
