/// Which HTTP is spoken with a server, and over how many connections.
package struct HTTPVersionPolicy: Sendable, Hashable {
    package enum Version: Sendable, Hashable {
        /// One request at a time on a connection.
        case http1
        /// HTTP/2 where the server has it too.
        case http2
    }

    /// The oldest libcurl that HTTP/2 is spoken with.
    ///
    /// 7.88.1 (Debian 12) leaves what it has read for one stream in its buffers until
    /// `curl_multi_poll` gives up after 10 s: `StallTests` sees it there with HTTP/2, and not with
    /// HTTP/1.1. No later release has been run under that test, so this one stands on upstream's
    /// word: 8.1.0 rewrote HTTP/2's buffers and brought stalls of its own (curl #11157, #11426),
    /// 8.16.0 is the first that keeps a set of the transfers for which input lies in a buffer, and
    /// runs them before it waits (#17662). A release that has passed `StallTests` may take its
    /// place.
    ///
    /// - SeeAlso: <https://github.com/curl/curl/pull/17662>
    package static let http2Since = LibcurlVersion(8, 16, 0)

    /// HTTP/2 connections to a host; more of them bring nothing.
    private static let http2Connections = 4

    package let version: Version
    /// Further requests share them (HTTP/2) or wait for one (HTTP/1.1).
    package let connectionsPerHost: Int
    /// Streams of one HTTP/2 connection, as far as the server allows as many.
    package let streamsPerConnection = 256

    package init(_ version: Version, connectionsPerHost: Int) {
        precondition(connectionsPerHost > 0, "a request needs a connection")
        self.version = version
        self.connectionsPerHost = connectionsPerHost
    }

    /// What suits a version of libcurl.
    ///
    /// - Parameter requestsInFlight: As many as the caller sends at a time: over HTTP/1.1 each
    ///   has a connection to itself.
    package init(libcurl: LibcurlVersion, requestsInFlight: Int) {
        if libcurl >= Self.http2Since {
            self.init(
                .http2, connectionsPerHost: min(requestsInFlight, Self.http2Connections))
        } else {
            self.init(.http1, connectionsPerHost: requestsInFlight)
        }
    }
}
