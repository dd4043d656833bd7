internal import CoreLocation
public import Foundation

/// A record's name and zone. Equal by value.
public final class CKRecordID: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// 1 to 255 ASCII characters, unique in its zone.
    public let recordName: String
    /// The record's zone.
    public let zoneID: CKRecordZone.ID

    /// An ID in the default zone, unless a zone is given; with a new name, unless one is.
    public init(recordName: String? = nil, zoneID: CKRecordZone.ID = .default) {
        self.recordName = recordName ?? makeUniqueName()
        self.zoneID = zoneID
    }

    /// Whether two IDs have the same name and zone.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKRecordID else { return false }
        return recordName == other.recordName && zoneID == other.zoneID
    }

    /// Follows ``isEqual(_:)``.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(recordName)
        hasher.combine(zoneID.zoneName)
        return hasher.finalize()
    }

    /// Itself: an ID never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// The record's name, then its zone.
    public override var description: String {
        "<CKRecordID: \(recordName); zoneID=\(zoneID)>"
    }

    // MARK: - Coding

    /// True.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the ID to an archive.
    public func encode(with coder: NSCoder) {
        coder.encode(recordName as NSString, forKey: "recordName")
        coder.encode(zoneID, forKey: "zoneID")
    }

    /// Reads an ID from an archive.
    public convenience init?(coder: NSCoder) {
        NativeArchives.areReadable()
        guard let name = coder.decodeText("recordName") ?? coder.decodeText("RecordName"),
            let zoneID = coder.decodeIfThere(CKRecordZone.ID.self, "zoneID")
                ?? coder.decodeIfThere(CKRecordZone.ID.self, "ZoneID")
        else { return nil }
        self.init(recordName: name, zoneID: zoneID)
    }
}

extension CKRecord {
    /// A record's name and zone.
    ///
    /// The class is not nested, because Foundation on Linux archives no nested classes.
    public typealias ID = CKRecordID
}
