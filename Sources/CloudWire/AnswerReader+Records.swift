internal import CloudModel
internal import JSON

extension AnswerReader {
    func recordPage(_ request: RecordQueryRequest) throws(ShapeError) -> CloudReply? {
        guard let items = try items("records", max: ReplyCheck.recordsMax) else { return nil }
        if try root.flag("moreComing") == true { try checkIsWhole() }
        var page = RecordPage(records: [])
        page.records.reserveCapacity(items.count)
        let isZoneWide = request.zoneWide && request.zoneID == nil
        for item in items {
            let zoneID = isZoneWide ? try ownZone(of: item) : request.zoneID ?? .default
            page.records.append(try recordItem(item, zoneID: zoneID))
        }
        page.continuationMarker = try root.text("continuationMarker")
        page.token = try token("syncToken", in: root)
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
            RecordsReply(records: records, token: try token("syncToken", in: root)))
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
                records: records, token: try token("syncToken", in: root),
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
            throw ShapeError(reason: "the answer has an item of another zone")
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
