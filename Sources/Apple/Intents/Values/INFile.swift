public import Foundation

/// A file that an intent is about: its bytes, or where it lies.
///
/// A donation stores name and type, never the bytes.
public final class INFile: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// The bytes; empty when they could not be read.
    public let data: Data
    /// What people read.
    public let filename: String
    /// Where it lies; nil when it was made of bytes.
    public let fileURL: URL?
    /// A uniform type identifier, such as `public.jpeg`.
    public let typeIdentifier: String?
    /// Whether the system removes it after its use; always false here.
    public let removedOnCompletion: Bool

    private init(data: Data, filename: String, fileURL: URL?, typeIdentifier: String?) {
        self.data = data
        self.filename = filename
        self.fileURL = fileURL
        self.typeIdentifier = typeIdentifier
        removedOnCompletion = false
    }

    /// A file of these bytes.
    public static func file(data: Data, filename: String, typeIdentifier: String?) -> INFile {
        INFile(data: data, filename: filename, fileURL: nil, typeIdentifier: typeIdentifier)
    }

    /// A file that lies somewhere; its bytes are not read.
    public static func file(
        fileURL: URL, filename: String?, typeIdentifier: String?
    ) -> INFile {
        INFile(
            data: Data(), filename: filename ?? fileURL.lastPathComponent, fileURL: fileURL,
            typeIdentifier: typeIdentifier)
    }

    // MARK: Archives

    public static var supportsSecureCoding: Bool { true }

    /// The value that an archive holds; nil when it cannot be read.
    public convenience init?(coder: NSCoder) { self.init(archivedIn: coder) }

    public func encode(with coder: NSCoder) { archive(in: coder) }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

extension INFile: StorableValue {
    var storedParts: [String: Any?] {
        ["filename": filename, "typeIdentifier": typeIdentifier]
    }

    static func restore(_ parts: [String: Any]) -> Self? {
        (parts["filename"] as? String).map {
            Self(
                data: Data(), filename: $0, fileURL: nil,
                typeIdentifier: parts["typeIdentifier"] as? String)
        }
    }
}
