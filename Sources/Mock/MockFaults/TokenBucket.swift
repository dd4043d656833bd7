package import Basics

/// Admits `burst` requests at once, and `perSecond` afterwards.
package struct TokenBucket: Sendable {
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

    /// - Precondition: Both are positive.
    package init(perSecond: Double, burst: Double) {
        precondition(perSecond > 0 && burst > 0, "a bucket that is never filled")
        self.perSecond = perSecond
        self.burst = burst
        tokens = burst
    }

    /// Takes a token, or returns how long to wait for one.
    package mutating func take(now: Timestamp) -> Duration? {
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
