internal import CloudModel
internal import JSON

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
        if try owner("reverse").flag("reverse") == true {
            throw ShapeError(reason: "'reverse' is not supported")
        }
        return ZoneChangesRequest(
            zoneID: try RecordZone.ID(try item.required("zoneID")),
            token: try token("syncToken", in: item),
            limit: try owner("resultsLimit").positive("resultsLimit"),
            desiredKeys: try owner("desiredKeys").texts("desiredKeys"),
            desiredRecordTypes: try owner("desiredRecordTypes").texts("desiredRecordTypes"))
    }
}
