import CloudModel
import SQLite

/// The rows of the roles that users have been given.
struct RoleTable {
    let tables: StoreTables

    func set(_ role: String, _ isGiven: Bool, _ key: DatabaseKey) throws(CloudError) {
        try tables.run(
            isGiven
                ? "INSERT OR IGNORE INTO roles VALUES (?, ?, ?, ?)"
                : """
                DELETE FROM roles
                WHERE container = ? AND environment = ? AND user = ? AND role = ?
                """,
            key.address.container.rawValue, key.address.environment.rawValue, key.user, role)
    }

    /// Who has which, by the user with the container's public database.
    func all() throws(CloudError) -> [DatabaseKey: Set<String>] {
        let rows = try tables.rows(
            "SELECT container, environment, user, role FROM roles"
        ) { row -> (key: DatabaseKey, role: String)? in
            guard let container = Container.ID(row.text(at: 0)),
                let environment = Container.Environment(rawValue: row.text(at: 1))
            else { return nil }
            let address = Database.Address(
                container: container, environment: environment, scope: .public)
            return (DatabaseKey(address: address, user: row.text(at: 2)), row.text(at: 3))
        }
        return rows.reduce(into: [:]) { roles, row in
            if let row { roles[row.key, default: []].insert(row.role) }
        }
    }
}
