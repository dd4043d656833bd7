internal import CoreLocation
public import Foundation

/// How a search for what a person types is narrowed, and how much it may find.
///
/// Unchecked: as on Apple's systems it is set up before the search begins; the search copies it.
open class CSUserQueryContext: CSSearchQueryContext, @unchecked Sendable {
    /// Whether the best come first. Kept for the app: the order is that of the index.
    open var enableRankedResults = false
    /// Whether only words count, and not their meaning. Kept for the app: only words count.
    open var disableSemanticSearch = false
    /// How many items may be found; as many as there are when 0.
    open var maxResultCount = 0
    /// How many suggestions may be made; none when 0.
    open var maxSuggestionCount = 0
    /// How many ranked items may be found. Kept for the app.
    open var maxRankedResultCount = 0

    /// The suggestion that the person took.
    let currentSuggestion: CSSuggestion?

    /// An empty context.
    public override init() {
        currentSuggestion = nil
        super.init()
    }

    /// The context of a search that goes on from a suggestion.
    public init(currentSuggestion: CSSuggestion?) {
        self.currentSuggestion = currentSuggestion
        super.init()
    }

    /// The context that an archive holds; nil when it cannot be read.
    public required init?(coder: NSCoder) {
        currentSuggestion = coder.decodeIfThere(CSSuggestion.self, "suggestion")
        super.init(coder: coder)
        enableRankedResults = coder.decodeBool(forKey: "ranked")
        disableSemanticSearch = coder.decodeBool(forKey: "words")
        maxResultCount = coder.decodeInteger(forKey: "results")
        maxSuggestionCount = coder.decodeInteger(forKey: "suggestions")
        maxRankedResultCount = coder.decodeInteger(forKey: "rankedResults")
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        if let currentSuggestion { coder.encode(currentSuggestion, forKey: "suggestion") }
        coder.encode(enableRankedResults, forKey: "ranked")
        coder.encode(disableSemanticSearch, forKey: "words")
        coder.encode(maxResultCount, forKey: "results")
        coder.encode(maxSuggestionCount, forKey: "suggestions")
        coder.encode(maxRankedResultCount, forKey: "rankedResults")
    }

    /// A context with the same values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CSUserQueryContext(currentSuggestion: currentSuggestion)
        copy.take(from: self)
        copy.enableRankedResults = enableRankedResults
        copy.disableSemanticSearch = disableSemanticSearch
        copy.maxResultCount = maxResultCount
        copy.maxSuggestionCount = maxSuggestionCount
        copy.maxRankedResultCount = maxRankedResultCount
        return copy
    }
}
