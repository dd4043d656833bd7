internal import CloudModel
internal import JSON

extension RecordZone.ID {
    /// Reads a zone ID; without a zone name it is the default zone's.
    init(_ value: JSONValue) throws(ShapeError) {
        try self.init(named: (try value.object()).text("zoneName") ?? "_defaultZone", value)
    }

    /// Reads a zone ID that must name its zone.
    init(naming value: JSONValue) throws(ShapeError) {
        let object = try value.object()
        guard let name = try object.filledText("zoneName") else {
            throw .missing("zoneName", in: object)
        }
        try self.init(named: name, object)
    }

    private init(named zoneName: String, _ value: JSONValue) throws(ShapeError) {
        // MistKit spells the key `ownerName`.
        let spelling = value.optional("ownerRecordName") == nil ? "ownerName" : "ownerRecordName"
        let owner = try value.text(spelling)
        let isCaller = owner.map(Self.callerPlaceholders.contains) ?? true
        self.init(
            zoneName.isEmpty ? "_defaultZone" : zoneName, ownerRecordName: isCaller ? nil : owner)
    }
}

extension CommandDecoder {
    /// Zone IDs: flat, wrapped as `{"zoneID": …}`, or only their names.
    func zoneLookups(_ root: JSONValue) throws(ShapeError) -> [RecordZone.ID] {
        var zoneIDs: [RecordZone.ID] = []
        for item in try items("zones", in: root, max: WireLimits.lookupsMax) {
            if let name = item.string {
                zoneIDs.append(RecordZone.ID(name))
            } else if let wrapped = item.optional("zoneID") {
                zoneIDs.append(try RecordZone.ID(wrapped))
            } else {
                zoneIDs.append(try RecordZone.ID(item))
            }
        }
        return zoneIDs
    }

    /// Operations on zones, each of which must name its zone.
    func zoneOperations(_ root: JSONValue) throws(ShapeError) -> [RecordZone.Operation] {
        let items = try items("operations", in: root)
        var operations: [RecordZone.Operation] = []
        operations.reserveCapacity(items.count)
        var seen: Set<RecordZone.ID> = []
        for item in items {
            let object = try item.object()
            let type = try object.required("operationType")
            let zone = try object.required("zone").object()
            let zoneID = try RecordZone.ID(naming: try zone.required("zoneID"))
            if type.isString("create") {
                operations.append(.create(zoneID))
            } else if type.isString("delete") {
                operations.append(.delete(zoneID))
            } else {
                throw .wrong(type, expected: "create or delete")
            }
            guard items.count == 1 || seen.insert(zoneID).inserted else {
                throw ShapeError(reason: "'\(item.path)': a second operation on one zone")
            }
        }
        return operations
    }

    func zoneChanges(_ root: JSONValue) throws(ShapeError) -> [ZoneChangesRequest] {
        var requests: [ZoneChangesRequest] = []
        for item in try items("zones", in: root, max: WireLimits.lookupsMax) {
            requests.append(try zoneChange(try item.object(), defaults: root))
        }
        return requests
    }

    /// One zone of a change request; what it does not say, the whole request says.
    func zoneChange(
        _ item: JSONValue, defaults: JSONValue
    ) throws(ShapeError) -> ZoneChangesRequest {
        let owner = { (key: String) in item.optional(key) == nil ? defaults : item }
        return ZoneChangesRequest(
            zoneID: try RecordZone.ID(try item.required("zoneID")),
            token: try item.token("syncToken"),
            limit: try owner("resultsLimit").positive("resultsLimit"),
            desiredKeys: try owner("desiredKeys").texts("desiredKeys"),
            desiredRecordTypes: try owner("desiredRecordTypes").texts("desiredRecordTypes"),
            reverse: try owner("reverse").flag("reverse") ?? false)
    }
}

extension JSONWriter {
    /// `"zoneID": { … }`; nothing when there is none.
    ///
    /// - Parameter caller: In answers, who stands for an owner of nil; nil in requests, which spell
    ///   the caller's own zones without an owner.
    mutating func zoneID(_ id: RecordZone.ID?, caller: String? = nil) {
        guard let id else { return }
        key("zoneID")
        zone(id, caller: caller)
    }

