import CloudModel
import DeletionPlanning

/// What a plan file holds, place by place: gathered line by line, small however long the plan is.
struct PlanSummary: Sendable {
    /// A kind of thing in one database.
    struct Place: Sendable, Hashable, Comparable {
        let container: Container.ID
        let scope: Database.Scope
        let what: String
        let isKept: Bool

        static func < (left: Place, right: Place) -> Bool {
            if left.container != right.container { return left.container < right.container }
            if left.scope != right.scope { return left.scope < right.scope }
            if left.isKept != right.isKept { return !left.isKept }
            return left.what < right.what
        }
    }

    private(set) var counts: [Place: Int] = [:]

    mutating func add(_ item: PlanItem) {
        switch item {
        case .step(let step):
            count(step.container, step.scope, Self.what(step), false, step.itemCount)
        case .kept(let kept):
            count(kept.container, kept.scope, Self.what(kept), true, 1)
        case .unproven(let place):
            let subject = place.subject.isEmpty ? "" : ": \(place.subject)"
            count(place.container, place.scope, place.place + subject + ", unproven", true, 1)
        }
    }

    private mutating func count(
        _ container: Container.ID, _ scope: Database.Scope, _ what: String, _ isKept: Bool,
        _ number: Int
    ) {
        let place = Place(container: container, scope: scope, what: what, isKept: isKept)
        counts[place, default: 0] += number
    }

    var places: [(place: Place, count: Int)] {
        counts.map { (place: $0.key, count: $0.value) }.sorted { $0.place < $1.place }
    }

    private static func what(_ step: DeletionStep) -> String {
        switch step.work {
        case .zones: step.scope == .shared ? "shared zones to leave" : "custom zones"
        case .defaultZone: "default zone, entire"
        case .records(let zone, let type, _):
            "\(type) records" + (zone.isDefault ? "" : " in \(zone.words)")
        case .subscriptions: "subscriptions"
        case .userRecord: "user record"
        }
    }

    private static func what(_ kept: KeptItem) -> String {
        switch kept.what {
        case .zone: kept.scope == .shared ? "shared zones" : "custom zones"
        case .defaultZone: "default zone, entire"
        case .record(let zone, let type, _):
            "\(type) records" + (zone.isDefault ? "" : " in \(zone.words)")
        case .subscription: "subscriptions"
        case .userRecord: "user record"
        }
    }

    /// Every name in a step.
    static func names(_ work: DeletionStep.Work) -> [String] {
        switch work {
        case .zones(let zones): zones.map { "zone \($0.words)" }
        case .defaultZone: ["default zone, entire"]
        case .records(let zone, let type, let names):
            names.map { "record \($0) (\(type), zone \(zone.words))" }
        case .subscriptions(let ids): ids.map { "subscription \($0)" }
        case .userRecord: ["the user record's fields"]
        }
    }

    /// A kept thing, by name.
    static func name(_ kept: KeptItem.What) -> String {
        switch kept {
        case .zone(let zone): "zone \(zone.words)"
        case .defaultZone: "default zone, entire"
        case .record(let zone, let type, let name):
            "record \(name) (\(type), zone \(zone.words))"
        case .subscription(let id): "subscription \(id)"
        case .userRecord: "user record"
        }
    }

    /// Why a thing is kept.
    static func why(_ because: KeptItem.Because, _ reason: String?) -> String {
        switch because {
        case .rule(let index):
            "protect rule \(index + 1)" + (reason.map { ": \($0)" } ?? "")
        case .holdsKept:
            "contains records that a rule keeps; its other records are deleted one by one"
        case .staysWithOwner:
            "is in another user's zone, and \"leaveShared\" is not \"delete-mine\""
        case .notLookedInto: "could not be checked against the protect rules"
        }
    }
}
