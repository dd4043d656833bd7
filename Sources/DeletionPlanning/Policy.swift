package import CloudModel

/// What must stay, and how much may go.
package struct Policy: Sendable, Hashable {
    /// In the order of the configuration; the first that matches is the one named.
    package var protect: [ProtectRule]
    package var caps: Caps
    /// What is done when other people's records refer with `DELETE_SELF` to what is deleted.
    package var othersByCascade: OthersByCascade
    /// The same for single containers.
    package var othersByCascadeIn: [Container.ID: OthersByCascade] = [:]

    package init(
        protect: [ProtectRule] = [], caps: Caps = Caps(),
        othersByCascade: OthersByCascade = .refuse
    ) {
        self.protect = protect
        self.caps = caps
        self.othersByCascade = othersByCascade
    }

    /// Whether other people's records may go along with the person's own.
    package enum OthersByCascade: String, Sendable, CaseIterable {
        case refuse
        case allow
    }

    /// Whether other people's records of the container may go along.
    package func letsOthersGoAlong(in container: Container.ID) -> Bool {
        (othersByCascadeIn[container] ?? othersByCascade) == .allow
    }

    /// More than this is refused; nil: no limit.
    package struct Caps: Sendable, Hashable {
        package var zones: Int?
        package var records: Int?

        package init(zones: Int? = nil, records: Int? = nil) {
            self.zones = zones
            self.records = records
        }
    }

    /// The index of the rule that keeps the whole zone.
    package func ruleKeepingZone(_ name: String, in container: Container.ID) -> Int? {
        protect.firstIndex { $0.keepsZone(name, in: container) }
    }

    /// The index of the rule that keeps records of `type` in the zone.
    package func ruleKeepingRecord(
        type: String, zone: String, in container: Container.ID
    ) -> Int? {
        protect.firstIndex { $0.keepsRecord(type: type, zone: zone, in: container) }
    }

    /// The index of the rule that keeps everything in the container.
    package func ruleKeepingContainer(_ container: Container.ID) -> Int? {
        protect.firstIndex {
            $0.zone == nil && $0.recordType == nil && $0.concerns(container)
        }
    }

    /// The record types that rules keep in this zone without keeping the whole zone: the zone
    /// must be looked into for them.
    package func typesKept(inZone name: String, of container: Container.ID) -> [String] {
        var types: [String] = []
        for rule in protect where rule.mayKeepSomething(inZone: name, of: container) {
            if let type = rule.recordType, !types.contains(type) { types.append(type) }
        }
        return types
    }
}
