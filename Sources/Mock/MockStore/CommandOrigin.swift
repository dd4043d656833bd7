/// How a command reaches the store, apart from its database and its caller.
package struct CommandOrigin: Sendable {
    /// Which of the caller's clients sends it.
    package var client: PushClient
    /// How long ago the feeds end that it reads, if changes that old were kept; see ``MockStore/faultLag``.
    package var lag: Duration
    /// What the URLs of assets in its reply begin with.
    package var baseURL: String

    package init(
        client: PushClient = PushClient(), lag: Duration = .zero,
        baseURL: String = "https://localhost"
    ) {
        self.client = client
        self.lag = lag
        self.baseURL = baseURL
    }
}
