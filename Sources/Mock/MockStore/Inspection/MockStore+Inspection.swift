package import CloudModel

/// A record with what stands around it.
package struct RecordDetail {
    package let facts: RecordFacts
    /// nil: it is deleted.
    package let record: Record?
    /// The accounts that made it, changed it last and deleted it, where they are known.
    package let createdBy: String?
    package let modifiedBy: String?
    package let deletedBy: String?
    /// The records whose reference to it the service looks after, at most ``referrersMax``.
    package let referrers: [Link.Source]

    static let referrersMax = 100
}

/// A share of a zone, or of what is below one of its records.
package struct ShareFacts {
    let number: Int64
    package let zone: String
    package let recordName: String
    /// nil: the whole zone.
    package let root: String?
    package let sharing: StoredShare
}

/// What the administration shows of the data; nothing of it changes anything.
extension MockStore {
    /// Shares of one page.
    package static let sharesMax = 50
    /// Of the share records that are read for one page.
    private static let shareBytesMax = 1 << 20

    /// The number of the history of the data: each restore begins another one.
    package var epoch: UInt32 { histories.current }

    /// The names of the snapshots that are kept.
    package var snapshotNames: [String] { snapshots.names }

    /// What a zone of a database is called.
    func zoneID(_ row: ZoneRow, in key: DatabaseKey) -> RecordZone.ID {
        key.address.scope == .shared ? RecordZone.ID(sharedRow: row.name) : RecordZone.ID(row.name)
    }

    /// A live zone as the database's user reaches it; nil where there is none.
    ///
    /// - Parameter id: In a shared database with the owner's record name.
    package func reachedZone(
        _ id: RecordZone.ID, in key: DatabaseKey
    ) throws(MockStoreError) -> ZoneRow? {
        try stored { () throws(CloudError) in
            let database = try context.tables.databases.find(key)
            let name = key.address.scope == .shared ? id.sharedRowName : id.zoneName
            guard let row = try context.tables.zones.live(name, in: database.id) else { return nil }
            return shares.reached(row, in: database)
        }
    }

    /// A record, live or deleted, by its name; nil: it is unknown.
    ///
    /// - Parameter baseURL: What the URLs of its assets begin with.
    package func recordDetail(
        _ name: String, in zone: ZoneRow, of key: DatabaseKey, baseURL: String
    ) throws(MockStoreError) -> RecordDetail? {
        try stored { () throws(CloudError) in
            let tables = context.tables
            guard let place = try tables.records.place(of: name, in: zone.incarnation),
                let entry = try tables.records.entry(at: place, in: zone.incarnation),
                try shares.shows(name, in: zone)
            else { return nil }
            let session = sessions.service(try tables.databases.find(key), baseURL: baseURL)
            let facts = RecordFacts(entry)
            func account(_ stamp: Record.Stamp?) -> String? {
                stamp.flatMap {
                    accounts.find(recordName: $0.userRecordName, at: key.address)?.name
                }
            }
            var referrers: [Link.Source] = []
            for source in try tables.links.sources(
                of: name, in: zone.incarnation, limit: RecordDetail.referrersMax)
            where try shares.shows(source.name, in: zone) { referrers.append(source) }
            return RecordDetail(
                facts: facts,
                record: entry.record?.record(
                    in: zoneID(zone, in: key), keys: nil,
                    assets.downloads(in: zone.incarnation, session)),
                createdBy: account(facts.created), modifiedBy: account(facts.modified),
                deletedBy: account(facts.deleted), referrers: referrers)
        }
    }

    /// Some shares of a private database by their number, and after which others follow; nil: after none.
    ///
    /// - Parameter limit: At most ``sharesMax``. A page ends with the record that exceeds its bytes too.
    package func shareFacts(
        in key: DatabaseKey, after number: Int64, limit: Int
    ) throws(MockStoreError) -> (shares: [ShareFacts], next: Int64?) {
        try stored { () throws(CloudError) in
            let rows = try context.tables.shares.page(
                of: key, after: number, limit: min(limit, Self.sharesMax))
            var found: [ShareFacts] = []
            var bytes = 0
            for row in rows {
                let (share, zone) = (row.share, row.zone.incarnation)
                let records = context.tables.records
                guard let place = try records.place(of: share.recordName, in: zone),
                    let entry = try records.entry(at: place, in: zone),
                    let sharing = entry.record?.sharing
                else { continue }
                found.append(
                    ShareFacts(
                        number: share.number, zone: row.zone.name, recordName: share.recordName,
                        root: share.root, sharing: sharing))
                bytes += entry.bytes
                if bytes > Self.shareBytesMax { return (found, share.number) }
            }
            return (found, rows.count < limit ? nil : rows.last?.share.number)
        }
    }
}
