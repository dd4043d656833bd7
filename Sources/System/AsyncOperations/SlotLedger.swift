/// Decides which waiting operation starts next. No lock, no clock, no task: every call says what
/// time it is, counted from the queue's start, and each costs O(log n).
///
/// Higher priorities start first, then the key served longest ago, then the older operation. A
/// key has at most its window's number of operations running; all of its work waits while it is
/// held. Memory grows with what waits and runs; of keys without work it remembers
/// ``idleKeysMax``, and those that are held.
package struct SlotLedger<Key: Hashable & Sendable>: Sendable {
    /// Keys without work whose windows are remembered.
    package static var idleKeysMax: Int { 1024 }

    private let limits: QueueLimits
    private var keys: [Key: KeyState] = [:]
    private var operations: [OperationID: Operation] = [:]
    /// Keys that could start something now, were there a slot.
    private var eligible = RankedQueue<Key, Turn>()
    /// Keys with ready work that wait for the end of their hold.
    private var held = RankedQueue<Key, Duration>()
    /// Keys without work, by when they were served last.
    private var idle = RankedQueue<Key, UInt64>()
    private var counter: UInt64 = 0

    /// Operations that run.
    package private(set) var running = 0
    /// Operations that wait.
    package private(set) var waiting = 0
    /// Operations that were started so far.
    package private(set) var started: UInt64 = 0

    /// An empty ledger.
    package init(limits: QueueLimits) { self.limits = limits }

    // MARK: Operations

    /// Adds an operation that waits from now on.
    package mutating func enqueue(key: Key, priority: Int, now: Duration) -> OperationID {
        let id = OperationID(rawValue: next())
        operations[id] = Operation(key: key)
        waiting += 1
        makeState(of: key)
        keys[key]?.ready.insert(id, rank: Rank(priority: priority, order: id.rawValue))
        place(key, now)
        return id
    }

    /// The operation that starts now, if one may: it runs from here on.
    package mutating func startNext(now: Duration) -> OperationID? {
        while let first = held.first, first.rank <= now {
            held.remove(first.element)
            place(first.element, now)
        }
        guard running < limits.total, let key = eligible.first?.element,
            let id = keys[key]?.ready.popFirst()
        else {
            return nil
        }
        let turn = next()
        keys[key]?.turn = turn
        keys[key]?.running += 1
        operations[id]?.isRunning = true
        waiting -= 1
        running += 1
        started += 1
        place(key, now)
        return id
    }

    /// A running operation ended, however it ended.
    package mutating func finish(_ id: OperationID, now: Duration) {
        guard let operation = operations.removeValue(forKey: id), operation.isRunning else {
            preconditionFailure("only a running operation can end")
        }
        running -= 1
        keys[operation.key]?.running -= 1
        keys[operation.key]?.window.ended()
        place(operation.key, now)
    }

    /// Takes out an operation that waits; false when it runs or is gone.
    package mutating func cancel(_ id: OperationID, now: Duration) -> Bool {
        guard let operation = operations[id], !operation.isRunning else { return false }
        operations[id] = nil
        waiting -= 1
        keys[operation.key]?.ready.remove(id)
        place(operation.key, now)
        return true
    }

    /// Takes out everything that waits, oldest first.
    package mutating func cancelAll(now: Duration) -> [OperationID] {
        let ids = operations.filter { !$0.value.isRunning }.keys.sorted()
        for id in ids.reversed() { _ = cancel(id, now: now) }
        return ids
    }

    // MARK: What the server said

    /// A request under `key` was accepted.
    package mutating func succeeded(_ key: Key, now: Duration) {
        keys[key]?.window.succeeded(now: now)
        place(key, now)
    }

    /// A request under `key` was refused for now: halve its window, hold all of its work.
    package mutating func throttled(_ key: Key, wait: Duration, now: Duration) {
        makeState(of: key)
        let inFlight = keys[key]?.running ?? 0
        keys[key]?.window.throttled(now: now, wait: wait, running: inFlight)
        place(key, now)
    }

    /// When to call ``startNext(now:)`` next although nothing ended; nil when time alone changes
    /// nothing. In the future, once ``startNext(now:)`` was called.
    package var nextWake: Duration? { held.first?.rank }

    /// Whether the key has work, is held, or was used lately.
    package func knows(_ key: Key) -> Bool { keys[key] != nil }

    /// Numbers for people.
    package func statistics(now: Duration) -> QueueStatistics<Key> {
        var statistics = QueueStatistics<Key>()
        statistics.running = running
        statistics.waiting = waiting
        statistics.started = started
        statistics.finished = started - UInt64(running)
        statistics.keys = keys.mapValues { state in
            QueueKeyStatistics(
                window: state.window.size, running: state.running, waiting: state.ready.count,
                heldFor: state.window.isHeld(now) ? state.window.heldUntil - now : nil)
        }
        return statistics
    }

    // MARK: Private

    private mutating func next() -> UInt64 {
        counter += 1
        return counter
    }

    /// A new key queues up behind those that wait already.
    private mutating func makeState(of key: Key) {
        guard keys[key] == nil else { return }
        keys[key] = KeyState(window: ConcurrencyWindow(limits: limits), turn: next())
    }

    /// Puts a key where it belongs after any change to it.
    private mutating func place(_ key: Key, _ now: Duration) {
        guard let state = keys[key] else { return }
        let top = state.ready.first?.rank
        let isHeld = state.window.isHeld(now)
        let turn = state.turn
        if let top, !isHeld, state.running < state.window.size {
            eligible.insert(key, rank: Turn(priority: top.priority, order: turn))
        } else {
            eligible.remove(key)
        }
        if top != nil, isHeld {
            held.insert(key, rank: state.window.heldUntil)
        } else {
            held.remove(key)
        }
        if state.running == 0, state.ready.isEmpty {
            idle.insert(key, rank: turn)
            forgetIdleKeys(now)
        } else {
            idle.remove(key)
        }
    }

    /// Drops the keys without work that were served longest ago. A hold is never forgotten: its
    /// key goes to the end, and the next one is looked at.
    private mutating func forgetIdleKeys(_ now: Duration) {
        for _ in 0..<2 where idle.count > Self.idleKeysMax {
            guard let key = idle.popFirst() else { return }
            if keys[key]?.window.isHeld(now) == true {
                let turn = next()
                keys[key]?.turn = turn
                idle.insert(key, rank: turn)
            } else {
                keys[key] = nil
            }
        }
    }

    /// The order of keys and of the operations of one key.
    private struct Rank: Comparable, Sendable {
        let priority: Int
        let order: UInt64
        static func < (left: Rank, right: Rank) -> Bool {
            left.priority != right.priority
                ? left.priority > right.priority : left.order < right.order
        }
    }
    private typealias Turn = Rank

    private struct KeyState: Sendable {
        var window: ConcurrencyWindow
        /// When the key was served last, or came.
        var turn: UInt64
        var running = 0
        var ready = RankedQueue<OperationID, Rank>()
    }

    private struct Operation: Sendable {
        let key: Key
        var isRunning = false
    }
}
