package import CloudModel

/// What a fault rule can see of a request.
package struct FaultContext: Sendable {
    package let command: CloudCommand
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
        self.command = command
        self.address = address
        self.user = user
        self.device = device
        self.now = now
    }

    /// Whether `rule` is about this request, leaving aside how often it fires.
    package func fits(_ rule: FaultRule) -> Bool {
        let path = command.operationPath
        guard rule.operation.matches(path), rule.action.operations.contains(path) else {
            return false
        }
        if let scope = rule.scope, scope != address.scope { return false }
        if let user = rule.user, user != self.user { return false }
        if let device = rule.device, device != self.device { return false }
        if let container = rule.container, !container.matches(address.container.rawValue) {
            return false
        }
        if let zone = rule.zone, !command.zoneNames.contains(where: zone.matches) { return false }
        if let type = rule.recordType, !command.recordTypes.contains(type) { return false }
        return true
    }
}

extension CloudCommand {
    /// The zones a command names; the default zone where records are meant and none is named.
    package var zoneNames: Set<String> {
        switch self {
        case .read(.lookUpZones(let ids)): Set(ids.map(\.zoneName))
        case .write(.modifyZones(let operations)): Set(operations.map(\.id.zoneName))
        case .read(.zoneChanges(let requests)): Set(requests.map(\.zoneID.zoneName))
        case .read(.queryRecords(let request)):
            request.zoneWide ? [] : [(request.zoneID ?? .default).zoneName]
        case .read(.lookUpRecords(let request)): [request.zoneID.zoneName]
        case .write(.modifyRecords(let request)):
            Set(request.operations.map { ($0.zoneID ?? request.zoneID).zoneName })
        case .write(.modifySubscriptions(let operations)):
            Set(
                operations.compactMap {
                    switch $0 {
                    case .create(let subscription), .update(let subscription):
                        subscription.zoneID?.zoneName
                    case .delete: nil
                    }
                })
        case .read(.listZones), .read(.zoneListChanges), .read(.databaseChanges),
            .read(.listSubscriptions),
            .read(.lookUpSubscriptions), .read(.currentUser), .read(.caller), .write(.restrict),
            .write(.unrestrict):
            []
        }
    }

    /// Puts the zones a command names into a journal's entry.
    func noteZones(in entry: inout RequestJournal.Entry) {
        switch self {
        case .write(.modifyZones(let operations)) where operations.count == 1:
            entry.zone = operations[0].id.zoneName
        case .write(.modifyRecords(let request))
        where request.operations.allSatisfy { $0.zoneID == nil }:
            entry.zone = request.zoneID.zoneName
        case .read(.listZones), .read(.zoneListChanges), .read(.databaseChanges),
            .read(.listSubscriptions),
            .read(.lookUpSubscriptions), .read(.currentUser), .read(.caller), .write(.restrict),
            .write(.unrestrict):
            break
        default:
            entry.zones = Array(zoneNames.sorted().prefix(RequestJournal.Entry.zonesMax))
        }
    }

    /// The record types a command names; a deletion names none.
    package var recordTypes: Set<String> {
        switch self {
        case .read(.queryRecords(let request)): [request.query.recordType]
        case .write(.modifyRecords(let request)): Set(request.operations.compactMap(\.recordType))
        case .read(.zoneChanges(let requests)):
            Set(requests.flatMap { $0.desiredRecordTypes ?? [] })
        case .write(.modifySubscriptions(let operations)):
            Set(
                operations.compactMap {
                    switch $0 {
                    case .create(let subscription), .update(let subscription):
                        subscription.query?.recordType
                    case .delete: nil
                    }
                })
        case .read(.listZones), .read(.lookUpZones), .write(.modifyZones), .read(.zoneListChanges),
            .read(.databaseChanges),
            .read(.lookUpRecords), .read(.listSubscriptions), .read(.lookUpSubscriptions),
            .read(.currentUser), .read(.caller),
            .write(.restrict), .write(.unrestrict):
            []
        }
    }

    /// How many things the command asks for: 1 where it has no list.
    package var itemCount: Int {
        switch self {
        case .read(.lookUpZones(let ids)): ids.count
        case .write(.modifyZones(let operations)): operations.count
        case .read(.zoneChanges(let requests)): requests.count
        case .read(.lookUpRecords(let request)): request.recordNames.count
        case .write(.modifyRecords(let request)): request.operations.count
        case .read(.lookUpSubscriptions(let ids)): ids.count
        case .write(.modifySubscriptions(let operations)): operations.count
        case .read(.listZones), .read(.zoneListChanges), .read(.databaseChanges),
            .read(.queryRecords), .read(.listSubscriptions),
            .read(.currentUser), .read(.caller), .write(.restrict), .write(.unrestrict):
            1
        }
    }
}
