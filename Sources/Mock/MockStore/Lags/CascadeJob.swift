import CloudModel

/// Deletes records of default zones whose target is deleted, the databases in the order of their addresses.
/// What refers to them waits in its turn, and goes with them where all are to go.
package final class CascadeJob: EventJob {
    /// Deleted in one step.
    private static let stepRows = 50

    private let sliceMax: Duration
    private var left: Int
    private var keys: [DatabaseKey]?
    private var done = 0
    private var pending = 0

    /// - Parameter count: At most so many; nil: until none waits.
    package init(count: Int?, sliceMax: Duration = .milliseconds(15)) {
        left = count ?? .max
        self.sliceMax = sliceMax
    }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        try store.stored { () throws(CloudError) in
            let began = ContinuousClock.now
            if keys == nil { keys = try store.context.tables.databases.keys().reversed() }
            repeat {
                guard left > 0, let key = keys?.last else {
                    pending = try store.context.tables.cascades.count()
                    return false
                }
                let database = try store.databases.state(key)
                guard database.hasCascades else {
                    keys?.removeLast()
                    continue
                }
                let count = try store.records.runCascades(
                    in: database, limit: min(left, Self.stepRows))
                done += count
                left -= count
            } while ContinuousClock.now - began < sliceMax
            return true
        }
    }

    package func report() -> SimulatedEvent.Report {
        SimulatedEvent.Report(done: done, pending: pending)
    }
}
