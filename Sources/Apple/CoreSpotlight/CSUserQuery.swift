internal import AsyncOperations
internal import DonationStore
public import Foundation

/// A search for what a person types: items in which each word begins one, and suggestions.
///
/// A word is looked for in titles, display names, keywords and descriptions; capitals and accents
/// do not count. Nothing typed finds nothing. Suggestions are titles of found items.
///
/// Unchecked: all that can change is in `told`, behind its lock.
/// - SeeAlso: <https://developer.apple.com/documentation/corespotlight/csuserquery>
open class CSUserQuery: CSSearchQuery, @unchecked Sendable {
    /// What a person did with something that was found.
    public enum UserInteractionKind: Int, Sendable {
        /// Took it.
        case select
        /// Looked at it.
        case focus

        /// Took it.
        public static var `default`: UserInteractionKind { .select }
    }

    /// Unchecked: read and written only behind the lock; the handler is called one at a time.
    private struct Told: @unchecked Sendable {
        var handler: (([CSSuggestion]) -> Void)?
        var count = 0
    }

    /// How many items are read for suggestions at most.
    private static let itemsMax = 1024

    private let words: [String]
    private let suggestionMax: Int
    private let told = Locked(Told())

    /// A search for what a person typed, in a context, which is copied.
    public init(userQueryString: String?, userQueryContext: CSUserQueryContext?) {
        let text = [userQueryContext?.currentSuggestion?.text, userQueryString]
        words = text.compactMap { $0 }.flatMap { $0.split(whereSeparator: \.isWhitespace) }
            .map(String.init)
        suggestionMax = max(0, userQueryContext?.maxSuggestionCount ?? 0)
        let most = userQueryContext?.maxResultCount ?? 0
        super.init(
            queryString: Self.query(words), queryContext: userQueryContext,
            resultMax: words.isEmpty ? 0 : most > 0 ? most : .max)
    }

    /// Each word begins a word of an item.
    private static func query(_ words: [String]) -> String {
        guard !words.isEmpty else { return #"identifier == """# }
        return words.map { word in
            let plain = word.reduce(into: "") { text, letter in
                if "\"'*\\".contains(letter) { text.append("\\") }
                text.append(letter)
            }
            return "** == \"\(plain)*\"cdw"
        }.joined(separator: " && ")
    }

    /// How many suggestions were made.
    open var foundSuggestionCount: Int { told.withLock { $0.count } }

    /// Gets the suggestions, after the items, on the search's own queue. Set before ``start()``.
    open var foundSuggestionsHandler: (([CSSuggestion]) -> Void)? {
        get { told.withLock { Unchecked($0.handler) }.value }
        set {
            let handler = Unchecked(newValue)
            told.withLock { $0.handler = handler.value }
        }
    }

    /// Makes ready for a search. Nothing has to be made ready here.
    open class func prepare() {}

    /// Makes ready for a search in these protection classes. Nothing has to be made ready here.
    open class func prepareProtectionClasses(_ protectionClasses: [FileProtectionType]) {}

    /// Takes note of what a person did with an item. Nothing is learned from it here.
    open func userEngaged(
        _ item: Item, visibleItems: [Item], interaction userInteractionType: UserInteractionKind
    ) {}

    /// Takes note of what a person did with a suggestion. Nothing is learned from it here.
    open func userEngaged(
        _ suggestion: Suggestion, visibleSuggestions: [Suggestion],
        interaction userInteractionType: UserInteractionKind
    ) {}

    override func tellMore(in store: DonationStore?) async throws(CSSearchQueryError) {
        let handler = Unchecked(foundSuggestionsHandler)
        let found = try await makeSuggestions(in: store)
        if !found.isEmpty { await onQueue { handler.value?(found) } }
        told.withLock { $0.handler = nil }
    }

    /// Titles in which the last word goes on, each once.
    func makeSuggestions(in store: DonationStore?) async throws(CSSearchQueryError)
        -> [CSSuggestion]
    {
        guard suggestionMax > 0, let last = words.last else { return [] }
        var walk = try walk(
            in: store, fetching: ["title", "displayName"], resultMax: Self.itemsMax)
        var found: [CSSuggestion] = []
        while found.count < suggestionMax, let items = try await walk.next() {
            for item in items where found.count < suggestionMax {
                let attributes = item.attributeSet
                guard let text = attributes.title ?? attributes.displayName,
                    text.range(of: last, options: [.caseInsensitive, .diacriticInsensitive]) != nil,
                    !found.contains(where: { $0.text == text })
                else { continue }
                found.append(CSSuggestion(text, typed: last, rank: found.count))
            }
        }
        told.withLock { $0.count = found.count }
        return found
    }
}
