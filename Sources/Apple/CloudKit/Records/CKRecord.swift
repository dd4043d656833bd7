import AsyncOperations
public import Foundation

/// A record: fields by name, with an ID and a type. Mirrors Apple's `CKRecord`.
///
/// A save that succeeds updates the record that was passed: it has the server's change tag and times,
/// no changed keys, and can be changed and saved again. The record that the save returns is another
/// object, with all of the server's fields.
// Unchecked: all that changes is in `contents`, behind its lock; `CKShare` adds constants only.
public class CKRecord: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The name of a field.
    public typealias FieldKey = String
    /// The name of a type of records.
    public typealias RecordType = String

    let contents: Locked<RecordContents>

    /// A new record of a type.
    public convenience init(recordType: CKRecord.RecordType, recordID: CKRecord.ID = ID()) {
        self.init(RecordContents(recordType: recordType, recordID: recordID))
    }

    /// A new record in a zone, with a name of its own.
    public convenience init(recordType: CKRecord.RecordType, zoneID: CKRecordZone.ID) {
        self.init(recordType: recordType, recordID: ID(zoneID: zoneID))
    }

    required init(_ contents: RecordContents) { self.contents = Locked(contents) }

    func read<Value: Sendable>(_ pick: @Sendable (RecordContents) -> Value) -> Value {
        contents.withLock { pick($0) }
    }

    // MARK: - What the service keeps

    /// The record's name and zone.
    public var recordID: CKRecord.ID { read { $0.recordID } }
    /// The record's type.
    public var recordType: CKRecord.RecordType { read { $0.recordType } }
    /// Changes with every write; opaque. nil for a record that was never saved.
    public var recordChangeTag: String? { read { $0.changeTag } }
    /// When the record was created; nil for one that was never saved.
    public var creationDate: Date? { read { $0.created?.timestamp.date } }
    /// When the record was last changed; nil for one that was never saved.
    public var modificationDate: Date? { read { $0.modified?.timestamp.date } }
    /// Who created the record; nil for one that was never saved.
    public var creatorUserRecordID: CKRecord.ID? {
        read { $0.created.map { CKRecord.ID(recordName: $0.userRecordName) } }
    }
    /// Who last changed the record; nil for one that was never saved.
    public var lastModifiedUserRecordID: CKRecord.ID? {
        read { $0.modified.map { CKRecord.ID(recordName: $0.userRecordName) } }
    }
    /// The share record of a shared root.
    public var share: CKRecord.Reference? { read { $0.share } }

    /// The parent in a sharing hierarchy; in the same zone.
    public var parent: CKRecord.Reference? {
        get { read { $0.parent } }
        set { contents.withLock { $0.setParent(newValue) } }
    }

    /// Makes a record the parent; nil removes the parent.
    public func setParent(_ record: CKRecord?) { setParent(record?.recordID) }

    /// Makes the record with an ID the parent; nil removes the parent.
    public func setParent(_ recordID: CKRecord.ID?) {
        parent = recordID.map { Reference(recordID: $0, action: .none) }
    }

    // MARK: - Fields

    /// The value of a field; setting nil clears it.
    ///
    /// A whole number comes as `NSNumber`, which casts to each integer type; other values come as
    /// Swift's own types.
    public subscript(key: CKRecord.FieldKey) -> (any CKRecordValue)? {
        get { contents.withLock { UncheckedValue($0.value(key, encrypted: false)) }.value }
        set {
            let slot = newValue.map { FieldSlot($0) }
            contents.withLock { $0.set(slot, key, encrypted: false) }
        }
    }

    /// The value of a field as some type; nil when it has another.
    public subscript<Value: CKRecordValueProtocol>(key: CKRecord.FieldKey) -> Value? {
        get { (self[key] as (any CKRecordValue)?).flatMap { FieldCast.cast($0) } }
        set { self[key] = newValue as (any CKRecordValue)? }
    }

    /// The value of a field.
    public func object(forKey key: CKRecord.FieldKey) -> (any CKRecordValue)? {
        self[key] as (any CKRecordValue)?
    }

    /// Sets a field; nil clears it.
    public func setObject(_ object: (any CKRecordValue)?, forKey key: CKRecord.FieldKey) {
        self[key] = object
    }

    /// The value of a field, for reading by name.
    public func value(forKey key: String) -> Any? { self[key] as (any CKRecordValue)? }

    /// Sets a field by name; what no field can hold is refused when the record is saved.
    public func setValue(_ value: Any?, forKey key: String) {
        guard let value else {
            self[key] = nil as (any CKRecordValue)?
            return
        }
        if let value = value as? any CKRecordValue {
            self[key] = value
            return
        }
        contents.withLock { $0.set(.refused("\(type(of: value))"), key, encrypted: false) }
    }

    /// Sets fields by name, `NSNull` clears one.
    public func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
    }

    /// The values of some fields by name, `NSNull` for those without one.
    public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }) { $1 }
    }

    /// The names of the fields that have a value, encrypted ones left out.
    public func allKeys() -> [CKRecord.FieldKey] { read { $0.keys(encrypted: false) } }

    /// The names of the fields changed since the record was fetched or saved.
    public func changedKeys() -> [CKRecord.FieldKey] {
        read { contents in contents.changed.filter { !contents.encrypted.contains($0) } }
    }

    /// The text of the string fields, for searching.
    public func allTokens() -> [String] {
        read { contents in
            contents.fields.values.flatMap { slot in
                guard case .value(.string(let text)) = slot else { return [String]() }
                return text.split { !$0.isLetter && !$0.isNumber }.map { String($0) }
            }
        }
    }

    /// The fields that the service cannot read.
    public var encryptedValues: any CKRecordKeyValueSetting { EncryptedValues(record: self) }

    // MARK: - Copies and archives

    /// Another record with the same contents.
    public func copy(with zone: NSZone? = nil) -> Any { Self(read { $0.detached }) }

    /// The type and the ID.
    public override var description: String { "<CKRecord: \(recordType) \(recordID)>" }

    /// True.
    public class var supportsSecureCoding: Bool { true }

    /// Writes the system fields and the other fields to an archive.
    public func encode(with coder: NSCoder) {
        encodeSystemFields(with: coder)
        encodeFields(with: coder)
    }

    /// Reads a record, or the system fields of one, from an archive.
    public required convenience init?(coder: NSCoder) {
        guard let contents = RecordContents(coder: coder) else { return nil }
        self.init(contents)
    }
}

/// Hands a value, which lives in no lock any more, out of one.
// Unchecked: made for one caller, who takes the value out at once.
private struct UncheckedValue: @unchecked Sendable {
    let value: (any CKRecordValue)?
    init(_ value: (any CKRecordValue)?) { self.value = value }
}
