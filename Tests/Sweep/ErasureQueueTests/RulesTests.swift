import ErasureQueue
import Testing

struct RulesTests {
    @Test func `a lease counts from when the heartbeat was sent, and never back`() {
        var timer = LeaseTimer(QueueRules(), sentAt: .seconds(100))
        #expect(timer.maySend(at: .seconds(139)))
        #expect(!timer.maySend(at: .seconds(140)))
        timer.answered(sentAt: .seconds(110))
        #expect(timer.maySend(at: .seconds(149)))
        #expect(!timer.maySend(at: .seconds(150)))
        // The answer to an older one comes late.
        timer.answered(sentAt: .seconds(105))
        #expect(timer.maySend(at: .seconds(149)))
        #expect(!timer.maySend(at: .seconds(150)))
    }

    @Test(arguments: [(1, 60), (2, 120), (3, 240), (4, 480)])
    func `waits double`(attempt: Int64, seconds: Int64) {
        #expect(QueueRules().afterFailure(attempt: attempt) == .again(after: .seconds(seconds)))
    }

    @Test func `the last attempt parks, and waits have an end`() {
        var rules = QueueRules()
        #expect(rules.afterFailure(attempt: 5) == .park)
        #expect(rules.afterFailure(attempt: .max) == .park)
        rules.attemptsMax = .max
        #expect(rules.afterFailure(attempt: 10_000) == .again(after: rules.backOffMax))
    }
}
