internal import AsyncOperations
internal import Dispatch
internal import DonationStore
public import Foundation

/// The app's index of searchable items.
///
/// Everything ends up in the app's donation store. Calls take effect in the order in which they
/// are made; a completion handler runs when its call is on disk.
///
/// Unchecked: all that can change is behind the lock of `state`.
/// - SeeAlso: <https://developer.apple.com/documentation/corespotlight/cssearchableindex>
open class CSSearchableIndex: NSObject, @unchecked Sendable {
    /// Unchecked: read and written only behind the lock of `state`; the delegate's own methods
    /// are its author's to make safe, as on Apple's systems.
    private struct State: @unchecked Sendable {
        weak var delegate: (any CSSearchableIndexDelegate)?
        var batch: ItemBatch?
        /// Where the delegate is known as the one to ask about expired items.
        weak var registered: DonationStore?
    }

    /// The name of a named index; nil for the default one.
    let name: String?
    let protectionClass: String?
    private let state: Locked<State>
    /// The store that was the current one when this was made; used where none is.
    private let made: WeakStore
    /// Completion handlers run here, in order, so that none can hold up the store.
    private let callbacks = DispatchQueue(label: "CoreSpotlight.completions")

    /// An index of its own, with its own client state.
    public convenience init(name: String) { self.init(name: name, protectionClass: nil) }

    /// An index of its own whose items are hidden while the device is locked, as far as the
    /// protection class says so. An empty name stands for the default index.
    public required init(name: String, protectionClass: FileProtectionType?) {
        self.name = name.isEmpty ? nil : name
        self.protectionClass = protectionClass?.rawValue
        state = Locked(State())
        made = WeakStore(DonationStore.current)
        super.init()
    }

    /// Whether items can be indexed: whether the app has named its donation store.
    open class func isIndexingAvailable() -> Bool { DonationStore.current != nil }

    /// The index without a name. It has no batches and no protection class; deleting everything
    /// in it deletes the items of all the app's indexes.
    open class func `default`() -> Self { DefaultIndexes.shared.index(of: self) }

    /// Who is asked to index again; not kept alive.
    open weak var indexDelegate: (any CSSearchableIndexDelegate)? {
        get { state.withLock { Unchecked($0.delegate) }.value }
        set {
            let delegate = Unchecked(newValue)
            state.withLock {
                $0.delegate = delegate.value
                $0.registered = nil
            }
            if let store = currentStore { registerRenewer(in: store) }
        }
    }

    /// What the app does that is allowed and seldom meant, oldest first; the newest hundred are
    /// kept. Not in Apple's interface.
    public var warnings: [CSIndexWarning] {
        currentStore.map { IndexState.of($0, name).warnings } ?? []
    }

    // MARK: Indexing

    /// Adds items, or changes those with the same identifiers.
    ///
    /// The handler runs when the items are on disk; with an error nothing was changed, and the
    /// same call can be made again. In a batch it runs when they are noted.
    open func indexSearchableItems(
        _ items: [CSSearchableItem], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let answer = answer(to: completionHandler)
        guard let store = currentStore else { return answer(CSIndexError.noStore) }
        guard !items.contains(where: { $0.uniqueIdentifier.isEmpty }) else {
            return answer(CSIndexError(.invalidItemError, reason: "an item without identifier"))
        }
        registerRenewer(in: store)
        let index = IndexState.of(store, name)
        for domain in Set(items.compactMap(\.domainIdentifier)) { index.check(domain: domain) }
        let answers = index.touch(items.map(\.uniqueIdentifier))
        let now = store.moment
        let writes = items.map { item -> (item: Donation, write: DonationStore.ItemWrite) in
            let row = item.donation(indexName: name, protectionClass: protectionClass, at: now)
            return (row, item.isUpdate ? .update : .replace)
        }
        store.index(writes, rebuilt: answers, batch: openBatch) { result in
            switch result {
            case .success(let outcomes):
                let refused = zip(writes, outcomes).filter { $0.1 == .refusedDeleted }
                if !refused.isEmpty { index.refuse(refused.map(\.0.item.identifier)) }
                answer(nil)
            case .failure(let error): answer(CSIndexError(error))
            }
        }
    }

    /// The same, waiting until the items are on disk.
    open func indexSearchableItems(_ items: [CSSearchableItem]) async throws {
        try await waiting { indexSearchableItems(items, completionHandler: $0) }
    }

    // MARK: Inside the module

    /// The store this acts on; nil when the app has named none.
    var currentStore: DonationStore? { DonationStore.current ?? made.store }

    var openBatch: ItemBatch? {
        get { state.withLock { $0.batch } }
        set { state.withLock { $0.batch = newValue } }
    }

    /// Takes the open batch away.
    func takeBatch() -> ItemBatch? {
        state.withLock { state in
            defer { state.batch = nil }
            return state.batch
        }
    }

    /// What runs the app's handler outside the store's thread.
    func answer(
        to handler: (@Sendable ((any Error)?) -> Void)?
    ) -> @Sendable (CSIndexError?) -> Void {
        guard let handler else { return { _ in } }
        return { [callbacks] error in callbacks.async { handler(error) } }
    }

    /// Runs something on the queue of handlers.
    func callBack(_ body: @escaping @Sendable () -> Void) { callbacks.async(execute: body) }

    /// Waits for what a call with a handler says.
    func waiting(
        _ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void
    ) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            call { error in
                if let error { done.resume(throwing: error) } else { done.resume() }
            }
        }
    }

    /// Has the store ask this index's delegate about expired items.
    private func registerRenewer(in store: DonationStore) {
        let isNew = state.withLock { state in
            guard state.delegate != nil, state.registered !== store else { return false }
            state.registered = store
            return true
        }
        if isNew { store.setRenewer(DelegateRenewer(self, store: store), indexName: name) }
    }
}

/// A store that is not kept open.
struct WeakStore: Sendable {
    private(set) weak var store: DonationStore?
    init(_ store: DonationStore?) { self.store = store }
}

/// Carries a value across a lock's border.
///
/// Unchecked: only for references whose use is their author's to make safe.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
