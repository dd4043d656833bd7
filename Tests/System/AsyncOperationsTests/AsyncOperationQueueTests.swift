import AsyncOperations
import Testing

/// Keeps operations running until told, and counts how many run at once.
private actor Gate {
    private(set) var inside = 0
    private(set) var insideMax = 0
    private(set) var entered: [Int] = []
    private var isOpen = false
    private var held: [CheckedContinuation<Void, Never>] = []
    private var watchers: [(Int, CheckedContinuation<Void, Never>)] = []

    func pass(_ number: Int) async {
        inside += 1
        insideMax = max(insideMax, inside)
        entered.append(number)
        for (_, watcher) in watchers.filter({ $0.0 <= entered.count }) { watcher.resume() }
        watchers.removeAll { $0.0 <= entered.count }
        if !isOpen { await withCheckedContinuation { held.append($0) } }
        inside -= 1
    }

    func waitUntilEntered(_ count: Int) async {
        guard entered.count < count else { return }
        await withCheckedContinuation { watchers.append((count, $0)) }
    }

    func open() {
        isOpen = true
        for continuation in held { continuation.resume() }
        held = []
    }
}

private typealias Queue = AsyncOperationQueue<String>

private func makeQueue(
    total: Int = 16, perKey: Int = 16, initial: Int = 16,
    clock: any Clock<Duration> = ManualClock()
) -> Queue {
    Queue(
        limits: QueueLimits(total: total, perKey: perKey, initialPerKey: initial), clock: clock)
}

/// Gives other tasks turns until `condition` holds.
private func until(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}

private struct Broken: Error {}

@Suite struct AsyncOperationQueueTests {
    @Test func `an operation's value and its error come back, and its slot is freed`() async {
        let queue = makeQueue(total: 1)
        await #expect(throws: Broken.self) { try await queue.run(key: "a") { throw Broken() } }
        let value = try? await queue.run(key: "a") { 42 }
        #expect(value == 42)
        let statistics = queue.statistics
        #expect(statistics.running == 0 && statistics.waiting == 0)
        #expect(statistics.started == 2 && statistics.finished == 2)
    }

    @Test func `never more run at once than the limit, and all of them run`() async throws {
        let queue = makeQueue(total: 5)
        let gate = Gate()
        await gate.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<2000 {
                group.addTask {
                    try await queue.run(key: "key \(number % 7)", priority: number % 3) {
                        await gate.pass(number)
                    }
                }
            }
            for try await _ in group {}
        }
        #expect(await gate.insideMax <= 5)
        #expect(await gate.entered.sorted() == Array(0..<2000))
        #expect(queue.statistics.running == 0)
    }

    @Test func `a task cancelled before it asks never runs its work`() async {
        let queue = makeQueue()
        let gate = Gate()
        let task = Task {
            await gate.pass(0)
            return try await queue.run(key: "a") { 1 }
        }
        await gate.waitUntilEntered(1)
        task.cancel()
        await gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(queue.statistics.started == 0)
    }

    @Test func `a task cancelled while parked leaves the queue at once`() async {
        let queue = makeQueue(total: 1)
        let gate = Gate()
        async let first: Void? = try? queue.run(key: "a") { await gate.pass(0) }
        await gate.waitUntilEntered(1)
        let parked = Task { try await queue.run(key: "a") { await gate.pass(1) } }
        await until { queue.statistics.waiting == 1 }
        parked.cancel()
        await #expect(throws: CancellationError.self) { try await parked.value }
        #expect(queue.statistics.waiting == 0)
        await gate.open()
        await first
        #expect(await gate.entered == [0])
    }

    @Test func `after a drain running work ends well and nothing new starts`() async throws {
        let queue = makeQueue(total: 1)
        let gate = Gate()
        async let first = queue.run(key: "a") {
            await gate.pass(0)
            return "done"
        }
        await gate.waitUntilEntered(1)
        let parked = Task { try await queue.run(key: "a") { await gate.pass(1) } }
        await until { queue.statistics.waiting == 1 }
        queue.drain()
        await #expect(throws: OperationQueueDrained.self) { try await parked.value }
        await #expect(throws: OperationQueueDrained.self) {
            try await queue.run(key: "b") { await gate.pass(2) }
        }
        await gate.open()
        #expect(try await first == "done")
        await queue.idle()
        #expect(await gate.entered == [0])
    }

    @Test func `a throttled key sleeps until its time and other keys go on`() async throws {
        let clock = ManualClock()
        let queue = makeQueue(clock: clock)
        queue.throttled("a", wait: .seconds(30))
        let held = Task { try await queue.run(key: "a") { clock.now.sinceStart } }
        await clock.waitForSleepers(1)
        #expect(clock.untilNextDeadline == .seconds(30))
        #expect(try await queue.run(key: "b") { true })
        #expect(queue.statistics.keys["a"]?.heldFor == .seconds(30))
        clock.advance(by: .seconds(29))
        #expect(queue.statistics.waiting == 1)
        clock.advance(by: .seconds(1))
        #expect(try await held.value == .seconds(30))
    }

    @Test func `a hold of hours is looked at again on the way and kept to the end`() async throws {
        let clock = ManualClock()
        let queue = makeQueue(clock: clock)
        queue.throttled("a", wait: .seconds(30 * 3600))
        let held = Task { try await queue.run(key: "a") { clock.now.sinceStart } }
        while clock.now.sinceStart < .seconds(30 * 3600) {
            await clock.waitForSleepers(1)
            clock.advance(by: clock.untilNextDeadline ?? .zero)
        }
        #expect(try await held.value == .seconds(30 * 3600))
    }

    @Test func `starts, ends and cancellations from many tasks lose no slot`() async {
        let queue = makeQueue(total: 4, perKey: 4, initial: 1, clock: ContinuousClock())
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<600 {
                group.addTask {
                    let task = Task {
                        try await queue.run(key: "\(number % 9)") {
                            await Task.yield()
                            if number % 5 == 0 { queue.throttled("\(number % 9)", wait: .zero) }
                            queue.succeeded("\(number % 9)")
                        }
                    }
                    if number % 3 == 0 {
                        await Task.yield()
                        task.cancel()
                    }
                    _ = await task.result
                }
            }
        }
        await queue.idle()
        let statistics = queue.statistics
        #expect(statistics.running == 0 && statistics.waiting == 0)
        #expect(statistics.started == statistics.finished)
    }
}
