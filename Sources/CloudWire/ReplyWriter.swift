package import CloudModel
private import JSON

/// What goes back over HTTP.
package struct WireResponse: Sendable, Hashable {
    package var status: Int
    package var body: [UInt8]
    /// Whole seconds for the `Retry-After` header; nil when there is no wait, or a part of one.
    package var retryAfterSeconds: Int?

    package init(status: Int, body: [UInt8], retryAfterSeconds: Int? = nil) {
        self.status = status
        self.body = body
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// Writes answers as the service does, with the keys every known client insists on.
///
/// Keeps its buffer: one writer for each loop.
package struct ReplyWriter {
    private let nextUUID: () -> String

    /// - Parameter nextUUID: Makes the `uuid` of each error.
    package init(nextUUID: @escaping () -> String) {
        self.nextUUID = nextUUID
    }

    /// The answer to a command that was carried out.
    ///
    /// - Parameters:
    ///   - operation: What was asked; tells how `reply` is spelled.
    ///   - caller: The user record name that stands for a zone owner of nil.
    package mutating func write(
        _ reply: CloudReply, to operation: WireOperation, caller: String, options: WireOptions
    ) -> WireResponse {
        preconditionFailure("not yet")
    }

    /// The answer to a request that failed as a whole.
    ///
    /// Codes that are not the service's own become `INTERNAL_ERROR`.
    package mutating func write(_ error: CloudError) -> WireResponse {
        preconditionFailure("not yet")
    }
}
