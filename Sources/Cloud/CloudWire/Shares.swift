import Basics
internal import CloudModel
internal import JSON

extension CommandDecoder {
    /// Short GUIDs to look up: objects or bare texts.
    func shareLookups(_ root: JSONValue) throws(ShapeError) -> [ShareLookup] {
        var lookups: [ShareLookup] = []
        for item in try items("shortGUIDs", in: root, max: WireLimits.lookupsMax) {
            if let guid = item.string {
                lookups.append(ShareLookup(guid))
                continue
            }
            guard let guid = try item.object().text("value") else {
                throw .missing("value", in: item)
            }
            lookups.append(
                ShareLookup(
                    guid, fetchesRoot: try item.flag("shouldFetchRootRecord") ?? true,
                    rootDesiredKeys: try item.texts("rootRecordDesiredKeys")))
        }
        return lookups
    }

    /// What an operation says of a share; nil when it says nothing.
    func shareChange(_ record: JSONValue) throws(ShapeError) -> Share.Change? {
        var change = Share.Change()
        if let root = record.optional("forRecord") {
            guard let name = try root.object().filledText("recordName") else {
                throw .missing("recordName", in: root)
            }
            change.root = Share.Change.Root(
                name, recordChangeTag: try root.filledText("recordChangeTag"))
        }
        if let permission = record.optional("publicPermission") {
            change.publicPermission = try sharePermission(permission)
        }
        if let people = try record.list("participants") {
            var participants: [ShareParticipant] = []
            for person in people { participants.append(try participant(try person.object())) }
            change.participants = participants
        }
        return change == Share.Change() ? nil : change
    }

    private func participant(_ object: JSONValue) throws(ShapeError) -> ShareParticipant {
        guard let identity = object.optional("userIdentity") ?? object.optional("participantId")
        else { throw .missing("userIdentity", in: object) }
        var participant = ShareParticipant(
            participantID: try object.filledText("participantId"),
            identity: identity.kind == .object
                ? try UserIdentity(of: identity) : UserIdentity(userRecordName: ""))
        if let role = object.optional("type") {
            guard let known = ShareParticipant.Role(spelled: try role.text()) else {
                throw .wrong(role, expected: "OWNER, ADMINISTRATOR, USER or PUBLIC_USER")
            }
            participant.role = known
        }
        if let permission = object.optional("permission") {
            participant.permission = try sharePermission(permission)
        }
        if let acceptance = object.optional("acceptanceStatus") {
            guard let known = ShareParticipant.Acceptance(spelled: try acceptance.text()) else {
                throw .wrong(acceptance, expected: "INVITED, ACCEPTED, REMOVED or UNKNOWN")
            }
            participant.acceptance = known
        }
        return participant
    }

    private func sharePermission(_ value: JSONValue) throws(ShapeError) -> Share.Permission {
        guard let known = Share.Permission(rawValue: try value.text()), known != .unknown else {
            throw .wrong(value, expected: "NONE, READ_ONLY or READ_WRITE")
        }
        return known
    }
}

extension ShareParticipant.Role {
    /// CloudKit JS calls who is invited a private user.
    fileprivate init?(spelled text: String) {
        self.init(rawValue: text == "PRIVATE_USER" ? "USER" : text)
    }
}

extension ShareParticipant.Acceptance {
    /// Clients call an invitation pending; who has unsubscribed is away.
    fileprivate init?(spelled text: String) {
        switch text {
        case "PENDING": self = .invited
        case "UNSUBSCRIBED": self = .removed
        default: self.init(rawValue: text)
        }
    }
}

extension JSONWriter {
    mutating func shareLookups(_ lookups: [ShareLookup]) {
        array("shortGUIDs", lookups) { $0.shareLookup($1) }
    }

    private mutating func shareLookup(_ lookup: ShareLookup) {
        beginObject()
        member("value", lookup.shortGUID)
        member("shouldFetchRootRecord", lookup.fetchesRoot)
        member("rootRecordDesiredKeys", lookup.rootDesiredKeys)
        endObject()
    }

    /// What an operation says of a share.
    mutating func shareChange(_ change: Share.Change) {
        if let root = change.root {
            object("forRecord") { json in
                json.member("recordName", root.recordName)
                json.member("recordChangeTag", root.recordChangeTag)
            }
        }
        member("publicPermission", change.publicPermission?.rawValue)
        if let participants = change.participants {
            array("participants", participants) { $0.participant($1) }
        }
    }

    /// The members of a share record beside those of every record.
    mutating func share(_ share: Share) {
        member("publicPermission", share.publicPermission.rawValue)
        array("participants", share.participants) { $0.participant($1) }
        for (name, person) in [
            ("owner", share.owner), ("currentUserParticipant", share.currentUser),
        ] {
            guard let person else { continue }
            key(name)
            participant(person)
        }
    }

    /// Where a short GUID leads browsers, and the parts of the address.
    mutating func address(ofShortGUID guid: String) {
        member("shortGUID", guid)
        object("stableUrl") { json in
            // Only the service can make more of these; clients hand them on.
            var hash = FNV1a()
            hash.add(part: guid)
            let key = String(hash.value, radix: 16)
            json.member("routingKey", String(guid.prefix(3)))
            json.member("shortTokenHash", key)
            json.member("protectedFullToken", guid)
            json.member("encryptedPublicSharingKey", key)
            json.member("displayedHostname", Self.shareHost)
        }
        member("displayedHostname", Self.shareHost)
    }
    private static let shareHost = "www.icloud.com"

    private mutating func participant(_ person: ShareParticipant) {
        beginObject()
        member("participantId", person.participantID)
        object("userIdentity") { $0.identity(person.identity) }
        member("type", person.role.rawValue)
        member("permission", person.permission.rawValue)
        member("acceptanceStatus", person.acceptance.rawValue)
        endObject()
    }

