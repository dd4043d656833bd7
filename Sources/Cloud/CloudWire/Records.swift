import Basics
internal import CloudModel
internal import JSON

extension CommandDecoder {
    func recordQuery(_ root: JSONValue) throws(ShapeError) -> RecordQueryRequest {
        RecordQueryRequest(
            query: try queries.query(try root.required("query")),
            zoneID: try root.optional("zoneID").map(RecordZone.ID.init(_:)),
            zoneWide: try root.flag("zoneWide") ?? false,
            limit: try root.positive("resultsLimit"),
            continuationMarker: try root.filledText("continuationMarker"),
            desiredKeys: try root.texts("desiredKeys"))
    }

    /// Names to look up: objects or bare names, in the request's zone or all in one of their own.
    func recordLookup(_ root: JSONValue) throws(ShapeError) -> RecordLookupRequest {
        var names: [String] = []
        var ownKeys: [Int: [String]] = [:]
        var zoneID = try root.optional("zoneID").map(RecordZone.ID.init(_:))
        for item in try items("records", in: root, max: WireLimits.lookupsMax) {
            if let name = item.string {
                names.append(name)
                continue
            }
            guard let name = try item.object().text("recordName") else {
                throw .missing("recordName", in: item)
            }
            ownKeys[names.count] = try item.texts("desiredKeys")
            names.append(name)
            guard let own = try item.optional("zoneID").map(RecordZone.ID.init(_:)) else {
                continue
            }
            guard own == zoneID ?? own else {
                throw ShapeError(reason: "'\(item.path)' names another zone than the request")
            }
            zoneID = own
        }
        return RecordLookupRequest(
            recordNames: names, zoneID: zoneID ?? .default,
            desiredKeys: try root.texts("desiredKeys"), ownDesiredKeys: ownKeys)
    }

    func recordModify(_ root: JSONValue) throws(ShapeError) -> RecordModifyRequest {
        let items = try items("operations", in: root)
        var request = RecordModifyRequest(
            operations: [],
            zoneID: try root.optional("zoneID").map(RecordZone.ID.init(_:)) ?? .default,
            atomic: try root.flag("atomic"),
            desiredKeys: try root.texts("desiredKeys"))
        request.operations.reserveCapacity(items.count)
        var seen: Set<Record.ID> = []
        for item in items {
            let operation = try recordOperation(try item.object())
            if items.count > 1, let name = operation.recordName {
                let id = Record.ID(name, zoneID: operation.zoneID ?? request.zoneID)
                guard seen.insert(id).inserted else {
                    throw ShapeError(reason: "'\(item.path)': a second operation on one record")
                }
            }
            request.operations.append(operation)
        }
        return request
    }

    private func recordOperation(_ object: JSONValue) throws(ShapeError) -> RecordOperation {
        let type = try object.required("operationType")
        guard let kind = RecordOperation.Kind.allCases.first(where: { type.isString($0.rawValue) })
        else { throw .wrong(type, expected: "an operation type") }
        let record = try object.required("record").object()
        var operation = RecordOperation(kind)
        operation.recordName = try record.filledText("recordName")
        guard operation.recordName != nil || kind == .create else {
            throw .missing("recordName", in: record)
        }
        operation.zoneID = try record.optional("zoneID").map(RecordZone.ID.init(_:))
        operation.recordChangeTag = try record.filledText("recordChangeTag")
        if kind.isDelete { return operation }  // one client sends the whole record along
        operation.recordType = try record.filledText("recordType")
        if operation.recordType == nil, kind != .update, kind != .replace {
            throw .missing("recordType", in: record)
        }
        operation.desiredKeys = try object.texts("desiredKeys")
        do throws(ShapeError) {
            try readContents(of: record, into: &operation)
        } catch {
            operation.malformation = error.reason
        }
        return operation
    }

