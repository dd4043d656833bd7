/// What a queue is doing, for progress displays.
package struct QueueStatistics<Key: Hashable & Sendable>: Sendable {
    /// Operations that run now.
    package var running = 0
    /// Operations that wait for a slot or for the end of a hold.
    package var waiting = 0
    /// Operations that were started so far.
    package var started: UInt64 = 0
    /// Operations that ran and ended so far, however they ended.
    package var finished: UInt64 = 0
    /// The keys that have work, are held, or were used lately.
    package var keys: [Key: QueueKeyStatistics] = [:]
}
