package import CloudModel

extension MockStore {
    /// Deletes zones of a user's private database, not as an app does it but as the user or the
    /// service does: calls on them answer with the reason until somebody creates them again.
    ///
    /// - Parameters:
    ///   - zone: nil: every custom zone. When the reason is `purged`, what is in the default zone
    ///     goes too, as the settings of a device offer it; the default zone itself cannot go.
    ///   - reason: ``RecordZone/DeletionReason/purged`` when the user erases the app's data in the
    ///     settings, ``RecordZone/DeletionReason/encryptedDataReset`` when the keys are lost.
    /// - Returns: The names of the zones that went, sorted.
    package func eraseZones(
        _ zone: String? = nil, at address: Database.Address, user: String,
        reason: RecordZone.DeletionReason
    ) throws(MockStoreError) -> [String] {
        try stored { () throws(CloudError) in
            guard address.scope == .private else { return [] }
            let database = try database(DatabaseKey(address: address, user: user))
            guard database.id != 0 else { return [] }
            try beginWriting(database)
            var erased: [String] = []
            for row in try rows(zone, in: database) where row.name != Self.defaultZoneName {
                _ = try tables.markDeleted(
                    row.name, in: database.id, dbSeq: database.nextSeq(), reason: reason)
                if row.seq > 0 { try tables.scheduleRemoval(of: row.incarnation) }
                try endShares(of: row.incarnation)
                try deleteSubscriptions(boundTo: row.name, database)
                erased.append(row.name)
            }
            if zone == nil, reason == .purged { try emptyDefaultZone(database) }
            return erased.sorted()
        }
    }

    /// The user erases a zone in the settings of a device: gone, with another reason than a
    /// deletion by the app.
    ///
    /// - Returns: Whether there was such a zone.
    package func purgeZone(
        _ name: String, at address: Database.Address, user: String
    ) throws(MockStoreError) -> Bool {
        try !eraseZones(name, at: address, user: user, reason: .purged).isEmpty
    }

    /// Deletes a zone and creates it again at once, empty, as a device does that has lost its
    /// way; a zone that is not there is created.
    ///
    /// - Returns: Whether the zone is there now; false where there can be none of this name.
    package func recreateZone(
        _ name: String, at address: Database.Address, user: String
    ) throws(MockStoreError) -> Bool {
        try stored { () throws(CloudError) in
            let session = serviceSession(try database(DatabaseKey(address: address, user: user)))
            let id = RecordZone.ID(name)
            _ = try modifyZones([.delete(id)], session)
            guard case .zone? = try modifyZones([.create(id)], session).first else { return false }
            return true
        }
    }

    /// The live zones of a database, or the one of this name.
    func rows(_ zone: String?, in database: DatabaseState) throws(CloudError) -> [ZoneRow] {
        if let zone {
            guard let row = try tables.zone(zone, in: database.id), row.isLive else { return [] }
            return [row]
        }
        return try tables.everyZone(in: database.id)
    }

    /// Takes everything out of a default zone.
    func emptyDefaultZone(_ database: DatabaseState) throws(CloudError) {
        guard var row = try tables.zone(Self.defaultZoneName, in: database.id) else { return }
        try tables.scheduleRemoval(of: row.incarnation)
        row.incarnation = nextIncarnation()
        row.seq = 0
        try tables.put(row, in: database.id)
    }
}
