/// Where a request stands; the names are those of `Tests/Model/queue.pml`.
package enum RequestState: Int64, Sendable, CaseIterable {
    /// Waits for a worker.
    case ready = 0
    /// A worker holds it.
    case leased = 1
    /// Done, and evidence says so.
    case settled = 2
    /// Failed too often, or killed too many workers: an operator has to look.
    case parked = 3
    /// Withdrawn before anybody took it up again.
    case cancelled = 4

    /// Whether it still has to be done.
    package var isOpen: Bool { self == .ready || self == .leased || self == .parked }
}
