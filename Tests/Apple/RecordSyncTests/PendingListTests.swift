import CloudModel
import RecordSync
import Testing

struct PendingListTests {
    private func id(_ name: String) -> Record.ID { Record.ID(name, zoneID: RecordZone.ID("z")) }

    @Test func `changes keep the order of their first addition`() {
        var list = PendingList<PendingRecordChange>()
        for name in ["a", "b", "a"] { list.add(.save(id(name))) }
        #expect(list.changes == [.save(id("a")), .save(id("b"))])
    }

    @Test func `the opposite change replaces the one that is there`() {
        var list = PendingList<PendingRecordChange>([.save(id("a")), .save(id("b"))])
        list.add(.delete(id("a")))
        #expect(list.changes == [.delete(id("a")), .save(id("b"))])
        list.add(.save(id("a")))
        #expect(list.changes == [.save(id("a")), .save(id("b"))])
    }

    @Test func `removing a change leaves its opposite`() {
        var list = PendingList<PendingRecordChange>([.delete(id("a"))])
        let isRemoved = list.remove(.save(id("a")))
        #expect(!isRemoved)
        #expect(list.changes == [.delete(id("a"))])
    }

    @Test func `what comes back stands first, and what is newer stays`() {
        var list = PendingList<PendingRecordChange>([.save(id("c")), .delete(id("a"))])
        list.putBack([.save(id("a")), .save(id("b"))])
        #expect(list.changes == [.save(id("b")), .save(id("c")), .delete(id("a"))])
    }

    @Test func `a list is what a plain model of it is`() {
        for seed: UInt64 in 1...200 {
            var random = SimRandom(seed: seed)
            var list = PendingList<PendingRecordChange>()
            var model: [PendingRecordChange] = []
            for _ in 0..<300 {
                let id = id("r\(random.below(120))")
                let change: PendingRecordChange = random.chance(0.5) ? .save(id) : .delete(id)
                let place = model.firstIndex { $0.id == id }
                if random.chance(0.6) {
                    list.add(change)
                    if let place { model[place] = change } else { model.append(change) }
                } else {
                    list.remove(change)
                    if let place, model[place] == change { model.remove(at: place) }
                }
            }
            #expect(list.changes == model, "seed \(seed)")
            #expect(list.count == model.count, "seed \(seed)")
        }
    }
}
