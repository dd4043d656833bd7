/// The encrypted fields of a record.
final class EncryptedValues: CKRecordKeyValueSetting {
    private let record: CKRecord

    init(record: CKRecord) { self.record = record }

    subscript(key: CKRecord.FieldKey) -> (any CKRecordValue)? {
        get { record.read { $0 }.value(key, encrypted: true) }
        set {
            let slot = newValue.map { FieldSlot($0) }
            record.contents.withLock { $0.set(slot, key, encrypted: true) }
        }
    }
    func object(forKey key: CKRecord.FieldKey) -> (any CKRecordValue)? { self[key] }
    func setObject(_ object: (any CKRecordValue)?, forKey key: CKRecord.FieldKey) {
        self[key] = object
    }
    func allKeys() -> [CKRecord.FieldKey] { record.read { $0.keys(encrypted: true) } }
    func changedKeys() -> [CKRecord.FieldKey] {
        record.read { contents in contents.changed.filter { contents.encrypted.contains($0) } }
    }
}
