package import CloudModel
package import Donations

extension Database.Address {
    /// The ways in which donations may name a zone of this database.
    ///
    /// A zone of the user's own has no owner, the user's record name as owner, or CloudKit's name for
    /// the current user.
    package func part(_ zone: RecordZone.ID, user: String?) -> [ContentLink] {
        guard scope == .private else { return [ContentLink(container, scope, zone: zone)] }
        let owners = [nil, "__defaultOwner__", user == "__defaultOwner__" ? nil : user]
        var parts: [ContentLink] = []
        for owner in owners where parts.isEmpty || owner != nil {
            parts.append(
                ContentLink(
                    container, scope, zone: RecordZone.ID(zone.zoneName, ownerRecordName: owner)))
        }
        return parts
    }

    /// The ways in which donations may name records of a zone.
    func parts(_ names: [String], in zone: RecordZone.ID, user: String?) -> [ContentLink] {
        let zones = part(zone, user: user)
        return names.flatMap { name in
            zones.map { part in
                var part = part
                part.record = name
                return part
            }
        }
    }

    /// A zone as it is stored: in the private database without owner, since all are the user's.
    package func stored(_ zone: RecordZone.ID) -> RecordZone.ID {
        scope == .private ? RecordZone.ID(zone.zoneName) : zone
    }
}
