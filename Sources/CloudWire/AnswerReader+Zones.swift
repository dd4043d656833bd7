internal import CloudModel
internal import JSON

extension AnswerReader {
    func zonePage(token tokenKey: String) throws(ShapeError) -> CloudReply? {
        guard let items = try items("zones", max: ReplyCheck.listMax) else { return nil }
        if root.optional("continuationMarker") != nil { try checkIsWhole() }
        var zones: [RecordZone.Item] = []
        zones.reserveCapacity(items.count)
        for item in items { zones.append(try zoneItem(item, asked: nil)) }
        return .zonePage(
            ZonePage(
                zones: zones, token: try token(tokenKey, in: root),
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
            guard let token = try token("syncToken", in: item) else {
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
        CloudError(.unexpectedResponse, reason: "the answer does not confirm the operation")
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
                syncToken: try token("syncToken", in: item)))
    }

    /// The item's zone ID; an owner that it leaves out, the request knew.
    private func zoneID(
        _ item: JSONValue, asked: RecordZone.ID?
    ) throws(ShapeError) -> RecordZone.ID {
        let id = try RecordZone.ID(naming: try item.required("zoneID"))
        return id.ownerRecordName == nil ? asked ?? id : id
    }
}
