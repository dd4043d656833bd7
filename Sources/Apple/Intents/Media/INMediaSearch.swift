public import Foundation

/// What somebody searched for to have it played.
public final class INMediaSearch: NSObject, NSCopying, NSSecureCoding {
    /// What kind.
    public let mediaType: INMediaItemType
    /// Which of many.
    public let sortOrder: INMediaSortOrder
    /// Its name.
    public let mediaName: String?
    /// Who made it.
    public let artistName: String?
    /// What it is part of.
    public let albumName: String?
    /// Kinds of music.
    public let genreNames: [String]?
    /// Moods.
    public let moodNames: [String]?
    /// When it came out.
    public let releaseDate: INDateComponentsRange?
    /// What a word such as “this” means.
    public let reference: INMediaReference
    /// The app's own name for it.
    public let mediaIdentifier: String?

    /// A search.
    public init(
        mediaType: INMediaItemType = .unknown, sortOrder: INMediaSortOrder = .unknown,
        mediaName: String? = nil, artistName: String? = nil, albumName: String? = nil,
        genreNames: [String]? = nil, moodNames: [String]? = nil,
        releaseDate: INDateComponentsRange? = nil, reference: INMediaReference = .unknown,
        mediaIdentifier: String? = nil
    ) {
        self.mediaType = mediaType
        self.sortOrder = sortOrder
        self.mediaName = mediaName
        self.artistName = artistName
        self.albumName = albumName
        self.genreNames = genreNames
        self.moodNames = moodNames
        self.releaseDate = releaseDate
        self.reference = reference
        self.mediaIdentifier = mediaIdentifier
    }

    // MARK: Archives

    public static var supportsSecureCoding: Bool { true }

    /// The value that an archive holds; nil when it cannot be read.
    public convenience init?(coder: NSCoder) { self.init(archivedIn: coder) }

    public func encode(with coder: NSCoder) { archive(in: coder) }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

extension INMediaSearch: StorableValue {
    var storedParts: [String: Any?] {
        [
            "mediaType": mediaType.rawValue, "sortOrder": sortOrder.rawValue,
            "mediaName": mediaName, "artistName": artistName, "albumName": albumName,
            "genreNames": genreNames, "moodNames": moodNames, "releaseDate": releaseDate,
            "reference": reference.rawValue, "mediaIdentifier": mediaIdentifier,
        ]
    }

    static func restore(_ parts: [String: Any]) -> Self? {
        func code<Code: RawRepresentable<Int>>(_ name: String, or other: Code) -> Code {
            (parts[name] as? Int).flatMap { Code(rawValue: $0) } ?? other
        }
        return Self(
            mediaType: code("mediaType", or: .unknown), sortOrder: code("sortOrder", or: .unknown),
            mediaName: parts["mediaName"] as? String, artistName: parts["artistName"] as? String,
            albumName: parts["albumName"] as? String, genreNames: parts["genreNames"] as? [String],
            moodNames: parts["moodNames"] as? [String],
            releaseDate: parts["releaseDate"] as? INDateComponentsRange,
            reference: code("reference", or: .unknown),
            mediaIdentifier: parts["mediaIdentifier"] as? String)
    }
}
