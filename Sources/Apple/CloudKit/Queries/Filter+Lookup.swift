import CloudModel
import Foundation

// Where a predicate that is evaluated here finds its values.
extension Query.Filter {
    /// What a record, or a dictionary, has under a key; nil: nothing that a predicate can compare.
    static func value(of key: Query.Key, in object: Any?) -> FieldValue? {
        switch (key, object) {
        case (.field(let name), let record as CKRecord):
            return record.read { contents in
                guard !contents.encrypted.contains(name) else { return nil }
                return contents.fields[name].flatMap { plain($0) }
            }
        case (.system(let field), let record as CKRecord):
            return record.read { $0.value(of: field) }
        case (.field(let name), _): return entry(name, in: object)
        case (.system(let field), _): return entry(FieldName.name(.system(field)), in: object)
        case (.anyField, _): return nil
        }
    }

    /// The texts that full text search looks through.
    static func texts(in object: Any?) -> [String] {
        let values: [FieldValue]
        if let record = object as? CKRecord {
            values = record.read { contents in
                contents.fields.filter { !contents.encrypted.contains($0.key) }.values
                    .compactMap { plain($0) }
            }
        } else {
            let keys = (object as? [String: Any]).map { Array($0.keys) } ?? []
            values = keys.compactMap { entry($0, in: object) }
        }
        return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    private static func entry(_ name: String, in object: Any?) -> FieldValue? {
        guard let entries = object as? [String: Any],
            let value = entries[name] as? any CKRecordValue
        else { return nil }
        return plain(FieldSlot(value))
    }

    private static func plain(_ slot: FieldSlot) -> FieldValue? {
        if case .value(let value) = slot { value } else { nil }
    }
}

extension RecordContents {
    /// A system field as predicates compare it.
    fileprivate func value(of field: Query.SystemField) -> FieldValue? {
        switch field {
        case .recordName:
            .reference(Record.Reference(recordID.recordName, zoneID: recordID.zoneID.model))
        case .share: share.map { .reference($0.model) }
        case .parent: parent.map { .reference($0.model) }
        case .createdUserRecordName:
            created.map { .reference(Record.Reference($0.userRecordName)) }
        case .modifiedUserRecordName:
            modified.map { .reference(Record.Reference($0.userRecordName)) }
        case .createdTimestamp: created.map { .timestamp($0.timestamp) }
        case .modifiedTimestamp: modified.map { .timestamp($0.timestamp) }
        }
    }
}
