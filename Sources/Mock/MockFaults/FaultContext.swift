package import Basics
package import CloudModel
package import CloudWire

/// The facts of a request by which fault rules decide.
package struct FaultContext: Sendable {
    let operationPath: String
    let zoneNames: [String]
    let recordTypes: Set<String>
    private let items: [CommandItem]
    /// Whether it has a change token.
    private let hasToken: Bool
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
        items = command.items ?? []
        hasToken = command.hasChangeToken
        self.address = address
        self.user = user
        self.device = device
        self.now = now
    }

    /// The transfer of an asset, which has no caller.
    package init(_ transfer: WireTransfer, address: Database.Address, now: Timestamp) {
        operationPath = transfer.rawValue
        (zoneNames, recordTypes, items, hasToken) = ([], [], [], false)
        self.address = address
        (user, device) = (nil, nil)
        self.now = now
    }

    /// Whether `rule` matches this request, before its counters.
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
        let filter = rule.itemFilter
        if filter.looksAtItems, !items.contains(where: filter.contains) { return false }
        return isWithinReach(of: rule)
    }

    /// Whether the request has what the action changes.
    private func isWithinReach(of rule: FaultRule) -> Bool {
        switch rule.action {
        case .expireToken: hasToken
        case .purgeZone, .deleteZone:
            address.scope == .private && user != nil
                && zoneNames.contains { rule.losesZone(named: $0) }
        default: true
        }
    }
}
