internal import AsyncOperations
internal import Dispatch
internal import DonationStore
internal import Donations
public import Foundation

/// A search among the app's own items, by conditions on their attributes.
///
/// The article of the module lists what a query string may say. Activities are not found by it;
/// `DonationStore.search` finds both.
///
/// Unchecked: all that can change is in `state`, behind its lock.
/// - SeeAlso: <https://developer.apple.com/documentation/corespotlight/cssearchquery>
open class CSSearchQuery: NSObject, @unchecked Sendable {
    /// Unchecked: read and written only behind the lock; the handlers are called one at a time.
    private struct State: @unchecked Sendable {
        var found: (([CSSearchableItem]) -> Void)?
        var completion: (((any Error)?) -> Void)?
        var count = 0
        var isCancelled = false
        var protectionClasses: [FileProtectionType] = []
        var run: Task<Void, Never>?
    }

    private let queryString: String
    private let filters: [String]
    private let attributes: Set<String>
    private let resultMax: Int
    private let made = WeakStore(DonationStore.current)
    private let state = Locked(State())
    private let callbacks = DispatchQueue(label: "CoreSpotlight.query")

    /// A search for a query string.
    ///
    /// - Parameter attributes: The attributes to fill in on found items; none when nil or empty.
    public convenience init(queryString: String, attributes: [String]?) {
        let context = CSSearchQueryContext()
        context.fetchAttributes = attributes ?? []
        self.init(queryString: queryString, queryContext: context)
    }

    /// A search for a query string in a context, which is copied.
    public init(queryString: String, queryContext: CSSearchQueryContext?) {
        self.queryString = queryString
        filters = queryContext?.filterQueries ?? []
        attributes = Set((queryContext?.fetchAttributes ?? []).map(QueryAttributes.canonicalName))
        resultMax = .max
        super.init()
    }

    /// A search that finds no more than so many items.
    init(queryString: String, queryContext: CSSearchQueryContext?, resultMax: Int) {
        self.queryString = queryString
        filters = queryContext?.filterQueries ?? []
        attributes = Set((queryContext?.fetchAttributes ?? []).map(QueryAttributes.canonicalName))
        self.resultMax = resultMax
        super.init()
    }

    deinit { state.withLock { $0.run }?.cancel() }

    /// Gets what was found, a part at a time, on a queue of the search's own. Set before
    /// ``start()``.
    open var foundItemsHandler: (([CSSearchableItem]) -> Void)? {
        get { state.withLock { Unchecked($0.found) }.value }
        set {
            let handler = Unchecked(newValue)
            state.withLock { $0.found = handler.value }
        }
    }

    /// Called once, after the last found items, or with a ``CSSearchQueryError``.
    open var completionHandler: (((any Error)?) -> Void)? {
        get { state.withLock { Unchecked($0.completion) }.value }
        set {
            let handler = Unchecked(newValue)
            state.withLock { $0.completion = handler.value }
        }
    }

    /// How many items were found so far.
    open var foundItemCount: Int { state.withLock { $0.count } }
    /// Whether ``cancel()`` was called.
    open var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// Only items of these protection classes are found; all when empty.
    open var protectionClasses: [FileProtectionType] {
        get { state.withLock { $0.protectionClasses } }
        set { state.withLock { $0.protectionClasses = newValue } }
    }

    /// Begins the search. A search runs once; calling this again does nothing.
    open func start() {
        let store = store
        state.withLock { state in
            guard state.run == nil, !state.isCancelled else { return }
            // The search keeps itself alive until it has answered, as Apple's does.
            state.run = Task { await self.run(in: store) }
        }
    }

    /// Ends the search. The completion handler gets ``CSSearchQueryError/cancelled``.
    open func cancel() {
        let run = state.withLock { state in
            state.isCancelled = true
            return state.run
        }
        run?.cancel()
    }

    /// The walk through the items that the query asks for.
    ///
    /// - Parameters:
    ///   - others: Attributes to fetch in place of the context's.
    ///   - most: How many items in place of the search's own number.
    func walk(
        in store: DonationStore?, fetching others: Set<String>? = nil, resultMax most: Int? = nil
    ) throws(CSSearchQueryError) -> SearchWalk {
        guard !isCancelled else {
            throw CSSearchQueryError(.cancelled, reason: "the search was cancelled")
        }
        return try SearchWalk(
            in: store, queries: [queryString] + filters, attributes: others ?? attributes,
            protectionClasses: Set(protectionClasses.map(\.rawValue)),
            limit: min(most ?? .max, resultMax))
    }

    /// Tells what a refined search has besides items.
    func tellMore(in store: DonationStore?) async throws(CSSearchQueryError) {}

    /// Counts what was found.
    func count(_ items: Int) { state.withLock { $0.count += items } }

    /// The store the search looks into.
    var store: DonationStore? { DonationStore.current ?? made.store }

    private func run(in store: DonationStore?) async {
        var failure: CSSearchQueryError?
        do throws(CSSearchQueryError) {
            var walk = try walk(in: store)
            while let items = try await walk.next() {
                count(items.count)
                let handler = Unchecked(foundItemsHandler)
                await onQueue { handler.value?(items) }
            }
            try await tellMore(in: store)
        } catch {
            failure = error
        }
        let (handler, error) = (Unchecked(completionHandler), failure)
        await onQueue { handler.value?(error) }
        state.withLock {
            $0.found = nil
            $0.completion = nil
        }
    }

    /// Runs a handler on the search's own queue, and waits for it.
    func onQueue(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            callbacks.async {
                body()
                continuation.resume()
            }
        }
    }
}

extension CSSearchQueryError {
    /// A failure in words.
    init(_ code: Code, reason: String, cause: (any Error)? = nil) {
        var info: [String: Any] = [NSLocalizedDescriptionKey: reason]
        info[NSUnderlyingErrorKey] = cause
        self.init(code, userInfo: info)
    }
}
