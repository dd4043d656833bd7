extension ReplyCheck {
    /// The answer to `records/resolve` and `records/accept`: one item for each GUID, and after
    /// `records/accept` only those count whose caller has accepted.
    func check(
        _ items: [ShareMetadata.Item], _ lookups: [ShareLookup], accepted: Bool
    ) throws(Mismatch) {
        try checkCount(items.count, lookups.count)
        for (item, lookup) in zip(items, lookups) {
            guard item.shortGUID == lookup.shortGUID else { throw .notAsked }
            guard case .metadata(let found) = item else { continue }
            try checkName(found.zoneID.zoneName)
            try checkName(found.owner.userRecordName)
            guard found.scope != .public else { throw .otherOutcome }
            if let owner = found.zoneID.ownerRecordName, owner != found.owner.userRecordName {
                throw .otherOwner
            }
            if let root = found.rootRecord {
                guard root.id.recordName == found.rootRecordName else { throw .notAsked }
                guard root.id.zoneID.fits(found.zoneID) else { throw .otherZone }
            }
            if let share = found.share {
                guard share.recordType == Share.recordType else { throw .otherType }
                guard share.id.zoneID.fits(found.zoneID) else { throw .otherZone }
            }
            guard !accepted || found.acceptance == .accepted else { throw .otherOutcome }
        }
    }
}
