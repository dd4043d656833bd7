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

/// Sharing, as far as deletions need it: whole zones, for reading, without invitations or share
/// records. What a participant's shared database shows is the owner's zone itself.
final class Shares: StorePart {
    private let context: StoreContext
    private let accounts: Accounts
    private let databases: Databases
    /// By the incarnation of the zone that is shared.
    private var shares: [Int64: [ZoneShare]] = [:]

    init(_ context: StoreContext, _ accounts: Accounts, _ databases: Databases) {
        self.context = context
        self.accounts = accounts
        self.databases = databases
    }

    func reload() throws(CloudError) { shares = try context.tables.shares.all() }

    var isEmpty: Bool { shares.isEmpty }

    /// Lets another user read a custom zone.
    ///
    /// - Parameter owner: The owner's private database.
    /// - Returns: Whether there is such a zone, and the two are not one user.
    func add(_ zoneName: String, owner: DatabaseKey, user: String) throws(CloudError) -> Bool {
        let database = try databases.state(owner)
        guard accounts.find(user) != nil, user != owner.user, owner.address.scope == .private,
            zoneName != ZoneRow.defaultName,
            let zone = try context.tables.zones.live(zoneName, in: database.id)
        else { return false }
        if shares[zone.incarnation]?.contains(where: { $0.user == user }) == true { return true }
        let share = ZoneShare(
            id: databases.nextIncarnation(), owner: owner, zoneName: zoneName, user: user,
            incarnation: zone.incarnation)
        let shared = try databases.state(share.participant)
        try databases.beginWriting(shared)
        try context.tables.zones.put(
            ZoneRow(rowName(of: share), dbSeq: shared.nextSeq(), incarnation: share.incarnation),
            in: shared.id)
        try context.tables.shares.add(share)
        shares[share.incarnation, default: []].append(share)
        return true
    }

    /// Ends the sharing of a zone with one participant, or with all.
    ///
    /// - Returns: The participants who had the zone, sorted.
    func end(_ zoneName: String, owner: DatabaseKey, user: String?) throws(CloudError) -> [String] {
        let ending = shares.values.joined().filter {
            $0.owner == owner && $0.zoneName == zoneName && (user ?? $0.user) == $0.user
        }
        for share in ending { try end(share) }
        return ending.map(\.user).sorted()
    }

    // MARK: - In a shared database

    /// The zone of another owner that an ID means.
    func zone(_ zoneID: RecordZone.ID, _ session: Session) throws(CloudError) -> ZoneRow {
        guard !shares.isEmpty,
            let row = try context.tables.zones.live(
                session.rowName(zoneID), in: session.database.id)
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
            }),
            let zone = try context.tables.zones.find(
                share.zoneName, in: try databases.state(share.owner).id)
        else { throw .noZone }
        var view = row
        (view.seq, view.floor, view.share) = (zone.seq, zone.floor, share.id)
        return view
    }

    /// A participant deletes a zone of their shared database, which ends the share.
    func leave(_ zoneID: RecordZone.ID, _ session: Session) throws(CloudError) {
        let row = try zone(zoneID, session)
        for share in shares[row.incarnation] ?? [] where share.user == session.database.key.user {
            try end(share)
        }
    }

    // MARK: - What happens to a shared zone

    /// Tells the participants' databases that a zone has changed.
    func noteChange(of zone: ZoneRow) throws(CloudError) {
        guard !shares.isEmpty else { return }
        for share in shares[zone.incarnation] ?? [] {
            let shared = try databases.state(share.participant)
            try databases.beginWriting(shared)
            guard var row = try context.tables.zones.find(rowName(of: share), in: shared.id) else {
                continue
            }
            row.dbSeq = shared.nextSeq()
            try context.tables.zones.put(row, in: shared.id)
        }
    }

    /// Takes a zone that is gone from the participants' databases.
    func endAll(of incarnation: Int64) throws(CloudError) {
        guard !shares.isEmpty else { return }
        for share in shares[incarnation] ?? [] { try end(share) }
    }

    /// Ends the shares of a database that is being emptied, whichever side of them it is.
    func endAll(in database: DatabaseState) throws(CloudError) {
        let ending = shares.values.joined().filter {
            $0.owner == database.key || $0.participant == database.key
        }
        for share in ending { try end(share) }
    }

    /// Gives the shares that a shared database shows new numbers, which expires the tokens of their
    /// zones; says whether there are any.
    ///
    /// - Parameter zoneName: nil: all of them.
    func renumber(_ zoneName: String?, in database: DatabaseState) throws(CloudError) -> Bool {
        let old = shares.values.joined().filter {
            $0.participant == database.key && (zoneName ?? $0.zoneName) == $0.zoneName
        }
        for share in old {
            try context.tables.shares.renumber(share, databases.nextIncarnation())
        }
        if !old.isEmpty { try reload() }
        return !old.isEmpty
    }

    private func end(_ share: ZoneShare) throws(CloudError) {
        let shared = try databases.state(share.participant)
        try databases.beginWriting(shared)
        _ = try context.tables.zones.delete(
            rowName(of: share), in: shared.id, dbSeq: shared.nextSeq())
        try context.tables.shares.delete(share)
        try context.tables.subscriptions.delete(boundTo: share.zoneName, in: shared)
        shares[share.incarnation]?.removeAll { $0.id == share.id }
        if shares[share.incarnation]?.isEmpty == true { shares[share.incarnation] = nil }
    }

    private func rowName(of share: ZoneShare) -> String {
        RecordZone.ID(share.zoneName, ownerRecordName: accounts.ownerName(of: share.owner))
            .sharedRowName
    }
}
