package import CloudModel

/// Something that must stay, and why.
///
/// What a rule leaves open matches everything: a rule with a zone alone keeps that zone in every
/// container, one with a record type alone keeps records of that type wherever they are.
package struct ProtectRule: Sendable, Hashable {
    package var container: Container.ID?
    package var zone: String?
    package var recordType: String?
    /// Words for people; shown beside every item the rule keeps.
    package var reason: String

    package init(
        container: Container.ID? = nil, zone: String? = nil, recordType: String? = nil,
        reason: String
    ) {
        self.container = container
        self.zone = zone
        self.recordType = recordType
        self.reason = reason
    }

    /// Whether the rule says anything about `container` at all.
    package func concerns(_ container: Container.ID) -> Bool {
        self.container == nil || self.container == container
    }

    /// Whether the rule keeps the whole zone, whatever is in it.
    package func keepsZone(_ name: String, in container: Container.ID) -> Bool {
        concerns(container) && recordType == nil && (zone == nil || zone == name)
    }

    /// Whether the rule keeps records of `type` in the zone.
    package func keepsRecord(type: String, zone name: String, in container: Container.ID) -> Bool {
        concerns(container) && (zone == nil || zone == name)
            && (recordType == nil || recordType == type)
    }

    /// Whether some record of the zone could be kept, so that the zone must be looked into
    /// before it may be deleted whole.
    package func mayKeepSomething(inZone name: String, of container: Container.ID) -> Bool {
        concerns(container) && (zone == nil || zone == name)
    }
}
