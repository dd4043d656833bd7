import CloudModel

/// Long work on the store that is done in slices, one a turn.
package protocol StoreJob: AnyObject {
    /// Whether it changes nothing. Of such jobs only one has a slice in a turn, and one whose client has gone
    /// is dropped.
    var isReadOnly: Bool { get }

    /// Does some milliseconds' work in the open turn.
    ///
    /// - Returns: Whether there is more; what was done so far is stored with the turn.
    func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool

    /// Does all of it in the open turn.
    func finish(_ store: MockStore) throws(MockStoreError)
}

extension StoreJob {
    package var isReadOnly: Bool { false }

    package func finish(_ store: MockStore) throws(MockStoreError) {
        while try runSlice(store) {}
    }
}

extension MockStore {
    /// A slice of a job: takes steps until one says that it was the last, or the time is up.
    ///
    /// - Parameters:
    ///   - max: No other step begins after this time.
    ///   - step: Says whether there is more to do.
    /// - Returns: Whether there is more to do.
    func slice(
        upTo max: Duration = .milliseconds(15), _ step: () throws(CloudError) -> Bool
    ) throws(MockStoreError) -> Bool {
        try stored { () throws(CloudError) in
            let began = ContinuousClock.now
            repeat {
                guard try step() else { return false }
            } while ContinuousClock.now - began < max
            return true
        }
    }
}
