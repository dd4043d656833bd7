internal import CloudModel
internal import JSON

/// Reads the items of an answer, against the command that they answer.
struct AnswerReader {
    let command: CloudCommand
    let root: JSONValue
    /// Whether the HTTP status was one of success.
    let succeeded: Bool

    /// Answers are read generously: one odd field must not hide a record.
    let fields = FieldReader(acceptsQuotedNumbers: true, keepsOddities: true)
    let errors = ErrorReader()

    /// The reply; nil when the answer has no items.
    func reply() throws(ShapeError) -> CloudReply? {
        switch command {
        case .read(let request): try reply(to: request)
        case .write(let request): try reply(to: request)
        }
    }

    private func reply(to request: CloudRead) throws(ShapeError) -> CloudReply? {
        switch request {
        case .listZones, .databaseChanges: try zonePage(token: "syncToken")
        case .zoneListChanges: try zonePage(token: "metaSyncToken")
        case .lookUpZones(let ids): try zoneLookup(ids)
        case .zoneChanges(let requests): try zoneChanges(requests)
        case .queryRecords(let request): try recordPage(request)
        case .lookUpRecords(let request): try recordLookup(request)
        case .listSubscriptions: try subscriptionList()
        case .lookUpSubscriptions(let ids): try subscriptionLookup(ids)
        case .currentUser, .caller: .user(try user())
        }
    }

    private func reply(to request: CloudWrite) throws(ShapeError) -> CloudReply? {
        switch request {
        case .modifyZones(let operations): try zoneModify(operations)
        case .modifyRecords(let request): try recordModify(request)
        case .modifySubscriptions(let operations): try subscriptionModify(operations)
        case .restrict, .unrestrict: .done
        }
    }

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
                throw ShapeError(reason: "'\(key)' has items that were not asked for")
            }
        }
        var ordered: [JSONValue] = []
        for want in asked {
            guard let want, let place = places.removeValue(forKey: want.name),
                Subject.fits(want, subjects[place])
            else { throw ShapeError(reason: "'\(key)' has items that were not asked for") }
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
            throw ShapeError(reason: "the answer has more to come, in a way that is not known")
        }
    }

    /// A change token.
    func token(_ key: String, in object: JSONValue) throws(ShapeError) -> ChangeToken? {
        try object.text(key).map(ChangeToken.init)
    }

    /// The caller, from a user dictionary, a bare identity, or the first of `users`.
    private func user() throws(ShapeError) -> UserIdentity {
        var object = root
        var said: Set<String> = []
        if let name = try root.text("userRecordName") { said.insert(name) }
        for user in try items("users", max: 1) ?? [] {
            if said.isEmpty { object = user }
            said.insert(try user.required("userRecordName").text())
        }
        guard let name = said.first, !name.isEmpty else {
            throw .missing("userRecordName", in: object)
        }
        guard said.count == 1 else {
            throw ShapeError(reason: "the answer names two callers")
        }
        let names = object.optional("nameComponents")
        return UserIdentity(
            userRecordName: name,
            givenName: object["firstName"]?.string ?? names?["givenName"]?.string,
            familyName: object["lastName"]?.string ?? names?["familyName"]?.string)
    }
}
