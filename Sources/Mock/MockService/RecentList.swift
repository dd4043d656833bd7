/// Something of which the last ones are kept.
package protocol RecentElement: Sendable {
    /// About how much memory it takes, in bytes.
    var size: Int { get }
}

/// The last elements of a list, bounded by count and by bytes; the oldest go first.
///
/// Elements are numbered from 1; the numbers continue after the list is cleared.
package struct RecentList<Element: RecentElement>: Sendable {
    /// nil stands where an element was, so that a dropped one holds no memory.
    private var ring: [Element?] = []
    /// Where the oldest element is in `ring`.
    private var head = 0
    private let countMax: Int
    private let bytesMax: Int
    private(set) var bytes = 0
    private(set) var count = 0
    /// All elements so far, including those that were dropped.
    private(set) var total = 0
    /// Elements that had to go.
    private(set) var dropped = 0

    /// - Precondition: both bounds are positive.
    init(countMax: Int, bytesMax: Int) {
        precondition(countMax > 0 && bytesMax > 0, "one element at least is kept")
        self.countMax = countMax
        self.bytesMax = bytesMax
    }

    /// The numbers of the elements that are kept.
    package var numbers: Range<Int> { total - count + 1..<total + 1 }

    /// The element with a number; nil where it is not kept.
    subscript(number: Int) -> Element? {
        guard numbers.contains(number) else { return nil }
        return ring[(head + number - numbers.lowerBound) % ring.count]
    }

    /// Keeps an element, under the next number.
    mutating func append(_ element: Element) {
        total += 1
        // In a full ring the new element takes the place of the oldest.
        if count == countMax { dropOldest(leavingBlank: false) }
        let size = element.size
        while count > 0, bytes + size > bytesMax { dropOldest(leavingBlank: true) }
        bytes += size
        let index = head + count
        if ring.count < countMax, index == ring.count {
            ring.append(element)
        } else {
            ring[index % ring.count] = element
        }
        count += 1
    }

    private mutating func dropOldest(leavingBlank: Bool) {
        bytes -= ring[head]?.size ?? 0
        if leavingBlank { ring[head] = nil }
        head = (head + 1) % ring.count
        count -= 1
        dropped += 1
    }

    /// Forgets all elements.
    mutating func clear() {
        ring = []
        head = 0
        count = 0
        bytes = 0
        dropped = 0
    }
}
