/// Timers in the order of their times; those of one moment in the order they were set.
///
/// A binary heap. Forgetting a timer leaves its place in the heap, which is skipped later.
package struct TimerQueue<Body> {
    private struct Place {
        var time: Int64
        var number: UInt64
        func comes(before other: Place) -> Bool {
            (time, number) < (other.time, other.number)
        }
    }

    package init() {}

    private var heap: [Place] = []
    private var bodies: [UInt64: Body] = [:]
    private var numbers: UInt64 = 0

    /// How many timers are set.
    package var count: Int { bodies.count }

    /// Sets a timer and returns its number.
    package mutating func add(at time: Int64, _ body: Body) -> UInt64 {
        numbers += 1
        bodies[numbers] = body
        heap.append(Place(time: time, number: numbers))
        siftUp(heap.count - 1)
        return numbers
    }

    /// Forgets a timer; true when it was set.
    @discardableResult
    package mutating func remove(_ number: UInt64) -> Bool {
        defer { dropForgotten() }
        return bodies.removeValue(forKey: number) != nil
    }

    /// Forgets all timers whose bodies are like this.
    package mutating func removeAll(where isUnwanted: (Body) -> Bool) {
        bodies = bodies.filter { !isUnwanted($0.value) }
        dropForgotten()
    }

    /// When the first timer is due.
    package var nextTime: Int64? { heap.first?.time }

    /// The number of the timer that was set last; 0 before the first.
    package var lastNumber: UInt64 { numbers }

    /// The first timer that is due at `now`, which is forgotten; nil when that was set after the one of
    /// number `last`.
    package mutating func popDue(at now: Int64, upTo last: UInt64 = .max) -> Body? {
        guard let first = heap.first, first.time <= now, first.number <= last else { return nil }
        removeFirst()
        let body = bodies.removeValue(forKey: first.number)
        dropForgotten()
        return body
    }

    /// Keeps the invariant that the first place belongs to a timer that is set.
    private mutating func dropForgotten() {
        while let first = heap.first, bodies[first.number] == nil { removeFirst() }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].comes(before: heap[least]) {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0, heap[child].comes(before: heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }
}
