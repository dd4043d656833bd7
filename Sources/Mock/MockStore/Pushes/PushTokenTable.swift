import CloudModel
import SQLite

/// The rows of devices that get pushes.
struct PushTokenTable {
    let tables: StoreTables

    func put(_ device: PushRegistration) throws(CloudError) {
        try tables.run(
            "INSERT OR REPLACE INTO push_tokens VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            device.container.rawValue, device.environment.rawValue, device.token.token,
            device.token.environment.rawValue, device.account, device.owner.userRecordName,
            device.owner.device, device.owner.client.id, device.owner.client.signIn)
    }

    func delete(_ device: PushRegistration) throws(CloudError) {
        try tables.run(
            "DELETE FROM push_tokens WHERE container = ? AND environment = ? AND token = ?",
            device.container.rawValue, device.environment.rawValue, device.token.token)
    }

    /// Every device, in the order in which they came.
    func all() throws(CloudError) -> [PushRegistration] {
        try tables.rows(
            """
            SELECT container, environment, token, apns, account, user, device, client, sign_in
            FROM push_tokens ORDER BY rowid
            """
        ) { row throws(CloudError) in
            guard let container = Container.ID(row.text(at: 0)),
                let environment = Container.Environment(rawValue: row.text(at: 1)),
                let apns = PushToken.Environment(rawValue: row.text(at: 3))
            else { throw tables.damaged() }
            return PushRegistration(
                token: PushToken(row.text(at: 2), apns), container: container,
                environment: environment, account: row.text(at: 4),
                owner: PushWriter(
                    userRecordName: row.text(at: 5), device: row.optionalText(at: 6),
                    client: PushClient(
                        signIn: row.optionalText(at: 8), id: row.optionalText(at: 7))))
        }
    }
}
