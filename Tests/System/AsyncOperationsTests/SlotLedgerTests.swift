import AsyncOperations
import Testing

/// A ledger with short names for what the tests do to it.
struct Desk {
    var ledger: SlotLedger<String>
    var now = Duration.zero

    init(total: Int = 100, perKey: Int = 100, initial: Int = 1) {
        ledger = SlotLedger(
            limits: QueueLimits(total: total, perKey: perKey, initialPerKey: initial))
    }

    @discardableResult
    mutating func add(_ key: String, priority: Int = 0) -> OperationID {
        ledger.enqueue(key: key, priority: priority, now: now)
    }

    mutating func startAll() -> [OperationID] {
        var started: [OperationID] = []
        while let id = ledger.startNext(now: now) { started.append(id) }
        return started
    }

    mutating func finish(_ ids: [OperationID]) {
        for id in ids { ledger.finish(id, now: now) }
    }

    func window(_ key: String) -> Int? { ledger.statistics(now: now).keys[key]?.window }
}

@Suite struct SlotLedgerTests {
    @Test func `no more run than the total allows, and the next one starts when one ends`() {
        var desk = Desk(total: 2, initial: 10)
        let ids = (0..<5).map { _ in desk.add("a") }
        #expect(desk.startAll() == Array(ids[0..<2]))
        desk.finish([ids[1]])
        #expect(desk.startAll() == [ids[2]])
        #expect(desk.ledger.running == 2)
        #expect(desk.ledger.waiting == 2)
    }

    @Test func `a new key starts slowly and doubles with each round of successes`() {
        var desk = Desk(total: 64, perKey: 16)
        for _ in 0..<100 { desk.add("a") }
        var rounds: [Int] = []
        for _ in 0..<6 {
            let started = desk.startAll()
            rounds.append(started.count)
            for id in started {
                desk.ledger.succeeded("a", now: desk.now)
                desk.ledger.finish(id, now: desk.now)
            }
        }
        #expect(rounds == [1, 2, 4, 8, 16, 16])
    }

    @Test func `one wave of throttles halves the window once, and a later one again`() {
        var desk = Desk(perKey: 16, initial: 16)
        for _ in 0..<100 { desk.add("a") }
        let wave = desk.startAll()
        #expect(wave.count == 16)
        for id in wave {
            desk.ledger.throttled("a", wait: .zero, now: desk.now)
            desk.ledger.finish(id, now: desk.now)
        }
        #expect(desk.window("a") == 8)
        for id in desk.startAll() {
            desk.ledger.throttled("a", wait: .zero, now: desk.now)
            desk.ledger.finish(id, now: desk.now)
        }
        #expect(desk.window("a") == 4)
    }

    @Test func `the window never falls below one`() {
        var desk = Desk(perKey: 4)
        for _ in 0..<10 {
            desk.add("a")
            let started = desk.startAll()
            #expect(started.count == 1)
            desk.ledger.throttled("a", wait: .zero, now: desk.now)
            desk.finish(started)
        }
        #expect(desk.window("a") == 1)
    }

    @Test func `after a throttle a full window of successes widens it by one`() {
        var desk = Desk(perKey: 16, initial: 8)
        let id = desk.add("a")
        #expect(desk.startAll() == [id])
        desk.ledger.throttled("a", wait: .zero, now: desk.now)
        desk.finish([id])
        #expect(desk.window("a") == 4)
        for _ in 0..<3 { desk.ledger.succeeded("a", now: desk.now) }
        #expect(desk.window("a") == 4)
        desk.ledger.succeeded("a", now: desk.now)
        #expect(desk.window("a") == 5)
        for _ in 0..<5 { desk.ledger.succeeded("a", now: desk.now) }
        #expect(desk.window("a") == 6)
    }

