internal import CoreLocation
public import Foundation

/// The name of an attribute that only the app knows.
public final class CSCustomAttributeKey: NSObject, NSSecureCoding, Sendable {
    /// The name; queries use it as it is.
    public let keyName: String
    /// Kept for the app; here every attribute can be queried.
    public let isSearchable: Bool
    /// Kept for the app; here a plain search never looks at the app's own attributes.
    public let isSearchableByDefault: Bool
    /// Kept for the app.
    public let isUnique: Bool
    /// Kept for the app; here every attribute may hold several values.
    public let isMultiValued: Bool

    /// A name of ASCII letters, digits and underscores that begins with a letter, usually the
    /// app's reverse-DNS name with underscores; nil for anything else.
    public convenience init?(keyName: String) {
        self.init(
            keyName: keyName, searchable: true, searchableByDefault: false, unique: false,
            multiValued: false)
    }

    /// A name with hints for the index.
    public init?(
        keyName: String, searchable: Bool, searchableByDefault: Bool, unique: Bool,
        multiValued: Bool
    ) {
        let isName = keyName.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
        }
        guard isName, let first = keyName.utf8.first, (first | 0x20) &- 0x61 < 26 else {
            return nil
        }
        self.keyName = keyName
        isSearchable = searchable
        isSearchableByDefault = searchableByDefault
        isUnique = unique
        isMultiValued = multiValued
        super.init()
    }

    // MARK: Archives

    public static var supportsSecureCoding: Bool { true }

    /// The name that an archive holds; nil when it cannot be read, or is none.
    public convenience init?(coder: NSCoder) {
        guard let name = coder.decodeText("name") else { return nil }
        self.init(
            keyName: name, searchable: coder.decodeBool(forKey: "searchable"),
            searchableByDefault: coder.decodeBool(forKey: "byDefault"),
            unique: coder.decodeBool(forKey: "unique"),
            multiValued: coder.decodeBool(forKey: "multiValued"))
    }

    public func encode(with coder: NSCoder) {
        coder.encode(NSString(string: keyName), forKey: "name")
        coder.encode(isSearchable, forKey: "searchable")
        coder.encode(isSearchableByDefault, forKey: "byDefault")
        coder.encode(isUnique, forKey: "unique")
        coder.encode(isMultiValued, forKey: "multiValued")
    }
}
