import CloudModel

// What the store does later than the request it follows from, when it is told to.
extension MockStore {
    /// Records of default zones that wait to be deleted.
    package func waitingCascades() throws(MockStoreError) -> Int {
        try stored { () throws(CloudError) in try context.tables.cascades.count() }
    }

    /// Zones with writes that queries do not find yet.
    package var laggingZones: Int { context.lags.index.waiting(now: context.clock.now, options) }

    /// Has queries find what was written, to so many zones or all.
    package func catchUpIndex(_ count: Int?) -> Int {
        context.lags.index.catchUp(count: count, now: context.clock.now, options)
    }

    /// Deleted zones that are still read.
    package var lingeringZones: Int { context.lags.zones.waiting(now: context.clock.now, options) }

    /// Has so many deleted zones, or all, be found no more.
    package func endLingering(_ count: Int?) -> Int {
        context.lags.zones.end(count: count, now: context.clock.now, options)
    }

    /// Pushes that wait for a tick.
    package var heldPushes: Int { pushes.held }

    /// Lets so many held pushes go, or all.
    package func releasePushes(_ count: Int?) -> Int { pushes.release(count) }
}
