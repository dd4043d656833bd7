import AsyncOperations
import Basics
import Testing

@Suite struct RankedQueueTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `elements leave by rank, whatever was put in, re-ranked and taken out`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = RankedQueue<Int, UInt64>()
        var model: [Int: UInt64] = [:]
        for _ in 0..<2000 {
            let element = Int(random.next() % 200)
            switch random.next() % 4 {
            case 0:
                #expect(queue.remove(element) == (model.removeValue(forKey: element) != nil))
            case 1:
                let lowest = model.values.min()
                #expect(queue.first?.rank == lowest, "seed \(seed)")
                if let popped = queue.popFirst() {
                    #expect(model.removeValue(forKey: popped) == lowest, "seed \(seed)")
                }
            default:
                let rank = random.next() % 1000
                queue.insert(element, rank: rank)
                model[element] = rank
            }
            #expect(queue.count == model.count)
        }
        var left: [UInt64] = []
        while let first = queue.first {
            left.append(first.rank)
            _ = queue.popFirst()
        }
        #expect(left == model.values.sorted(), "seed \(seed)")
        #expect(queue.isEmpty)
    }
}
