internal import CloudModel
internal import JSON

extension AnswerReader {
    func recordPage(_ request: RecordQueryRequest) throws(ShapeError) -> CloudReply? {
        guard let items = try items("records") else { return nil }
        var page = RecordPage(records: [])
        page.records.reserveCapacity(items.count)
        for item in items {
            page.records.append(try recordItem(item, zoneID: request.zoneID ?? .default))
        }
        page.continuationMarker = try root.filledText("continuationMarker")
        page.token = try token("syncToken", in: root)
        return .recordPage(page)
    }

    func recordLookup(_ request: RecordLookupRequest) throws(ShapeError) -> CloudReply? {
        let asked = request.recordNames.map {
            Subject(name: $0, place: request.zoneID.zoneName)
        }
        guard let items = try items("records", for: asked, recordSubject) else { return nil }
        var records: [Record.Item] = []
        for (item, name) in zip(items, request.recordNames) {
            let read = try recordItem(item, name: name, zoneID: request.zoneID)
            records.append(read)
        }
        return .records(
            RecordsReply(records: records, token: try token("syncToken", in: root)))
    }

    /// A deletion counts only with `deleted: true`, a save only without.
    ///
    /// In the answer of a failed request nothing counts as done in a zone where an item failed.
    func recordModify(_ request: RecordModifyRequest) throws(ShapeError) -> CloudReply? {
        let asked = request.operations.map { operation in
            operation.recordName.map {
                Subject(name: $0, place: (operation.zoneID ?? request.zoneID).zoneName)
            }
        }
        guard let items = try items("records", for: asked, recordSubject) else { return nil }
        var records: [Record.Item] = []
        var failedZones: Set<RecordZone.ID> = []
        var sawAtomicError = errors.error(in: root)?.code == .atomicError
        for (item, operation) in zip(items, request.operations) {
            let zoneID = operation.zoneID ?? request.zoneID
            let read = try recordItem(item, name: operation.recordName, zoneID: zoneID)
            switch read {
            case .record where !operation.kind.isDelete, .deleted where operation.kind.isDelete:
                records.append(read)
            case .failure(_, let error):
                records.append(read)
                failedZones.insert(zoneID)
                if error.code == .atomicError { sawAtomicError = true }
            case .record, .deleted:
                records.append(.failure(recordName: read.recordName, Self.notConfirmed))
            }
        }
        if !succeeded {
            // A failure of the whole request, not of a batch, is the reader's to throw; so is one
            // whose items all claim success.
            guard sawAtomicError, !failedZones.isEmpty else { return nil }
            for (index, operation) in request.operations.enumerated()
            where failedZones.contains(operation.zoneID ?? request.zoneID) {
                if case .failure = records[index] { continue }
                records[index] = .failure(
                    recordName: records[index].recordName, CloudError(.atomicError))
            }
        }
        return .records(
            RecordsReply(
                records: records, token: try token("syncToken", in: root),
                failedAtomically: !succeeded))
    }

    private func recordSubject(_ item: JSONValue) throws(ShapeError) -> Subject? {
        guard let name = try item.text("recordName") else { return nil }
        let zone = try item.optional("zoneID").map(RecordZone.ID.init(_:))
        return Subject(name: name, place: zone?.zoneName)
    }

    /// One item: an error, a deletion or a record.
    ///
    /// - Parameters:
    ///   - name: What the item is about, where it does not say.
    ///   - zoneID: The record's zone, where the item does not say.
    func recordItem(
        _ item: JSONValue, name: String? = nil, zoneID: RecordZone.ID
    ) throws(ShapeError) -> Record.Item {
        let said = try item.filledText("recordName") ?? name
        if let error = errors.error(in: item) {
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
        var zoneID = zoneID
        if let own = try item.optional("zoneID").map(RecordZone.ID.init(_:)),
            own.ownerRecordName != nil || own.zoneName != zoneID.zoneName
        {
            zoneID = own
        }
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
