public import Foundation

/// From when to when; either may be open.
public final class INDateComponentsRange: NSObject, NSCopying, Sendable {
    /// When it begins.
    public let startDateComponents: DateComponents?
    /// When it ends.
    public let endDateComponents: DateComponents?

    /// From when to when.
    public init(start: DateComponents?, end: DateComponents?) {
        startDateComponents = start
        endDateComponents = end
    }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INDateComponentsRange else { return false }
        return startDateComponents == other.startDateComponents
            && endDateComponents == other.endDateComponents
    }

    public override var hash: Int { startDateComponents.hashValue }
}

extension INDateComponentsRange: StorableValue {
    var storedParts: [String: Any?] { ["start": startDateComponents, "end": endDateComponents] }

    static func restore(_ parts: [String: Any]) -> Self? {
        Self(start: parts["start"] as? DateComponents, end: parts["end"] as? DateComponents)
    }
}
