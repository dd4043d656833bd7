public import Foundation

/// From when to when; either may be open.
public final class INDateComponentsRange: NSObject, NSCopying, NSSecureCoding {
    /// When it begins.
    public let startDateComponents: DateComponents?
    /// When it ends.
    public let endDateComponents: DateComponents?

    /// How often; nil: once.
    public let recurrenceRule: INRecurrenceRule?

    /// From when to when.
    public convenience init(start: DateComponents?, end: DateComponents?) {
        self.init(start: start, end: end, recurrenceRule: nil)
    }

    /// From when to when, again and again.
    public init(start: DateComponents?, end: DateComponents?, recurrenceRule: INRecurrenceRule?) {
        startDateComponents = start
        endDateComponents = end
        self.recurrenceRule = recurrenceRule
    }

    // MARK: Archives

    public static var supportsSecureCoding: Bool { true }

    /// The value that an archive holds; nil when it cannot be read.
    public convenience init?(coder: NSCoder) { self.init(archivedIn: coder) }

    public func encode(with coder: NSCoder) { archive(in: coder) }

    /// The same object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INDateComponentsRange else { return false }
        return startDateComponents == other.startDateComponents
            && endDateComponents == other.endDateComponents
            && recurrenceRule == other.recurrenceRule
    }

    public override var hash: Int { startDateComponents.hashValue }
}

extension INDateComponentsRange: StorableValue {
    var storedParts: [String: Any?] {
        [
            "start": startDateComponents, "end": endDateComponents, "recurrence": recurrenceRule,
        ]
    }

    static func restore(_ parts: [String: Any]) -> Self? {
        Self(
            start: parts["start"] as? DateComponents, end: parts["end"] as? DateComponents,
            recurrenceRule: parts["recurrence"] as? INRecurrenceRule)
    }
}
