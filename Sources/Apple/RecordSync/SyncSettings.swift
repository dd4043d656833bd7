/// How an engine goes about its work.
package struct SyncSettings: Sendable {
    /// Whether it fetches and sends by itself; otherwise only when told.
    package var isAutomatic: Bool
    /// The time between two looks for changes of other devices while nothing pushes them.
    package var pollInterval: Duration
    /// The same while they are pushed: a push can be lost.
    package var pollIntervalWithPushes: Duration
    /// The first wait after a failure; each further one doubles it.
    package var backoff: Duration
    /// The longest wait of the engine's own. The service's wish may be longer.
    package var backoffMax: Duration
    /// During a run the app is given the state no more often than this for each 1,000 records that
    /// are known or pending, which it has to store each time.
    package var stateInterval: Duration
    /// The longest time of a run without a state, however little there is to store.
    package var stateIntervalMax: Duration

    package init(
        isAutomatic: Bool = true, pollInterval: Duration = .seconds(60),
        pollIntervalWithPushes: Duration = .seconds(900),
        backoff: Duration = .seconds(1), backoffMax: Duration = .seconds(300),
        stateInterval: Duration = .milliseconds(100), stateIntervalMax: Duration = .seconds(30)
    ) {
        self.isAutomatic = isAutomatic
        self.pollInterval = pollInterval
        self.pollIntervalWithPushes = pollIntervalWithPushes
        self.backoff = backoff
        self.backoffMax = backoffMax
        self.stateInterval = stateInterval
        self.stateIntervalMax = stateIntervalMax
    }
}
