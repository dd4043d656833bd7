public import Foundation

/// Something that can be said.
public protocol INSpeakable {
    /// What is said.
    var spokenPhrase: String { get }
    /// How to say it, when it is not said as it is written.
    var pronunciationHint: String? { get }
    /// The app's own name for it.
    var vocabularyIdentifier: String? { get }
    /// Other ways to say it.
    var alternativeSpeakableMatches: [any INSpeakable]? { get }
}

/// A text and how to say it, such as a group's name.
public final class INSpeakableString: NSObject, NSCopying, NSSecureCoding, INSpeakable, Sendable {
    /// The app's own name for it.
    public let vocabularyIdentifier: String?
    /// What is said.
    public let spokenPhrase: String
    /// How to say it, when it is not said as it is written.
    public let pronunciationHint: String?
    /// Other ways to say it: none.
    public var alternativeSpeakableMatches: [any INSpeakable]? { nil }

    /// A text that the app has a name for.
    public init(
        vocabularyIdentifier: String?, spokenPhrase: String, pronunciationHint: String?
    ) {
        self.vocabularyIdentifier = vocabularyIdentifier
        self.spokenPhrase = spokenPhrase
        self.pronunciationHint = pronunciationHint
    }

    /// A text that is said as it is written.
    public convenience init(spokenPhrase: String) {
        self.init(vocabularyIdentifier: nil, spokenPhrase: spokenPhrase, pronunciationHint: nil)
    }

    // MARK: Archives

    public static var supportsSecureCoding: Bool { true }

    /// The value that an archive holds; nil when it cannot be read.
    public convenience init?(coder: NSCoder) { self.init(archivedIn: coder) }

    public func encode(with coder: NSCoder) { archive(in: coder) }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INSpeakableString else { return false }
        return spokenPhrase == other.spokenPhrase
            && vocabularyIdentifier == other.vocabularyIdentifier
            && pronunciationHint == other.pronunciationHint
    }

    public override var hash: Int { spokenPhrase.hashValue }
}

extension INSpeakableString: StorableValue {
    var storedParts: [String: Any?] {
        [
            "spokenPhrase": spokenPhrase, "vocabularyIdentifier": vocabularyIdentifier,
            "pronunciationHint": pronunciationHint,
        ]
    }

    static func restore(_ parts: [String: Any]) -> Self? {
        (parts["spokenPhrase"] as? String).map {
            Self(
                vocabularyIdentifier: parts["vocabularyIdentifier"] as? String, spokenPhrase: $0,
                pronunciationHint: parts["pronunciationHint"] as? String)
        }
    }
}