    /// What fails the operation alone when it cannot be read.
    private func readContents(
        of record: JSONValue, into operation: inout RecordOperation
    ) throws(ShapeError) {
        operation.parent = try record.optional("parent").map(fields.reference)
        operation.createsShortGUID = try record.flag("createShortGUID") ?? false
        operation.share = try shareChange(record)
        guard let fieldsObject = record.optional("fields") else { return }
        let reader = fields
        operation.fields.reserveCapacity(fieldsObject.count)
        for member in try fieldsObject.object().members {
            operation.fields.updateValue(try reader.field(member.value), forKey: member.key)
        }
    }
}

extension JSONWriter {
    mutating func recordQuery(_ request: RecordQueryRequest) {
        query(request.query)
        zoneID(request.zoneID)
        if request.zoneWide { member("zoneWide", true) }
        member("resultsLimit", request.limit)
        member("continuationMarker", request.continuationMarker)
        member("desiredKeys", request.desiredKeys)
    }

    mutating func recordLookup(_ request: RecordLookupRequest) {
        zoneID(request.zoneID)
        array("records", request.recordNames.indices) { json, index in
            json.object {
                $0.member("recordName", request.recordNames[index])
                $0.member("desiredKeys", request.ownDesiredKeys[index])
            }
        }
        member("desiredKeys", request.desiredKeys)
    }

    mutating func recordModify(_ request: RecordModifyRequest) {
        zoneID(request.zoneID)
        member("atomic", request.atomic)
        member("desiredKeys", request.desiredKeys)
        array("operations", request.operations) { $0.recordOperation($1) }
    }

    private mutating func recordOperation(_ operation: RecordOperation) {
        beginObject()
        member("operationType", operation.kind.rawValue)
        key("record")
        beginObject()
        member("recordName", operation.recordName)
        zoneID(operation.zoneID)
        member("recordType", operation.recordType)
        member("recordChangeTag", operation.recordChangeTag)
        if !operation.fields.isEmpty {
            key("fields")
            beginObject()
            for (name, field) in operation.fields.sorted(by: { $0.key < $1.key }) {
                key(name)
                if let field {
                    self.field(field, isTyped: field.isTyped)
                } else {
                    object { json in
                        json.key("value")
                        json.null()
                    }
                }
            }
            endObject()
        }
        reference("parent", operation.parent)
        if operation.createsShortGUID { member("createShortGUID", true) }
        if let share = operation.share { shareChange(share) }
        endObject()
        member("desiredKeys", operation.desiredKeys)
        endObject()
    }
}

extension AnswerReader {
    func recordPage(_ request: RecordQueryRequest) throws(ShapeError) -> CloudReply? {
        guard let items = try items("records", max: ReplyCheck.recordsMax) else { return nil }
        if try root.flag("moreComing") == true { try checkIsWhole() }
        var page = RecordPage(records: [])
        page.records.reserveCapacity(items.count)
        for item in items {
            let zoneID = request.isZoneWide ? try ownZone(of: item) : request.zoneID ?? .default
            page.records.append(try recordItem(item, zoneID: zoneID))
        }
        page.continuationMarker = try root.text("continuationMarker")
        page.token = try root.token("syncToken")
        return .recordPage(page)
    }

    func recordLookup(_ request: RecordLookupRequest) throws(ShapeError) -> CloudReply? {
        let asked = request.recordNames.map {
            Subject(name: $0, place: request.zoneID.zoneName)
        }
        guard let items = try items("records", for: asked, recordSubject) else { return nil }
        var records: [Record.Item] = []
        for item in items {
            records.append(try recordItem(item, zoneID: request.zoneID))
        }
        return .records(
            RecordsReply(records: records, token: try root.token("syncToken")))
    }

