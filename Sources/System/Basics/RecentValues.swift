/// Values by key, up to a limit: those that were set last are kept.
package struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Kept {
        let turn: Int
        let value: Value
    }

    private let countMax: Int
    private var kept: [Key: Kept] = [:]
    /// Keys in the order in which they were set, with those that were set again or removed since.
    private var order: [(turn: Int, key: Key)] = []
    private var start = 0
    private var turn = 0

    /// - Precondition: `countMax` is positive.
    package init(_ countMax: Int) {
        precondition(countMax > 0, "at least one value is kept")
        self.countMax = countMax
    }

    package var count: Int { kept.count }

    package subscript(key: Key) -> Value? {
        get { kept[key]?.value }
        set {
            guard let newValue else {
                kept[key] = nil
                return
            }
            turn += 1
            kept[key] = Kept(turn: turn, value: newValue)
            order.append((turn, key))
            trim()
        }
    }

    /// All of them, in the order in which they were set.
    package var all: [(key: Key, value: Value)] {
        order[start...].compactMap { entry in
            guard let kept = kept[entry.key], kept.turn == entry.turn else { return nil }
            return (entry.key, kept.value)
        }
    }

    /// Removes those for which `isOver` returns true.
    package mutating func removeAll(where isOver: (Key, Value) -> Bool) {
        for (key, value) in kept.map({ ($0.key, $0.value.value) }) where isOver(key, value) {
            kept[key] = nil
        }
    }

    private mutating func trim() {
        while kept.count > countMax {
            let oldest = order[start]
            if kept[oldest.key]?.turn == oldest.turn { kept[oldest.key] = nil }
            start += 1
        }
        guard order.count > 2 * countMax + 16 else { return }
        order = order[start...].filter { kept[$0.key]?.turn == $0.turn }
        start = 0
    }
}
