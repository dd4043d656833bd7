package import CloudModel

/// Sharing, as far as deletions need it: whole zones, for reading, without invitations or share
/// records. What a participant's shared database shows is the owner's zone itself.
extension MockStore {
    var shareTable: ShareTable { ShareTable(tables: tables) }

    /// Lets another user read a zone: it appears in his shared database under its owner's record
    /// name, with everything that is and will be in it. He cannot write there.
    ///
    /// - Parameter address: The owner's private database.
    /// - Returns: Whether there is such a custom zone, and the two are not one user.
    package func shareZone(
        _ zoneName: String, at address: Database.Address, owner: String, with user: String
    ) throws(MockStoreError) -> Bool {
        try stored { () throws(CloudError) in
            guard accounts[user] != nil, user != owner, address.scope == .private,
                zoneName != Self.defaultZoneName
            else { return false }
            let key = DatabaseKey(address: address, user: owner)
            let database = try database(key)
            guard let zone = try tables.zone(zoneName, in: database.id), zone.isLive else {
                return false
            }
            if shares[zone.incarnation]?.contains(where: { $0.user == user }) == true {
                return true
            }
            let share = ZoneShare(
                id: nextIncarnation(), owner: key, zoneName: zoneName, user: user,
                incarnation: zone.incarnation)
            let shared = try self.database(share.participant)
            try beginWriting(shared)
            try tables.put(
                ZoneRow(
                    name: rowName(of: share), isLive: true, dbSeq: shared.nextSeq(),
                    incarnation: share.incarnation, seq: 0, floor: 0), in: shared.id)
            try shareTable.add(share)
            shares[share.incarnation, default: []].append(share)
            return true
        }
    }

    /// Ends the sharing of a zone: it goes from the shared databases, and stays where it is.
    /// So a participant leaves a share, and so an owner takes it back.
    ///
    /// - Parameter user: The participant; nil: all of them.
    /// - Returns: The participants who had the zone, sorted.
    package func unshareZone(
        _ zoneName: String, at address: Database.Address, owner: String, with user: String? = nil
    ) throws(MockStoreError) -> [String] {
        try stored { () throws(CloudError) in
            let key = DatabaseKey(address: address, user: owner)
            let ending = shares.values.joined().filter {
                $0.owner == key && $0.zoneName == zoneName && (user ?? $0.user) == $0.user
            }
            for share in ending { try end(share) }
            return ending.map(\.user).sorted()
        }
    }

    // MARK: - In a shared database

    /// The zone of another owner that an ID means.
    func sharedZone(_ zoneID: RecordZone.ID, _ session: Session) throws(CloudError) -> ZoneRow {
        let name = session.rowName(zoneID)
        guard !shares.isEmpty, let row = try tables.zone(name, in: session.database.id),
            row.isLive
        else { throw .noZone }
        return try view(row, session)
    }

    /// Rows of a shared database with what the owners' zones are now.
    func views(_ rows: [ZoneRow], _ session: Session) throws(CloudError) -> [ZoneRow] {
        var views: [ZoneRow] = []
        for row in rows { views.append(row.isLive ? try view(row, session) : row) }
        return views
    }

    private func view(_ row: ZoneRow, _ session: Session) throws(CloudError) -> ZoneRow {
        guard
            let share = shares[row.incarnation]?.first(where: {
                $0.user == session.database.key.user
            }), let zone = try tables.zone(share.zoneName, in: try database(share.owner).id)
        else { throw .noZone }
        var view = row
        (view.seq, view.floor, view.share) = (zone.seq, zone.floor, share.id)
        return view
    }

    /// A participant deletes a zone of his shared database: he leaves.
    func leave(_ zoneID: RecordZone.ID, _ session: Session) throws(CloudError) {
        let row = try sharedZone(zoneID, session)
        for share in shares[row.incarnation] ?? [] where share.user == session.database.key.user {
            try end(share)
        }
    }

    // MARK: - What happens to a shared zone

    /// Tells the participants' databases that a zone has changed.
    func noteChange(of zone: ZoneRow) throws(CloudError) {
        for share in shares[zone.incarnation] ?? [] {
            let shared = try database(share.participant)
            try beginWriting(shared)
            guard var row = try tables.zone(rowName(of: share), in: shared.id) else { continue }
            row.dbSeq = shared.nextSeq()
            try tables.put(row, in: shared.id)
        }
    }

    /// Takes a zone that is gone from the participants' databases.
    func endShares(of incarnation: Int64) throws(CloudError) {
        for share in shares[incarnation] ?? [] { try end(share) }
    }

    /// Ends the shares of a database that is being emptied, whichever side of them it is.
    func endShares(in database: DatabaseState) throws(CloudError) {
        let ending = shares.values.joined().filter {
            $0.owner == database.key || $0.participant == database.key
        }
        for share in ending { try end(share) }
    }

    private func end(_ share: ZoneShare) throws(CloudError) {
        let shared = try database(share.participant)
        try beginWriting(shared)
        _ = try tables.markDeleted(
            rowName(of: share), in: shared.id, dbSeq: shared.nextSeq(), reason: .deleted)
        try shareTable.delete(share)
        try deleteSubscriptions(boundTo: share.zoneName, shared)
        shares[share.incarnation]?.removeAll { $0.id == share.id }
        if shares[share.incarnation]?.isEmpty == true { shares[share.incarnation] = nil }
    }

    private func rowName(of share: ZoneShare) -> String {
        let address = share.owner.address
        let owner = userRecordName(
            of: share.owner.user, in: address.container, address.environment)
        return RecordZone.ID(share.zoneName, ownerRecordName: owner).sharedRowName
    }
}
