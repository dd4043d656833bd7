/// Why a ``SyncMachine`` waits.
package enum SyncWait: String, Sendable, Hashable, CaseIterable {
    /// The service said how long, or that it is too much.
    case throttled
    /// The service failed or was busy.
    case unavailable
    /// Nothing was reached, or the answer did not come.
    case network
    /// A feed gave the same position with more to come three times.
    case stuckFeed
    /// A round asked as much as one may; the next goes on where it stopped.
    case longRound
}
