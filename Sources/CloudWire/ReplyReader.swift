package import CloudModel
internal import JSON

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
    ///   `unexpectedResponse` for what the service does not send. 429 and 503 without a code of the
    ///   service, as a proxy sends them, are `throttled` and `tryAgainLater`.
    package static func read(
        _ body: [UInt8], status: Int, retryAfterHeader: String? = nil, to command: CloudCommand
    ) throws(CloudError) -> CloudReply {
        let errors = ErrorReader(status: status, retryAfterHeader: retryAfterHeader)
        let succeeded = (200..<300).contains(status)
        if body.isEmpty, succeeded, command == .restrict || command == .unrestrict {
            return .done
        }
        let limits = JSONLimits(bytesMax: WireLimits.responseBytesMax)
        guard let root = try? JSONDocument.parse(body, limits: limits).root, root.kind == .object
        else { throw errors.withoutCode("the answer is not a JSON object") }
        let failure = errors.error(in: root)
        if let failure, failure.code != .atomicError { throw failure }
        do throws(ShapeError) {
            let answer = AnswerReader(command: command, root: root, succeeded: succeeded)
            if succeeded || command.isRecordModify, let reply = try answer.reply() {
                return reply
            }
        } catch {
            throw failure ?? errors.onlyItem(in: root) ?? errors.withoutCode(error.reason)
        }
        throw failure ?? errors.onlyItem(in: root)
            ?? errors.withoutCode("the answer has no items")
    }
}

extension CloudCommand {
    fileprivate var isRecordModify: Bool {
        if case .modifyRecords = self { true } else { false }
    }
}
