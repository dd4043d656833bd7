/// What a queue does under one key.
package struct QueueKeyStatistics: Sendable, Hashable {
    /// How many operations of the key may run at once just now.
    package var window: Int
    package var running: Int
    package var waiting: Int
    /// How long nothing of the key will start; nil when it is not held.
    package var heldFor: Duration?
}
