import CloudModel
import SQLite

/// The rows of accounts, their sign-outs and their restrictions.
struct AccountTables {
    let tables: StoreTables

    func put(_ account: Account) throws(CloudError) {
        let user = account.user
        try tables.run(
            "INSERT OR REPLACE INTO users VALUES (?, ?, ?, ?)", user.name, user.givenName,
            user.familyName, account.created.milliseconds)
    }

    /// Every account, by name.
    func all() throws(CloudError) -> [String: Account] {
        let accounts = try tables.rows("SELECT name, given, family, created FROM users") { row in
            Account(
                user: MockUser(
                    row.text(at: 0), givenName: row.optionalText(at: 1),
                    familyName: row.optionalText(at: 2)),
                created: Timestamp(milliseconds: row.int64(at: 3)))
        }
        return Dictionary(accounts.map { ($0.user.name, $0) }, uniquingKeysWith: { $1 })
    }

    func put(_ signOut: SignOut, of user: String) throws(CloudError) {
        try tables.run("DELETE FROM sign_outs WHERE user = ?", user)
        guard !signOut.isEmpty else { return }
        // The row of no device says how it is on those that have no row.
        let everywhere = signOut.isEverywhere
        try tables.run("INSERT INTO sign_outs VALUES (?, '*', ?)", user, everywhere)
        for device in signOut.exceptions.sorted() {
            try tables.run("INSERT INTO sign_outs VALUES (?, ?, ?)", user, device, !everywhere)
        }
    }

    /// Who has signed out of what.
    func signOuts() throws(CloudError) -> [String: SignOut] {
        let rows = try tables.rows("SELECT user, device, is_out FROM sign_outs") { row in
            (user: row.text(at: 0), device: row.text(at: 1), isOut: row.bool(at: 2))
        }
        return rows.reduce(into: [:]) { signOuts, row in
            if row.device == "*" {
                signOuts[row.user, default: SignOut()].isEverywhere = row.isOut
            } else {
                signOuts[row.user, default: SignOut()].exceptions.insert(row.device)
            }
        }
    }

    func set(_ isRestricted: Bool, _ key: DatabaseKey) throws(CloudError) {
        try tables.run(
            isRestricted
                ? "INSERT OR IGNORE INTO restrictions VALUES (?, ?, ?)"
                : "DELETE FROM restrictions WHERE container = ? AND environment = ? AND user = ?",
            key.address.container.rawValue, key.address.environment.rawValue, key.user)
    }

    /// The private databases of the containers that users have closed to their apps.
    func restrictions() throws(CloudError) -> Set<DatabaseKey> {
        let rows = try tables.rows(
            "SELECT container, environment, user FROM restrictions"
        ) { row -> DatabaseKey? in
            guard let container = Container.ID(row.text(at: 0)),
                let environment = Container.Environment(rawValue: row.text(at: 1))
            else { return nil }
            let address = Database.Address(
                container: container, environment: environment, scope: .private)
            return DatabaseKey(address: address, user: row.text(at: 2))
        }
        return Set(rows.compactMap { $0 })
    }
}
