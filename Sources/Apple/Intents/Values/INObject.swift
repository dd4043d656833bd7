public import Foundation

/// A value of a type that the app defined for its intents.
///
/// Subclasses, as Xcode generates them for types with fields of their own, are stored as plain
/// objects: identifier and texts come back, further fields do not.
open class INObject: NSObject, NSCopying, NSSecureCoding, INSpeakable {
    /// The app's own name for the object.
    public let identifier: String?
    /// What people read.
    public let displayString: String
    /// How to say it, when it is not said as it is written.
    public let pronunciationHint: String?
    /// The line below ``displayString``.
    open var subtitleString: String?
    /// The picture beside it; not stored.
    open var displayImage: INImage?
    private var alternatives: [INSpeakableString] = []

    /// An object.
    public required init(
        identifier: String?, display displayString: String, pronunciationHint: String?
    ) {
        self.identifier = identifier
        self.displayString = displayString
        self.pronunciationHint = pronunciationHint
    }

    /// An object that is said as it is written.
    public convenience init(identifier: String?, display displayString: String) {
        self.init(identifier: identifier, display: displayString, pronunciationHint: nil)
    }

    /// An object with a second line and a picture.
    public convenience init(
        identifier: String?, display displayString: String, subtitle subtitleString: String?,
        image displayImage: INImage?
    ) {
        self.init(identifier: identifier, display: displayString, pronunciationHint: nil)
        self.subtitleString = subtitleString
        self.displayImage = displayImage
    }

    /// An object with a second line, a picture and a way to say it.
    public convenience init(
        identifier: String?, display displayString: String, pronunciationHint: String?,
        subtitle subtitleString: String?, image displayImage: INImage?
    ) {
        self.init(
            identifier: identifier, display: displayString, pronunciationHint: pronunciationHint)
        self.subtitleString = subtitleString
        self.displayImage = displayImage
    }

    /// What is said for it.
    public var spokenPhrase: String { displayString }
    /// The app's own name for what is said.
    public var vocabularyIdentifier: String? { identifier }
    /// Other ways to say it.
    public var alternativeSpeakableMatches: [any INSpeakable]? {
        alternatives.isEmpty ? nil : alternatives
    }

    /// Names other ways to say it.
    open func setAlternativeSpeakableMatches(_ alternatives: [INSpeakableString]?) {
        self.alternatives = alternatives ?? []
    }

    // MARK: Archives

    open class var supportsSecureCoding: Bool { true }

    /// The value that an archive holds; nil when it cannot be read.
    public required convenience init?(coder: NSCoder) { self.init(archivedIn: coder) }

    open func encode(with coder: NSCoder) { archive(in: coder) }

    /// An object with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).init(
            identifier: identifier, display: displayString, pronunciationHint: pronunciationHint)
        copy.subtitleString = subtitleString
        copy.displayImage = displayImage
        copy.alternatives = alternatives
        return copy
    }

    /// Whether both are the same object of the app.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INObject else { return false }
        return identifier == other.identifier && displayString == other.displayString
            && pronunciationHint == other.pronunciationHint
            && subtitleString == other.subtitleString
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(identifier)
        hasher.combine(displayString)
        return hasher.finalize()
    }
}

extension INObject: StorableValue {
    var storedParts: [String: Any?] {
        [
            "identifier": identifier, "displayString": displayString,
            "pronunciationHint": pronunciationHint, "subtitleString": subtitleString,
        ]
    }

    static func restore(_ parts: [String: Any]) -> Self? {
        guard let display = parts["displayString"] as? String else { return nil }
        let object = Self(
            identifier: parts["identifier"] as? String, display: display,
            pronunciationHint: parts["pronunciationHint"] as? String)
        object.subtitleString = parts["subtitleString"] as? String
        return object
    }
}
