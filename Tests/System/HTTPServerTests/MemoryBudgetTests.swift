import HTTPServer
import Testing

/// What memory allows and how progress is measured, as values.
struct MemoryBudgetTests {
    private let second: Int64 = 1_000_000_000

    /// The high-water mark, how long a body may become, and an answer.
    private func allowed(_ budget: MemoryBudget) -> [Int] {
        let allowance = budget.allowance
        return [allowance.outputBytes, allowance.bodyBytes, allowance.answerBytes]
    }

    @Test func `the less is free, the less a connection may add`() {
        let (mark, small) = (MemoryBudget.highWaterBytes, MemoryBudget.smallBytes)
        var budget = MemoryBudget(bytesMax: 64 << 20)
        #expect(allowed(budget) == [mark, .max, 32 << 20])
        budget.change(from: 0, to: (32 << 20) - 1000)
        #expect(allowed(budget) == [mark, .max, small], "small answers need no room")
        budget.change(from: 0, to: 1000)
        #expect(allowed(budget) == [small, small, small])
        budget.change(from: 0, to: 32 << 20)
        #expect(budget.isUsedUp)
        #expect(allowed(budget) == [0, 0, small])
    }

    @Test func `what a connection gives back can be used again`() {
        var budget = MemoryBudget(bytesMax: 1 << 20)
        budget.change(from: 0, to: 2 << 20)
        #expect(budget.isUsedUp)
        budget.change(from: 2 << 20, to: 0)
        #expect(budget.used == 0)
        #expect(!budget.isUsedUp)
        #expect(budget.allowance.outputBytes == MemoryBudget.highWaterBytes)
    }

    @Test func `a KiB a second is enough, however it is spread, and less is not`() {
        var steady = ProgressMeter(window: .seconds(30), now: 0, moved: 5)
        for window in 1...100 as ClosedRange<Int64> {
            let moved = 5 + Int(window) * (30 << 10)
            let isCut = [
                steady.isTooSlow(now: window * 30 * second - 1, moved: 0),
                steady.isTooSlow(now: window * 30 * second, moved: moved),
            ]
            #expect(isCut == [false, false])
        }
        #expect(steady.deadline == 101 * 30 * second)
        var slow = ProgressMeter(window: .seconds(30), now: 0, moved: 0)
        let isCut = slow.isTooSlow(now: 30 * second, moved: (30 << 10) - 1)
        #expect(isCut)
    }

    @Test func `a fast beginning is no credit for later`() {
        var meter = ProgressMeter(window: .seconds(10), now: 0, moved: 0)
        let isCut = [
            meter.isTooSlow(now: 10 * second, moved: 100 << 20),
            meter.isTooSlow(now: 20 * second, moved: (100 << 20) + 1),
        ]
        #expect(isCut == [false, true])
    }

    @Test func `a client that is made to wait is given its time, and no more`() {
        var meter = ProgressMeter(window: .seconds(10), now: 0, moved: 0)
        // Waited for during 3 of every 1,000 seconds, in which it sends a byte.
        for round in 0..<3 as Range<Int64> {
            let begin = round * 1_000 * second
            meter.resume(now: begin)
            meter.pause(now: begin + 3 * second)
            let isCut = meter.isTooSlow(now: begin + 999 * second, moved: Int(round))
            #expect(!isCut && meter.deadline == .max)
        }
        meter.resume(now: 3_000 * second)
        #expect(meter.deadline == 3_001 * second)
        let isCut = meter.isTooSlow(now: 3_001 * second, moved: 3)
        #expect(isCut)
    }

    @Test(arguments: [.zero, .nanoseconds(1), .seconds(Int64.max / 4)] as [Duration])
    func `every window can be measured`(window: Duration) {
        var meter = ProgressMeter(window: window, now: 7, moved: 0)
        #expect(meter.deadline > 7)
        let isCut = meter.isTooSlow(now: .max, moved: 0)
        #expect(isCut)
    }
}
