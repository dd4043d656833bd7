import CloudModel

/// One item of a command, for which its response has an item too.
package struct CommandItem {
    /// The name of the record or subscription; empty if the server generates it.
    var name = ""
    var zoneID: RecordZone.ID?
    var recordTypes: [String] = []
    /// Of an asset.
    var fieldName = ""
    /// The change of it; nil: it is only read.
    var change: ItemChange?

    init(_ id: RecordZone.ID, recordTypes: [String] = []) {
        name = id.zoneName
        zoneID = id
        self.recordTypes = recordTypes
    }

    init(
        _ name: String?, in zoneID: RecordZone.ID?, recordType: String? = nil,
        _ change: ItemChange? = nil
    ) {
        self.name = name ?? ""
        self.zoneID = zoneID
        recordTypes = recordType.map { [$0] } ?? []
        self.change = change
    }

    init(_ operation: RecordZone.Operation) {
        self.init(operation.id)
        change = if case .create = operation { .create } else { .delete }
    }

    init(_ field: AssetField, in zoneID: RecordZone.ID, recordType: String? = nil) {
        self.init(field.recordName, in: zoneID, recordType: recordType)
        fieldName = field.fieldName
    }

    init(_ operation: Subscription.Operation) {
        switch operation {
        case .create(let subscription): self.init(subscription, .create)
        case .update(let subscription): self.init(subscription, .update)
        case .delete(let id): self.init(id, in: nil, .delete)
        }
    }

    private init(_ subscription: Subscription, _ change: ItemChange) {
        self.init(
            subscription.subscriptionID, in: subscription.zoneID,
            recordType: subscription.query?.recordType, change)
    }
}

extension CloudCommand {
    /// The items of the command, in order; nil if the server chooses the items of the response.
    package var items: [CommandItem]? {
        switch self {
        case .read(.lookUpZones(let ids)): ids.map { CommandItem($0) }
        case .write(.modifyZones(let operations)): operations.map { CommandItem($0) }
        case .read(.zoneChanges(let requests)):
            requests.map { CommandItem($0.zoneID, recordTypes: $0.desiredRecordTypes ?? []) }
        case .read(.lookUpRecords(let request)):
            request.recordNames.map { CommandItem($0, in: request.zoneID) }
        case .write(.modifyRecords(let request)):
            request.operations.map {
                CommandItem(
                    $0.recordName, in: $0.zoneID ?? request.zoneID, recordType: $0.recordType,
                    ItemChange($0.kind))
            }
        case .read(.resolveShares(let lookups)), .write(.acceptShares(let lookups)):
            lookups.map { CommandItem($0.shortGUID, in: nil) }
        case .read(.lookUpSubscriptions(let ids)): ids.map { CommandItem($0, in: nil) }
        case .write(.modifySubscriptions(let operations)): operations.map { CommandItem($0) }
        case .write(.uploadAssets(let request)):
            request.tokens.map {
                CommandItem(
                    AssetField($0.recordName ?? "", $0.fieldName), in: request.zoneID,
                    recordType: $0.recordType)
            }
        case .write(.rereferenceAssets(let request)):
            request.fields.map { CommandItem($0, in: request.zoneID) }
        default: nil
        }
    }

    /// The zones a command names, sorted, each once; the default zone where records are meant and none
    /// is named.
    package var zoneNames: [String] {
        if case .read(.queryRecords(let request)) = self {
            return request.zoneWide ? [] : [(request.zoneID ?? .default).zoneName]
        }
        let names = (items ?? []).compactMap { $0.zoneID?.zoneName }
        return names.count < 2 ? names : Set(names).sorted()
    }

    /// The record types a command names; a deletion names none.
    package var recordTypes: Set<String> {
        if case .read(.queryRecords(let request)) = self { return [request.query.recordType] }
        return Set((items ?? []).flatMap(\.recordTypes))
    }

    /// Whether it has a change token.
    var hasChangeToken: Bool {
        switch self {
        case .read(.databaseChanges(let token, _)), .read(.zoneListChanges(let token, _)):
            token != nil
        case .read(.zoneChanges(let requests)): requests.contains { $0.token != nil }
        default: false
        }
    }

    /// How many items the command requests: 1 where it has no list.
    package var itemCount: Int { items?.count ?? 1 }
}
