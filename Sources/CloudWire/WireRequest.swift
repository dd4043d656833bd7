package import CloudModel
internal import JSON

/// A command as it goes over HTTP: without host and credentials.
package struct WireRequest: Sendable, Hashable {
    /// `GET` or `POST`.
    package let method: String
    /// Begins with `/database/1/`; nothing in it needs escaping.
    package let path: String
    /// Empty with GET.
    package let body: [UInt8]

    /// Spells `command` for the database at `address`.
    ///
    /// Numbers that are not finite, which JSON lacks, are sent as `null`: the field is cleared.
    package init(_ command: CloudCommand, at address: Database.Address) {
        path = "/database/1/\(address)/\(command.operationPath)"
        switch command {
        case .read(.listZones(token: nil)), .read(.listSubscriptions), .read(.currentUser),
            .read(.caller), .write(.restrict), .write(.unrestrict):
            method = "GET"
            body = []
        case .read(.listZones), .read(.lookUpZones), .read(.zoneListChanges),
            .read(.databaseChanges), .read(.zoneChanges), .read(.queryRecords),
            .read(.lookUpRecords), .read(.lookUpSubscriptions), .write(.modifyZones),
            .write(.modifyRecords), .write(.modifySubscriptions):
            method = "POST"
            body = Self.body(of: command)
        }
    }

    /// A command's arguments as a JSON object; `{}` without any.
    package static func body(of command: CloudCommand) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.arguments(of: command)
        json.endObject()
        return json.bytes
    }
}

extension JSONWriter {
    /// The keys of a command's body.
    fileprivate mutating func arguments(of command: CloudCommand) {
        switch command {
        case .read(let request): arguments(of: request)
        case .write(let request): arguments(of: request)
        }
    }

    private mutating func arguments(of request: CloudRead) {
        switch request {
        case .listZones(let token): pair("syncToken", token?.rawValue)
        case .lookUpZones(let zoneIDs): array("zones", zoneIDs) { $0.zoneID($1) }
        case .zoneListChanges(let token, let limit):
            pair("metaSyncToken", token?.rawValue)
            pair("resultsLimit", limit)
        case .databaseChanges(let token, let limit):
            pair("syncToken", token?.rawValue)
            pair("resultsLimit", limit)
        case .zoneChanges(let requests): array("zones", requests) { $0.zoneChange($1) }
        case .queryRecords(let request): recordQuery(request)
        case .lookUpRecords(let request): recordLookup(request)
        case .lookUpSubscriptions(let names):
            array("subscriptions", names) { json, name in
                json.beginObject()
                json.pair("subscriptionID", name)
                json.endObject()
            }
        case .listSubscriptions, .currentUser, .caller: break
        }
    }

    private mutating func arguments(of request: CloudWrite) {
        switch request {
        case .modifyZones(let operations):
            array("operations", operations) { $0.zoneOperation($1) }
        case .modifyRecords(let request): recordModify(request)
        case .modifySubscriptions(let operations):
            array("operations", operations) { $0.subscriptionOperation($1) }
        case .restrict, .unrestrict: break
        }
    }

    /// `"key": [ … ]`
    mutating func array<Element>(
        _ name: String, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
    ) {
        key(name)
        beginArray()
        for element in elements { write(&self, element) }
        endArray()
    }

    private mutating func zoneOperation(_ operation: RecordZone.Operation) {
        beginObject()
        switch operation {
        case .create: pair("operationType", "create")
        case .delete: pair("operationType", "delete")
        }
        key("zone")
        beginObject()
        key("zoneID")
        zoneID(operation.id)
        endObject()
        endObject()
    }

    private mutating func zoneChange(_ request: ZoneChangesRequest) {
        beginObject()
        key("zoneID")
        zoneID(request.zoneID)
        pair("syncToken", request.token?.rawValue)
        pair("resultsLimit", request.limit)
        pair("desiredKeys", request.desiredKeys)
        pair("desiredRecordTypes", request.desiredRecordTypes)
        endObject()
    }

    private mutating func recordQuery(_ request: RecordQueryRequest) {
        key("query")
        query(request.query)
        if let zoneID = request.zoneID {
            key("zoneID")
            self.zoneID(zoneID)
        }
        if request.zoneWide { pair("zoneWide", true) }
        pair("resultsLimit", request.limit)
        pair("continuationMarker", request.continuationMarker)
        pair("desiredKeys", request.desiredKeys)
    }

    private mutating func recordLookup(_ request: RecordLookupRequest) {
        key("zoneID")
        zoneID(request.zoneID)
        array("records", request.recordNames) { json, name in
            json.beginObject()
            json.pair("recordName", name)
            json.endObject()
        }
        pair("desiredKeys", request.desiredKeys)
    }

    private mutating func recordModify(_ request: RecordModifyRequest) {
        key("zoneID")
        zoneID(request.zoneID)
        pair("atomic", request.atomic)
        pair("desiredKeys", request.desiredKeys)
        array("operations", request.operations) { $0.recordOperation($1) }
    }

    private mutating func recordOperation(_ operation: RecordOperation) {
        beginObject()
        pair("operationType", operation.kind.rawValue)
        key("record")
        beginObject()
        pair("recordName", operation.recordName)
        if let zoneID = operation.zoneID {
            key("zoneID")
            self.zoneID(zoneID)
        }
        pair("recordType", operation.recordType)
        pair("recordChangeTag", operation.recordChangeTag)
        if !operation.fields.isEmpty {
            key("fields")
            beginObject()
            for (name, field) in operation.fields.sorted(by: { $0.key < $1.key }) {
                key(name)
                if let field {
                    self.field(
                        field.value, isTyped: field.isTyped, isEncrypted: field.isEncrypted)
                } else {
                    beginObject()
                    key("value")
                    null()
                    endObject()
                }
            }
            endObject()
        }
        if let parent = operation.parent {
            key("parent")
            reference(parent, caller: nil)
        }
        endObject()
        pair("desiredKeys", operation.desiredKeys)
        endObject()
    }

    private mutating func subscriptionOperation(_ operation: Subscription.Operation) {
        beginObject()
        switch operation {
        case .create(let subscription):
            pair("operationType", "create")
            key("subscription")
            self.subscription(subscription)
        case .update(let subscription):
            pair("operationType", "update")
            key("subscription")
            self.subscription(subscription)
        case .delete(let id):
            pair("operationType", "delete")
            key("subscription")
            beginObject()
            pair("subscriptionID", id)
            endObject()
        }
        endObject()
    }
}
