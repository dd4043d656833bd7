import HTTPServer
import MockService
import MockStore
import Testing

/// Which of the jobs that only read has the next slice.
struct ReadQueueTests {
    /// Never done.
    private final class Endless: StoreJob {
        func runSlice(_ store: MockStore) -> Bool { true }
    }

    private func queue(_ exchanges: Int...) -> ReadQueue<Int> {
        var queue = ReadQueue<Int>()
        for exchange in exchanges {
            queue.add(.init(exchange, Endless()) { HTTPResponse(status: 200) })
        }
        return queue
    }

    @Test func `jobs take turns`() {
        var queue = queue(1, 2, 3)
        var order: [Int] = []
        for _ in 0..<7 {
            guard let next = queue.next(where: { _ in true }) else { break }
            order.append(next.exchange)
            queue.add(next)
        }
        #expect(order == [1, 2, 3, 1, 2, 3, 1])
    }

    @Test func `those whose clients have gone are dropped`() {
        var queue = queue(1, 2, 3)
        #expect(queue.next { $0 == 2 }?.exchange == 2)
        #expect(queue.isEmpty)
        #expect(queue.next(where: { _ in true })?.exchange == nil)
    }
}
