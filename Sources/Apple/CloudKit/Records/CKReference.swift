import CloudModel
internal import CoreLocation
public import Foundation

/// A link to another record. Equal by value.
public final class CKReference: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// What happens to the referring record when the other one is deleted.
    public enum Action: UInt, Sendable {
        /// Nothing.
        case none = 0
        /// It is deleted, too.
        case deleteSelf = 1
    }

    /// The record that is referred to.
    public let recordID: CKRecord.ID
    /// What happens when that one is deleted.
    public let action: CKRecord.ReferenceAction

    /// A link to the record with an ID.
    public init(recordID: CKRecord.ID, action: CKRecord.ReferenceAction) {
        self.recordID = recordID
        self.action = action
    }

    /// A link to a record.
    public convenience init(record: CKRecord, action: CKRecord.ReferenceAction) {
        self.init(recordID: record.recordID, action: action)
    }

    /// - Parameter zoneID: The referring record's, which counts when the link names none.
    convenience init(
        _ reference: Record.Reference, from zoneID: CKRecordZone.ID, in scope: CKDatabase.Scope
    ) {
        let target = reference.zoneID.map { CKRecordZone.ID($0, in: scope) } ?? zoneID
        self.init(
            recordID: CKRecord.ID(recordName: reference.recordName, zoneID: target),
            action: reference.action == .deleteSelf ? .deleteSelf : .none)
    }

    var model: Record.Reference {
        Record.Reference(
            recordID.recordName, zoneID: recordID.zoneID.model,
            action: action == .deleteSelf ? .deleteSelf : .none)
    }

    /// Whether two links lead to the same record with the same action.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKReference else { return false }
        return recordID == other.recordID && action == other.action
    }

    /// Follows ``isEqual(_:)``.
    public override var hash: Int { recordID.hash }

    /// Itself: a link never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// The record that is referred to.
    public override var description: String { "<CKReference: \(recordID)>" }

    // MARK: - Coding

    /// True.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the link to an archive.
    public func encode(with coder: NSCoder) {
        coder.encode(recordID, forKey: "recordID")
        coder.encode(Int(action.rawValue), forKey: "action")
    }

    /// Reads a link from an archive.
    public convenience init?(coder: NSCoder) {
        NativeArchives.areReadable()
        guard
            let id = coder.decodeIfThere(CKRecord.ID.self, "recordID")
                ?? coder.decodeIfThere(CKRecord.ID.self, "RecordID")
        else { return nil }
        let key = coder.containsValue(forKey: "action") ? "action" : "ReferenceAction"
        let action = coder.decodeInteger(forKey: key)
        self.init(recordID: id, action: action == 1 ? .deleteSelf : .none)
    }
}

extension CKRecord {
    /// A link to another record.
    ///
    /// The class is not nested, because Foundation on Linux archives no nested classes.
    public typealias Reference = CKReference

    /// What happens to the referring record when the other one is deleted.
    public typealias ReferenceAction = CKReference.Action
}
