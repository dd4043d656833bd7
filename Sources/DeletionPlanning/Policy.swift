package import CloudModel

/// What must stay, and how much may go.
package struct Policy: Sendable, Hashable {
    /// In the order of the configuration; the first that matches is the one named.
    package var protect: [ProtectRule]
    package var caps: Caps

    package init(protect: [ProtectRule] = [], caps: Caps = Caps()) {
        self.protect = protect
        self.caps = caps
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

    /// Whether anything in the default zone could be kept, so that it must not be deleted whole.
    package func maySpareDefaultZone(of container: Container.ID) -> Bool {
        protect.contains {
            $0.mayKeepSomething(inZone: RecordZone.ID.default.zoneName, of: container)
        }
    }
}
