private import Glibc

/// Values handed from any thread to the one that blocks for them, in order.
///
/// Unchecked: `values` and `isClosed` are touched only while `lock` is held.
@safe package final class Mailbox<Value: Sendable>: @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let arrived: UnsafeMutablePointer<pthread_cond_t>
    private var values: [Value] = []
    /// What the reader took out of `values`, newest first; touched by the reader alone.
    private var taken: [Value] = []
    private var isClosed = false

    /// An empty mailbox.
    package init() {
        unsafe lock = .allocate(capacity: 1)
        unsafe arrived = .allocate(capacity: 1)
        unsafe lock.initialize(to: pthread_mutex_t())
        unsafe arrived.initialize(to: pthread_cond_t())
        let codes = unsafe (pthread_mutex_init(lock, nil), pthread_cond_init(arrived, nil))
        precondition(codes == (0, 0), "no lock could be made")
    }

    deinit {
        unsafe pthread_cond_destroy(arrived)
        unsafe pthread_mutex_destroy(lock)
        unsafe arrived.deallocate()
        unsafe lock.deallocate()
    }

    /// Adds a value; wakes the reader when it may be asleep.
    package func post(_ value: Value) {
        unsafe pthread_mutex_lock(lock)
        let wasEmpty = values.isEmpty
        values.append(value)
        unsafe pthread_mutex_unlock(lock)
        if wasEmpty { unsafe pthread_cond_signal(arrived) }
    }

    /// Whether nothing waits to be read and more may come.
    package var isIdle: Bool {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        return values.isEmpty && taken.isEmpty && !isClosed
    }

    /// Lets the reader end once it has read what was posted.
    package func close() {
        unsafe pthread_mutex_lock(lock)
        isClosed = true
        unsafe pthread_mutex_unlock(lock)
        unsafe pthread_cond_signal(arrived)
    }

    /// Waits for the next value; nil when closed and empty. One thread only may call this.
    package func next() -> Value? {
        if let value = taken.popLast() { return value }
        unsafe pthread_mutex_lock(lock)
        while values.isEmpty && !isClosed { unsafe pthread_cond_wait(arrived, lock) }
        swap(&values, &taken)
        unsafe pthread_mutex_unlock(lock)
        taken.reverse()
        return taken.popLast()
    }

    /// Waits until there is a value, and takes all there are; nil when closed and empty. One
    /// thread only may call this.
    package func nextAll() -> [Value]? {
        guard let first = next() else { return nil }
        defer { taken.removeAll() }
        return [first] + taken.reversed()
    }
}
