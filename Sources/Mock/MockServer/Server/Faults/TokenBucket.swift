import Basics

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

    /// - Precondition: Both are positive.
    init(perSecond: Double, burst: Double) {
        precondition(perSecond > 0 && burst > 0, "a bucket that is never filled")
        self.perSecond = perSecond
        self.burst = burst
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
