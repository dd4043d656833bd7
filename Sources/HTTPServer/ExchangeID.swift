/// Names one request and its answer. Never reused while the server runs; an answer to an
/// exchange whose client has gone is dropped.
package struct ExchangeID: Hashable, Sendable {
    /// Place of the connection in the loop's table.
    let slot: Int
    /// Number of the connection, counted from the start of the loop.
    let connection: UInt64
    /// HTTP/2 stream, or the request's number on an HTTP/1.1 connection.
    let stream: UInt64
}
