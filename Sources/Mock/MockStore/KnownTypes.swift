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
    private let declared: [String: DeclaredType]
    /// What was learned since the last mark, to be forgotten when it is undone.
    private var learned: [(type: String, field: String?)] = []

    /// A type of the schema, by name.
    private struct DeclaredType {
        var fields: [String: KnownField] = [:]
        var indexes: [String: Set<Schema.Index>] = [:]
        let grants: [Schema.Grant]
    }

    init(schema: Schema?, seen: [String: [String: KnownField]]) {
        self.schema = schema
        self.seen = seen
        var declared: [String: DeclaredType] = [:]
        for type in schema?.recordTypes ?? [] {
            var made = DeclaredType(
                grants: type.grants.isEmpty ? Schema.standardGrants : type.grants)
            for field in type.fields {
                made.fields[field.name] = KnownField(
                    kind: field.kind, isList: field.isList, isEncrypted: field.isEncrypted)
                made.indexes[field.name] = field.indexes
            }
            declared[type.name] = made
        }
        self.declared = declared
    }

    // MARK: - Types and fields

    /// Whether saving cannot add to what is known: in production once there is a schema, and where it
    /// was asked for.
    func isFrozen(in environment: Container.Environment, _ options: MockOptions) -> Bool {
        options.strictSchema || schema != nil && environment == .production
    }

    /// Whether there is the type.
    ///
    /// - Parameter isFrozen: Whether what was saved beside a schema does not count.
    func knows(type: String, isFrozen: Bool = false) -> Bool {
        if declared[type] != nil || type == Self.usersType || type == Share.recordType {
            return true
        }
        return seen[type] != nil && !(isFrozen && schema != nil)
    }

    /// The type of a field, as far as it is known.
    ///
    /// - Parameter isFrozen: Whether what was saved beside a schema does not count.
    func field(_ name: String, of type: String, isFrozen: Bool = false) -> KnownField? {
        if let field = declared[type]?.fields[name] { return field }
        return isFrozen && schema != nil ? nil : seen[type]?[name]
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

    /// Fields that a search without a field's name looks at; nil for all texts.
    func searchable(in type: String) -> Set<String>? {
        declared[type].map { declared in
            Set(declared.indexes.filter { $0.value.contains(.searchable) }.keys)
        }
    }

    /// Whether queries may use a field in a way: of a type of the schema as it says, of another by
    /// all that the type of the field can have.
    func hasIndex(_ wanted: Set<Schema.Index>, field: String, type: String) -> Bool {
        if let declared = declared[type] {
            return !(declared.indexes[field] ?? []).isDisjoint(with: wanted)
        }
        guard let known = seen[type]?[field] else { return true }
        return !Schema.indexesOfSavedField(known.kind, isEncrypted: known.isEncrypted)
            .isDisjoint(with: wanted)
    }

    /// The type of the records that users have of their own.
    static let usersType = "Users"

    // MARK: - Rights

    /// Whether a role may do something with records of a type, in the public database.
    private func grants(_ right: Schema.Right, to role: String, type: String) -> Bool {
        (declared[type]?.grants ?? Schema.grantsOfSavedType).contains {
            $0.role == role && $0.rights.contains(right)
        }
    }

    /// Whether a session may do something with a record, or with any of its type.
    func allows(
        _ right: Schema.Right, on record: StoredRecord?, type: String? = nil, _ session: Session
    ) -> Bool {
        guard session.permission == .granted else { return true }
        let type = record?.type ?? type ?? ""
        func mayAs(_ role: Schema.SystemRole) -> Bool {
            grants(right, to: role.rawValue, type: type)
        }
        // A key creates only where creators and signed-in users both may.
        if case .serverKey = session.caller, right == .create {
            return mayAs(.creator) && mayAs(.user)
        }
        if mayAs(.world) { return true }
        guard session.caller != .anonymous else { return false }
        let person = Grantee(recordName: session.callerName, roles: session.roles)
        return grants(right, to: person, of: record, type: type)
    }

    /// Somebody who is signed in, as far as grants depend on who it is.
    struct Grantee {
        let recordName: String
        /// Of the container's schema.
        let roles: Set<String>
    }

    /// Whether somebody may read a record of a public database.
    func allowsReading(_ record: StoredRecord, by person: Grantee) -> Bool {
        grants(.read, to: Schema.SystemRole.world.rawValue, type: record.type)
            || grants(.read, to: person, of: record, type: record.type)
    }

    /// Whether somebody may do something with a record, or with any of its type, who may do more than
    /// the world.
    private func grants(
        _ right: Schema.Right, to person: Grantee, of record: StoredRecord?, type: String
    ) -> Bool {
        if grants(right, to: Schema.SystemRole.user.rawValue, type: type) { return true }
        if person.roles.contains(where: { grants(right, to: $0, type: type) }) { return true }
        guard grants(right, to: Schema.SystemRole.creator.rawValue, type: type) else {
            return false
        }
        guard let record else { return true }
        return record.created.userRecordName == person.recordName
    }
}
