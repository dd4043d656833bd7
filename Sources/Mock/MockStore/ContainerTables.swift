import CloudModel
import SQLite

/// The rows of containers with their schemas, and of the record types that were saved in them.
struct ContainerTables {
    let tables: StoreTables

    func put(_ schema: Schema?, of container: Container.ID) throws(CloudError) {
        try tables.run(
            "INSERT OR REPLACE INTO containers VALUES (?, ?)", container.rawValue, schema?.text)
    }

    /// Every container that was named or has databases, with its schema.
    func all() throws(CloudError) -> [Container.ID: Schema?] {
        let rows = try tables.rows(
            """
            SELECT name, schema FROM containers UNION ALL SELECT DISTINCT container, NULL
            FROM databases WHERE container NOT IN (SELECT name FROM containers)
            """
        ) { row in
            (name: row.text(at: 0), schema: row.optionalText(at: 1))
        }
        var containers: [Container.ID: Schema?] = [:]
        for row in rows {
            guard let container = Container.ID(row.name) else { continue }
            do throws(SchemaError) {
                containers[container] = .some(
                    try row.schema.map { text throws(SchemaError) in
                        try Schema(parsing: text, checksNames: false)
                    })
            } catch {
                throw tables.damaged()
            }
        }
        return containers
    }

    /// The types and fields that were saved in a container.
    func fields(
        in address: Database.Address
    ) throws(CloudError) -> [String: [String: KnownTypes.KnownField]] {
        var seen: [String: [String: KnownTypes.KnownField]] = [:]
        _ = try tables.rows(
            """
            SELECT type, field, kind, list, encrypted FROM fields
            WHERE container = ? AND environment = ?
            """, address.container.rawValue, address.environment.rawValue
        ) { row in
            let (type, field) = (row.text(at: 0), row.text(at: 1))
            guard !field.isEmpty, let kind = FieldValue.Kind(rawValue: row.text(at: 2)) else {
                seen[type] = seen[type] ?? [:]
                return
            }
            seen[type, default: [:]][field] = KnownTypes.KnownField(
                kind: kind, isList: row.bool(at: 3), isEncrypted: row.bool(at: 4))
        }
        return seen
    }

    /// The containers and environments that something was saved in, in order.
    func places() throws(CloudError) -> [Database.Address] {
        try tables.rows(
            "SELECT DISTINCT container, environment FROM fields ORDER BY container, environment"
        ) { row -> Database.Address? in
            guard let container = Container.ID(row.text(at: 0)),
                let environment = Container.Environment(rawValue: row.text(at: 1))
            else { return nil }
            return Database.Address(
                container: container, environment: environment, scope: .public)
        }.compactMap { $0 }
    }

    /// Remembers a field, or with an empty name its type alone.
    func put(
        _ field: KnownTypes.KnownField?, _ name: String, of type: String,
        in address: Database.Address
    ) throws(CloudError) {
        try tables.run(
            "INSERT OR REPLACE INTO fields VALUES (?, ?, ?, ?, ?, ?, ?)",
            address.container.rawValue, address.environment.rawValue, type, name,
            field?.kind.rawValue ?? "", field?.isList ?? false, field?.isEncrypted ?? false)
    }

    /// Forgets the types that were saved, as far as a scope goes.
    func deleteFields(_ scope: ResetScope) throws(CloudError) {
        try tables.run(
            """
            DELETE FROM fields WHERE (?1 IS NULL OR container = ?1)
                AND (?2 IS NULL OR environment = ?2)
            """, scope.container?.rawValue, scope.environment?.rawValue)
    }
}
