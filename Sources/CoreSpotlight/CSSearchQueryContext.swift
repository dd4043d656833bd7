public import Foundation

/// What a search fetches and how it is narrowed.
///
/// Unchecked: as on Apple's systems it is set up before the search begins; the search copies it.
open class CSSearchQueryContext: NSObject, NSCopying, @unchecked Sendable {
    /// The attributes to fill in on found items; none when empty.
    open var fetchAttributes: [String] = []
    /// Further conditions; an item must fulfil all of them.
    open var filterQueries: [String] = []
    /// The keyboard's language; kept for the app.
    open var keyboardLanguage: String?

    /// An empty context.
    public override init() { super.init() }

    /// A context with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CSSearchQueryContext()
        copy.fetchAttributes = fetchAttributes
        copy.filterQueries = filterQueries
        copy.keyboardLanguage = keyboardLanguage
        return copy
    }
}
