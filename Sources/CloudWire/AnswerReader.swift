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
        case .listZones, .databaseChanges: try zonePage(token: "syncToken")
        case .zoneListChanges: try zonePage(token: "metaSyncToken")
        case .lookUpZones(let ids): try zoneLookup(ids)
        case .modifyZones(let operations): try zoneModify(operations)
        case .zoneChanges(let requests): try zoneChanges(requests)
        case .queryRecords(let request): try recordPage(request)
        case .lookUpRecords(let request): try recordLookup(request)
        case .modifyRecords(let request): try recordModify(request)
        case .listSubscriptions: try subscriptionList()
        case .lookUpSubscriptions(let ids): try subscriptionLookup(ids)
        case .modifySubscriptions(let operations): try subscriptionModify(operations)
        case .currentUser, .caller: .user(try user())
        case .restrict, .unrestrict: .done
        }
    }

    /// The items under `key`, each an object; nil when there are none.
    func items(_ key: String) throws(ShapeError) -> [JSONValue]? {
        guard let list = root.optional(key) else { return nil }
        guard list.kind == .array else { throw .wrong(list, expected: "an array") }
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
        guard let items = try items(key) else { return nil }
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

    /// A change token.
    func token(_ key: String, in object: JSONValue) throws(ShapeError) -> ChangeToken? {
        try object.text(key).map(ChangeToken.init)
    }

    /// The caller, from a user dictionary, a bare identity, or the first of `users`.
    private func user() throws(ShapeError) -> UserIdentity {
        var object = root
        if root.optional("userRecordName") == nil, let users = root.optional("users"),
            let first = users.elements.first(where: { _ in true })
        {
            object = try first.object()
        }
        guard let name = try object.filledText("userRecordName") else {
            throw .missing("userRecordName", in: object)
        }
        let names = object.optional("nameComponents")
        return UserIdentity(
            userRecordName: name,
            givenName: object["firstName"]?.string ?? names?["givenName"]?.string,
            familyName: object["lastName"]?.string ?? names?["familyName"]?.string)
    }
}
