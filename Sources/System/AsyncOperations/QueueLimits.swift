/// How many operations a queue lets run at once.
package struct QueueLimits: Sendable, Hashable {
    /// Of all keys together.
    package let total: Int
    /// Of one key, when its window is wide open.
    package let perKey: Int
    /// Of one key at the start, before anything succeeded.
    package let initialPerKey: Int

    /// - Precondition: all are at least 1, and `initialPerKey` is at most `perKey`.
    package init(total: Int, perKey: Int, initialPerKey: Int = 1) {
        precondition(total >= 1 && perKey >= 1, "a queue must let something run")
        precondition((1...perKey).contains(initialPerKey), "the first window must fit the limit")
        self.total = total
        self.perKey = perKey
        self.initialPerKey = initialPerKey
    }
}
