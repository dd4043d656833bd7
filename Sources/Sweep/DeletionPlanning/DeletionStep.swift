package import CloudModel
package import Configuration

/// One request that deletes: what a plan is made of.
package struct DeletionStep: Sendable, Hashable {
    package let container: Container.ID
    package let scope: Database.Scope
    package let work: Work

    package init(container: Container.ID, scope: Database.Scope, work: Work) {
        self.container = container
        self.scope = scope
        self.work = work
    }

    /// Most items in one request: the service's documented limit.
    ///
    /// - SeeAlso: <https://developer.apple.com/library/archive/documentation/DataManagement/Conceptual/CloudKitWebServicesReference/PropertyMetrics.html>
    package static let itemsMax = 200

    /// What the request deletes.
    package enum Work: Sendable, Hashable {
        /// Custom zones, whole; in the shared database zones of others, with their owners, which
        /// are left.
        case zones([RecordZone.ID])
        /// The default zone, tried in a request of its own.
        case defaultZone
        /// Records of one type in one zone, without change tags and not atomically.
        case records(zone: RecordZone.ID, type: String, names: [String])
        case subscriptions([String])
        /// The fields of the user's own record; the record itself cannot go.
        case userRecord
    }

    /// How many things the step names.
    package var itemCount: Int {
        switch work {
        case .zones(let zones): zones.count
        case .records(_, _, let names): names.count
        case .subscriptions(let ids): ids.count
        case .defaultZone, .userRecord: 1
        }
    }

    /// The names of the things, each once: another person's zone with its owner, the default zone
    /// and the user record by a word of ours.
    package var names: [String] {
        switch work {
        case .zones(let zones): zones.map(\.qualifiedName)
        case .records(_, _, let names): names
        case .subscriptions(let ids): ids
        case .defaultZone: [RecordZone.ID.default.zoneName]
        case .userRecord: [Self.userRecordType]
        }
    }

    /// The same step with no other names than these.
    package func limited(to wanted: Set<String>) -> DeletionStep {
        let work: Work =
            switch self.work {
            case .zones(let zones): .zones(zones.filter { wanted.contains($0.qualifiedName) })
            case .records(let zone, let type, let names):
                .records(zone: zone, type: type, names: names.filter(wanted.contains))
            case .subscriptions(let ids): .subscriptions(ids.filter(wanted.contains))
            case .defaultZone, .userRecord: self.work
            }
        return DeletionStep(container: container, scope: scope, work: work)
    }

    /// The rule of `policy` that forbids this step, or nil when it may be sent.
    ///
    /// The planner asks before it makes a step, and the executor asks again just before sending.
    package func forbidden(by policy: Policy) -> Int? {
        switch work {
        case .zones(let zones):
            for zone in zones {
                if let rule = policy.ruleKeepingZone(zone.zoneName, in: container) { return rule }
            }
            return nil
        case .defaultZone:
            let name = RecordZone.ID.default.zoneName
            return policy.protect.firstIndex {
                $0.mayKeepSomething(inZone: name, of: container)
            }
        case .records(let zone, let type, _):
            return policy.ruleKeepingRecord(type: type, zone: zone.zoneName, in: container)
        case .subscriptions:
            return policy.ruleKeepingContainer(container)
        case .userRecord:
            return policy.ruleKeepingRecord(
                type: Self.userRecordType, zone: RecordZone.ID.default.zoneName, in: container)
        }
    }

    /// The record type of the record every user has in every container.
    package static let userRecordType = "Users"
}
