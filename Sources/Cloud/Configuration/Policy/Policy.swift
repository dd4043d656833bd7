package import CloudModel

/// What must stay, and how much may go.
package struct Policy: Sendable, Hashable {
    /// In the order of the configuration; the first that matches is the one named.
    package var protect: [ProtectRule]
    package var caps: Caps
    /// Who has to sign a plan before it is carried out.
    package var approvals = ApprovalRule()
    /// What is done when other people's records refer with `DELETE_SELF` to what is deleted.
    package var othersByCascade: OthersByCascade
    /// The same for single containers.
    package var othersByCascadeIn: [Container.ID: OthersByCascade] = [:]
    /// What becomes of the person's own records in zones of others that are left.
    package var leaveShared: LeaveShared
    /// The same for single containers.
    package var leaveSharedIn: [Container.ID: LeaveShared] = [:]

    package init(
        protect: [ProtectRule] = [], caps: Caps = Caps(),
        othersByCascade: OthersByCascade = .refuse, leaveShared: LeaveShared = .keepMine
    ) {
        self.protect = protect
        self.caps = caps
        self.othersByCascade = othersByCascade
        self.leaveShared = leaveShared
    }

    /// Whether other people's records may go along with the person's own.
    package enum OthersByCascade: String, Sendable, CaseIterable {
        case refuse
        case allow
    }

    /// How zones of others are left. Their owners' records stay in any case.
    package enum LeaveShared: String, Sendable, CaseIterable {
        /// What the person created there stays with the zone's owner.
        case keepMine = "keep-mine"
        /// What the person created there is deleted before the zone is left.
        case deleteMine = "delete-mine"
    }

    /// Whether the person's own records are deleted before zones of others are left.
    package func deletesMineInShared(in container: Container.ID) -> Bool {
        (leaveSharedIn[container] ?? leaveShared) == .deleteMine
    }

    /// Whether other people's records of the container may go along.
    package func letsOthersGoAlong(in container: Container.ID) -> Bool {
        (othersByCascadeIn[container] ?? othersByCascade) == .allow
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

    /// Whether a zone has to be looked into before it may be deleted or left: whether a rule may
    /// keep some of what would go with it. What stays with another person when their zone is left
    /// does not go.
    package func mustLookInto(
        _ zone: RecordZone.ID, in container: Container.ID, _ scope: Database.Scope
    ) -> Bool {
        guard scope != .shared || deletesMineInShared(in: container) else { return false }
        return !typesKept(inZone: zone.zoneName, of: container).isEmpty
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