    mutating func shares(_ items: [ShareMetadata.Item], _ form: ReplyForm) {
        array("results", items) { json, item in
            json.beginObject()
            switch item {
            case .metadata(let metadata): json.metadata(metadata, form)
            case .failure(let guid, let error):
                json.object("shortGUID") { $0.member("value", guid) }
                json.error(error, form)
            }
            json.endObject()
        }
    }

    private mutating func metadata(_ found: ShareMetadata, _ form: ReplyForm) {
        key("shortGUID")
        shareLookup(found.lookup)
        member("containerIdentifier", found.container.rawValue)
        member("environment", found.environment.rawValue)
        member("databaseScope", found.scope.rawValue.uppercased())
        zoneID(found.zoneID, caller: form.caller)
        member("rootRecordName", found.rootRecordName)
        for (name, record) in [("rootRecord", found.rootRecord), ("share", found.share)] {
            guard let record else { continue }
            object(name) { json in
                json.record(
                    record, caller: form.caller, numbersAsStrings: form.options.numbersAsStrings)
            }
        }
        object("ownerIdentity") { $0.identity(found.owner) }
        member("participantType", found.role.rawValue)
        member("participantPermission", found.permission.rawValue)
        member("participantStatus", found.acceptance.rawValue)
    }
}

extension AnswerReader {
    func shareResults(_ lookups: [ShareLookup]) throws(ShapeError) -> CloudReply? {
        let asked = lookups.map { Subject(name: $0.shortGUID) }
        let found = try items("results", for: asked) { item throws(ShapeError) in
            try item.optional("shortGUID")?.text("value").map { Subject(name: $0) }
        }
        guard let found else { return nil }
        var items: [ShareMetadata.Item] = []
        for (item, lookup) in zip(found, lookups) {
            if let error = errors.error(in: item) {
                items.append(.failure(shortGUID: lookup.shortGUID, error))
            } else {
                items.append(.metadata(try metadata(item, lookup)))
            }
        }
        return .shares(items)
    }

    private func metadata(
        _ item: JSONValue, _ lookup: ShareLookup
    ) throws(ShapeError) -> ShareMetadata {
        let container = try item.required("containerIdentifier")
        let environment = try item.required("environment")
        let scope = try item.required("databaseScope")
        guard let containerID = Container.ID(try container.text()) else {
            throw .wrong(container, expected: "a container's identifier")
        }
        guard let world = Container.Environment(rawValue: try environment.text().lowercased())
        else { throw .wrong(environment, expected: "development or production") }
        guard let database = Database.Scope(rawValue: try scope.text().lowercased()) else {
            throw .wrong(scope, expected: "PRIVATE or SHARED")
        }
        let zoneID = try RecordZone.ID(naming: try item.required("zoneID"))
        func record(_ key: String) throws(ShapeError) -> Record? {
            guard let object = item.optional(key) else { return nil }
            guard case .record(let record) = try recordItem(try object.object(), zoneID: zoneID)
            else { throw .wrong(object, expected: "a record") }
            return record
        }
        return ShareMetadata(
            lookup: lookup, container: containerID, environment: world, scope: database,
            zoneID: zoneID, rootRecordName: try item.filledText("rootRecordName"),
            rootRecord: try record("rootRecord"), share: try record("share"),
            owner: try UserIdentity(of: try item.required("ownerIdentity")),
            role: role(in: item, "participantType"),
            permission: permission(in: item, "participantPermission"),
            acceptance: acceptance(in: item, "participantStatus"))
    }

    /// What a share record says beside its fields; nil of any other record.
    func share(in item: JSONValue) throws(ShapeError) -> Share? {
        guard let list = item.optional("participants"), list.kind == .array else { return nil }
        var share = Share(publicPermission: permission(in: item, "publicPermission"))
        guard list.count <= ReplyCheck.recordsMax else {
            throw ShapeError(reason: "a share has \(list.count) participants")
        }
        for person in list.elements {
            share.participants.append(try participant(try person.object()))
        }
        share.owner = try item.optional("owner").map(participant)
        share.currentUser = try item.optional("currentUserParticipant").map(participant)
        return share
    }

    private func participant(_ object: JSONValue) throws(ShapeError) -> ShareParticipant {
        ShareParticipant(
            participantID: try object.filledText("participantId"),
            identity: try UserIdentity(of: try object.required("userIdentity")),
            role: role(in: object, "type"), permission: permission(in: object, "permission"),
            acceptance: acceptance(in: object, "acceptanceStatus"))
    }

    private func permission(in object: JSONValue, _ key: String) -> Share.Permission {
        object[key]?.string.flatMap(Share.Permission.init) ?? .unknown
    }

    private func role(in object: JSONValue, _ key: String) -> ShareParticipant.Role {
        object[key]?.string.flatMap(ShareParticipant.Role.init(spelled:)) ?? .unknown
    }

    private func acceptance(
        in object: JSONValue, _ key: String
    ) -> ShareParticipant.Acceptance {
        object[key]?.string.flatMap(ShareParticipant.Acceptance.init(spelled:)) ?? .unknown
    }
}

extension UserIdentity {
    /// Reads who a participant is, known by a record name or by what they are looked up by.
    init(of value: JSONValue) throws(ShapeError) {
        let object = try value.object()
        let lookup = try object.optional("lookupInfo")?.object()
        let said = try object.filledText("userRecordName")
        self.init(
            userRecordName: said ?? "", nameComponents: object.names,
            lookupInfo: try lookup?.lookupInfo())
    }
}
