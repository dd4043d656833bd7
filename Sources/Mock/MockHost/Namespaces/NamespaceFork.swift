import MockService
import MockStore

/// A job that copies a namespace, which stays in use meanwhile.
final class NamespaceFork: StoreJob {
    let name: NamespaceName
    private weak var namespaces: Namespaces?
    private let origin: NamespaceHost
    private let snapshot: String?
    private let copy: StoreCopy
    /// The host of the copy, as soon as there is one.
    private(set) var host: NamespaceHost?
    private var restore: RestoreJob?

    /// - Parameter snapshot: Of the origin, whose data the copy is to have; nil: those of now.
    init(
        _ name: NamespaceName, of origin: NamespaceHost, at snapshot: String?,
        _ namespaces: Namespaces
    ) throws(MockStoreError) {
        self.name = name
        self.origin = origin
        self.snapshot = snapshot
        self.namespaces = namespaces
        copy = try StoreCopy(of: origin.store)
    }

    deinit { namespaces?.release(name) }

    func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        if let host, let restore {
            if try restore.runSlice(host.store) { return true }
            try host.commit()
            return false
        }
        guard let image = try copy.runSlice() else { return true }
        return try begin(with: image)
    }

    /// Makes the host; says whether it is to go back to a snapshot.
    private func begin(with image: StoreImage) throws(MockStoreError) -> Bool {
        guard let namespaces else { throw MockStoreError(.failed, "the server has ended") }
        let host = try namespaces.makeHost(name, image, like: origin)
        self.host = host
        guard let snapshot else { return false }
        guard let restore = try host.store.restoreJob(snapshot) else {
            throw MockStoreError(.refused, "the snapshot \"\(snapshot)\" was discarded meanwhile")
        }
        self.restore = restore
        return true
    }
}
