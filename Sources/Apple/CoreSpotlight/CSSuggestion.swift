internal import CoreLocation
public import Foundation

/// Marks the part of a suggestion that the person did not type.
public enum CSSuggestionHighlightAttribute: AttributedStringKey {
    /// Always true.
    public typealias Value = Bool
    /// The attribute's name.
    public static var name: String { CSSuggestionHighlightAttributeName }
}

/// What a person may go on to search for.
public final class CSSuggestion: NSObject, NSSecureCoding, Sendable {
    /// Where a suggestion comes from.
    public enum SuggestionKind: Int, Sendable {
        /// From nowhere.
        case none
        /// From the app.
        case custom
        /// From the index.
        case `default`
    }

    /// What it says, without marks.
    let text: String
    /// What the person typed of it.
    let typed: String
    /// Its place among the suggestions of one search, from 0 on.
    let rank: Int
    /// Where it comes from.
    public let suggestionKind: SuggestionKind

    init(_ text: String, typed: String, rank: Int) {
        self.text = text
        self.typed = typed
        self.rank = rank
        suggestionKind = .default
        super.init()
    }

    /// What it says; what the person did not type is marked.
    public var localizedAttributedSuggestion: AttributedString {
        var suggestion = AttributedString(text)
        suggestion[CSSuggestionHighlightAttribute.self] = true
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]
        if let range = text.range(of: typed, options: options),
            let lower = AttributedString.Index(range.lowerBound, within: suggestion),
            let upper = AttributedString.Index(range.upperBound, within: suggestion)
        {
            suggestion[lower..<upper][CSSuggestionHighlightAttribute.self] = nil
        }
        return suggestion
    }

    /// Which of both stands first.
    public func compare(byRank other: CSSuggestion) -> ComparisonResult {
        rank == other.rank
            ? .orderedSame : rank < other.rank ? .orderedAscending : .orderedDescending
    }

    /// Which of both stands first by what it says.
    public func compare(_ other: CSSuggestion) -> ComparisonResult { text.compare(other.text) }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CSSuggestion else { return false }
        return text == other.text && suggestionKind == other.suggestionKind
    }
    public override var hash: Int { text.hashValue }

    // MARK: Archives

    public static var supportsSecureCoding: Bool { true }

    /// The suggestion that an archive holds; nil when it cannot be read.
    public init?(coder: NSCoder) {
        guard let text = coder.decodeText("text"), let typed = coder.decodeText("typed"),
            let kind = SuggestionKind(rawValue: coder.decodeInteger(forKey: "kind"))
        else { return nil }
        self.text = text
        self.typed = typed
        rank = coder.decodeInteger(forKey: "rank")
        suggestionKind = kind
        super.init()
    }

    public func encode(with coder: NSCoder) {
        coder.encode(NSString(string: text), forKey: "text")
        coder.encode(NSString(string: typed), forKey: "typed")
        coder.encode(rank, forKey: "rank")
        coder.encode(suggestionKind.rawValue, forKey: "kind")
    }
}