    /// A zone ID without a key.
    mutating func zone(_ id: RecordZone.ID, caller: String? = nil) {
        beginObject()
        member("zoneName", id.zoneName)
        member("ownerRecordName", id.ownerRecordName ?? caller)
        if caller != nil {
            member("zoneType", id.isDefault ? "DEFAULT_ZONE" : "REGULAR_CUSTOM_ZONE")
        }
        endObject()
    }

    mutating func zoneOperation(_ operation: RecordZone.Operation) {
        beginObject()
        switch operation {
        case .create: member("operationType", "create")
        case .delete: member("operationType", "delete")
        }
        object("zone") { $0.zoneID(operation.id) }
        endObject()
    }

    mutating func zoneChange(_ request: ZoneChangesRequest) {
        beginObject()
        zoneID(request.zoneID)
        member("syncToken", request.token?.rawValue)
        member("resultsLimit", request.limit)
        member("desiredKeys", request.desiredKeys)
        member("desiredRecordTypes", request.desiredRecordTypes)
        if request.reverse { member("reverse", true) }
        endObject()
    }
}

extension AnswerReader {
    func zonePage(token tokenKey: String) throws(ShapeError) -> CloudReply? {
        guard let items = try items("zones", max: ReplyCheck.listMax) else { return nil }
        if root.optional("continuationMarker") != nil { try checkIsWhole() }
        var zones: [RecordZone.Item] = []
        zones.reserveCapacity(items.count)
        for item in items { zones.append(try zoneItem(item, asked: nil)) }
        return .zonePage(
            ZonePage(
                zones: zones, token: try root.token(tokenKey),
                moreComing: try root.flag("moreComing") ?? false))
    }

    func zoneLookup(_ ids: [RecordZone.ID]) throws(ShapeError) -> CloudReply? {
        guard let items = try zoneItems(for: ids) else { return nil }
        var zones: [RecordZone.Item] = []
        for (item, id) in zip(items, ids) { zones.append(try zoneItem(item, asked: id)) }
        return .zones(zones)
    }

    /// A deletion counts only with `deleted: true`, a creation only without.
    func zoneModify(_ operations: [RecordZone.Operation]) throws(ShapeError) -> CloudReply? {
        guard let items = try zoneItems(for: operations.map(\.id)) else { return nil }
        var zones: [RecordZone.Item] = []
        for (item, operation) in zip(items, operations) {
            let read = try zoneItem(item, asked: operation.id)
            switch (operation, read) {
            case (.create, .zone), (.delete, .deleted), (_, .failure): zones.append(read)
            case (.create, .deleted), (.delete, .zone):
                zones.append(.failure(read.id, Self.notConfirmed))
            }
        }
        return .zones(zones)
    }

    func zoneChanges(_ requests: [ZoneChangesRequest]) throws(ShapeError) -> CloudReply? {
        guard let items = try zoneItems(for: requests.map(\.zoneID)) else { return nil }
        var pages: [ZoneChangesItem] = []
        for (item, request) in zip(items, requests) {
            let zoneID = try zoneID(item, asked: request.zoneID)
            if let error = errors.error(in: item) {
                pages.append(.failure(zoneID, error))
                continue
            }
            guard let token = try item.token("syncToken") else {
                throw .missing("syncToken", in: item)
            }
            let list = try item.required("records")
            guard list.kind == .array else { throw .wrong(list, expected: "an array") }
            guard list.count <= ReplyCheck.recordsMax else {
                throw ShapeError(
                    reason: "a zone has \(list.count) records, more than \(ReplyCheck.recordsMax)")
            }
            var records: [Record.Item] = []
            records.reserveCapacity(list.count)
            for record in list.elements {
                records.append(try recordItem(try record.object(), zoneID: zoneID))
            }
            pages.append(
                .page(
                    ZoneChangesPage(
                        zoneID: zoneID, records: records, token: token,
                        moreComing: try item.flag("moreComing") ?? false)))
        }
        return .zoneChanges(pages)
    }

