/// Sends requests over TLS: libcurl on one thread of its own.
///
/// It repeats nothing, follows no redirect, and checks every certificate. Requests share HTTP/2
/// connections; `HTTPS_PROXY` and its relatives are honoured, except for loopback hosts.
package final class HTTPClient: Sendable {
    /// Starts the thread; nothing is connected before the first request.
    package init(configuration: HTTPClientConfiguration) { preconditionFailure("not yet") }

    /// Sends a request and waits for the whole answer.
    ///
    /// Cancelling the task takes the request off its connection.
    /// - Throws: ``HTTPClientError`` when there is no answer.
    package func send(
        _ request: HTTPClientRequest
    ) async throws(HTTPClientError) -> HTTPClientResponse {
        preconditionFailure("not yet")
    }

    /// Fails what is under way with `shutDown`, closes all connections and ends the thread.
    ///
    /// Waits for the thread, so do not call it on the shared pool while C is busy; the last owner
    /// letting go does the same.
    package func shutdown() { preconditionFailure("not yet") }
}
