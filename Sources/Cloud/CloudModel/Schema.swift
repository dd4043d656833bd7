/// A container's record types, their fields and indexes, and who may do what: the content of a
/// `.ckdb` file.
package struct Schema: Sendable, Hashable {
    package var roles: [String]
    /// In the order of the file.
    package var recordTypes: [RecordType]

    package init(roles: [String] = [], recordTypes: [RecordType] = []) {
        self.roles = roles
        self.recordTypes = recordTypes
    }

    /// The type of this name.
    package func recordType(_ name: String) -> RecordType? {
        recordTypes.first { $0.name == name }
    }

    /// One type of record.
    package struct RecordType: Sendable, Hashable {
        package let name: String
        /// In the order of the file; system fields too, where the file has them.
        package var fields: [SchemaField]
        package var grants: [Grant]

        package init(name: String, fields: [SchemaField] = [], grants: [Grant] = []) {
            self.name = name
            self.fields = fields
            self.grants = grants
        }

        /// The field of this name.
        package func field(_ name: String) -> SchemaField? {
            fields.first { $0.name == name }
        }
    }

    /// A field of a record type.
    package struct SchemaField: Sendable, Hashable {
        package let name: String
        package let kind: FieldValue.Kind
        package let isList: Bool
        package let isEncrypted: Bool
        package var indexes: Set<Index>

        package init(
            name: String, kind: FieldValue.Kind, isList: Bool = false, isEncrypted: Bool = false,
            indexes: Set<Index> = []
        ) {
            self.name = name
            self.kind = kind
            self.isList = isList
            self.isEncrypted = isEncrypted
            self.indexes = indexes
        }
    }

    /// What a field can be searched by, spelled as in the file.
    package enum Index: String, Sendable, CaseIterable {
        case queryable = "QUERYABLE"
        case sortable = "SORTABLE"
        case searchable = "SEARCHABLE"
    }

    /// What a role may do, spelled as in the file.
    package enum Right: String, Sendable, CaseIterable {
        case read = "READ"
        case create = "CREATE"
        case write = "WRITE"
    }

    /// Rights given to a role: `_world`, `_icloud`, `_creator` or one of the schema's own.
    package struct Grant: Sendable, Hashable {
        package var rights: Set<Right>
        package var role: String

        package init(rights: Set<Right>, role: String) {
            self.rights = rights
            self.role = role
        }
    }
}

/// What is wrong with a schema file, and where.
package struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Counts from 1.
    package let line: Int
    /// Counts from 1, in bytes.
    package let column: Int
    /// What was found there.
    package let found: String
    /// What could have stood there; empty when the text is well formed and its meaning is wrong.
    package let expected: [String]

    package var description: String {
        let place = "\(found) at line \(line), column \(column)."
        return expected.isEmpty
            ? place : place + " Was expecting: " + expected.joined(separator: ", ")
    }
}
