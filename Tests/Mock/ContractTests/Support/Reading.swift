import CloudModel

/// An answer of another shape than the question.
struct Odd: Error {}

extension Record.Item {
    var record: Record? { if case .record(let record) = self { record } else { nil } }
    var isDeleted: Bool { if case .deleted = self { true } else { false } }
    var code: CloudError.Code? { error?.code }
    var error: CloudError? { if case .failure(_, let error) = self { error } else { nil } }
}

extension RecordZone.Item {
    var zone: RecordZone? { if case .zone(let zone) = self { zone } else { nil } }
    var isDeleted: Bool { if case .deleted = self { true } else { false } }
    var code: CloudError.Code? { error?.code }
    var error: CloudError? { if case .failure(_, let error) = self { error } else { nil } }
}

extension Subscription.Item {
    var subscription: Subscription? {
        if case .subscription(let found) = self { found } else { nil }
    }
    var error: CloudError? { if case .failure(_, let error) = self { error } else { nil } }
}

extension Record {
    /// The asset in a field.
    func asset(_ field: String = "photo") -> Asset? {
        if case .asset(let asset)? = fields[field]?.value { asset } else { nil }
    }
}

extension RecordOperation {
    static func make(
        _ kind: Kind, _ name: String?, _ fields: [String: FieldValue] = [:], tag: String? = nil,
        type: String? = "Note", parent: String? = nil
    ) -> RecordOperation {
        RecordOperation(
            kind, recordName: name, recordType: type, recordChangeTag: tag,
            fields: fields.mapValues { Field($0) }, parent: parent.map { Record.Reference($0) })
    }

    static func delete(_ name: String, tag: String?) -> RecordOperation {
        RecordOperation(.delete, recordName: name, recordChangeTag: tag)
    }
}

extension FieldValue {
    static func link(_ name: String, _ action: Record.Reference.Action = .none) -> FieldValue {
        .reference(Record.Reference(name, action: action))
    }
}
