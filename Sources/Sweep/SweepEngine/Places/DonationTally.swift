import CloudModel
import DeletionPlanning
import DonationStore
import Donations

/// What the donation store holds about one container, and what is to become of it.
struct DonationTally: Sendable, Hashable {
    /// Rows linked to the container, in the databases in scope.
    var found = 0
    /// Those that stay.
    var kept = 0
    /// Why the first of them stay.
    var reason = ""
    /// What reaches the others.
    var selectors: [DonationSelector] = []
    /// Zones of a named database of which a rule may keep something: the plan says whether they
    /// go as a whole.
    var undecided: [LinkedZone] = []

    /// How many rows are to be deleted.
    var toDelete: Int { found - kept }

    /// Sorts what is linked to a container.
    ///
    /// A donation goes with its zone. One that names no database is sure to be meant only when all
    /// three are in scope, one that names no zone only when no rule keeps anything there.
    init(
        _ groups: [LinkedZone], of container: Container.ID, _ request: SweepRequest
    ) {
        let rules = request.policy.protect.filter { $0.concerns(container) }
        let isAllInScope = Set(request.scopes) == Set(Database.Scope.allCases)
        for group in groups {
            if let scope = group.link.scope,
                !request.scopes.contains(where: { $0.rawValue == scope })
            {
                continue
            }
            found += group.rows
            guard group.link.scope != nil || isAllInScope else {
                keep(group, "it names no database, and not all are in scope")
                continue
            }
            let rule = rules.first { rule in
                guard let zone = group.link.zone else { return true }
                return rule.mayKeepSomething(inZone: zone, of: container)
            }
            if let rule {
                keep(group, rule.reason)
                if group.link.zone != nil, group.link.scope != nil { undecided.append(group) }
            } else {
                selectors.append(.linked(group.link))
            }
        }
        // Nothing stays: one deletion takes all, also what is donated meanwhile.
        if found > 0, kept == 0, rules.isEmpty, isAllInScope {
            selectors = [.linked(ContentLink(container: container.rawValue))]
        }
    }

    private mutating func keep(_ group: LinkedZone, _ reason: String) {
        kept += group.rows
        if self.reason.isEmpty { self.reason = reason }
    }

    /// Takes notice that the plan deletes a zone as a whole.
    mutating func zoneGoes(_ zone: RecordZone.ID, _ scope: Database.Scope) {
        for group in undecided where group.isIn(zone, scope) {
            kept -= group.rows
            selectors.append(.linked(group.link))
        }
        undecided.removeAll { $0.isIn(zone, scope) }
    }

    /// Takes rows off that were deleted. Records that went one by one out of a zone a rule is about
    /// were counted as kept.
    mutating func take(_ rows: Int) {
        found = max(0, found - rows)
        kept = min(kept, found)
    }

    /// The selectors of records that the plan deletes one by one out of undecided zones.
    func selectors(
        ofRecords names: [String], in zone: RecordZone.ID, _ scope: Database.Scope
    ) -> [DonationSelector] {
        undecided.filter { $0.isIn(zone, scope) }.flatMap { group in
            names.map { name in
                var link = group.link
                link.record = name
                return .linked(link)
            }
        }
    }
}

extension LinkedZone {
    /// Whether this is that zone of that database.
    func isIn(_ zone: RecordZone.ID, _ scope: Database.Scope) -> Bool {
        link.zone == zone.zoneName && link.scope == scope.rawValue
    }
}