    /// What stands for an item that says neither what was asked nor what went wrong.
    static var notConfirmed: CloudError {
        CloudError(.unexpectedResponse, reason: "the response does not confirm the operation")
    }

    private func zoneItems(for ids: [RecordZone.ID]) throws(ShapeError) -> [JSONValue]? {
        // A placeholder for the caller comes back as the caller's own name.
        let asked = ids.map { id in
            Subject(name: id.zoneName, place: id.namesCaller ? nil : id.ownerRecordName)
        }
        return try items("zones", for: asked) { item throws(ShapeError) in
            guard let value = item.optional("zoneID") else { return nil }
            let id = try RecordZone.ID(value)
            return Subject(name: id.zoneName, place: id.ownerRecordName)
        }
    }

    private func zoneItem(
        _ item: JSONValue, asked: RecordZone.ID?
    ) throws(ShapeError) -> RecordZone.Item {
        let id = try zoneID(item, asked: asked)
        if let error = errors.error(in: item) { return .failure(id, error) }
        if try item.flag("deleted") == true {
            let reason = item.optional("deletionReason")?.string
            return .deleted(
                id, reason: reason.flatMap(RecordZone.DeletionReason.init) ?? .deleted)
        }
        return .zone(
            RecordZone(
                id: id, isAtomic: try item.flag("atomic") ?? !id.isDefault,
                syncToken: try item.token("syncToken")))
    }

    /// The item's zone ID; an owner that it leaves out, the request knew.
    private func zoneID(
        _ item: JSONValue, asked: RecordZone.ID?
    ) throws(ShapeError) -> RecordZone.ID {
        let id = try RecordZone.ID(naming: try item.required("zoneID"))
        return id.ownerRecordName == nil ? asked ?? id : id
    }
}

extension JSONWriter {
    mutating func zonePage(_ page: ZonePage, _ form: ReplyForm) {
        zones(page.zones, form)
        member("moreComing", page.moreComing)
        let tokenKey = form.operation == .zoneListChanges ? "metaSyncToken" : "syncToken"
        member(tokenKey, page.token?.rawValue)
    }

    mutating func zones(_ items: [RecordZone.Item], _ form: ReplyForm) {
        array("zones", items) { json, item in
            json.beginObject()
            switch item {
            case .zone(let zone):
                json.zoneID(zone.id, caller: form.caller)
                json.member("syncToken", zone.syncToken?.rawValue)
                json.member("atomic", zone.isAtomic)
            case .deleted(let id, let reason):
                json.zoneID(id, caller: form.caller)
                json.member("deleted", true)
                if reason != .deleted { json.member("deletionReason", reason.rawValue) }
            case .failure(let id, let error):
                json.zoneID(id)
                json.error(error, form)
            }
            json.endObject()
        }
    }

    mutating func zoneChanges(_ items: [ZoneChangesItem], _ form: ReplyForm) {
        if form.operation == .recordChanges {
            // The older form: the one zone's page is the whole answer.
            for case .page(let page) in items.prefix(1) { changes(page, nil, form) }
            return
        }
        array("zones", Array(items.enumerated())) { json, item in
            json.beginObject()
            switch item.element {
            case .page(let page):
                json.zoneID(page.zoneID, caller: form.caller)
                json.changes(page, form.options.zoneNumbersAsStrings[item.offset], form)
            case .failure(let id, let error):
                json.zoneID(id)
                json.error(error, form)
            }
            json.endObject()
        }
    }

    private mutating func changes(
        _ page: ZoneChangesPage, _ numbersAsStrings: Bool?, _ form: ReplyForm
    ) {
        array("records", page.records) {
            $0.recordItem($1, feedZone: page.zoneID, numbersAsStrings: numbersAsStrings, form)
        }
        member("syncToken", page.token.rawValue)
        member("moreComing", page.moreComing)
    }
}
