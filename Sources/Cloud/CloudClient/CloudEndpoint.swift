import Basics
import CloudWire
package import HTTPClient

/// Which service to talk to, and whose word on its certificate to take.
package struct CloudEndpoint: Sendable, Hashable {
    /// Scheme, host and port, such as `https://localhost:8443`; without a slash at the end.
    package let baseURL: String
    package let trust: HTTPClientConfiguration.Trust

    /// Apple's own.
    package static let apple = CloudEndpoint(
        uncheckedURL: "https://api.apple-cloudkit.com", trust: .system)

    /// An endpoint, or nil when ``problem(in:)`` finds one. A slash at the end is dropped.
    package init?(_ baseURL: String, trust: HTTPClientConfiguration.Trust = .system) {
        guard Self.problem(in: baseURL) == nil else { return nil }
        self.init(
            uncheckedURL: baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL,
            trust: trust)
    }

    private init(uncheckedURL: String, trust: HTTPClientConfiguration.Trust) {
        baseURL = uncheckedURL
        self.trust = trust
    }

    /// Says what is wrong with an endpoint's URL, or nil when it can be used.
    package static func problem(in baseURL: String) -> String? {
        if baseURL.contains("?") || baseURL.contains("#") {
            return "must not have a query or a fragment"
        }
        return HTTPClientRequest.problem(inURL: baseURL)
    }

    /// A client set up for this endpoint; one serves all databases there.
    ///
    /// - Parameter requestsInFlight: As many as the caller has under way at a time; further ones
    ///   may have to wait.
    package func makeClient(requestsInFlight: Int = 16) -> HTTPClient {
        var configuration = HTTPClientConfiguration(
            trust: trust, requestsInFlight: requestsInFlight)
        configuration.responseBytesMax = WireLimits.responseBytesMax
        return HTTPClient(configuration: configuration)
    }

    /// A client for the bytes of assets, whose transfers take as long as their size allows.
    package func makeAssetClient(transfersInFlight: Int) -> HTTPClient {
        var configuration = HTTPClientConfiguration(
            trust: trust, requestsInFlight: transfersInFlight)
        configuration.requestTimeout = .seconds(24 * 3600)
        // What is no asset is an error, in few words.
        configuration.responseBytesMax = 1 << 20
        return HTTPClient(configuration: configuration)
    }

    /// Which key the endpoint's server has proven to hold to a client: SHA-256 over its
    /// certificate's `SubjectPublicKeyInfo`, in hexadecimal; all its answers came from there. Nil
    /// before the first answer and without TLS.
    package func serverKey(seenBy client: HTTPClient) -> String? {
        client.keyDigest(ofServerAt: baseURL).map { Hexadecimal.encode($0) }
    }
}
