/// What goes back over HTTP.
package struct WireResponse: Sendable, Hashable {
    /// The HTTP status.
    package var status: Int
    /// JSON, in an array of its own.
    package var body: [UInt8]
    /// Whole seconds for the `Retry-After` header; nil when there is no wait, or a part of a
    /// second, which the header cannot say.
    package var retryAfterSeconds: Int?

    /// A response of these parts.
    package init(status: Int, body: [UInt8], retryAfterSeconds: Int? = nil) {
        self.status = status
        self.body = body
        self.retryAfterSeconds = retryAfterSeconds
    }
}
