/// A copy of all that a store holds at one moment, for an archive, while the store goes on.
package final class ExportJob: StoreJob {
    private let copy: StoreCopy
    /// What was copied, once it is whole.
    package private(set) var image: StoreImage?

    package let isReadOnly = true

    package init(_ store: MockStore) throws(MockStoreError) {
        copy = try StoreCopy(forArchiveOf: store)
    }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        image = try copy.runSlice()
        return image == nil
    }
}
