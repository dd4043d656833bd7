import AsyncOperations
import Testing

@Suite struct KeyTableTests {
    @Test func `a key keeps its number while it is used or remembered, and others go`() {
        var table = KeyTable<String>()
        let used = table.enter("used") { _ in [] }
        let held = table.enter("held") { _ in [] }
        table.leave("held")
        for number in 0..<100_000 {
            _ = table.enter("key \(number)") { $0.contains(held) ? [held] : [] }
            table.leave("key \(number)")
        }
        #expect(table.count <= 2 * SlotLedger<Int>.idleKeysMax)
        #expect(table.enter("used") { _ in [] } == used)
        #expect(table.enter("held") { _ in [] } == held)
        #expect(table.named([held: 1]) == ["held": 1])
    }

    @Test func `many users of one key leave one after the other`() {
        var table = KeyTable<Int>()
        let number = table.enter(7) { _ in [] }
        #expect(table.enter(7) { _ in [] } == number)
        table.leave(7)
        for other in 100..<10_000 {
            _ = table.enter(other) { _ in [] }
            table.leave(other)
        }
        #expect(table.enter(7) { _ in [] } == number)
    }

    @Test func `a queue of very many keys keeps its statistics small`() async throws {
        let queue = AsyncOperationQueue<Int>(
            limits: QueueLimits(total: 4, perKey: 4), clock: ManualClock())
        for key in 0..<5000 { try await queue.run(key: key) {} }
        let statistics = queue.statistics
        #expect(statistics.finished == 5000)
        #expect(statistics.keys.count <= SlotLedger<Int>.idleKeysMax)
        #expect(statistics.keys[4999]?.window == 1)
    }
}
