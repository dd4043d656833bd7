import CloudModel

/// What short GUIDs lead to, and what happens to those who are invited.
struct Invitations {
    let context: StoreContext
    let accounts: Accounts
    let databases: Databases
    let sessions: Sessions
    let shares: Shares
    private var tables: StoreTables { context.tables }

    // MARK: - records/resolve and records/accept

    /// Says what short GUIDs lead to.
    func resolve(
        _ lookups: [ShareLookup], _ session: Session
    ) throws(CloudError) -> [ShareMetadata.Item] {
        let user = try user(of: session)
        return try context.answers(to: lookups) { lookup throws(CloudError) in
            let found = try find(lookup, session)
            // Whoever has no business with a share is not even told that it exists.
            guard let part = part(of: user, in: found, session) else { throw .noShare }
            return .metadata(try metadata(lookup, found, part, session))
        } failed: {
            .failure(shortGUID: $0.shortGUID, $1)
        }
    }

    /// Accepts shares for the caller; accepting once more changes nothing.
    func accept(
        _ lookups: [ShareLookup], _ session: Session
    ) throws(CloudError) -> [ShareMetadata.Item] {
        let user = try user(of: session)
        return try context.answers(to: lookups) { lookup throws(CloudError) in
            let found = try find(lookup, session)
            guard let share = found.share else {
                throw CloudError(.badRequest, reason: "the record is not shared")
            }
            if found.target.owner.user != user {
                try accept(share, user, session, found.target.incarnation)
            }
            let now = try find(lookup, session)
            guard let part = part(of: user, in: now, session) else { throw .noShare }
            return .metadata(try metadata(lookup, now, part, session))
        } failed: {
            .failure(shortGUID: $0.shortGUID, $1)
        }
    }

    private func user(of session: Session) throws(CloudError) -> String {
        guard session.isPublic else {
            throw CloudError(
                .badRequest, reason: "shares are resolved and accepted in the public database")
        }
        guard case .user(let name, _) = session.caller else {
            throw CloudError(.accessDenied, reason: "only a user can take part in a share")
        }
        return name
    }

    private func accept(
        _ record: StoredRecord, _ user: String, _ session: Session, _ incarnation: Int64
    ) throws(CloudError) {
        guard var sharing = record.sharing.map({ known($0, session) }),
            try sharing.accept(
                user, as: accounts.identity(of: user, at: session.address),
                most: context.options.participantsMax, nextID: { context.generator.uuid() })
        else { return }
        try shares.change(incarnation) { writer throws(CloudError) in
            try shares.put(sharing, in: record, by: session.stamp, in: writer)
        }
    }

    /// A share with those found who had no account when they were invited.
    private func known(_ sharing: StoredShare, _ session: Session) -> StoredShare {
        sharing.knowing { accounts.find($0, at: session.address)?.name }
    }

    // MARK: - What a GUID leads to

    private struct Found {
        let target: ShortGUIDTable.Target
        /// The share record.
        let share: StoredRecord?
        /// The root of its hierarchy, or the record that the GUID is of.
        let root: StoredRecord?
    }

    private func find(_ lookup: ShareLookup, _ session: Session) throws(CloudError) -> Found {
        guard let target = try tables.shortGUIDs.find(lookup.shortGUID, at: session.address),
            let zone = try tables.zones.live(
                target.zoneName, in: try databases.state(target.owner).id),
            zone.incarnation == target.incarnation,
            let record = try tables.records.find(target.recordName, in: zone.incarnation)
        else { throw .noShare }
        func other(_ name: String?) throws(CloudError) -> StoredRecord? {
            guard let name else { return nil }
            return try tables.records.find(name, in: zone.incarnation)
        }
        if let sharing = record.sharing {
            return Found(target: target, share: record, root: try other(sharing.root))
        }
        return Found(target: target, share: try other(record.share), root: record)
    }

    /// What somebody is to what was found; nil: nothing.
    private func part(
        of user: String, in found: Found, _ session: Session
    ) -> ShareParticipant? {
        if found.target.owner.user == user {
            return found.share?.sharing?.participants.first?.shown
                ?? shares.owner(of: found.target.owner)
        }
        guard let sharing = found.share?.sharing.map({ known($0, session) }) else { return nil }
        if var known = sharing.participant(user)?.shown {
            known.permission = max(known.permission, sharing.publicPermission)
            return known
        }
        guard sharing.publicPermission >= .readOnly else { return nil }
        return ShareParticipant(
            identity: accounts.identity(of: user, at: session.address), role: .publicUser,
            permission: sharing.publicPermission)
    }

    private func metadata(
        _ lookup: ShareLookup, _ found: Found, _ part: ShareParticipant, _ session: Session
    ) throws(CloudError) -> ShareMetadata {
        let target = found.target
        let owner = accounts.ownerName(of: target.owner)
        let zoneID = RecordZone.ID(target.zoneName, ownerRecordName: owner)
        let keys = lookup.rootDesiredKeys.map { Set($0) }
        var metadata = ShareMetadata(
            lookup: lookup, container: session.address.container,
            environment: session.address.environment,
            scope: part.role == .owner ? .private : .shared, zoneID: zoneID,
            rootRecordName: found.root?.name,
            owner: accounts.identity(of: target.owner.user, at: session.address),
            role: part.role, permission: part.permission, acceptance: part.acceptance)
        metadata.share = found.share?.record(in: zoneID, keys: nil, for: session.callerName)
        // Who may not even read is told of the share, and of nothing that is in it.
        if lookup.fetchesRoot, part.role == .owner || part.permission >= .readOnly {
            metadata.rootRecord = found.root?.record(in: zoneID, keys: keys)
        }
        return metadata
    }