    /// A deletion counts only with `deleted: true`, a save only without.
    ///
    /// In the answer of a failed batch nothing counts as done in a zone where an item failed, and
    /// in none where an item says that the batch failed.
    func recordModify(_ request: RecordModifyRequest) throws(ShapeError) -> CloudReply? {
        let asked = request.operations.map { operation in
            operation.recordName.map {
                Subject(name: $0, place: (operation.zoneID ?? request.zoneID).zoneName)
            }
        }
        guard let items = try items("records", for: asked, recordSubject) else { return nil }
        var records: [Record.Item] = []
        let batchFailed = !succeeded || errors.error(in: root)?.code == .atomicError
        var failedZones: Set<RecordZone.ID> = []
        var atomicZones: Set<RecordZone.ID> = []
        for (item, operation) in zip(items, request.operations) {
            let zoneID = operation.zoneID ?? request.zoneID
            let read = try recordItem(
                item, zoneID: zoneID, mayBeNameless: operation.recordName == nil)
            switch read {
            case .record where !operation.kind.isDelete, .deleted where operation.kind.isDelete:
                records.append(read)
            case .failure(_, let error):
                records.append(read)
                failedZones.insert(zoneID)
                if error.code == .atomicError { atomicZones.insert(zoneID) }
            case .record, .deleted:
                records.append(.failure(recordName: read.recordName, Self.notConfirmed))
            }
        }
        if batchFailed {
            // A failure of the whole request, not of a batch, is the reader's to throw; so is one
            // whose items all claim success.
            let saysSo = errors.error(in: root)?.code == .atomicError || !atomicZones.isEmpty
            guard saysSo, !failedZones.isEmpty else { return nil }
        }
        let undone = batchFailed ? failedZones : atomicZones
        for (index, operation) in request.operations.enumerated()
        where undone.contains(operation.zoneID ?? request.zoneID) {
            if case .failure = records[index] { continue }
            records[index] = .failure(
                recordName: records[index].recordName, CloudError(.atomicError))
        }
        return .records(
            RecordsReply(
                records: records, token: try root.token("syncToken"),
                failedAtomically: batchFailed))
    }

    private func recordSubject(_ item: JSONValue) throws(ShapeError) -> Subject? {
        guard let name = try item.text("recordName") else { return nil }
        let zone = try item.optional("zoneID").map(RecordZone.ID.init(_:))
        return Subject(name: name, place: zone?.zoneName)
    }

    /// One item: an error, a deletion or a record.
    ///
    /// - Parameters:
    ///   - zoneID: The item's zone, whether it says so or not.
    ///   - mayBeNameless: Whether a failure may leave out the name: nobody has chosen one.
    func recordItem(
        _ item: JSONValue, zoneID: RecordZone.ID, mayBeNameless: Bool = false
    ) throws(ShapeError) -> Record.Item {
        let own = try item.optional("zoneID").map(RecordZone.ID.init(_:))
        guard own?.fits(zoneID) ?? true else {
            throw ShapeError(reason: "the response has an item of another zone")
        }
        let said = try item.filledText("recordName")
        if let error = errors.error(in: item), said != nil || mayBeNameless {
            return .failure(recordName: said ?? "", error)
        }
        guard let said else { throw .missing("recordName", in: item) }
        let tag = try item.text("recordChangeTag")
        if try item.flag("deleted") == true {
            return .deleted(recordName: said, recordChangeTag: tag)
        }
        guard let type = try item.filledText("recordType") else {
            throw .missing("recordType", in: item)
        }
        let zoneID = own?.ownerRecordName == nil ? zoneID : own ?? zoneID
        let created = try stamp("created", in: item)
        let modified = try stamp("modified", in: item)
        let none = Record.Stamp(
            timestamp: Timestamp(milliseconds: 0), userRecordName: "", deviceID: "")
        var record = Record(
            id: Record.ID(said, zoneID: zoneID), recordType: type, recordChangeTag: tag ?? "",
            created: created ?? modified ?? none, modified: modified ?? created ?? none)
        if let object = item.optional("fields"), object.kind == .object {
            record.fields.reserveCapacity(object.count)
            for member in object.members {
                guard let field = try fields.field(member.value) else { continue }
                record.fields[member.key] = field
            }
        }
        record.parent = try item.optional("parent").map(fields.reference)
        record.share = try item.optional("share").map(fields.reference)
        record.shortGUID = try item.filledText("shortGUID")
        record.sharing = try share(in: item)
        return .record(record)
    }

