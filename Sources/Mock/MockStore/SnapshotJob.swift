/// Copies everything in the store under a name, between requests.
final class SnapshotJob: EventJob {
    private let name: String
    private let copy: StoreCopy

    init(_ name: String, of store: MockStore) throws(MockStoreError) {
        try store.snapshots.requireRoom(for: name)
        self.name = name
        copy = try StoreCopy(forSnapshotOf: store)
    }

    func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        guard let image = try copy.runSlice() else { return true }
        try store.snapshots.keep(image, as: name)
        return false
    }

    func finish(_ store: MockStore) throws(MockStoreError) {
        try store.snapshots.keep(try copy.finish(), as: name)
    }

    func report() -> SimulatedEvent.Report {
        SimulatedEvent.Report(message: "saved as \(name)", changed: 1)
    }
}
