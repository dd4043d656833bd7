import CloudModel
import DeletionPlanning
import Journal

extension SeenRow {
    /// What the row says, or nil for what no plan is made of.
    func observation(of containers: [Container.ID]) -> Observation? {
        let subject: Observation.Subject
        var records: Int?
        switch kind {
        case .subscription:
            subject = .subscription(
                id: name, zone: zone.isEmpty ? nil : zone, recordType: type.isEmpty ? nil : type)
        case .zoneRecord, .record, .sharedRecord:
            subject = .record(zone: RecordZone.ID(qualifiedName: zone), type: type, name: name)
        case .zone, .sharedZone:
            let facts = ZoneFacts(detail: detail)
            subject = .zone(RecordZone.ID(qualifiedName: zone), facts.contents)
            records = facts.records
        case .defaultZone: subject = .defaultZone
        case .userRecord: subject = .userRecord
        case .shareGiven, .asset: return nil
        }
        return Observation(
            container: containers[container], scope: scope, subject: subject, records: records)
    }

    /// The rows of what a plan's line names: what was seen when it was made.
    static func rows(of item: PlanItem, container: Int) -> [SeenRow] {
        switch item {
        case .step(let step): rows(of: step, container: container, names: step.names)
        case .kept(let kept): [row(of: kept, container: container)]
        case .unproven: []
        }
    }

    /// The rows of some of a step's names.
    static func rows(of step: DeletionStep, container: Int, names: [String]) -> [SeenRow] {
        names.map { name in
            let make = { (zone: String, type: String, name: String) in
                SeenRow(
                    container: container, scope: step.scope, kind: step.itemKind, zone: zone,
                    type: type, name: name)
            }
            return switch step.work {
            case .zones: make(name, "", "")
            case .defaultZone, .userRecord: make("", "", "")
            case .records(let zone, let type, _): make(zone.qualifiedName, type, name)
            case .subscriptions: make("", "", name)
            }
        }
    }

    private static func row(of kept: KeptItem, container: Int) -> SeenRow {
        let make = { (zone: String, type: String, name: String) in
            SeenRow(
                container: container, scope: kept.scope, kind: kept.itemKind, zone: zone,
                type: type, name: name)
        }
        return switch kept.what {
        case .zone(let zone): make(zone.qualifiedName, "", "")
        case .defaultZone, .userRecord: make("", "", "")
        case .record(let zone, let type, let name): make(zone.qualifiedName, type, name)
        case .subscription(let id): make("", "", id)
        }
    }

    /// The name that a step has for the row.
    var nameInStep: String {
        switch kind {
        case .zone, .sharedZone: zone
        case .zoneRecord, .record, .sharedRecord, .shareGiven, .asset, .subscription: name
        case .defaultZone: RecordZone.ID.default.zoneName
        case .userRecord: DeletionStep.userRecordType
        }
    }
}

extension DeletionStep {
    /// The sort of rows it deletes.
    var itemKind: ItemKind {
        switch work {
        case .zones: scope == .shared ? .sharedZone : .zone
        case .defaultZone: .defaultZone
        case .records where scope == .shared: .sharedRecord
        case .records(let zone, _, _): zone.isDefault ? .record : .zoneRecord
        case .subscriptions: .subscription
        case .userRecord: .userRecord
        }
    }
}

extension KeptItem {
    /// The sort of row it keeps.
    var itemKind: ItemKind {
        switch what {
        case .zone: scope == .shared ? .sharedZone : .zone
        case .defaultZone: .defaultZone
        case .record where scope == .shared: .sharedRecord
        case .record(let zone, _, _): zone.isDefault ? .record : .zoneRecord
        case .subscription: .subscription
        case .userRecord: .userRecord
        }
    }

    /// The same as a step, to ask for it by name; nil for what is not asked for: what stays with
    /// another person cannot be seen once their zone is left.
    var asStep: DeletionStep? {
        if because == .staysWithOwner { return nil }
        let work: DeletionStep.Work
        switch what {
        case .zone(let zone): work = .zones([zone])
        case .record(let zone, let type, let name):
            work = .records(zone: zone, type: type, names: [name])
        case .subscription(let id): work = .subscriptions([id])
        case .userRecord: work = .userRecord
        case .defaultZone: return nil
        }
        return DeletionStep(container: container, scope: scope, work: work)
    }
}

extension CoverageRow {
    /// The place as a plan names it.
    var unprovenPlace: UnprovenPlace {
        UnprovenPlace(
            container: container, scope: scope, place: kind.rawValue, subject: subject ?? "")
    }
}
