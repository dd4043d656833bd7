import CloudModel

/// What is known of a container's record types in one environment: from its schema, and from
/// what was saved.
final class KnownTypes {
    /// A field as it was first saved.
    struct KnownField: Hashable {
        let kind: FieldValue.Kind
        let isList: Bool
        let isEncrypted: Bool

        /// The type's name in error texts.
        var typeTag: String {
            let tag = isList ? kind.rawValue + "_LIST" : kind.rawValue
            return isEncrypted ? "ENCRYPTED_" + tag : tag
        }
    }

    let schema: Schema?
    private(set) var seen: [String: [String: KnownField]]
    private let declared: [String: [String: KnownField]]
    /// What was learned since the last mark, to be forgotten when it is undone.
    private var learned: [(type: String, field: String?)] = []

    init(schema: Schema?, seen: [String: [String: KnownField]]) {
        self.schema = schema
        self.seen = seen
        var declared: [String: [String: KnownField]] = [:]
        for type in schema?.recordTypes ?? [] {
            declared[type.name] = [:]
            for field in type.fields {
                declared[type.name]?[field.name] = KnownField(
                    kind: field.kind, isList: field.isList, isEncrypted: field.isEncrypted)
            }
        }
        self.declared = declared
    }

    /// Whether the type is in the schema or has been saved.
    func knows(type: String) -> Bool {
        declared[type] != nil || seen[type] != nil || type == "Users"
    }

    /// Whether the schema has the type.
    func declares(type: String) -> Bool { declared[type] != nil }

    /// The type of a field, as far as it is known.
    func field(_ name: String, of type: String) -> KnownField? {
        declared[type]?[name] ?? seen[type]?[name]
    }

    /// Remembers a type, or a field of one.
    ///
    /// - Returns: Whether it is new.
    func learn(_ field: KnownField?, named name: String?, of type: String) -> Bool {
        if let name, let field {
            guard self.field(name, of: type) == nil else { return false }
            seen[type, default: [:]][name] = field
            learned.append((type, name))
            return true
        }
        guard !knows(type: type) else { return false }
        seen[type] = [:]
        learned.append((type, nil))
        return true
    }

    /// Forgets where ``undo()`` goes back to.
    func mark() { learned.removeAll(keepingCapacity: true) }

    /// Forgets what was learned since the last mark.
    func undo() {
        for (type, field) in learned.reversed() {
            if let field { seen[type]?[field] = nil } else { seen[type] = nil }
        }
        mark()
    }

    // MARK: - Rights

    /// Whether a role may do something with records of a type, in the public database.
    private func grants(_ right: Schema.Right, to role: String, type: String) -> Bool {
        guard let declared = schema?.recordType(type), !declared.grants.isEmpty else {
            // As the service gives to a type that was made by saving.
            switch right {
            case .read: return role == "_world" || role == "_icloud" || role == "_creator"
            case .create: return role == "_icloud" || role == "_creator"
            case .write: return role == "_creator"
            }
        }
        return declared.grants.contains { $0.role == role && $0.rights.contains(right) }
    }

    /// Whether a session may do something with a record, or with any of its type.
    func allows(
        _ right: Schema.Right, on record: StoredRecord?, type: String? = nil, _ session: Session
    ) -> Bool {
        guard session.isPublic, !session.isService else { return true }
        let type = record?.type ?? type ?? ""
        if case .serverKey = session.caller {
            // A key creates only where creators and signed-in users both may.
            if right == .create {
                return grants(.create, to: "_creator", type: type)
                    && grants(.create, to: "_icloud", type: type)
            }
        }
        if grants(right, to: "_world", type: type) { return true }
        guard session.caller != .anonymous else { return false }
        if grants(right, to: "_icloud", type: type) { return true }
        guard grants(right, to: "_creator", type: type) else { return false }
        guard let record else { return true }
        return record.created.userRecordName == session.callerName
    }

    /// Whether queries may use a field in a way; always, without a schema that has the type.
    func hasIndex(_ wanted: Set<Schema.Index>, field: String, type: String) -> Bool {
        guard let declared = schema?.recordType(type) else { return true }
        guard let field = declared.field(field) else { return false }
        return !field.indexes.isDisjoint(with: wanted)
    }
}
