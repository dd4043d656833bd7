/// The snapshots of a store: copies of it in memory, which are gone with the process.
package final class Snapshots: StorePart {
    private let context: StoreContext
    private var images: [String: StoreImage] = [:]

    /// - Parameter copied: Those of the store that this one is a copy of.
    init(_ context: StoreContext, _ copied: [String: StoreImage]) {
        self.context = context
        images = copied
    }

    /// All of them, for a copy of the store. An image never changes, so copies share it.
    var all: [String: StoreImage] { images }

    /// Their names, in order.
    var names: [String] { images.keys.sorted() }

    subscript(name: String) -> StoreImage? { images[name] }

    /// Keeps a copy under a name, in the place of one that has it.
    func keep(_ image: StoreImage, as name: String) throws(MockStoreError) {
        try requireRoom(for: name)
        images[name] = image
    }

    /// - Throws: ``MockStoreError/Code/limit`` when there are ``MockOptions/snapshotsMax`` others.
    func requireRoom(for name: String) throws(MockStoreError) {
        let most = context.options.snapshotsMax
        guard images[name] != nil || images.count < most else {
            throw MockStoreError(
                .limit,
                "the limit is \(most) snapshots: use one of the names again, "
                    + names.joined(separator: ", "))
        }
    }

    /// Forgets a snapshot.
    ///
    /// - Returns: Whether there was one of this name.
    package func forget(_ name: String) -> Bool { images.removeValue(forKey: name) != nil }

    /// Forgets all of them.
    func forgetAll() { images = [:] }
}
