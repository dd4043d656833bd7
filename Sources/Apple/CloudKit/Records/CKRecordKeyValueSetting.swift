/// What has fields by name: a record, and the encrypted fields of one.
public protocol CKRecordKeyValueSetting: AnyObject {
    /// The value of a field; setting nil clears it.
    subscript(key: CKRecord.FieldKey) -> (any CKRecordValue)? { get set }
    /// The value of a field.
    func object(forKey key: CKRecord.FieldKey) -> (any CKRecordValue)?
    /// Sets a field; nil clears it.
    func setObject(_ object: (any CKRecordValue)?, forKey key: CKRecord.FieldKey)
    /// The names of the fields that have a value.
    func allKeys() -> [CKRecord.FieldKey]
    /// The names of the fields changed since the record was fetched or saved.
    func changedKeys() -> [CKRecord.FieldKey]
}

extension CKRecordKeyValueSetting {
    /// The fields that have a value, each with its name, in no particular order.
    public func makeIterator() -> CKRecordKeyValueIterator { CKRecordKeyValueIterator(self) }

    /// The value of a field as some type; nil when it has another.
    public subscript<Value: CKRecordValueProtocol>(key: CKRecord.FieldKey) -> Value? {
        get { object(forKey: key).flatMap { FieldCast.cast($0) } }
        set { setObject(newValue, forKey: key) }
    }
}

extension CKRecord: CKRecordKeyValueSetting, Sequence {}

/// Goes over the fields of a record that have a value.
public struct CKRecordKeyValueIterator: IteratorProtocol {
    private let fields: any CKRecordKeyValueSetting
    private var keys: IndexingIterator<[CKRecord.FieldKey]>

    init(_ fields: some CKRecordKeyValueSetting) {
        self.fields = fields
        keys = fields.allKeys().makeIterator()
    }

    /// The next field; nil after the last.
    public mutating func next() -> (CKRecord.FieldKey, any CKRecordValue)? {
        while let key = keys.next() {
            if let value = fields.object(forKey: key) { return (key, value) }
        }
        return nil
    }
}