    @Test func `all work of a throttled key waits exactly as long as the server said`() {
        var desk = Desk()
        desk.ledger.throttled("a", wait: .seconds(30), now: .zero)
        let held = desk.add("a", priority: 9)
        let other = desk.add("b")
        #expect(desk.startAll() == [other])
        #expect(desk.ledger.nextWake == .seconds(30))
        desk.now = .seconds(30) - .nanoseconds(1)
        #expect(desk.startAll() == [])
        desk.now = .seconds(30)
        #expect(desk.startAll() == [held])
        #expect(desk.ledger.nextWake == nil)
    }

    @Test func `a shorter wait does not shorten a longer one`() {
        var desk = Desk()
        desk.ledger.throttled("a", wait: .seconds(30), now: .zero)
        desk.ledger.throttled("a", wait: .seconds(1), now: .zero)
        desk.add("a")
        desk.now = .seconds(2)
        #expect(desk.startAll() == [])
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(-5)])
    func `an absurd wait neither overflows nor runs backwards`(wait: Duration) {
        var desk = Desk()
        desk.ledger.throttled("a", wait: wait, now: .seconds(100))
        desk.now = .seconds(100)
        desk.add("a")
        #expect(desk.startAll().count == (wait < .zero ? 1 : 0))
    }

    @Test func `higher priorities start first, and among equals the older one`() {
        var desk = Desk(initial: 10)
        let low = desk.add("a", priority: -1)
        let first = desk.add("a")
        let second = desk.add("a")
        let high = desk.add("a", priority: 5)
        let otherHigh = desk.add("b", priority: 5)
        #expect(desk.startAll() == [high, otherHigh, first, second, low])
    }

    @Test func `keys of one priority take turns, however much one of them has waiting`() {
        var desk = Desk(total: 1, initial: 10)
        let many = (0..<4).map { _ in desk.add("many") }
        let few = (0..<2).map { _ in desk.add("few") }
        var order: [OperationID] = []
        while let id = desk.ledger.startNext(now: .zero) {
            order.append(id)
            desk.finish([id])
        }
        #expect(order == [many[0], few[0], many[1], few[1], many[2], many[3]])
    }

    @Test func `a stream of new keys does not starve an old one`() {
        var desk = Desk(total: 1, initial: 10)
        for _ in 0..<3 { desk.add("old") }
        var oldStarts = 0
        for round in 0..<9 {
            desk.add("new \(round)")
            desk.add("newer \(round)")
            guard let id = desk.ledger.startNext(now: .zero) else { break }
            let before = desk.ledger.statistics(now: .zero).keys["old"]?.running ?? 0
            oldStarts += before
            desk.finish([id])
        }
        #expect(oldStarts >= 2)
    }

    @Test func `what was cancelled never starts, and what runs cannot be cancelled`() {
        var desk = Desk(total: 1)
        let running = desk.add("a")
        #expect(desk.startAll() == [running])
        let waiting = desk.add("a")
        let other = desk.add("b")
        #expect(desk.ledger.cancel(running, now: .zero) == false)
        #expect(desk.ledger.cancelAll(now: .zero) == [waiting, other])
        desk.finish([running])
        #expect(desk.startAll() == [])
        #expect(desk.ledger.waiting == 0)
    }

    @Test func `keys without work are forgotten beyond a bound, held ones never`() {
        var desk = Desk()
        desk.ledger.throttled("held", wait: .seconds(99), now: .zero)
        let count = SlotLedger<String>.idleKeysMax * 3
        for number in 0..<count {
            desk.add("key \(number)")
            desk.finish(desk.startAll())
        }
        let keys = desk.ledger.statistics(now: .zero).keys
        #expect(keys.count <= SlotLedger<String>.idleKeysMax + 1)
        #expect(keys["held"]?.heldFor == .seconds(99))
        #expect(keys["key \(count - 1)"] != nil)
    }

    @Test func `a window is remembered while its key has nothing to do`() {
        var desk = Desk()
        for _ in 0..<3 {
            desk.add("a")
            let started = desk.startAll()
            desk.ledger.succeeded("a", now: .zero)
            desk.finish(started)
        }
        #expect(desk.window("a") == 4)
    }
}
