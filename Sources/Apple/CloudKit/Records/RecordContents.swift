import CloudModel
import Foundation

/// What a ``CKRecord`` holds: what the service knows, and what the app changed since.
struct RecordContents: Sendable {
    var recordType: String
    var recordID: CKRecord.ID
    var scope = CKDatabase.Scope.private
    /// nil for a record that was never saved.
    var changeTag: String?
    var created: Record.Stamp?
    var modified: Record.Stamp?
    var share: CKRecord.Reference?
    var parent: CKRecord.Reference?
    /// Plain and encrypted fields.
    var fields: [String: FieldSlot] = [:]
    var encrypted: Set<String> = []
    private(set) var changed: Set<String> = []
    /// What the app's changes started from; nil: nothing was changed since.
    private var original: Original?
    /// Whether the fields without the app's changes are those of the version of the change tag.
    private var isOriginalKnown = false
    /// What a share has beside its fields; nil for any other record.
    var sharing: ShareContents?

    private struct Original: Sendable {
        var fields: [String: FieldSlot]
        var encrypted: Set<String>
        var parent: CKRecord.Reference?
    }

    init(recordType: String, recordID: CKRecord.ID) {
        self.recordType = recordType
        self.recordID = recordID
    }

    init(_ record: Record, in scope: CKDatabase.Scope) {
        let zoneID = CKRecordZone.ID(record.id.zoneID, in: scope)
        self.init(record, recordID: CKRecord.ID(record.id, zoneID), in: scope)
    }

    /// - Parameter recordID: The record's; made once where many records share a zone.
    init(_ record: Record, recordID: CKRecord.ID, in scope: CKDatabase.Scope) {
        recordType = record.recordType
        self.recordID = recordID
        self.scope = scope
        isOriginalKnown = true
        changeTag = record.recordChangeTag
        created = record.created
        modified = record.modified
        share = record.share.map { CKRecord.Reference($0, from: recordID.zoneID, in: scope) }
        parent = record.parent.map { CKRecord.Reference($0, from: recordID.zoneID, in: scope) }
        sharing = record.sharing.map { ShareContents($0, shortGUID: record.shortGUID) }
        fields.reserveCapacity(record.fields.count)
        for (key, field) in record.fields {
            fields[key] = .value(field.value)
            if field.isEncrypted { encrypted.insert(key) }
        }
    }

    /// The record that the app's changes started from; nil where it is not known: for a record that was
    /// never saved, or whose system fields were read from an archive.
    var ancestor: RecordContents? {
        guard isOriginalKnown, changeTag != nil else { return nil }
        var other = detached
        if let original {
            (other.fields, other.encrypted) = (original.fields, original.encrypted)
            other.parent = original.parent
        }
        (other.changed, other.original) = ([], nil)
        return other
    }

    /// What an archive says was changed.
    mutating func noteArchived(changed keys: Set<String>) { changed = keys }

    private mutating func keepOriginal() {
        guard original == nil else { return }
        original = Original(fields: fields, encrypted: encrypted, parent: parent)
    }

    mutating func setParent(_ reference: CKRecord.Reference?) {
        keepOriginal()
        parent = reference
    }

    mutating func set(_ slot: FieldSlot?, _ key: String, encrypted isEncrypted: Bool) {
        keepOriginal()
        fields[key] = slot
        changed.insert(key)
        if isEncrypted { encrypted.insert(key) } else { encrypted.remove(key) }
    }

    func value(_ key: String, encrypted isEncrypted: Bool) -> (any CKRecordValue)? {
        guard encrypted.contains(key) == isEncrypted, let slot = fields[key] else { return nil }
        return slot.shown(in: recordID.zoneID, scope)
    }

    func keys(encrypted isEncrypted: Bool) -> [String] {
        fields.keys.filter { encrypted.contains($0) == isEncrypted }
    }

    /// The fields that a save sends.
    func savedKeys(_ policy: CKModifyRecordsOperation.RecordSavePolicy) -> Set<String> {
        // Apple saves shares over nobody else's version, whatever was asked.
        policy == .allKeys && sharing == nil ? changed.union(fields.keys) : changed
    }

    /// The operation that saves the record, once its files were sent.
    func saving(
        _ policy: CKModifyRecordsOperation.RecordSavePolicy
    ) throws(CKError) -> RecordOperation {
        let policy = sharing == nil ? policy : .ifServerRecordUnchanged
        let keys = savedKeys(policy)
        var values: [String: Field?] = [:]
        values.reserveCapacity(keys.count)
        for key in keys {
            switch fields[key] {
            case .value(let value)?:
                values[key] = .some(
                    Field(value, isEncrypted: encrypted.contains(key), isTyped: !value.isUnknown))
            case .file?, .files?:
                values[key] = fields[key].flatMap { value(of: $0, key) }.map {
                    Field($0, isEncrypted: encrypted.contains(key))
                }
            case .refused(let type, _)?:
                throw CKError(
                    .invalidArguments, "the field \"\(key)\" cannot contain \(type)")
            case nil: values[key] = .some(nil)
            }
        }
        let kind: RecordOperation.Kind =
            policy != .ifServerRecordUnchanged ? .forceUpdate : changeTag == nil ? .create : .update
        var operation = RecordOperation(
            kind, recordName: recordID.recordName, zoneID: recordID.zoneID.model,
            recordType: recordType, recordChangeTag: kind == .update ? changeTag : nil,
            fields: values, parent: parent?.model)
        operation.share = try sharing?.change(isNew: changeTag == nil)
        return operation
    }

    /// A save has succeeded.
    ///
    /// What the app has changed since the save began is still changed. Fields that were not sent stay
    /// as the app has them.
    ///
    /// - Parameters:
    ///   - sent: The contents when the save began.
    ///   - saved: What the service has stored.
    mutating func noteSaved(_ sent: RecordContents, as saved: RecordContents) {
        // A new record has all of its fields.
        if sent.changeTag == nil { isOriginalKnown = true }
        original = Original(fields: sent.fields, encrypted: sent.encrypted, parent: sent.parent)
        (scope, changeTag) = (saved.scope, saved.changeTag)
        (created, modified) = (saved.created, saved.modified)
        if share == sent.share { share = saved.share }
        for key in sent.changed
        where fields[key] == sent.fields[key]
            && encrypted.contains(key) == sent.encrypted.contains(key)
        {
            changed.remove(key)
        }
        for (key, slot) in sent.fields where slot.hasFiles && fields[key] == slot {
            // Names the bytes that the service has: they are not sent again.
            if let stored = saved.fields[key], stored.hasFiles { fields[key] = stored }
        }
        if changed.isEmpty, parent == sent.parent { original = nil }
        if let known = saved.sharing { sharing = sharing?.saved(known, sent: sent.sharing) }
    }

    /// The same contents, for another object.
    var detached: RecordContents {
        var other = self
        other.sharing = sharing?.detached
        return other
    }
}

extension CKRecord.ID {
    /// The native ID of a record in a zone.
    convenience init(_ id: Record.ID, _ zoneID: CKRecordZone.ID) {
        self.init(recordName: id.recordName, zoneID: zoneID)
    }
}

extension FieldValue {
    /// Whether it is a list of nobody knows what: the service takes it as what the field is.
    fileprivate var isUnknown: Bool {
        if case .list(.string, let elements) = self { elements.isEmpty } else { false }
    }
}