    // MARK: - Outside of requests

    /// An owner gives another user a whole zone to read, who accepts at once.
    ///
    /// - Parameter owner: The owner's private database.
    /// - Returns: Whether there is such a zone, which can be shared as a whole, and the two are not
    ///   one user.
    func give(_ zoneName: String, of owner: DatabaseKey, to user: String) throws(CloudError) -> Bool
    {
        let database = try databases.state(owner)
        guard accounts.find(user) != nil, user != owner.user, owner.address.scope == .private,
            zoneName != ZoneRow.defaultName,
            let row = try tables.zones.live(zoneName, in: database.id),
            shares.zone(row.incarnation)?.hasHierarchies != true
        else { return false }
        try databases.beginWriting(database)
        let writer = ZoneWriter(
            context, databases, shares, database, row, by: nil)
        let session = sessions.service(database)
        var record = try shares.zone(row.incarnation)?.whole.map { share throws(CloudError) in
            try shares.record(of: share, in: row.incarnation)
        }
        if record == nil { record = try shareWhole(writer, session) }
        guard let record, var sharing = record.sharing else { throw tables.damaged() }
        let identity = accounts.identity(of: user, at: owner.address)
        if sharing.participant(user) == nil {
            try sharing.change(
                publicPermission: nil,
                invitees: sharing.participants.map { ($0.user, $0.shown) }
                    + [(user: user, shown: ShareParticipant(identity: identity))],
                most: context.options.participantsMax, nextID: { context.generator.uuid() })
        }
        if try sharing.accept(
            user, as: identity, most: context.options.participantsMax,
            nextID: { context.generator.uuid() })
        {
            try shares.put(sharing, in: record, by: session.stamp, in: writer)
        }
        try writer.save()
        return true
    }

    /// Makes the share of a whole zone.
    private func shareWhole(
        _ writer: ZoneWriter, _ session: Session
    ) throws(CloudError) -> StoredRecord {
        var record = StoredRecord(
            name: Share.zoneWideName, type: Share.recordType, seq: 0, tag: 0,
            created: session.stamp, modified: session.stamp)
        record.sharing = shares.newShare(of: nil, by: session.database.key)
        _ = try shares.add(record.name, root: nil, in: writer)
        record.shortGUID = shares.shortGUID(of: record, in: writer)
        let place = try tables.records.place(of: record.name, in: writer.row.incarnation)
        return try writer.put(record, was: nil, at: place)
    }

    /// An owner takes what they share of a zone back from one user, or from all by ending its shares;
    /// or a user leaves all that is shared of it with them.
    ///
    /// - Parameter owner: The owner's private database.
    /// - Returns: The participants who had some of the zone, sorted.
    func end(
        _ zoneName: String, of owner: DatabaseKey, for user: String?
    ) throws(CloudError) -> [String] {
        let views = shares.views {
            $0.owner == owner && $0.zoneName == zoneName && (user ?? $0.user) == $0.user
        }
        let stamp = sessions.service(try databases.state(owner)).stamp
        guard user == nil else {
            for view in views { try shares.leave(view, by: stamp) }
            return views.map(\.user).sorted()
        }
        guard
            let zone = shares.zones.values.first(where: { $0.owner == owner && $0.name == zoneName }
            )
        else { return [] }
        try shares.change(zone.incarnation) { writer throws(CloudError) in
            let all = zone.shares.values.sorted { $0.number < $1.number }
            for share in all { try writer.checkEnd(of: share) }
            for share in all { try stop(share, by: stamp, in: writer) }
        }
        return views.map(\.user).sorted()
    }

    /// Deletes a share's record, and takes it from its root.
    private func stop(
        _ share: ZoneShare, by stamp: Record.Stamp, in writer: ZoneWriter
    ) throws(CloudError) {
        let incarnation = writer.row.incarnation
        let record = try shares.record(of: share, in: incarnation)
        try shares.remove(share, in: writer)
        if let name = share.root, let root = try tables.records.find(name, in: incarnation) {
            var changed = root
            changed.share = nil
            _ = try writer.put(changed, was: root, at: root.seq)
        }
        try writer.leaveTombstone(of: record, at: record.seq, by: stamp)
    }

    /// Gives the views of a store made before there were share records theirs; says whether there were
    /// any.
    func adoptOlderViews() throws(CloudError) -> Bool {
        let views = shares.views { $0.shares.isEmpty }
        for view in views { _ = try give(view.zoneName, of: view.owner, to: view.user) }
        return !views.isEmpty
    }
}

extension CloudError {
    /// Nobody is told whether a share exists that they have no part in.
    fileprivate static let noShare = CloudError(
        .notFound, reason: "the caller has no access to the share of this short GUID",
        rule: "foreign-short-guid")
}
