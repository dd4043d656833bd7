public import Foundation

/// Something that can be played.
public final class INMediaItem: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// The app's own name for it.
    public let identifier: String?
    /// What people read.
    public let title: String?
    /// What it is.
    public let type: INMediaItemType
    /// A picture; not stored with a donation.
    public let artwork: INImage?
    /// Who made it.
    public let artist: String?

    /// Something that can be played.
    public init(
        identifier: String?, title: String?, type: INMediaItemType, artwork: INImage?,
        artist: String? = nil
    ) {
        self.identifier = identifier
        self.title = title
        self.type = type
        self.artwork = artwork
        self.artist = artist
    }

    // MARK: Archives

    public static var supportsSecureCoding: Bool { true }

    /// The value that an archive holds; nil when it cannot be read.
    public convenience init?(coder: NSCoder) { self.init(archivedIn: coder) }

    public func encode(with coder: NSCoder) { archive(in: coder) }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INMediaItem else { return false }
        return identifier == other.identifier && title == other.title && type == other.type
            && artist == other.artist
    }

    public override var hash: Int { identifier.hashValue }
}

extension INMediaItem: StorableValue {
    var storedParts: [String: Any?] {
        ["identifier": identifier, "title": title, "type": type.rawValue, "artist": artist]
    }

    static func restore(_ parts: [String: Any]) -> Self? {
        Self(
            identifier: parts["identifier"] as? String, title: parts["title"] as? String,
            type: (parts["type"] as? Int).flatMap { INMediaItemType(rawValue: $0) } ?? .unknown,
            artwork: nil, artist: parts["artist"] as? String)
    }
}
