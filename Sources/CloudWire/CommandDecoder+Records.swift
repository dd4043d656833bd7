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
        var zoneID = try root.optional("zoneID").map(RecordZone.ID.init(_:))
        for item in try items("records", in: root, max: WireLimits.lookupsMax) {
            if let name = item.string {
                names.append(name)
                continue
            }
            guard let name = try item.object().text("recordName") else {
                throw .missing("recordName", in: item)
            }
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
            desiredKeys: try root.texts("desiredKeys"))
    }

    func recordModify(_ root: JSONValue) throws(ShapeError) -> RecordModifyRequest {
        let items = try items("operations", in: root)
        var request = RecordModifyRequest(
            operations: [],
            zoneID: try root.optional("zoneID").map(RecordZone.ID.init(_:)) ?? .default,
            atomic: try root.flag("atomic") ?? true,
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
        operation.parent = try record.optional("parent").map(fields.reference)
        if let fieldsObject = record.optional("fields") {
            let reader = fields
            operation.fields.reserveCapacity(fieldsObject.count)
            for member in try fieldsObject.object().members {
                operation.fields.updateValue(try reader.field(member.value), forKey: member.key)
            }
        }
        return operation
    }
}
