/// What a queue is doing, for progress displays.
package struct QueueStatistics<Key: Hashable & Sendable>: Sendable {
    /// Operations that run now.
    package var running = 0
    /// Operations that wait for a slot, for the end of a hold, or for another operation.
    package var waiting = 0
    /// Operations that were started so far.
    package var started: UInt64 = 0
    /// Operations that ran and ended so far, however they ended.
    package var finished: UInt64 = 0
    /// The keys that have work, are held, or were used lately.
    package var keys: [Key: KeyStatistics] = [:]

    /// What happens under one key.
    package struct KeyStatistics: Sendable, Hashable {
        /// How many operations of the key may run at once just now.
        package var window: Int
        package var running: Int
        package var waiting: Int
        /// How long nothing of the key will start; nil when it is not held.
        package var heldFor: Duration?
    }
}
