internal import DonationStore
internal import Donations
internal import Foundation

/// Goes through the items that can fulfil a query, a page at a time.
struct SearchWalk: Sendable {
    /// How many items are looked at in one turn of the store.
    static let pageSize = 256

    private let store: DonationStore
    private let predicate: QueryPredicate
    private let attributes: Set<String>
    private let protectionClasses: Set<String>
    private var cursor: SearchCursor?
    /// How many items may yet be found.
    private var left: Int

    /// The walk of a query and its filters.
    ///
    /// - Throws: `CSSearchQueryError` when there is no store or a query is malformed.
    init(
        in store: DonationStore?, queries: [String], attributes: Set<String>,
        protectionClasses: Set<String>, limit: Int = .max
    ) throws(CSSearchQueryError) {
        guard let store else {
            throw CSSearchQueryError(
                .indexUnreachable, reason: "no store: call DonationStore.bootstrap")
        }
        let now = Double(store.moment.milliseconds) / 1000
        var parts: [QueryPredicate] = []
        for query in queries {
            do throws(QueryError) {
                parts.append(try QueryPredicate(parsing: query, now: now))
            } catch {
                throw CSSearchQueryError(
                    .invalidQuery, reason: "the query is refused \(error.description)")
            }
        }
        let predicate: QueryPredicate = parts.count == 1 ? parts[0] : .all(parts)
        self.store = store
        self.predicate = predicate
        self.attributes = attributes
        self.protectionClasses = protectionClasses
        cursor = SearchCursor(for: predicate)
        left = limit
    }

    /// The next items that fulfil the query, at least one; nil at the end.
    mutating func next() async throws(CSSearchQueryError) -> [CSSearchableItem]? {
        while left > 0, let place = cursor {
            guard !Task.isCancelled else {
                throw CSSearchQueryError(.cancelled, reason: "the search was cancelled")
            }
            let page: SearchPage
            do throws(DonationError) {
                page = try await store.items(after: place, limit: Self.pageSize)
            } catch {
                throw CSSearchQueryError(.indexUnreachable, reason: error.reason, cause: error)
            }
            cursor = page.next
            let items = page.items.filter { row in
                let isWanted =
                    protectionClasses.isEmpty
                    || row.protectionClass.map(protectionClasses.contains) ?? false
                return isWanted && row.fulfils(predicate)
            }
            let taken = items.prefix(left)
            left -= taken.count
            if !taken.isEmpty { return taken.map { CSSearchableItem($0, fetching: attributes) } }
        }
        return nil
    }
}
