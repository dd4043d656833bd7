package import CloudModel

extension MockStore {
    /// Puts many zones and records into a user's database without the cost of commands: no
    /// indexes are asked for, no reference is looked after, and the schema is not enforced.
    ///
    /// - Parameters:
    ///   - zones: Names, `_defaultZone` among them where records are to go there; a zone that
    ///     is there keeps what it holds.
    ///   - user: The owner, or in a public database the creator; made when missing.
    ///   - records: Gives the records of each zone, asked zone by zone.
    package func seed(
        zones: some Sequence<String>, at address: Database.Address, user: String,
        records: (String) -> [SeedRecord] = { _ in [] }
    ) throws(MockStoreError) {
        if accounts[user] == nil { try addUser(MockUser(user)) }
        try stored { () throws(CloudError) in
            let owner = address.scope == .public ? "" : user
            let database = try database(DatabaseKey(address: address, user: owner))
            try beginWriting(database)
            let session = Session(
                database: database, caller: .user(user),
                callerName: userRecordName(
                    of: user, in: address.container, address.environment),
                ownerName: userRecordName(
                    of: owner, in: address.container, address.environment),
                now: clock.now, isService: true)
            let types = try types(session)
            types.mark()
            for name in zones { try seedZone(name, records(name), types, session) }
        }
    }

    private func seedZone(
        _ name: String, _ records: [SeedRecord], _ types: KnownTypes, _ session: Session
    ) throws(CloudError) {
        let isDefault = name == Self.defaultZoneName
        guard isDefault || session.address.scope == .private && Self.isValid(zoneName: name)
        else { throw CloudError(.badRequest, reason: "no such zone can be seeded") }
        let database = session.database
        var row = ZoneRow(
            name: name, isLive: true, dbSeq: 0, incarnation: 0, seq: 0, floor: 0)
        if let known = try tables.zone(name, in: database.id), known.isLive {
            row = known
        } else {
            row.incarnation = nextIncarnation()
        }
        if !isDefault { row.dbSeq = database.nextSeq() }
        for seed in records {
            var record = StoredRecord(
                name: seed.recordName, type: seed.recordType, seq: 0, tag: 0,
                created: session.stamp, modified: session.stamp,
                parent: seed.parent?.recordName)
            record.fields = seed.fields.mapValues { Field($0) }
            let old = row.seq == 0 ? nil : try tables.place(of: record.name, in: row.incarnation)
            let oldLinks =
                old == nil ? [] : try tables.record(record.name, in: row.incarnation)?.links ?? []
            row.seq += 1
            record.seq = row.seq
            record.tag = database.nextTag()
            try learn(record, types, session)
            try tables.put(record, in: row.incarnation, oldPlace: old)
            try tables.relink(
                record.name, in: row.incarnation, from: oldLinks, to: record.links)
        }
        try tables.put(row, in: database.id)
    }
}

/// A record to be put into a store directly.
package struct SeedRecord: Sendable, Hashable {
    package var recordName: String
    package var recordType: String
    package var fields: [String: FieldValue]
    package var parent: Record.Reference?

    package init(
        _ recordName: String, type recordType: String, fields: [String: FieldValue] = [:],
        parent: Record.Reference? = nil
    ) {
        self.recordName = recordName
        self.recordType = recordType
        self.fields = fields
        self.parent = parent
    }
}
