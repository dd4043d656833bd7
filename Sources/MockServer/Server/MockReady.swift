/// What a client needs to know of a server that has begun to listen.
package struct MockReady: Sendable, Hashable {
    /// Such as `https://localhost:8443`, without a slash at the end.
    package let url: String
    package let port: UInt16
    package let pid: Int32
    /// The PEM file a client must trust.
    package let caFile: String
    /// The server's own API token: 64 hexadecimal digits.
    package let apiToken: String
    /// A web token for each user there from the start, by user name.
    package let webTokens: [String: String]

    /// The one line printed when the server listens.
    package var line: String { "ready \(url) pid \(pid) ca \(caFile)" }
}
