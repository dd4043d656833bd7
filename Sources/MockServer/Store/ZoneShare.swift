import CloudModel

/// One zone that its owner lets another user read.
struct ZoneShare: Hashable {
    /// Larger than that of any share or zone before.
    let id: Int64
    /// The owner's private database.
    let owner: DatabaseKey
    let zoneName: String
    /// The account that may read it.
    let user: String
    /// What the zone keeps its records under.
    let incarnation: Int64

    /// The shared database that shows the zone.
    var participant: DatabaseKey {
        let address = Database.Address(
            container: owner.address.container, environment: owner.address.environment,
            scope: .shared)
        return DatabaseKey(address: address, user: user)
    }
}

extension RecordZone.ID {
    /// What a zone of another owner is called in the tables; owners' names hold no slash.
    var sharedRowName: String { zoneName + "/" + (ownerRecordName ?? "") }

    /// Reads ``sharedRowName``.
    init(sharedRow name: String) {
        guard let slash = name.lastIndex(of: "/") else {
            self.init(name)
            return
        }
        self.init(
            String(name[..<slash]), ownerRecordName: String(name[name.index(after: slash)...]))
    }
}
