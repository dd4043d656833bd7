public import Foundation

/// A value that intents and responses hold: its properties are kept by their names, so that
/// storing, copying, comparing and archiving are written once.
///
/// Not in Apple's interface, where each class stands by itself. Pictures and activities are kept
/// in memory alone: neither a donation nor an archive has them.
public class INValueObject: NSObject, NSCopying, NSSecureCoding, ValuesByName {
    var values: [String: Any] = [:]

    /// A value with these properties; nil leaves one out, and a case is kept as its number.
    required init(_ properties: [String: Any?]) {
        super.init()
        for case (let name, let value?) in properties { put(value, name) }
    }

    /// A value with the same properties.
    public func copy(with zone: NSZone? = nil) -> Any { type(of: self).init(values) }

    // MARK: Archives

    public class var supportsSecureCoding: Bool { true }

    /// The value that an archive holds; nil when it cannot be read.
    public required convenience init?(coder: NSCoder) {
        guard let kept = Archive.parts(in: coder) else { return nil }
        self.init(kept)
    }

    public func encode(with coder: NSCoder) { Archive.encode(storedParts, in: coder) }

    /// Whether both are of one class and have the same properties.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INValueObject, type(of: other) == type(of: self)
        else { return false }
        return values as NSDictionary == other.values as NSDictionary
    }

    public override var hash: Int { values.keys.sorted().hashValue }
}

extension INValueObject: StorableValue {
    var storedParts: [String: Any?] {
        values.filter { !($0.value is NSUserActivity) && !($0.value is INImage) }
            .filter { !($0.value is [NSUserActivity]) }
    }

    static func restore(_ parts: [String: Any]) -> Self? { Self(parts) }
}
