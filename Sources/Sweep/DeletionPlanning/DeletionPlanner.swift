import CloudModel
package import Configuration

/// Turns what was seen into what will be sent. Pure and streaming: it holds one batch at a time.
///
/// Give it observations sorted by container, scope and kind; each call returns the items that are
/// finished, and ``finish()`` the rest. The same observations and policy give the same plan.
package struct DeletionPlanner: Sendable {
    private let policy: Policy
    private let bounds: PlanScope
    private var batch: Batch?
    private var matched: Set<Int> = []
    /// For rules that matched nothing yet: the zone of their name, or else the last one with nearly that name
    /// that no rule names.
    private var nearZones: [Int: String] = [:]
    package private(set) var totals = PlanTotals()
    /// The records that would go and stay, those inside of zones included.
    package private(set) var census = RecordCensus()

    package init(policy: Policy, bounds: PlanScope) {
        self.policy = policy
        self.bounds = bounds
    }

    /// The rules that matched nothing so far.
    package var unmatchedRules: [Int] {
        policy.protect.indices.filter { !matched.contains($0) }
    }

    /// Those of them whose zone was not seen, and is spelled nearly like one that was.
    package var misspelledZones: [Misspelling] {
        unmatchedRules.compactMap { index in
            let rule = policy.protect[index]
            guard let zone = rule.zone, let meant = nearZones[index], meant != zone else {
                return nil
            }
            return Misspelling(rule, written: zone, meant: meant)
        }
    }

    /// Takes in one observation.
    ///
    /// - Precondition: it lies within the bounds given to `init`.
    package mutating func observe(_ seen: Observation) -> [PlanItem] {
        precondition(
            bounds.holds(seen.container, seen.scope), "an observation is outside the sweep")
        noteRules(concerning: seen)
        switch seen.subject {
        case .zone(let zone, let contents):
            return observeZone(zone, contents, seen)
        case .defaultZone:
            if let rule = firstRuleSparingDefaultZone(of: seen.container) {
                return keep(.defaultZone, because: .rule(rule), seen)
            }
            return flush() + emit(seen, .defaultZone)
        case .record(let zone, let type, let name):
            if seen.scope == .shared, !policy.deletesMineInShared(in: seen.container) {
                return keep(
                    .record(zone: zone, type: type, name: name), because: .staysWithOwner, seen)
            }
            if let rule = policy.ruleKeepingRecord(
                type: type, zone: zone.zoneName, in: seen.container)
            {
                return keep(
                    .record(zone: zone, type: type, name: name), because: .rule(rule), seen)
            }
            return add(name, to: .records(zone, type), seen)
        case .subscription(let id, let zone, let recordType):
            if let rule = ruleKeepingSubscription(
                zone: zone, recordType: recordType, in: seen.container)
            {
                return keep(.subscription(id), because: .rule(rule), seen)
            }
            return add(id, to: .subscriptions, seen)
        case .userRecord:
            if let rule = policy.ruleKeepingRecord(
                type: DeletionStep.userRecordType, zone: RecordZone.ID.default.zoneName,
                in: seen.container)
            {
                return keep(.userRecord, because: .rule(rule), seen)
            }
            return flush() + emit(seen, .userRecord)
        }
    }

    /// Counts a place that cannot be proven among what the plan says.
    package mutating func note(_ place: UnprovenPlace) { totals.add(.unproven(place)) }

    /// Ends the stream.
    package mutating func finish() -> [PlanItem] { flush() }

    private mutating func observeZone(
        _ zone: RecordZone.ID, _ contents: Observation.Contents, _ seen: Observation
    ) -> [PlanItem] {
        if let rule = policy.ruleKeepingZone(zone.zoneName, in: seen.container) {
            return keep(.zone(zone), because: .rule(rule), seen)
        }
        let mustLook = policy.mustLookInto(zone, in: seen.container, seen.scope)
        switch contents {
        case .holdsKept:
            return keep(.zone(zone), because: .holdsKept, seen)
        case .notLookedInto where mustLook:
            return keep(.zone(zone), because: .notLookedInto, seen)
        case .notLookedInto, .nothingKept:
            return add(zone, seen)
        }
    }

    /// Marks the rules that had something to say, so that a misspelled one stands out.
    private mutating func noteRules(concerning seen: Observation) {
        for (index, rule) in policy.protect.enumerated() where !matched.contains(index) {
            let matches =
                switch seen.subject {
                case .zone(let zone, _): rule.keepsZone(zone.zoneName, in: seen.container)
                case .defaultZone:
                    rule.zone != nil
                        && rule.keepsZone(RecordZone.ID.default.zoneName, in: seen.container)
                case .record(let zone, let type, _):
                    rule.keepsRecord(type: type, zone: zone.zoneName, in: seen.container)
                case .userRecord:
                    rule.keepsRecord(
                        type: DeletionStep.userRecordType,
                        zone: RecordZone.ID.default.zoneName, in: seen.container)
                case .subscription: false
                }
            let wholeContainer =
                rule.zone == nil && rule.recordType == nil && rule.container == seen.container
            if matches || wholeContainer { matched.insert(index) }
        }
        if case .zone(let zone, _) = seen.subject {
            noteName(of: zone.zoneName, in: seen.container)
        }
    }

    private mutating func noteName(of zone: String, in container: Container.ID) {
        let isNamed = policy.protect.contains { $0.zone == zone && $0.concerns(container) }
        for (index, rule) in policy.protect.enumerated()
        where !matched.contains(index) && rule.concerns(container) {
            guard let written = rule.zone, nearZones[index] != written else { continue }
            if written == zone
                || (!isNamed && Misspelling.meant(by: written, among: [zone]) != nil)
            {
                nearZones[index] = zone
            }
        }
    }

    private func firstRuleSparingDefaultZone(of container: Container.ID) -> Int? {
        DeletionStep(container: container, scope: .private, work: .defaultZone)
            .forbidden(by: policy)
    }

    /// A subscription stays when what it watches stays.
    private func ruleKeepingSubscription(
        zone: String?, recordType: String?, in container: Container.ID
    ) -> Int? {
        if let rule = policy.ruleKeepingContainer(container) { return rule }
        if let zone, let rule = policy.ruleKeepingZone(zone, in: container) { return rule }
        guard let recordType else { return nil }
        return policy.protect.firstIndex {
            $0.concerns(container) && $0.recordType == recordType
                && ($0.zone == nil || $0.zone == zone)
        }
    }

    // MARK: Batches

    private struct Batch: Sendable {
        enum Kind: Sendable, Hashable {
            case zones
            case records(RecordZone.ID, String)
            case subscriptions
        }
        let container: Container.ID
        let scope: Database.Scope
        let kind: Kind
        var zones: [RecordZone.ID] = []
        var names: [String] = []
        var count: Int { zones.count + names.count }
    }

    private mutating func open(_ kind: Batch.Kind, _ seen: Observation) -> [PlanItem] {
        if let batch, batch.container == seen.container, batch.scope == seen.scope,
            batch.kind == kind, batch.count < DeletionStep.itemsMax
        {
            return []
        }
        let done = flush()
        batch = Batch(container: seen.container, scope: seen.scope, kind: kind)
        return done
    }

    private mutating func add(_ zone: RecordZone.ID, _ seen: Observation) -> [PlanItem] {
        let done = open(.zones, seen)
        batch?.zones.append(zone)
        census.note(seen, goes: true)
        return done
    }

    private mutating func add(
        _ name: String, to kind: Batch.Kind, _ seen: Observation
    ) -> [PlanItem] {
        let done = open(kind, seen)
        batch?.names.append(name)
        census.note(seen, goes: true)
        return done
    }

    private mutating func keep(
        _ what: KeptItem.What, because: KeptItem.Because, _ seen: Observation
    ) -> [PlanItem] {
        let item = PlanItem.kept(
            KeptItem(container: seen.container, scope: seen.scope, what: what, because: because))
        totals.add(item)
        census.note(seen, goes: false)
        return [item]
    }

    private mutating func emit(_ seen: Observation, _ work: DeletionStep.Work) -> [PlanItem] {
        [finished(DeletionStep(container: seen.container, scope: seen.scope, work: work))]
    }

    private mutating func flush() -> [PlanItem] {
        guard let batch else { return [] }
        self.batch = nil
        let work: DeletionStep.Work =
            switch batch.kind {
            case .zones: .zones(batch.zones)
            case .records(let zone, let type): .records(zone: zone, type: type, names: batch.names)
            case .subscriptions: .subscriptions(batch.names)
            }
        return [
            finished(DeletionStep(container: batch.container, scope: batch.scope, work: work))
        ]
    }

    /// The last look at a step before it enters the plan.
    private mutating func finished(_ step: DeletionStep) -> PlanItem {
        precondition(
            bounds.holds(step.container, step.scope), "a step is outside the sweep")
        precondition(step.forbidden(by: policy) == nil, "a step names something protected")
        precondition(step.itemCount <= DeletionStep.itemsMax, "a step is too large")
        let item = PlanItem.step(step)
        totals.add(item)
        return item
    }
}
