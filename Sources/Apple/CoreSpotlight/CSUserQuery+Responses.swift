extension CSUserQuery {
    /// One found item, by its place in the results.
    public struct Item: Identifiable, Hashable, Comparable, @unchecked Sendable {
        // Unchecked: an item is given away to the one who asked.
        /// What was found.
        public let item: CSSearchableItem
        fileprivate let rank: Int
        public var id: String { item.uniqueIdentifier }

        public static func == (one: Item, other: Item) -> Bool { one.id == other.id }
        public func hash(into hasher: inout Hasher) { hasher.combine(id) }
        /// Whether one stands before the other.
        public static func < (one: Item, other: Item) -> Bool { one.rank < other.rank }
    }

    /// One suggestion, by its place among them.
    public struct Suggestion: Identifiable, Hashable, Comparable, Sendable {
        /// What is suggested.
        public let suggestion: CSSuggestion
        public var id: String { suggestion.text }

        /// Whether one stands before the other.
        public static func < (one: Suggestion, other: Suggestion) -> Bool {
            one.suggestion.rank < other.suggestion.rank
        }
    }

    /// What a search finds, and then its suggestions, one after the other.
    public struct Responses: AsyncSequence, Sendable {
        public typealias Element = Response

        /// An item or a suggestion.
        public enum Response: Identifiable, Hashable, Sendable {
            /// Something that was found.
            case item(CSUserQuery.Item)
            /// What the person may go on to search for.
            case suggestion(CSUserQuery.Suggestion)

            /// Tells it from the others of the search.
            public var id: String {
                switch self {
                case .item(let item): "item " + item.id
                case .suggestion(let suggestion): "suggestion " + suggestion.id
                }
            }
        }

        fileprivate let query: CSUserQuery

        /// Runs the search from the beginning.
        public func makeAsyncIterator() -> Iterator { Iterator(query) }

        /// The state of going through what was found.
        public struct Iterator: AsyncIteratorProtocol {
            private let query: CSUserQuery
            private var items: CSSearchQuery.Results.Iterator
            private var suggestions: ArraySlice<CSSuggestion>?
            private var rank = 0

            init(_ query: CSUserQuery) {
                self.query = query
                items = query.results.makeAsyncIterator()
            }

            /// The next item or suggestion; nil at the end.
            ///
            /// - Throws: ``CSSearchQueryError``.
            public mutating func next() async throws -> Response? {
                if suggestions == nil {
                    if let found = try await items.next() {
                        defer { rank += 1 }
                        return .item(Item(item: found.item, rank: rank))
                    }
                    suggestions = try await query.makeSuggestions(in: query.store)[...]
                }
                return suggestions?.popFirst().map { .suggestion(Suggestion(suggestion: $0)) }
            }
        }
    }

    /// The suggestions of a search, one after the other.
    public struct Suggestions: AsyncSequence, Sendable {
        public typealias Element = CSUserQuery.Suggestion

        fileprivate let query: CSUserQuery

        /// Makes the suggestions.
        public func makeAsyncIterator() -> Iterator { Iterator(query: query) }

        /// The state of going through the suggestions.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let query: CSUserQuery
            private var rest: ArraySlice<CSSuggestion>?

            fileprivate init(query: CSUserQuery) { self.query = query }

            /// The next suggestion; nil at the end.
            ///
            /// - Throws: ``CSSearchQueryError``.
            public mutating func next() async throws -> Suggestion? {
                if rest == nil { rest = try await query.makeSuggestions(in: query.store)[...] }
                return rest?.popFirst().map { Suggestion(suggestion: $0) }
            }
        }
    }

    /// Runs the search and gives what it finds. Do not call ``start()`` as well.
    public var responses: Responses { Responses(query: self) }
    /// Makes the suggestions alone.
    public var suggestions: Suggestions { Suggestions(query: self) }
}
