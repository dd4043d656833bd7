internal import DonationStore

extension CSSearchQuery {
    /// One found item.
    public struct Item: Sendable, Identifiable {
        /// What was found.
        public let item: CSSearchableItem
        public var id: String { item.uniqueIdentifier }
    }

    /// What a search finds, one item after the other.
    public struct Results: AsyncSequence, Sendable {
        public typealias Element = Item
        /// One found item.
        public typealias Item = CSSearchQuery.Item

        fileprivate let query: CSSearchQuery

        /// Runs the search from the beginning; only a page of it is held in memory.
        public func makeAsyncIterator() -> Iterator { Iterator(query) }

        /// The state of going through the results.
        public struct Iterator: AsyncIteratorProtocol {
            private let query: CSSearchQuery
            private var walk: SearchWalk?
            private var rest: ArraySlice<CSSearchableItem> = []
            private var isAtEnd = false

            init(_ query: CSSearchQuery) { self.query = query }

            /// The next item; nil at the end.
            ///
            /// - Throws: ``CSSearchQueryError``.
            public mutating func next() async throws -> Item? {
                while rest.isEmpty {
                    guard !isAtEnd else { return nil }
                    var walk = try self.walk ?? query.walk(in: query.store)
                    let page = try await walk.next()
                    self.walk = walk
                    if query.isCancelled {
                        throw CSSearchQueryError(.cancelled, reason: "the search was cancelled")
                    }
                    guard let page else {
                        isAtEnd = true
                        return nil
                    }
                    query.count(page.count)
                    rest = page[...]
                }
                return rest.popFirst().map { Item(item: $0) }
            }
        }
    }

    /// Runs the search and gives what it finds. Do not call ``start()`` as well.
    public var results: Results { Results(query: self) }
}
