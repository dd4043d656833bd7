internal import CoreLocation
public import Foundation

/// What a search fetches and how it is narrowed.
///
/// Unchecked: as on Apple's systems it is set up before the search begins; the search copies it.
open class CSSearchQueryContext: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// What else than the app's own items is looked at.
    public struct SourceOptions: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt
        /// A set of these bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Mail, where the app may read it: here there is none.
        public static let allowMail = SourceOptions(rawValue: 1 << 0)
    }

    /// The attributes to fill in on found items; none when empty.
    open var fetchAttributes: [String] = []
    /// Further conditions; an item must fulfil all of them.
    open var filterQueries: [String] = []
    /// The keyboard's language; kept for the app.
    open var keyboardLanguage: String?
    /// What else is looked at; kept for the app.
    open var sourceOptions: SourceOptions = []

    /// An empty context.
    public override init() { super.init() }

    /// A context with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CSSearchQueryContext()
        copy.take(from: self)
        return copy
    }

    func take(from other: CSSearchQueryContext) {
        fetchAttributes = other.fetchAttributes
        filterQueries = other.filterQueries
        keyboardLanguage = other.keyboardLanguage
        sourceOptions = other.sourceOptions
    }

    // MARK: Archives

    open class var supportsSecureCoding: Bool { true }

    /// The context that an archive holds; nil when it cannot be read.
    public required init?(coder: NSCoder) {
        let lists = [NSArray.self, NSString.self]
        // Without its conditions a search would find more than it was to find.
        guard let filters = coder.decodeIfThere(anyOf: lists, "filters") as? [String],
            let attributes = coder.decodeIfThere(anyOf: lists, "attributes") as? [String]
        else { return nil }
        super.init()
        filterQueries = filters
        fetchAttributes = attributes
        keyboardLanguage = coder.decodeText("language")
        sourceOptions = SourceOptions(
            rawValue: UInt(max(0, coder.decodeInteger(forKey: "sources"))))
    }

    open func encode(with coder: NSCoder) {
        coder.encode(NSArray(array: filterQueries.map(NSString.init(string:))), forKey: "filters")
        coder.encode(
            NSArray(array: fetchAttributes.map(NSString.init(string:))), forKey: "attributes")
        if let keyboardLanguage {
            coder.encode(NSString(string: keyboardLanguage), forKey: "language")
        }
        coder.encode(Int(clamping: sourceOptions.rawValue), forKey: "sources")
    }
}
