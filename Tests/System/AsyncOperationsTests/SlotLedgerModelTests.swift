import AsyncOperations
import Basics
import Testing

/// The ledger's rules as one slow sentence each, to compare it with.
private struct SlowLedger {
    struct Entry {
        let id: OperationID
        let key: Int
        let priority: Int
    }
    var waiting: [Entry] = []
    var running: [OperationID: Int] = [:]

    func mayStart(_ entry: Entry, total: Int, window: Int, heldFor: Duration?) -> Bool {
        running.count < total && heldFor == nil
            && running.values.filter { $0 == entry.key }.count < window
    }

    mutating func end(_ id: OperationID) {
        running[id] = nil
        waiting.removeAll { $0.id == id }
    }
}

@Suite struct SlotLedgerModelTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `random histories never break a rule and never idle a slot that could be used`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        let total = Int(random.next() % 6) + 1
        var ledger = SlotLedger<Int>(limits: QueueLimits(total: total, perKey: 8))
        var model = SlowLedger()
        var now = Duration.zero
        for step in 0..<600 {
            let note: Comment = "seed \(seed), step \(step)"
            switch random.next() % 8 {
            case 0...2:
                let key = Int(random.next() % 5)
                let priority = Int(random.next() % 3)
                let id = ledger.enqueue(key: key, priority: priority, now: now)
                model.waiting.append(.init(id: id, key: key, priority: priority))
            case 3...4:
                guard let (id, key) = model.running.min(by: { $0.key < $1.key }) else { continue }
                if random.next() % 4 == 0 {
                    let wait = Duration.milliseconds(Int64(random.next() % 50))
                    ledger.throttled(key, wait: wait, now: now)
                } else {
                    ledger.succeeded(key, now: now)
                }
                ledger.finish(id, now: now)
                model.end(id)
            case 5:
                guard let entry = model.waiting.randomElement(using: &random) else { continue }
                #expect(ledger.cancel(entry.id, now: now) == true, note)
                model.end(entry.id)
            case 6: now += .milliseconds(Int64(random.next() % 30))
            default: break
            }
            while let id = ledger.startNext(now: now) {
                let keys = ledger.statistics(now: now).keys
                guard let entry = model.waiting.first(where: { $0.id == id }) else {
                    Issue.record(note)
                    return
                }
                let state = keys[entry.key]
                #expect(
                    model.mayStart(
                        entry, total: total, window: state?.window ?? 0, heldFor: state?.heldFor),
                    note)
                let older = model.waiting.filter {
                    $0.key == entry.key
                        && ($0.priority, entry.id) > (entry.priority, $0.id)
                }
                #expect(older.isEmpty, note)
                model.waiting.removeAll { $0.id == id }
                model.running[id] = entry.key
            }
            let keys = ledger.statistics(now: now).keys
            for entry in model.waiting {
                let state = keys[entry.key]
                #expect(
                    !model.mayStart(
                        entry, total: total, window: state?.window ?? 1, heldFor: state?.heldFor),
                    note)
                if let heldFor = state?.heldFor {
                    #expect(ledger.nextWake.map { $0 <= now + heldFor } == true, note)
                }
            }
            #expect(ledger.running == model.running.count, note)
            #expect(ledger.waiting == model.waiting.count, note)
        }
    }

    @Test(arguments: [(keys: 100, each: 9, least: 0.97), (keys: 1, each: 400, least: 0.85)])
    func `slots stay busy while windows open`(load: (keys: Int, each: Int, least: Double)) {
        var ledger = SlotLedger<Int>(limits: QueueLimits(total: 16, perKey: 16))
        var keyOf: [OperationID: Int] = [:]
        for key in 0..<load.keys {
            for _ in 0..<load.each {
                keyOf[ledger.enqueue(key: key, priority: 0, now: .zero)] = key
            }
        }
        var rounds = 0
        while ledger.waiting > 0 {
            var started: [OperationID] = []
            while let id = ledger.startNext(now: .milliseconds(50 * rounds)) { started.append(id) }
            rounds += 1
            for id in started {
                ledger.succeeded(keyOf[id] ?? -1, now: .milliseconds(50 * rounds))
                ledger.finish(id, now: .milliseconds(50 * rounds))
            }
        }
        let ideal = Double(load.keys * load.each) / 16
        #expect(ideal / Double(rounds) >= load.least)
    }
}