    private func ownZone(of item: JSONValue) throws(ShapeError) -> RecordZone.ID {
        // A failure need not say where.
        if errors.error(in: item) != nil, item.optional("zoneID") == nil { return .default }
        return try RecordZone.ID(naming: try item.required("zoneID"))
    }

    private func stamp(_ key: String, in item: JSONValue) throws(ShapeError) -> Record.Stamp? {
        guard let object = item.optional(key), object.kind == .object else { return nil }
        let milliseconds = object["timestamp"]?.double.flatMap { Int64(exactly: $0.rounded()) }
        return Record.Stamp(
            timestamp: Timestamp(
                milliseconds: object["timestamp"]?.int64 ?? milliseconds ?? 0),
            userRecordName: object["userRecordName"]?.string ?? "",
            deviceID: object["deviceID"]?.string ?? "")
    }
}

extension JSONWriter {
    mutating func recordPage(_ page: RecordPage, _ form: ReplyForm) {
        records(page.records, form)
        member("continuationMarker", page.continuationMarker)
        if form.options.currentSyncTokenAsked { member("syncToken", page.token?.rawValue) }
    }

    mutating func records(_ reply: RecordsReply, _ form: ReplyForm) {
        if reply.failedAtomically {
            error(CloudError(.atomicError, reason: "an operation of the batch failed"), form)
        }
        records(reply.records, form)
        if form.operation == .modifyRecords || form.options.currentSyncTokenAsked {
            member("syncToken", reply.token?.rawValue)
        }
    }

    private mutating func records(_ items: [Record.Item], _ form: ReplyForm) {
        array("records", items) { $0.recordItem($1, feedZone: nil, form) }
    }

    /// One item of an answer about records. Errors and deletions carry no `recordType`: OpenCloudKit
    /// would take them for records.
    ///
    /// - Parameters:
    ///   - feedZone: In a feed, the zone that a deletion is told with.
    ///   - numbersAsStrings: What the zone's own part of the request says; nil: nothing.
    mutating func recordItem(
        _ item: Record.Item, feedZone: RecordZone.ID?, numbersAsStrings: Bool? = nil,
        _ form: ReplyForm
    ) {
        beginObject()
        switch item {
        case .record(let record):
            self.record(
                record, caller: form.caller,
                numbersAsStrings: numbersAsStrings ?? form.options.numbersAsStrings)
        case .deleted(let recordName, let tag):
            member("recordName", recordName)
            member("deleted", true)
            if let feedZone {
                member("recordChangeTag", tag)
                zoneID(feedZone, caller: form.caller)
            }
        case .failure(let recordName, let error):
            member("recordName", recordName)
            self.error(error, form)
        }
        endObject()
    }

    /// The members of a record.
    ///
    /// - Parameter caller: Who stands for a zone owner of nil; nil leaves such owners out.
    mutating func record(
        _ record: Record, caller: String? = nil, numbersAsStrings: Bool = false
    ) {
        member("recordName", record.id.recordName)
        member("recordType", record.recordType)
        object("fields") { json in
            for (name, field) in record.fields.sorted(by: { $0.key < $1.key }) {
                json.key(name)
                json.field(
                    field, isTyped: true, numbersAsStrings: numbersAsStrings, caller: caller)
            }
        }
        object("pluginFields") { _ in }
        member("recordChangeTag", record.recordChangeTag)
        stamp("created", record.created)
        stamp("modified", record.modified)
        member("deleted", false)
        zoneID(record.id.zoneID, caller: caller)
        reference("parent", record.parent, caller: caller)
        reference("share", record.share, caller: caller)
        if let guid = record.shortGUID { address(ofShortGUID: guid) }
        if let sharing = record.sharing { share(sharing) }
    }

    private mutating func stamp(_ name: String, _ stamp: Record.Stamp) {
        object(name) { json in
            json.member("timestamp", stamp.timestamp.milliseconds)
            json.member("userRecordName", stamp.userRecordName)
            json.member("deviceID", stamp.deviceID)
        }
    }
}
