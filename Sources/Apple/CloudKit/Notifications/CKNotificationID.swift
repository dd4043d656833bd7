internal import CoreLocation
public import Foundation

/// Identifies a push. Equal by value.
public final class CKNotificationID: NSObject, NSSecureCoding, NSCopying, Sendable {
    private let name: String

    init(_ name: String) { self.name = name }

    /// Whether both are of the same push.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? CKNotificationID)?.name == name
    }

    /// Follows ``isEqual(_:)``.
    public override var hash: Int { name.hashValue }

    /// Itself: an ID never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// The ID in words.
    public override var description: String { "<CKNotificationID: \(name)>" }

    // MARK: - Coding

    /// True.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the ID to an archive.
    public func encode(with coder: NSCoder) { coder.encode(name as NSString, forKey: "name") }

    /// Reads an ID from an archive.
    public convenience init?(coder: NSCoder) {
        guard let name = coder.decodeText("name") else { return nil }
        self.init(name)
    }
}

extension CKNotification {
    /// Identifies a push.
    ///
    /// The class is not nested, because Foundation on Linux archives no nested classes.
    public typealias ID = CKNotificationID
}
