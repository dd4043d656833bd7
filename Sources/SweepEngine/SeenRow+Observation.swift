import CloudModel
import DeletionPlanning
import Journal

/// What a row of an inventory is about; the numbers give their order.
enum SeenKind: Int, Sendable, CaseIterable {
    case subscription = 0
    /// A record of a custom zone, noted only where a rule keeps some of its zone's records.
    case zoneRecord = 1
    case zone = 2
    case defaultZone = 3
    /// A record of a default zone or of the public database.
    case record = 4
    case userRecord = 5
    /// A zone that somebody else shares with the user.
    case sharedZone = 6

    /// The row of the coverage map it is counted in.
    func coverage(in scope: Database.Scope) -> CoverageRow.Kind {
        switch self {
        case .subscription: .subscriptions
        case .zoneRecord: .zoneRecords
        case .zone: .customZones
        case .defaultZone: .defaultZone
        case .record: scope == .public ? .publicRecords : .defaultZone
        case .userRecord: .userRecord
        case .sharedZone: .sharedZones
        }
    }
}

extension Database.Scope {
    /// The number that stands for it in rows.
    var number: Int {
        switch self {
        case .private: 0
        case .shared: 1
        case .public: 2
        }
    }

    init?(number: Int) {
        guard let scope = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = scope
    }
}

extension Observation.Contents {
    var number: Int {
        switch self {
        case .notLookedInto: 0
        case .nothingKept: 1
        case .holdsKept: 2
        }
    }

    init(number: Int) {
        switch number {
        case 1: self = .nothingKept
        case 2: self = .holdsKept
        default: self = .notLookedInto
        }
    }
}

extension SeenRow {
    /// What the row says, or nil for what no plan is made of.
    func observation(of containers: [Container.ID]) -> Observation? {
        guard containers.indices.contains(container),
            let scope = Database.Scope(number: scope), let kind = SeenKind(rawValue: kind)
        else { return nil }
        let subject: Observation.Subject
        switch kind {
        case .subscription:
            subject = .subscription(
                id: name, zone: zone.isEmpty ? nil : zone, recordType: type.isEmpty ? nil : type)
        case .zoneRecord, .record:
            subject = .record(zone: RecordZone.ID(zone), type: type, name: name)
        case .zone:
            subject = .zone(RecordZone.ID(zone), Observation.Contents(number: detail))
        case .defaultZone: subject = .defaultZone
        case .userRecord: subject = .userRecord
        case .sharedZone: return nil
        }
        return Observation(container: containers[container], scope: scope, subject: subject)
    }

    /// The rows of what a plan's line names: what was seen when it was made.
    static func rows(of item: PlanItem, container: Int) -> [SeenRow] {
        switch item {
        case .step(let step):
            let make = { (kind: SeenKind, zone: String, type: String, name: String) in
                SeenRow(
                    container: container, scope: step.scope.number, kind: kind.rawValue,
                    zone: zone, type: type, name: name)
            }
            switch step.work {
            case .zones(let zones): return zones.map { make(.zone, $0.zoneName, "", "") }
            case .defaultZone: return [make(.defaultZone, "", "", "")]
            case .records(let zone, let type, let names):
                let kind: SeenKind = zone.isDefault ? .record : .zoneRecord
                return names.map { make(kind, zone.zoneName, type, $0) }
            case .subscriptions(let ids): return ids.map { make(.subscription, "", "", $0) }
            case .userRecord: return [make(.userRecord, "", "", "")]
            }
        case .kept(let kept):
            let make = { (kind: SeenKind, zone: String, type: String, name: String) in
                [
                    SeenRow(
                        container: container, scope: kept.scope.number, kind: kind.rawValue,
                        zone: zone, type: type, name: name)
                ]
            }
            switch kept.what {
            case .zone(let zone): return make(.zone, zone.zoneName, "", "")
            case .defaultZone: return make(.defaultZone, "", "", "")
            case .record(let zone, let type, let name):
                return make(zone.isDefault ? .record : .zoneRecord, zone.zoneName, type, name)
            case .subscription(let id): return make(.subscription, "", "", id)
            case .userRecord: return make(.userRecord, "", "", "")
            }
        }
    }
}
