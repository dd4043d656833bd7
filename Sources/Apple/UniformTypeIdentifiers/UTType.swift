internal import Foundation

/// The kind of a file or of an item's content, by its uniform type identifier.
///
/// The types of Apple's list know what they conform to; nothing else is declared here, neither by
/// the machine nor by an app, and a type that is not declared conforms to itself alone.
///
/// - SeeAlso: <https://developer.apple.com/documentation/uniformtypeidentifiers/uttype-swift.struct>
public struct UTType: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The identifier, such as `public.text`.
    public let identifier: String

    /// The type with this identifier; nil for an empty one. Unlike Apple's, it may be one that
    /// nobody declared.
    public init?(_ identifier: String) {
        guard !identifier.isEmpty else { return nil }
        self.identifier = identifier
    }

    /// A type that the app declares itself.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.identifier = identifier
    }

    /// A type that the app uses and another one declares.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.identifier = identifier
    }

    /// The type of files whose names end so; nil when no type of the list has such files, where
    /// Apple's makes a type up.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        let wanted = filenameExtension.lowercased()
        self.init(conformingTo: supertype) { $0.extensions.contains(wanted) }
    }

    /// The type with this media type; nil when no type of the list has it.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        let wanted = mimeType.lowercased()
        self.init(conformingTo: supertype) { $0.mimeType == wanted }
    }

    private init?(conformingTo supertype: UTType, _ isMeant: (TypeDeclaration) -> Bool) {
        let found = TypeDeclaration.all.lazy.filter(isMeant).map {
            UTType(importedAs: $0.identifier)
        }
        guard let type = found.first(where: { $0.conforms(to: supertype) }) else { return nil }
        self = type
    }

    private var declaration: TypeDeclaration? { TypeDeclaration.known[identifier] }

    /// How names of its files usually end; nil: it has no files of its own.
    public var preferredFilenameExtension: String? { declaration?.extensions.first }
    /// Its media type; nil: it has none.
    public var preferredMIMEType: String? { declaration?.mimeType }
    /// Whether it is one of Apple's list.
    public var isDeclared: Bool { declaration != nil }
    /// Whether it was made up for a file that no declared type fits: never here.
    public var isDynamic: Bool { false }
    /// Whether it belongs to everybody.
    public var isPublic: Bool { identifier.hasPrefix("public.") }

    /// Every type that it conforms to, itself left out.
    public var supertypes: Set<UTType> {
        var (found, open) = (Set<UTType>(), [self])
        while let next = open.popLast() {
            for parent in next.declaration?.parents ?? [] {
                let type = UTType(importedAs: parent)
                if found.insert(type).inserted { open.append(type) }
            }
        }
        return found
    }

    /// Whether it is `type` or a kind of it.
    public func conforms(to type: UTType) -> Bool { self == type || isSubtype(of: type) }

    /// Whether it is a kind of `type`, and not `type` itself.
    public func isSubtype(of type: UTType) -> Bool { supertypes.contains(type) }

    /// Whether `type` is a kind of it, and not itself.
    public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

    public var description: String { identifier }
}
