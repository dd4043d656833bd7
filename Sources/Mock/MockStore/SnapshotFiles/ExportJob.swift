/// Writes the contents of a store at one moment to a snapshot file, between requests.
package final class ExportJob: StoreJob {
    private let copy: StoreCopy
    private let settings: String
    private var writer: SnapshotWriter?
    /// What was written, once it is complete.
    package private(set) var file: SnapshotFile?

    package let isReadOnly = true

    /// - Parameter settings: The settings of the server, which the store does not interpret.
    package init(_ store: MockStore, settings: String) throws(MockStoreError) {
        copy = try StoreCopy(forFileOf: store)
        self.settings = settings
    }

    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        guard let writer else {
            guard let image = try copy.runSlice() else { return true }
            writer = try SnapshotWriter(image, settings: settings)
            return true
        }
        guard try !writer.writeSome() else { return true }
        file = writer.file
        self.writer = nil
        return false
    }
}
