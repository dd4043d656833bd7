internal import AsyncOperations
internal import DonationStore

/// The default index of each store and class: one object, so that its delegate stays set.
final class DefaultIndexes: Sendable {
    private struct Key: Hashable {
        let store: ObjectIdentifier?
        let type: ObjectIdentifier
    }
    private struct Entry: Sendable {
        let store: WeakStore
        let index: CSSearchableIndex
    }

    static let shared = DefaultIndexes()
    private let all = Locked<[Key: Entry]>([:])

    func index<Index: CSSearchableIndex>(of type: Index.Type) -> Index {
        let store = DonationStore.current
        let key = Key(store: store.map(ObjectIdentifier.init), type: ObjectIdentifier(type))
        let made = all.withLock { all -> CSSearchableIndex in
            if let entry = all[key], entry.store.store === store { return entry.index }
            all = all.filter { $0.key.store == nil || $0.value.store.store != nil }
            let index = type.init(name: "", protectionClass: nil)
            all[key] = Entry(store: WeakStore(store), index: index)
            return index
        }
        // The key holds the class, so this is always one of it.
        return made as? Index ?? type.init(name: "", protectionClass: nil)
    }
}
