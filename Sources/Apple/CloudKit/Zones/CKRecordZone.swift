import CloudModel
public import Foundation

/// A zone of a database: what records are kept, fetched and deleted together in.
///
/// Mirrors Apple's `CKRecordZone`.
public final class CKRecordZone: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The zone's name and owner.
    public let zoneID: CKRecordZone.ID
    /// What the zone can do: nothing for the default zone and for zones not fetched yet.
    public let capabilities: CKRecordZone.Capabilities
    /// The zone's share record. The web services do not tell it: nil.
    public let share: CKRecord.Reference?

    /// A custom zone of the current user.
    public convenience init(zoneName: String) {
        self.init(zoneID: CKRecordZone.ID(zoneName: zoneName))
    }

    /// A zone with the ID.
    public convenience init(zoneID: CKRecordZone.ID) {
        self.init(zoneID: zoneID, capabilities: [])
    }

    init(zoneID: CKRecordZone.ID, capabilities: Capabilities) {
        self.zoneID = zoneID
        self.capabilities = capabilities
        share = nil
    }

    convenience init(_ zone: RecordZone, in scope: CKDatabase.Scope) {
        self.init(
            zoneID: CKRecordZone.ID(zone.id, in: scope),
            capabilities: zone.id.isDefault ? [] : [.fetchChanges, .atomic, .sharing])
    }

    /// The zone that every private and public database has.
    public class func `default`() -> CKRecordZone { CKRecordZone(zoneID: .default) }

    /// Whether two zones have the same ID and capabilities.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKRecordZone else { return false }
        return zoneID == other.zoneID && capabilities == other.capabilities
    }

    /// Follows ``isEqual(_:)``.
    public override var hash: Int { zoneID.hash }

    /// Itself: a zone never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// The zone's name and owner.
    public override var description: String { "<CKRecordZone: \(zoneID)>" }

    // MARK: - Coding

    /// True.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the zone to an archive.
    public func encode(with coder: NSCoder) {
        coder.encode(zoneID, forKey: "zoneID")
        coder.encode(Int(capabilities.rawValue), forKey: "capabilities")
    }

    /// Reads a zone from an archive.
    public required convenience init?(coder: NSCoder) {
        guard let zoneID = coder.decodeObject(of: CKRecordZone.ID.self, forKey: "zoneID") else {
            return nil
        }
        let capabilities = UInt(bitPattern: coder.decodeInteger(forKey: "capabilities"))
        self.init(zoneID: zoneID, capabilities: Capabilities(rawValue: capabilities))
    }
}

extension CKRecordZone {
    /// What a zone can do.
    public struct Capabilities: OptionSet, Sendable {
        /// The bits, as Apple numbers them.
        public let rawValue: UInt

        /// The capabilities of some bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Its changes since a token can be fetched.
        public static let fetchChanges = Capabilities(rawValue: 1)
        /// Batches of records can be saved all or none.
        public static let atomic = Capabilities(rawValue: 2)
        /// Its records can be shared.
        public static let sharing = Capabilities(rawValue: 4)
        /// The zone as a whole can be shared.
        public static let zoneWideSharing = Capabilities(rawValue: 8)
    }
}
