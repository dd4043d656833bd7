/// Long work on the store that is done in slices, one a turn.
package protocol StoreJob: AnyObject {
    /// Does some milliseconds' work in the open turn.
    ///
    /// - Returns: Whether there is more; what was done so far is stored with the turn, except of a
    ///   restore, which is stored as a whole.
    func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool

    /// Does all of it in the open turn.
    func finish(_ store: MockStore) throws(MockStoreError)

    /// Called instead when nobody will go on with it.
    func abandon(_ store: MockStore) throws(MockStoreError)
}

extension StoreJob {
    package func finish(_ store: MockStore) throws(MockStoreError) {
        while try runSlice(store) {}
    }

    package func abandon(_ store: MockStore) throws(MockStoreError) {}
}
