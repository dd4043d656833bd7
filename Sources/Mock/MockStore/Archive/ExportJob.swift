/// A copy of all that a store holds at one moment, for an archive, while the store goes on.
package final class ExportJob: StoreJob {
    /// Turns in which the store may be written to before it is held too busy to be copied.
    private static let busyTurnsMax = 1000

    private let copy: StoreCopy
    private var busyTurns = 0
    /// What was copied, once it is whole.
    package private(set) var image: StoreImage?

    package let isReadOnly = true

    package init(_ store: MockStore) throws(MockStoreError) {
        copy = try StoreCopy(forArchiveOf: store)
    }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        image = try copy.runSlice()
        guard image == nil else { return false }
        busyTurns = copy.isHeldUp ? busyTurns + 1 : 0
        guard busyTurns < Self.busyTurnsMax else { throw StoreCopy.busy }
        return true
    }
}
