package import Basics
package import CloudModel

/// How often and when one request is repeated.
///
/// The wait is the larger of the server's `retryAfter` and our own: full jitter below a bound
/// that doubles from 0.5 s to 60 s.
package struct RetryBudget: Sendable {
    static let firstBound: Duration = .milliseconds(500)
    static let boundMax: Duration = .seconds(60)
    /// Throttles are no attempts, but an endless row of them has to end somewhere.
    static let throttlesMax = 200

    private(set) var attemptsLeft: Int
    private(set) var throttlesLeft = RetryBudget.throttlesMax
    private var bound = RetryBudget.firstBound

    /// - Precondition: `attempts` is at least 1.
    package init(attempts: Int) {
        precondition(attempts > 0, "a request must be sent once")
        attemptsLeft = attempts
    }

    /// Takes note of a failure that may pass.
    ///
    /// - Returns: how long to wait before the next attempt; nil when there is none.
    package mutating func wait(
        after error: CloudError, countsAsAttempt: Bool, jitter: inout SeededGenerator
    ) -> Duration? {
        if countsAsAttempt {
            attemptsLeft -= 1
            guard attemptsLeft > 0 else { return nil }
        } else {
            throttlesLeft -= 1
            guard throttlesLeft > 0 else { return nil }
        }
        let own = bound * jitter.unit()
        bound = min(bound * 2, Self.boundMax)
        return max(own, error.retryAfter ?? .zero)
    }
}
