// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import CloudModel
internal import CoreLocation
public import Foundation

/// The owner's name in IDs of zones that the current user owns.
public let CKCurrentUserDefaultName = "__defaultOwner__"
/// The older name of ``CKCurrentUserDefaultName``.
public let CKOwnerDefaultName = CKCurrentUserDefaultName

/// A zone's name and owner. Equal by value.
public final class CKRecordZoneID: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// At most 255 ASCII characters; custom zones do not begin with `_`.
    public let zoneName: String
    /// ``CKCurrentUserDefaultName``, or the user record name of another owner.
    public let ownerName: String

    /// The name of the default zone.
    public static let defaultZoneName = "_defaultZone"
    /// The default zone of the current user.
    public static let `default` = CKRecordZoneID(zoneName: defaultZoneName)

    /// An ID of a zone of the current user, unless an owner is given.
    public init(
        zoneName: String = CKRecordZoneID.defaultZoneName,
        ownerName: String = CKCurrentUserDefaultName
    ) {
        self.zoneName = zoneName
        self.ownerName = ownerName
    }

    /// The native ID: one's own zones bear the owner's placeholder.
    convenience init(_ id: RecordZone.ID, in scope: CKDatabase.Scope) {
        let owner = scope == .shared ? id.ownerRecordName : nil
        self.init(zoneName: id.zoneName, ownerName: owner ?? CKCurrentUserDefaultName)
    }

    /// The ID as the service takes it.
    var model: RecordZone.ID {
        RecordZone.ID(
            zoneName, ownerRecordName: ownerName == CKCurrentUserDefaultName ? nil : ownerName)
    }

    /// Whether this names the default zone.
    var isDefault: Bool { zoneName == Self.defaultZoneName }

    /// Whether two IDs have the same names.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKRecordZoneID else { return false }
        return zoneName == other.zoneName && ownerName == other.ownerName
    }

    /// Follows ``isEqual(_:)``.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(zoneName)
        hasher.combine(ownerName)
        return hasher.finalize()
    }

    /// Itself: an ID never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Both names.
    public override var description: String { "\(zoneName):\(ownerName)" }

    // MARK: - Coding

    /// True.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the ID to an archive.
    public func encode(with coder: NSCoder) {
        coder.encode(zoneName as NSString, forKey: "zoneName")
        coder.encode(ownerName as NSString, forKey: "ownerName")
    }

    /// Reads an ID from an archive.
    public convenience init?(coder: NSCoder) {
        guard let name = coder.decodeText("zoneName") ?? coder.decodeText("ZoneName"),
            let owner = coder.decodeText("ownerName")
        else { return nil }
        self.init(zoneName: name, ownerName: owner)
    }
}

extension CKRecordZone {
    /// A zone's name and owner.
    ///
    /// The class is not nested, because Foundation on Linux archives no nested classes.
    public typealias ID = CKRecordZoneID
}
