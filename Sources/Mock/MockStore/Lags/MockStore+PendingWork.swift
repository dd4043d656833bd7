import CloudModel

extension MockStore {
    /// How much pending work of a kind there is: records, zones or pushes.
    ///
    /// - Returns: nil for an event that is not pending work of the store.
    package func pendingWork(_ kind: SimulatedEvent.Kind) throws(MockStoreError) -> Int? {
        try stored { () throws(CloudError) in try pending(kind) }
    }

    func pending(_ kind: SimulatedEvent.Kind) throws(CloudError) -> Int? {
        let now = context.clock.now
        return switch kind {
        case .finishCascades: try context.tables.cascades.count()
        case .updateIndexes: context.lags.index.waiting(now: now, options)
        case .finishZoneDeletions: context.lags.zones.waiting(now: now, options)
        case .deliverPushes: pushes.held
        default: nil
        }
    }

    /// Does pending work that takes no time.
    ///
    /// - Parameter count: How many zones or pushes; nil: all.
    /// - Returns: How many were done; nil for other events.
    func doPendingWork(_ kind: SimulatedEvent.Kind, _ count: Int?) -> Int? {
        let now = context.clock.now
        return switch kind {
        case .updateIndexes: context.lags.index.catchUp(count: count, now: now, options)
        case .finishZoneDeletions: context.lags.zones.end(count: count, now: now, options)
        case .deliverPushes: pushes.release(count)
        default: nil
        }
    }

    /// Delivers the pushes that are held back, since pending work runs automatically again.
    package func releasePushes() { _ = pushes.release(nil) }
}
