package import CloudModel
package import CloudWire

/// What a fault rule can see of a request.
package struct FaultContext: Sendable {
    let operationPath: String
    let zoneNames: [String]
    let recordTypes: Set<String>
    package let address: Database.Address
    /// The caller's name on this server; nil for signed and anonymous requests.
    package let user: String?
    /// The caller's device, where its web token names one.
    package let device: String?
    package let now: Timestamp

    package init(
        command: CloudCommand, address: Database.Address, user: String?, device: String? = nil,
        now: Timestamp
    ) {
        operationPath = command.operationPath
        zoneNames = command.zoneNames
        recordTypes = command.recordTypes
        self.address = address
        self.user = user
        self.device = device
        self.now = now
    }

    /// The bytes of an asset, which come or go without a caller.
    package init(_ transfer: WireTransfer, address: Database.Address, now: Timestamp) {
        operationPath = transfer.rawValue
        (zoneNames, recordTypes) = ([], [])
        self.address = address
        (user, device) = (nil, nil)
        self.now = now
    }

    /// Whether `rule` is about this request, leaving aside how often it fires.
    package func fits(_ rule: FaultRule) -> Bool {
        guard rule.paths.contains(operationPath) else { return false }
        if let scope = rule.scope, scope != address.scope { return false }
        if let user = rule.user, user != self.user { return false }
        if let device = rule.device, device != self.device { return false }
        if let container = rule.container, !container.matches(address.container.rawValue) {
            return false
        }
        if let zone = rule.zone, !zoneNames.contains(where: zone.matches) { return false }
        if let type = rule.recordType, !recordTypes.contains(type) { return false }
        return true
    }
}

/// One thing that a command is about, and that its answer has an item for.
struct CommandItem {
    /// Of the record or subscription; empty where the server is to choose it.
    var name = ""
    var zoneID: RecordZone.ID?
    var recordTypes: [String] = []
    /// Of an asset.
    var fieldName = ""

    init(_ id: RecordZone.ID, recordTypes: [String] = []) {
        name = id.zoneName
        zoneID = id
        self.recordTypes = recordTypes
    }

    init(_ name: String?, in zoneID: RecordZone.ID?, recordType: String? = nil) {
        self.name = name ?? ""
        self.zoneID = zoneID
        recordTypes = recordType.map { [$0] } ?? []
    }

    init(_ field: AssetField, in zoneID: RecordZone.ID, recordType: String? = nil) {
        self.init(field.recordName, in: zoneID, recordType: recordType)
        fieldName = field.fieldName
    }

    init(_ operation: Subscription.Operation) {
        switch operation {
        case .create(let subscription), .update(let subscription):
            self.init(
                subscription.subscriptionID, in: subscription.zoneID,
                recordType: subscription.query?.recordType)
        case .delete(let id): self.init(id, in: nil)
        }
    }
}

extension CommandItem {
    /// Whether it is in a zone of such a name.
    func isIn(_ zone: Glob) -> Bool { zoneID.map { zone.matches($0.zoneName) } ?? false }
}

extension CloudCommand {
    /// What the command names, in order; nil where the answer lists what the server chooses.
    var items: [CommandItem]? {
        switch self {
        case .read(.lookUpZones(let ids)): ids.map { CommandItem($0) }
        case .write(.modifyZones(let operations)): operations.map { CommandItem($0.id) }
        case .read(.zoneChanges(let requests)):
            requests.map { CommandItem($0.zoneID, recordTypes: $0.desiredRecordTypes ?? []) }
        case .read(.lookUpRecords(let request)):
            request.recordNames.map { CommandItem($0, in: request.zoneID) }
        case .write(.modifyRecords(let request)):
            request.operations.map {
                CommandItem(
                    $0.recordName, in: $0.zoneID ?? request.zoneID, recordType: $0.recordType)
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

    /// How many things the command asks for: 1 where it has no list.
    package var itemCount: Int { items?.count ?? 1 }
}
