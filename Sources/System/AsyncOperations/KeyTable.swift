/// Numbers for the keys of a queue.
///
/// A key in use keeps its number; the others are dropped when the table grows and the queue's
/// core has forgotten them too.
package struct KeyTable<Key: Hashable & Sendable>: Sendable {
    private struct Entry: Sendable {
        let number: Int
        var users: Int
    }
    private var entries: [Key: Entry] = [:]
    private var lastNumber = 0
    private var pruneAt = 2 * SlotLedger<Int>.idleKeysMax

    package init() {}

    /// How many keys have a number.
    package var count: Int { entries.count }

    /// The key's number, in use from now on until ``leave(_:)``.
    ///
    /// - Parameter known: Which of these numbers the queue's core remembers.
    package mutating func enter(_ key: Key, known: ([Int]) -> Set<Int>) -> Int {
        if let number = entries[key]?.number {
            entries[key]?.users += 1
            return number
        }
        if entries.count >= pruneAt { prune(known) }
        lastNumber += 1
        entries[key] = Entry(number: lastNumber, users: 1)
        return lastNumber
    }

    /// Ends one use of the key.
    package mutating func leave(_ key: Key) { entries[key]?.users -= 1 }

    /// The same numbers under their keys.
    package func named<Value>(_ values: [Int: Value]) -> [Key: Value] {
        entries.compactMapValues { values[$0.number] }
    }

    private mutating func prune(_ known: ([Int]) -> Set<Int>) {
        let unused = entries.values.filter { $0.users == 0 }.map(\.number)
        let kept = known(unused)
        entries = entries.filter { $0.value.users > 0 || kept.contains($0.value.number) }
        pruneAt = max(pruneAt, 2 * entries.count)
    }
}
