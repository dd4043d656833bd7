package import CloudModel
private import JSON

/// Reads the body of a request.
///
/// Tolerant where clients in use differ: `null` is absent, unknown keys are ignored, an empty body
/// is `{}`. What is missing or of a wrong type is a `BAD_REQUEST` that names the key.
package struct CommandDecoder: Sendable {
    /// Whether numbers may come in quotation marks, as clients that read them so may send them.
    package var acceptsQuotedNumbers: Bool

    package init(acceptsQuotedNumbers: Bool = true) {
        self.acceptsQuotedNumbers = acceptsQuotedNumbers
    }

    /// The command that `body` spells.
    ///
    /// - Throws: `CloudError` with the code `badRequest`: malformed, over a limit, more than 200
    ///   operations, or two operations on one record, zone or subscription.
    package func decode(
        _ route: WireRoute, body: [UInt8]
    ) throws(CloudError) -> (command: CloudCommand, options: WireOptions) {
        preconditionFailure("not yet")
    }
}
