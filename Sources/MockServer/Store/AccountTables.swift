import CloudModel
import SQLite

/// The rows of users, their sign-outs and restrictions, and of containers with their schemas.
struct AccountTables {
    let tables: StoreTables

    // MARK: - Users and sign-outs

    func put(_ account: Account) throws(CloudError) {
        let user = account.user
        try tables.run(
            "INSERT OR REPLACE INTO users VALUES (?, ?, ?, ?)", .text(user.name),
            user.givenName.map { .text($0) } ?? .null, user.familyName.map { .text($0) } ?? .null,
            .integer(account.created.milliseconds))
    }

    /// Every account, by name.
    func accounts() throws(CloudError) -> [String: Account] {
        var accounts: [String: Account] = [:]
        for row in try tables.rows("SELECT name, given, family, created FROM users") {
            let user = MockUser(
                row[0].string ?? "", givenName: row[1].string, familyName: row[2].string)
            let created = Timestamp(milliseconds: row[3].int64 ?? 0)
            accounts[user.name] = Account(user: user, created: created)
        }
        return accounts
    }

    func put(_ signOut: SignOut, of user: String) throws(CloudError) {
        try tables.run("DELETE FROM sign_outs WHERE user = ?", .text(user))
        guard !signOut.isEmpty else { return }
        // The row of no device says how it is on those that have no row.
        let everywhere = signOut.isEverywhere
        try tables.run(
            "INSERT INTO sign_outs VALUES (?, '*', ?)", .text(user), .integer(everywhere ? 1 : 0))
        for device in signOut.exceptions.sorted() {
            try tables.run(
                "INSERT INTO sign_outs VALUES (?, ?, ?)", .text(user), .text(device),
                .integer(everywhere ? 0 : 1))
        }
    }

    /// Who has signed out of what.
    func signOuts() throws(CloudError) -> [String: SignOut] {
        var signOuts: [String: SignOut] = [:]
        for row in try tables.rows("SELECT user, device, is_out FROM sign_outs") {
            guard let user = row[0].string, let device = row[1].string else { continue }
            if device == "*" {
                signOuts[user, default: SignOut()].isEverywhere = row[2].int64 == 1
            } else {
                signOuts[user, default: SignOut()].exceptions.insert(device)
            }
        }
        return signOuts
    }

    // MARK: - Restrictions

    func set(_ isRestricted: Bool, _ key: DatabaseKey) throws(CloudError) {
        try tables.run(
            isRestricted
                ? "INSERT OR IGNORE INTO restrictions VALUES (?, ?, ?)"
                : "DELETE FROM restrictions WHERE container = ? AND environment = ? AND user = ?",
            .text(key.address.container.rawValue), .text(key.address.environment.rawValue),
            .text(key.user))
    }

    func restrictions() throws(CloudError) -> Set<DatabaseKey> {
        var restrictions: Set<DatabaseKey> = []
        for row in try tables.rows("SELECT container, environment, user FROM restrictions") {
            guard let container = Container.ID(row[0].string ?? ""),
                let environment = Container.Environment(rawValue: row[1].string ?? "")
            else { continue }
            let address = Database.Address(
                container: container, environment: environment, scope: .private)
            restrictions.insert(DatabaseKey(address: address, user: row[2].string ?? ""))
        }
        return restrictions
    }

    // MARK: - Containers and what is known of their types

    func put(_ schema: Schema?, of container: Container.ID) throws(CloudError) {
        try tables.run(
            "INSERT OR REPLACE INTO containers VALUES (?, ?)", .text(container.rawValue),
            schema.map { .text($0.text) } ?? .null)
    }

    /// Every container, with its schema.
    func containers() throws(CloudError) -> [Container.ID: Schema?] {
        var containers: [Container.ID: Schema?] = [:]
        for row in try tables.rows("SELECT name, schema FROM containers") {
            guard let container = Container.ID(row[0].string ?? "") else { continue }
            var schema: Schema?
            if let text = row[1].string {
                do throws(SchemaError) {
                    schema = try Schema(parsing: text)
                } catch {
                    throw tables.damaged()
                }
            }
            containers[container] = .some(schema)
        }
        return containers
    }

    /// The types and fields that were saved in a container.
    func fields(
        in address: Database.Address
    ) throws(CloudError) -> [String: [String: KnownTypes.KnownField]] {
        let rows = try tables.rows(
            """
            SELECT type, field, kind, list, encrypted FROM fields
            WHERE container = ? AND environment = ?
            """, .text(address.container.rawValue), .text(address.environment.rawValue))
        var seen: [String: [String: KnownTypes.KnownField]] = [:]
        for row in rows {
            guard let type = row[0].string, let field = row[1].string else { continue }
            guard !field.isEmpty, let kind = FieldValue.Kind(rawValue: row[2].string ?? "") else {
                seen[type] = seen[type] ?? [:]
                continue
            }
            seen[type, default: [:]][field] = KnownTypes.KnownField(
                kind: kind, isList: row[3].int64 == 1, isEncrypted: row[4].int64 == 1)
        }
        return seen
    }

    /// Remembers a field, or with an empty name its type alone.
    func put(
        _ field: KnownTypes.KnownField?, _ name: String, of type: String,
        in address: Database.Address
    ) throws(CloudError) {
        try tables.run(
            "INSERT OR REPLACE INTO fields VALUES (?, ?, ?, ?, ?, ?, ?)",
            .text(address.container.rawValue), .text(address.environment.rawValue), .text(type),
            .text(name), .text(field?.kind.rawValue ?? ""),
            .integer(field?.isList == true ? 1 : 0), .integer(field?.isEncrypted == true ? 1 : 0))
    }

    /// Forgets the types that were saved, as far as a scope goes.
    func deleteFields(_ scope: ResetScope) throws(CloudError) {
        try tables.run(
            """
            DELETE FROM fields WHERE (?1 IS NULL OR container = ?1)
                AND (?2 IS NULL OR environment = ?2)
            """, scope.container.map { .text($0.rawValue) } ?? .null,
            scope.environment.map { .text($0.rawValue) } ?? .null)
    }
}
