public import Foundation

/// A region that a person can be in. Only ``CLCircularRegion`` is ever made.
public class CLRegion: NSObject, NSCopying, NSSecureCoding {
    /// The app's own name for it.
    public let identifier: String
    /// Whether the app wants to hear when it is entered; kept, and of no effect here.
    public var notifyOnEntry = true
    /// Whether the app wants to hear when it is left; kept, and of no effect here.
    public var notifyOnExit = true

    init(named identifier: String) { self.identifier = identifier }

    public class var supportsSecureCoding: Bool { true }

    /// The region that an archive holds; nil when it has no name.
    public required init?(coder: NSCoder) {
        guard let name = coder.decodeText("identifier")
        else { return nil }
        identifier = name
        notifyOnEntry = coder.decodeBool(forKey: "notifyOnEntry")
        notifyOnExit = coder.decodeBool(forKey: "notifyOnExit")
    }

    public func encode(with coder: NSCoder) {
        coder.encode(NSString(string: identifier), forKey: "identifier")
        coder.encode(notifyOnEntry, forKey: "notifyOnEntry")
        coder.encode(notifyOnExit, forKey: "notifyOnExit")
    }

    /// A region of the same name.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = CLRegion(named: identifier)
        copy.takeNotices(of: self)
        return copy
    }

    func takeNotices(of other: CLRegion) {
        notifyOnEntry = other.notifyOnEntry
        notifyOnExit = other.notifyOnExit
    }

    /// Whether both have the same name, as Apple compares regions.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? CLRegion)?.identifier == identifier
    }

    public override var hash: Int { identifier.hashValue }
}
