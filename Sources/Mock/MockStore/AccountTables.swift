import Basics
import CloudModel
import SQLite

/// The rows of accounts, their sign-outs and their restrictions.
struct AccountTables {
    let tables: StoreTables

    /// A row of an account.
    struct Row {
        let name: String
        /// As accounts were kept before they had profiles.
        let user: MockUser
        let profile: UserProfile?
        let created: Timestamp
    }

    func put(_ account: Account) throws(CloudError) {
        let (name, profile) = (account.name, account.profile)
        let names = profile.names
        try tables.run(
            "INSERT OR REPLACE INTO users VALUES (?, ?, ?, ?)", name, names.givenName,
            names.familyName, account.created.milliseconds)
        try tables.run(
            "INSERT OR REPLACE INTO profiles VALUES (?, ?, ?, ?, ?, ?, ?)", name,
            names.namePrefix, names.middleName, names.nameSuffix, names.nickname,
            names.phoneticRepresentation, profile.isDiscoverable)
        try tables.run("DELETE FROM handles WHERE user = ?", name)
        for (kind, texts) in [profile.emailAddresses, profile.phoneNumbers].enumerated() {
            for (place, text) in texts.enumerated() {
                try tables.run(
                    "INSERT INTO handles VALUES (?, ?, ?, ?)", name, kind, place, text)
            }
        }
    }

    /// Every account, by name.
    func all() throws(CloudError) -> [Row] {
        let handles = try tables.rows(
            "SELECT user, kind, text FROM handles ORDER BY user, kind, place"
        ) { (user: $0.text(at: 0), kind: $0.int64(at: 1), text: $0.text(at: 2)) }
        let byUser = Dictionary(grouping: handles, by: \.user)
        return try tables.rows(
            """
            SELECT name, given, family, created, prefix, middle, suffix, nickname, phonetic,
                discoverable
            FROM users LEFT JOIN profiles ON profiles.user = users.name ORDER BY name
            """
        ) { row in
            let name = row.text(at: 0)
            let user = MockUser(
                name, givenName: row.optionalText(at: 1), familyName: row.optionalText(at: 2))
            var names = user.names ?? NameComponents()
            names.namePrefix = row.optionalText(at: 4)
            names.middleName = row.optionalText(at: 5)
            names.nameSuffix = row.optionalText(at: 6)
            names.nickname = row.optionalText(at: 7)
            names.phoneticRepresentation = row.optionalText(at: 8)
            func texts(_ kind: Int64) -> [String] {
                (byUser[name] ?? []).filter { $0.kind == kind }.map(\.text)
            }
            let profile = row.optionalInt64(at: 9).map {
                UserProfile(
                    names: names, emailAddresses: texts(0), phoneNumbers: texts(1),
                    isDiscoverable: $0 != 0)
            }
            return Row(
                name: name, user: user, profile: profile,
                created: Timestamp(milliseconds: row.int64(at: 3)))
        }
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
