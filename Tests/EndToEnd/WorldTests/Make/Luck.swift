import Basics

/// Random choices from a seed.
struct Luck {
    private var generator: SeededGenerator

    init(_ seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func next() -> UInt64 { generator.next() }

    /// True so many times in a hundred.
    mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }

    /// - Precondition: there is one.
    mutating func pick<Element>(_ list: [Element]) -> Element {
        list[number(0...(list.count - 1))]
    }

    /// Each with this chance in a hundred, in order.
    mutating func some<Element>(_ list: [Element], _ percent: Int) -> [Element] {
        list.filter { _ in chance(percent) }
    }
}
