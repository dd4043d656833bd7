package import CloudModel
private import JSON

/// Reads what a server answered.
package enum ReplyReader {
    /// The reply to `command`.
    ///
    /// Looks for items first and for an error of the whole request then, whatever the status. An
    /// answer with other items than were asked for is refused, so that nothing is taken for
    /// deleted that the server did not say is deleted.
    ///
    /// - Parameter retryAfterHeader: The value of `Retry-After`; the larger of it and the body's
    ///   `retryAfter` counts.
    /// - Throws: `CloudError`, with the service's code, `unknown` for a code that is not known, and
    ///   `unexpectedResponse` for what the service does not send.
    package static func read(
        _ body: [UInt8], status: Int, retryAfterHeader: String? = nil, to command: CloudCommand
    ) throws(CloudError) -> CloudReply {
        preconditionFailure("not yet")
    }
}
