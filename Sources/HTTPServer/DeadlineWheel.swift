/// One deadline for each of many slots; moving a deadline further away costs a store.
///
/// A wheel of buckets, one a tick. A slot has at most one live entry, at or before its deadline;
/// an entry that comes up too early is put back. A pure value: time comes in as an argument.
package struct DeadlineWheel: Sendable {
    /// Nanoseconds a bucket stands for; deadlines are met at most this much late.
    package static let tickNanoseconds: Int64 = 10_000_000
    private static let bucketCount = 1024
    private static let never = Int64.max

    private struct Entry: Sendable {
        var slot: Int
        var tick: Int64
    }

    private var buckets = [[Entry]](repeating: [], count: bucketCount)
    /// One bit a bucket, set while it holds entries.
    private var occupied = [UInt64](repeating: 0, count: bucketCount / 64)
    /// The next tick that has not been looked at.
    private var cursor: Int64
    /// For each slot its deadline, and the tick of its live entry.
    private var deadlines: [Int64] = []
    private var entryTicks: [Int64] = []

    /// - Parameter now: Nanoseconds on the clock that all later times are of.
    package init(now: Int64) { cursor = now / Self.tickNanoseconds }

    /// Sets a slot's deadline, replacing an earlier one.
    package mutating func arm(_ slot: Int, at deadline: Int64) {
        while deadlines.count <= slot {
            deadlines.append(Self.never)
            entryTicks.append(Self.never)
        }
        deadlines[slot] = deadline
        let tick = tickAfter(deadline)
        if entryTicks[slot] > tick { enqueue(slot, tick) }
    }

    /// Forgets a slot's deadline.
    package mutating func disarm(_ slot: Int) {
        guard slot < deadlines.count else { return }
        deadlines[slot] = Self.never
    }

    /// The slots whose deadlines are over, each once; they are disarmed.
    package mutating func advance(to now: Int64) -> [Int] {
        let last = now / Self.tickNanoseconds
        guard last >= cursor else { return [] }
        var expired: [Int] = []
        // A jump longer than a turn of the wheel still looks at every bucket once only.
        let steps = min(last - cursor + 1, Int64(Self.bucketCount))
        let first = last - steps + 1
        cursor = last + 1
        for tick in first...last {
            let index = Int(tick % Int64(Self.bucketCount))
            guard !buckets[index].isEmpty else { continue }
            let entries = buckets[index]
            buckets[index] = []
            occupied[index / 64] &= ~(1 << UInt64(index % 64))
            for entry in entries where entryTicks[entry.slot] == entry.tick {
                entryTicks[entry.slot] = Self.never
                let deadline = deadlines[entry.slot]
                if deadline <= now {
                    deadlines[entry.slot] = Self.never
                    expired.append(entry.slot)
                } else if deadline != Self.never {
                    enqueue(entry.slot, tickAfter(deadline))
                }
            }
        }
        return expired
    }

    /// When ``advance(to:)`` should be called next; nil when nothing is armed.
    package var nextWake: Int64? {
        let start = Int(cursor % Int64(Self.bucketCount))
        let words = occupied.count
        // The first word is looked at twice: its upper bits first, its lower bits last.
        for step in 0...words {
            let index = (start / 64 + step) % words
            var bits = occupied[index]
            if step == 0 { bits &= ~0 << UInt64(start % 64) }
            guard bits != 0 else { continue }
            let bucket = index * 64 + bits.trailingZeroBitCount
            let ahead = (bucket - start + Self.bucketCount) % Self.bucketCount
            return (cursor + Int64(ahead)) * Self.tickNanoseconds
        }
        return nil
    }

    private func tickAfter(_ deadline: Int64) -> Int64 {
        let tick = max(deadline, 0) / Self.tickNanoseconds
        return max(deadline % Self.tickNanoseconds == 0 ? tick : tick + 1, cursor)
    }

    /// Entries beyond the wheel's turn wait in its last bucket and are put back from there.
    private mutating func enqueue(_ slot: Int, _ wanted: Int64) {
        let tick = min(wanted, cursor + Int64(Self.bucketCount) - 1)
        entryTicks[slot] = tick
        let index = Int(tick % Int64(Self.bucketCount))
        buckets[index].append(Entry(slot: slot, tick: tick))
        occupied[index / 64] |= 1 << UInt64(index % 64)
    }
}
