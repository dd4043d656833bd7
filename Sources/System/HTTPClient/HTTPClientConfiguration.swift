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
    /// An answer with a larger body fails with ``HTTPClientError/Code/tooLarge``, before it is
    /// read where its length is announced.
    package var responseBytesMax = 32 << 20
    /// An answer with larger headers fails with ``HTTPClientError/Code/tooLarge``.
    package var headerBytesMax = 64 << 10
    /// Which HTTP, over how many connections.
    package var http: HTTPVersionPolicy

    /// - Parameter requestsInFlight: How many requests the caller has under way at a time.
    package init(trust: Trust = .system, requestsInFlight: Int = 16) {
        self.trust = trust
        http = HTTPVersionPolicy(libcurl: .loaded, requestsInFlight: requestsInFlight)
    }
}
