import ErasureQueue
import PostgreSQL
import Testing

@Suite(needsServer, .timeLimit(.minutes(10)))
struct RaceTests {
    /// Who holds whom at this moment, and what was settled.
    private actor Ledger {
        private var holders: [String: Int] = [:]
        private(set) var settled: [Int64] = []
        private(set) var clashes = 0

        func take(_ person: String, _ worker: Int) {
            if holders[person] != nil { clashes += 1 }
            holders[person] = worker
        }
        func letGo(_ person: String) { holders[person] = nil }
        func note(_ id: Int64) { settled.append(id) }
    }

    @Test func `eight workers at once settle each request once, and never share a person`()
        async throws
    {
        let world = try await World()
        var rules = QueueRules()
        rules.backOff = .zero
        rules.attemptsMax = 1_000
        for number in 0..<60 {
            try await world.add("person \(number % 12)", "person \(number % 12)/\(number)")
        }
        let ledger = Ledger()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 1...8 {
                group.addTask { [rules] in
                    let queue = ErasureQueue(
                        Connection(world.settings), seal: World.seal, rules: rules)
                    let id = World.worker(UInt8(worker))
                    try await queue.enroll(id)
                    var number = 0
                    while await ledger.settled.count < 60 {
                        guard let lease = try await queue.claim(id) else {
                            await Task.yield()
                            continue
                        }
                        let order = String(decoding: lease.order, as: UTF8.self)
                        let person = String(order.prefix { $0 != "/" })
                        await ledger.take(person, worker)
                        number += 1
                        try await queue.note([1], number: lease.fence, lease)
                        // Not letting go later than the database does.
                        await ledger.letGo(person)
                        if number % 5 == 0 {
                            try await queue.giveBack(lease, status: 5)
                        } else {
                            try await queue.settle(lease, evidence: [1])
                            await ledger.note(lease.request)
                        }
                        _ = try await queue.reap()
                    }
                    await queue.close()
                }
            }
            try await group.waitForAll()
        }
        #expect(await ledger.clashes == 0)
        #expect(await ledger.settled.sorted() == Array(1...60))
        await world.close()
    }
}
