/// How a client trusts, waits and limits.
///
/// There is no switch that turns the check of certificates off.
package struct HTTPClientConfiguration: Sendable {
    /// Which certificate authorities may vouch for a server.
    package enum Trust: Sendable, Hashable {
        /// The ones of the operating system.
        case system
        /// Only these, as PEM text.
        case pem([UInt8])
        /// Only those of a PEM file.
        case file(String)
    }

    package var trust: Trust
    /// Until TCP and TLS stand.
    package var connectTimeout: Duration = .seconds(15)
    /// From ``HTTPClient/send(_:)`` to the last byte of the answer.
    package var requestTimeout: Duration = .seconds(90)
    /// Connections to one host; further requests share them (HTTP/2) or wait (HTTP/1.1).
    package var connectionsPerHost = 4
    /// HTTP/2 streams of one connection, as far as the server allows as many.
    package var streamsPerConnection = 256
    /// An answer with a larger body fails with ``HTTPClientError/Code/tooLarge``.
    package var responseBytesMax = 32 << 20
    /// An answer with larger headers fails with ``HTTPClientError/Code/tooLarge``.
    package var headerBytesMax = 64 << 10
    /// Whether HTTP/2 is offered to servers with TLS.
    package var offersHTTP2 = true

    package init(trust: Trust = .system) { self.trust = trust }
}
