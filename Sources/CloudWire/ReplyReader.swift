package import CloudModel
internal import JSON

/// Reads what a server answered.
package enum ReplyReader {
    /// The reply to `command`.
    ///
    /// Only status 200 is success. Looks for an error of the whole request first, then for items,
    /// which are held against the request (``ReplyCheck``), so that nothing is taken for there or
    /// for deleted that the server did not say in answer to this very request.
    ///
    /// - Parameters:
    ///   - retryAfterHeader: The value of `Retry-After`; the larger of it and the body's
    ///     `retryAfter` counts.
    ///   - scope: The database that was asked; nil leaves out what holds for one scope only.
    /// - Throws: `CloudError`, with the service's code, `unknown` for a code that is not known, and
    ///   `answerTooLarge` and `unexpectedResponse` for what the service does not send. 429 and 503 without a code of the
    ///   service, as a proxy sends them, are `throttled` and `tryAgainLater`.
    package static func read(
        _ body: [UInt8], status: Int, retryAfterHeader: String? = nil, to command: CloudCommand,
        in scope: Database.Scope? = nil
    ) throws(CloudError) -> CloudReply {
        let errors = ErrorReader(status: status, retryAfterHeader: retryAfterHeader)
        let succeeded = status == 200
        guard succeeded || status >= 400 else {
            throw errors.withoutCode("the answer is neither a success nor an error")
        }
        if body.isEmpty, succeeded, command == .write(.restrict) || command == .write(.unrestrict) {
            return .done
        }
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument.parse(body, limits: WireLimits.response)
        } catch {
            if succeeded, error.isTooLarge {
                throw CloudError(.answerTooLarge, reason: error.reason, httpStatus: status)
            }
            throw errors.withoutCode("the answer is not a JSON object")
        }
        guard document.root.kind == .object else {
            throw errors.withoutCode("the answer is not a JSON object")
        }
        guard document.repeatedKey == nil else {
            throw errors.withoutCode("a key stands twice in an object of the answer")
        }
        let root = document.root
        let failure = errors.error(in: root)
        if let failure, failure.code != .atomicError { throw failure }
        // Only of a batch that failed the items are told, in an answer with an error's status.
        let mayHaveItems = succeeded || command.isRecordModify && status < 500
        do throws(ShapeError) {
            let answer = AnswerReader(command: command, root: root, succeeded: succeeded)
            if mayHaveItems, let reply = try answer.reply() {
                try answer.check(reply, in: scope)
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
        if case .write(.modifyRecords) = self { true } else { false }
    }
}
