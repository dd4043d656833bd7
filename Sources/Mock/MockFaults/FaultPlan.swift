package import Basics
package import CloudModel

/// The active fault rules, and how often each has fired; the same decisions for the same seed.
///
/// Rules are tried in the order they were set. Delays add up; of all other actions only the first
/// that fires has an effect on a request.
package struct FaultPlan: Sendable {
    /// A rule and its counters.
    package struct Entry: Sendable {
        package let rule: FaultRule
        /// When it was set.
        fileprivate let since: Timestamp
        /// Requests that matched the rule.
        package fileprivate(set) var matched = 0
        /// Requests on which it fired.
        package fileprivate(set) var fired = 0
        fileprivate var generator: SeededGenerator
        fileprivate var bucket: TokenBucket?

        fileprivate func isInForce(at now: Timestamp) -> Bool {
            guard now >= since.advanced(by: rule.after) else { return false }
            return rule.until.map { now < since.advanced(by: $0) } ?? true
        }

        /// How long the response is delayed: of two times any between them, both included.
        fileprivate mutating func drawDelay() -> Duration {
            let least = rule.whole(.milliseconds) ?? 0
            let most = rule.whole(.millisecondsMax) ?? least
            guard most > least else { return .milliseconds(least) }
            let drawn = least + Int(generator.unit() * Double(most - least + 1))
            return .milliseconds(min(most, drawn))
        }
    }

    /// What happens to one request.
    package struct Decision: Sendable, Hashable {
        /// How long the response is delayed.
        package var delay = Duration.zero
        /// The rule whose action excludes all others but delays and gates.
        package var rule: FaultRule?
        package var ending: FaultAction? { rule?.action }
        /// The error of an exceeded throttle.
        package var throttled: CloudError?
        /// The gates at which it waits, in the order of the rules.
        package var holds: [GateHold] = []
        /// The response that replaces the service's.
        package var substitute: SubstituteAnswer?
        /// Every rule that fired, in order.
        package var fired: [String] = []

        package init() {}

        /// Whether the request is executed.
        package var isCarriedOut: Bool {
            switch ending {
            case .error, .throttle, .cutBeforeCommit, .status: false
            case .wrongContent: substitute?.isFromOutside == false
            default: true
            }
        }
    }

    package private(set) var entries: [Entry] = []
    private let seed: UInt64

    /// The most rules at once.
    package static let rulesMax = 1000

    /// No faults yet.
    package init(seed: UInt64) { self.seed = seed }

    /// Whether there is nothing to decide.
    package var isEmpty: Bool { entries.isEmpty }

    /// Adds a rule, or replaces the one with its id; its counters start at zero.
    ///
    /// - Parameter now: On the server's clock; what times of the rule are counted from.
    /// - Throws: ``FaultError`` when the rule can never fire or there are too many.
    package mutating func set(
        _ rule: FaultRule, containers: [Container.ID]? = nil, now: Timestamp
    ) throws(FaultError) {
        try rule.check(containers: containers)
        let entry = Entry(
            rule: rule, since: now, generator: SeededGenerator(seed: seed ^ FNV1a.hash(rule.id)),
            bucket: TokenBucket(rule))
        if let index = entries.firstIndex(where: { $0.rule.id == rule.id }) {
            entries[index] = entry
        } else {
            guard entries.count < Self.rulesMax else {
                throw FaultError("at most \(Self.rulesMax) faults can be set")
            }
            entries.append(entry)
        }
    }

    /// Removes a rule; false if it does not exist.
    package mutating func remove(id: String) -> Bool {
        let before = entries.count
        entries.removeAll { $0.rule.id == id }
        return entries.count < before
    }

    /// Removes all rules.
    package mutating func removeAll() { entries = [] }

    /// Removes the rules that end at a reset.
    package mutating func endAtReset() { entries.removeAll(where: \.rule.endsAtReset) }

    /// The longest age of a page among the rules.
    package var longestAge: Duration { entries.compactMap(\.rule.age).max() ?? .zero }

    /// Whether a rule needs the deleted zones.
    package var hasStaleLists: Bool { entries.contains { $0.rule.action == .staleZoneList } }

    /// Counts the request, and decides what happens to it.
    ///
    /// - Parameter hasDeletedZones: Whether a stale list would differ from the true one; otherwise no
    ///   rule that asks for one matches.
    package mutating func decide(_ context: FaultContext, hasDeletedZones: Bool = false) -> Decision
    {
        var decision = Decision()
        for index in entries.indices {
            let rule = entries[index].rule
            guard rule.hold?.point != .received,
                selects(index, context, hasDeletedZones: hasDeletedZones)
            else { continue }
            if rule.action.isEnding, decision.rule != nil { continue }
            if rule.action == .delay {
                decision.delay += entries[index].drawDelay()
            } else if let hold = rule.hold {
                decision.holds.append(hold)
            } else if entries[index].bucket != nil {
                guard let wait = entries[index].bucket?.take(now: context.now) else { continue }
                decision.rule = rule
                decision.throttled = CloudError(
                    .throttled, reason: "too many requests", retryAfter: wait
                ).by(fault: rule.id)
            } else {
                decision.rule = rule
                decision.substitute = SubstituteAnswer(rule, &entries[index].generator)
            }
            entries[index].fired += 1
            decision.fired.append(rule.id)
        }
        return decision
    }

    /// The gates at which a new request waits, with their rules; counts the request for those.
    package mutating func holdsOnArrival(
        of context: FaultContext
    ) -> [(hold: GateHold, rule: String)] {
        var holds: [(hold: GateHold, rule: String)] = []
        for index in entries.indices {
            let rule = entries[index].rule
            guard let hold = rule.hold, hold.point == .received, selects(index, context) else {
                continue
            }
            entries[index].fired += 1
            holds.append((hold, rule.id))
        }
        return holds
    }

    /// Counts a request for a rule, and returns whether the rule fires.
    private mutating func selects(
        _ index: Int, _ context: FaultContext, hasDeletedZones: Bool = false
    ) -> Bool {
        let rule = entries[index].rule
        guard context.fits(rule), rule.action != .staleZoneList || hasDeletedZones,
            entries[index].isInForce(at: context.now)
        else { return false }
        entries[index].matched += 1
        guard rule.selects(match: entries[index].matched), entries[index].fired < rule.timesMax
        else { return false }
        guard let probability = rule.probability else { return true }
        return entries[index].generator.unit() < probability
    }
}
