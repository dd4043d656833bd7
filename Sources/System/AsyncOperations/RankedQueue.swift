/// Elements by rank, the lowest first; any one can be taken out. A binary heap that knows where
/// each element stands, so every change costs O(log n).
package struct RankedQueue<Element: Hashable, Rank: Comparable> {
    private var heap: [(element: Element, rank: Rank)] = []
    private var positions: [Element: Int] = [:]

    /// How many elements are in it.
    package var count: Int { heap.count }
    /// Whether nothing is in it.
    package var isEmpty: Bool { heap.isEmpty }
    /// The element with the lowest rank.
    package var first: (element: Element, rank: Rank)? { heap.first }

    package init() {}

    /// Adds an element, or gives it another rank.
    package mutating func insert(_ element: Element, rank: Rank) {
        if let position = positions[element] {
            let old = heap[position].rank
            guard old != rank else { return }
            heap[position].rank = rank
            if rank < old { rise(from: position) } else { sink(from: position) }
        } else {
            heap.append((element, rank))
            positions[element] = heap.count - 1
            rise(from: heap.count - 1)
        }
    }

    /// Takes an element out, if it is there.
    @discardableResult
    package mutating func remove(_ element: Element) -> Bool {
        guard let position = positions.removeValue(forKey: element) else { return false }
        let last = heap.removeLast()
        guard position < heap.count else { return true }
        let removed = heap[position].rank
        heap[position] = last
        positions[last.element] = position
        if last.rank < removed { rise(from: position) } else { sink(from: position) }
        return true
    }

    /// Takes the element with the lowest rank.
    package mutating func popFirst() -> Element? {
        guard let first else { return nil }
        remove(first.element)
        return first.element
    }

    private mutating func rise(from start: Int) {
        var position = start
        let moving = heap[start]
        while position > 0 {
            let parent = (position - 1) / 2
            guard moving.rank < heap[parent].rank else { break }
            put(heap[parent], at: position)
            position = parent
        }
        if position != start { put(moving, at: position) }
    }

    private mutating func sink(from start: Int) {
        var position = start
        let moving = heap[start]
        while true {
            var child = 2 * position + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].rank < heap[child].rank { child += 1 }
            guard heap[child].rank < moving.rank else { break }
            put(heap[child], at: position)
            position = child
        }
        if position != start { put(moving, at: position) }
    }

    private mutating func put(_ entry: (element: Element, rank: Rank), at position: Int) {
        heap[position] = entry
        positions[entry.element] = position
    }
}

extension RankedQueue: Sendable where Element: Sendable, Rank: Sendable {}
