import CloudModel
import SQLite

/// The rows of short GUIDs, and the record that each leads to.
struct ShortGUIDTable {
    /// What a short GUID leads to.
    struct Target {
        /// The owner's private database.
        let owner: DatabaseKey
        let zoneName: String
        /// Of the zone, when the record was there.
        let incarnation: Int64
        let recordName: String
    }

    let tables: StoreTables

    func put(_ guid: String, _ target: Target) throws(CloudError) {
        let address = target.owner.address
        try tables.run(
            "INSERT OR REPLACE INTO short_guids VALUES (?, ?, ?, ?, ?, ?, ?)", guid,
            address.container.rawValue, address.environment.rawValue, target.owner.user,
            target.zoneName, target.incarnation, target.recordName)
    }

    func delete(_ guid: String) throws(CloudError) {
        try tables.run("DELETE FROM short_guids WHERE guid = ?", guid)
    }

    /// What a short GUID leads to in a container; the record may be gone.
    func find(_ guid: String, at address: Database.Address) throws(CloudError) -> Target? {
        let owner = address.inScope(.private)
        return try tables.rows(
            """
            SELECT owner, zone_name, zone, name FROM short_guids
            WHERE guid = ? AND container = ? AND environment = ?
            """, guid, address.container.rawValue, address.environment.rawValue
        ) {
            Target(
                owner: DatabaseKey(address: owner, user: $0.text(at: 0)), zoneName: $0.text(at: 1),
                incarnation: $0.int64(at: 2), recordName: $0.text(at: 3))
        }.first
    }
}
