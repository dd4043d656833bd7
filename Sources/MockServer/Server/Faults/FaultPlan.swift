package import CloudModel

/// The faults in force and how often each has fired; a value, the same for the same seed.
///
/// Rules are tried in the order they were set. Delays add up; of all other actions only the first
/// that fires has an effect on a request.
package struct FaultPlan: Sendable {
    /// A rule and its counters.
    package struct Entry: Sendable {
        package let rule: FaultRule
        /// Requests the rule was about.
        package fileprivate(set) var matched = 0
        /// Requests it changed.
        package fileprivate(set) var fired = 0
        fileprivate var generator: SeededGenerator
        fileprivate var bucket: TokenBucket?
    }

    /// What is to happen to one request.
    package struct Decision: Sendable, Hashable {
        /// How long the answer is held back.
        package var delay = Duration.zero
        /// The rule whose action ends what else could happen.
        package var rule: FaultRule?
        package var ending: FaultAction? { rule?.action }
        /// The error of a throttle that has run dry.
        package var throttled: CloudError?
        /// Every rule that fired, in order.
        package var fired: [String] = []
    }

    package private(set) var entries: [Entry] = []
    private let seed: UInt64

    /// The most rules at once.
    package static let rulesMax = 1000

    /// No faults yet.
    package init(seed: UInt64) { self.seed = seed }

    /// Whether there is nothing to decide.
    package var isEmpty: Bool { entries.isEmpty }

    /// Adds a rule, or puts it in place of the one with its id, counters at zero.
    ///
    /// - Throws: ``FaultError`` when the rule can never fire or there are too many.
    package mutating func set(
        _ rule: FaultRule, containers: [Container.ID]? = nil
    ) throws(FaultError) {
        try rule.check(containers: containers)
        let entry = Entry(
            rule: rule, generator: SeededGenerator(seed: seed ^ FNV1a.hash(rule.id)),
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

    /// Takes a rule away; false when there is none of that id.
    package mutating func remove(id: String) -> Bool {
        let before = entries.count
        entries.removeAll { $0.rule.id == id }
        return entries.count < before
    }

    /// Takes every rule away.
    package mutating func removeAll() { entries = [] }

    /// Whether a rule wants to know which zones are deleted.
    package var hasStaleLists: Bool { entries.contains { $0.rule.action == .staleZoneList } }

    /// Counts the request and says what is to happen to it.
    ///
    /// - Parameter hasGoneZones: Whether a stale list would differ from the true one; otherwise no
    ///   rule that asks for one matches.
    package mutating func decide(_ context: FaultContext, hasGoneZones: Bool = false) -> Decision {
        var decision = Decision()
        for index in entries.indices {
            let rule = entries[index].rule
            guard context.fits(rule) else { continue }
            if rule.action == .staleZoneList, !hasGoneZones { continue }
            entries[index].matched += 1
            guard rule.selects(match: entries[index].matched),
                entries[index].fired < rule.timesMax
            else { continue }
            if let probability = rule.probability,
                entries[index].generator.unit() >= probability
            {
                continue
            }
            if rule.action != .delay, decision.rule != nil { continue }
            if rule.action == .delay {
                decision.delay += .milliseconds(rule.whole(.milliseconds) ?? 0)
            } else if entries[index].bucket != nil {
                guard let wait = entries[index].bucket?.take(now: context.now) else { continue }
                decision.rule = rule
                decision.throttled = CloudError(
                    .throttled, reason: "too many requests", retryAfter: wait)
            } else {
                decision.rule = rule
            }
            entries[index].fired += 1
            decision.fired.append(rule.id)
        }
        return decision
    }
}

/// Lets `burst` requests through at once and `perSecond` for good.
struct TokenBucket: Sendable {
    private let perSecond: Double
    private let burst: Double
    private var tokens: Double
    private var last: Timestamp?

    init?(_ rule: FaultRule) {
        guard rule.action == .throttle, let perSecond = rule.number(.perSecond) else { return nil }
        self.perSecond = perSecond
        burst = rule.number(.burst) ?? 1
        tokens = burst
    }

    /// Takes a token, or says how long to wait for one.
    mutating func take(now: Timestamp) -> Duration? {
        if let last {
            let elapsed = Double(max(0, now.milliseconds - last.milliseconds)) / 1000
            tokens = min(burst, tokens + elapsed * perSecond)
        }
        last = now
        guard tokens < 1 else {
            tokens -= 1
            return nil
        }
        let milliseconds = ((1 - tokens) / perSecond * 1000).rounded(.up)
        return .milliseconds(Int64(min(milliseconds, 1e12)))
    }
}
