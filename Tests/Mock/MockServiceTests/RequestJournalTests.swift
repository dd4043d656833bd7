import Basics
import MockFaults
import MockSamples
import MockService
import Testing

/// The journal's two bounds and its filters.
struct RequestJournalTests {
    private func entry(_ operation: String, zones: [String] = []) -> RequestJournal.Entry {
        var entry = RequestJournal.Entry(
            time: Samples.start, method: "POST", operation: operation, status: 200)
        entry.zones = zones
        return entry
    }

    @Test func `the oldest entries go when there are too many`() {
        var journal = RequestJournal(entriesMax: 3, bytesMax: 1 << 20)
        for number in 1...10 { journal.append(entry("op-\(number)")) }
        #expect(journal.entries().map(\.number) == [8, 9, 10])
        #expect(journal.entries().map(\.operation) == ["op-8", "op-9", "op-10"])
        #expect(journal.total == 10)
        #expect(journal.dropped == 7)
    }

    @Test func `the oldest entries go when they are too large`() {
        let size = entry("zones/list").size
        var journal = RequestJournal(entriesMax: 100, bytesMax: size * 2 + size / 2)
        for _ in 1...5 { journal.append(entry("zones/list")) }
        #expect(journal.entries().map(\.number) == [4, 5])
        #expect(journal.bytes == size * 2)
        journal.append(entry("zones/list", zones: [String(repeating: "z", count: size)]))
        #expect(journal.entries().map(\.number) == [6])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `both bounds hold and order is kept for any sizes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let entriesMax = 1 + Int(generator.next() % 20)
        let bytesMax = 1000 + Int(generator.next() % 4000)
        var journal = RequestJournal(entriesMax: entriesMax, bytesMax: bytesMax)
        var model: [RequestJournal.Entry] = []
        for number in 1...500 {
            let zone = String(repeating: "z", count: Int(generator.next() % 700))
            var new = entry("op", zones: [zone])
            journal.append(new)
            new.number = number
            model.append(new)
            while model.count > entriesMax
                || (model.count > 1 && model.map(\.size).reduce(0, +) > bytesMax)
            {
                model.removeFirst()
            }
            try #require(
                journal.entries().map(\.number) == model.map(\.number), "seed \(seed), \(number)")
            try #require(journal.bytes == model.map(\.size).reduce(0, +), "seed \(seed)")
            if generator.next() % 100 == 0 {
                journal.clear()
                model = []
            }
        }
    }

    @Test func `filters combine and a limit keeps the oldest`() {
        var journal = RequestJournal(entriesMax: 100, bytesMax: 1 << 20)
        for number in 1...6 {
            var new = entry(number % 2 == 0 ? "zones/modify" : "zones/list", zones: ["Z\(number)"])
            new.user = number < 5 ? "ann" : "bob"
            journal.append(new)
        }
        var filter = RequestJournal.Filter()
        filter.pattern.operation = FaultOperation("zones/modify")
        filter.pattern.user = Glob("ann")
        #expect(journal.entries(filter).map(\.number) == [2, 4])
        filter.limit = 1
        #expect(journal.entries(filter).map(\.number) == [2])
        #expect(journal.count(filter) == 2)
        filter.after = 2
        #expect(journal.entries(filter).map(\.number) == [4])
        filter.pattern.zone = Glob("Z?")
        filter.pattern.status = StatusRange("500")
        #expect(journal.entries(filter).isEmpty)
    }
}
