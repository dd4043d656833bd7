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
            throw errors.withoutCode("the response is neither a success nor an error")
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
            throw errors.withoutCode("the response is not a JSON object")
        }
        guard document.root.kind == .object else {
            throw errors.withoutCode("the response is not a JSON object")
        }
        guard document.repeatedKey == nil else {
            throw errors.withoutCode("a key is repeated in an object of the response")
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
            ?? errors.withoutCode("the response has no items")
    }
}

extension CloudCommand {
    fileprivate var isRecordModify: Bool {
        if case .write(.modifyRecords) = self { true } else { false }
    }
}

/// Reads the items of an answer, against the command that they answer.
struct AnswerReader {
    let command: CloudCommand
    let root: JSONValue
    /// Whether the HTTP status was one of success.
    let succeeded: Bool

    /// Answers are read generously: one odd field must not hide a record.
    let fields = FieldReader(acceptsQuotedNumbers: true, keepsOddities: true)
    let errors = ErrorReader()

    /// Holds the reply against the command.
    func check(_ reply: CloudReply, in scope: Database.Scope?) throws(ShapeError) {
        do throws(CloudError) {
            try ReplyCheck.check(reply, answers: command, in: scope)
        } catch {
            throw ShapeError(reason: error.reason)
        }
    }

    /// The items under `key`, each an object; nil when there are none.
    ///
    /// - Throws: `ShapeError` before anything is made of more than `max` items.
    func items(_ key: String, max: Int) throws(ShapeError) -> [JSONValue]? {
        guard let list = root.optional(key) else { return nil }
        guard list.kind == .array else { throw .wrong(list, expected: "an array") }
        guard list.count <= max else {
            throw ShapeError(reason: "'\(key)' has \(list.count) items, more than \(max)")
        }
        var items: [JSONValue] = []
        items.reserveCapacity(list.count)
        for item in list.elements { items.append(try item.object()) }
        return items
    }

    /// The items under `key` in the order of what was asked.
    ///
    /// - Parameters:
    ///   - asked: What each item must be about; nil where the server chooses the name.
    ///   - subject: What an item says it is about; nil when it does not say.
    /// - Throws: `ShapeError` when the items are not one for each that was asked.
    func items(
        _ key: String, for asked: [Subject?], _ subject: (JSONValue) throws(ShapeError) -> Subject?
    ) throws(ShapeError) -> [JSONValue]? {
        guard let items = try items(key, max: .max) else { return nil }
        guard items.count == asked.count else {
            throw ShapeError(reason: "'\(key)' has \(items.count) items, not \(asked.count)")
        }
        var subjects: [Subject?] = []
        subjects.reserveCapacity(items.count)
        for item in items { subjects.append(try subject(item)) }
        if zip(asked, subjects).allSatisfy(Subject.fits) { return items }
        // Another order: only when no name is missing or stands twice.
        var places: [String: Int] = [:]
        for (place, subject) in subjects.enumerated() {
            guard let subject, places.updateValue(place, forKey: subject.name) == nil else {
                throw ShapeError(reason: "'\(key)' has items that were not requested")
            }
        }
        var ordered: [JSONValue] = []
        for want in asked {
            guard let want, let place = places.removeValue(forKey: want.name),
                Subject.fits(want, subjects[place])
            else { throw ShapeError(reason: "'\(key)' has items that were not requested") }
            ordered.append(items[place])
        }
        return ordered
    }

    /// What an item is about.
    struct Subject {
        let name: String
        /// A second name that must agree where both sides say it: a zone, or a zone's owner.
        var place: String?

        static func fits(_ asked: Subject?, _ said: Subject?) -> Bool {
            guard let asked, let said else { return true }
            guard asked.name == said.name else { return false }
            guard let wanted = asked.place, let found = said.place else { return true }
            return wanted == found
        }
    }

    /// Refuses an answer that is the only page, but speaks of more in some way.
    func checkIsWhole() throws(ShapeError) {
        let more = try root.flag("moreComing") ?? false
        guard !more, root.optional("continuationMarker") == nil else {
            throw ShapeError(reason: "the response has more pages, in an unknown form")
        }
    }
}
