public import Foundation

/// How to reach somebody: a number, an address, or a name of the app's own.
public final class INPersonHandle: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// What ``INPersonHandle/value`` is.
    public enum HandleType: Int, Sendable {
        /// A name of the app's own.
        case unknown
        /// An address of electronic mail.
        case emailAddress
        /// A telephone number.
        case phoneNumber
    }

    /// The number or address.
    public let value: String?
    /// What it is.
    public let type: HandleType
    /// What the person calls it, such as home or work.
    public let label: INPersonHandleLabel?

    /// A way to reach somebody.
    public init(value: String?, type: HandleType, label: INPersonHandleLabel? = nil) {
        self.value = value
        self.type = type
        self.label = label
    }

    // MARK: Archives

    public static var supportsSecureCoding: Bool { true }

    /// The value that an archive holds; nil when it cannot be read.
    public convenience init?(coder: NSCoder) { self.init(archivedIn: coder) }

    public func encode(with coder: NSCoder) { archive(in: coder) }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INPersonHandle else { return false }
        return value == other.value && type == other.type && label == other.label
    }

    public override var hash: Int { value.hashValue }
}

extension INPersonHandle: StorableValue {
    var storedParts: [String: Any?] {
        ["value": value, "type": type.rawValue, "label": label?.rawValue]
    }

    static func restore(_ parts: [String: Any]) -> Self? {
        Self(
            value: parts["value"] as? String,
            type: (parts["type"] as? Int).flatMap { HandleType(rawValue: $0) } ?? .unknown,
            label: (parts["label"] as? String).map { INPersonHandleLabel(rawValue: $0) })
    }
}

/// What a person calls a handle.
public struct INPersonHandleLabel: RawRepresentable, Hashable, Sendable {
    /// The word for it.
    public let rawValue: String
    /// A label of any kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// At home.
    public static let home = INPersonHandleLabel(rawValue: "home")
    /// At work.
    public static let work = INPersonHandleLabel(rawValue: "work")
    /// At school.
    public static let school = INPersonHandleLabel(rawValue: "school")
    /// A mobile telephone.
    public static let mobile = INPersonHandleLabel(rawValue: "mobile")
    /// The main one.
    public static let main = INPersonHandleLabel(rawValue: "main")
    /// Another one.
    public static let other = INPersonHandleLabel(rawValue: "other")
}
