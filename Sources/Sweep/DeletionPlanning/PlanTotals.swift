/// What a plan comes to.
package struct PlanTotals: Sendable, Hashable {
    package var steps = 0
    package var zones = 0
    package var defaultZones = 0
    package var records = 0
    package var subscriptions = 0
    package var userRecords = 0
    /// Zones of others that are left.
    package var sharedZones = 0
    /// Kept things, by the rows they stand in: a default zone is the records in it.
    package var kept = 0
    /// Places that cannot be proven.
    package var unproven = 0

    package init() {}

    /// Whether nothing that was seen is to be deleted. Trying to delete a default zone that
    /// nothing was seen in does not count.
    package var nothingToDelete: Bool {
        zones == 0 && records == 0 && subscriptions == 0 && userRecords == 0 && sharedZones == 0
    }

    /// What the zones hold, in words that follow their number: `with 14 records`, `with all records in them`.
    ///
    /// - Parameters:
    ///   - count: The records in the zones; nil: they were not counted.
    ///   - text: Writes a number.
    /// - Returns: nil when no zone is deleted.
    package func inZones(_ count: Int?, _ text: (Int) -> String = { "\($0)" }) -> String? {
        if zones == 0 { return nil }
        return switch count {
        case nil: zones == 1 ? "with all records in it" : "with all records in them"
        case 0: "without records"
        case 1: "with 1 record"
        case let count?: "with \(text(count)) records"
        }
    }

    /// Everything named for deletion.
    package var items: Int {
        zones + defaultZones + records + subscriptions + userRecords + sharedZones
    }

    package mutating func add(_ item: PlanItem) {
        switch item {
        case .kept(let item):
            if item.what != .defaultZone { kept += 1 }
        case .unproven:
            unproven += 1
        case .step(let step):
            steps += 1
            switch step.work {
            case .zones(let list) where step.scope == .shared: sharedZones += list.count
            case .zones(let list): zones += list.count
            case .defaultZone: defaultZones += 1
            case .records(_, _, let names): records += names.count
            case .subscriptions(let ids): subscriptions += ids.count
            case .userRecord: userRecords += 1
            }
        }
    }
}
