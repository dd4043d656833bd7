import CloudModel

/// The shares: which zones and hierarchies their owners share, who has accepted, and what shared
/// databases show. What they show is the owner's zone itself.
final class Shares: StorePart {
    let context: StoreContext
    let accounts: Accounts
    let databases: Databases
    private let pushes: Pushes
    /// By the incarnation of the zone.
    var zones: [Int64: SharedZone] = [:]
    var tables: StoreTables { context.tables }

    init(
        _ context: StoreContext, _ accounts: Accounts, _ databases: Databases, _ pushes: Pushes
    ) {
        self.context = context
        self.accounts = accounts
        self.databases = databases
        self.pushes = pushes
    }

    func reload() throws(CloudError) { zones = try tables.shares.all() }

    var isEmpty: Bool { zones.isEmpty }

    /// The shares of a zone; nil: it has none.
    func zone(_ incarnation: Int64) -> SharedZone? { zones.isEmpty ? nil : zones[incarnation] }

    // MARK: - Shares come and go

    /// Adds a share of a zone, or of what is below one of its records.
    func add(
        _ recordName: String, root: String?, in writer: ZoneWriter
    ) throws(CloudError) -> ZoneShare {
        let share = ZoneShare(
            number: databases.nextIncarnation(), recordName: recordName, root: root)
        let row = writer.row
        var zone =
            zones[row.incarnation]
            ?? SharedZone(owner: writer.database.key, name: row.name, incarnation: row.incarnation)
        try tables.shares.add(share, of: zone)
        zone.add(share)
        zones[row.incarnation] = zone
        return share
    }

    /// Ends a share: its participants have nothing of it any more.
    func remove(_ share: ZoneShare, in writer: ZoneWriter) throws(CloudError) {
        let incarnation = writer.row.incarnation
        try setAccepted([:], of: share.number, in: writer)
        try tables.shares.delete(share)
        if share.root != nil { try tables.removals.schedule(share.number) }
        zones[incarnation]?.remove(share.number)
        if zones[incarnation]?.isEmpty == true { zones[incarnation] = nil }
    }

    /// Lets exactly these accounts take part in a share.
    ///
    /// - Parameter accepted: With whether they may write.
    func setAccepted(
        _ accepted: [String: Bool], of number: Int64, in writer: ZoneWriter
    ) throws(CloudError) {
        guard let before = zones[writer.row.incarnation]?.shares[number] else { return }
        for user in before.accepted.keys.sorted() where accepted[user] == nil {
            try leave(before, user, writer)
        }
        for (user, writes) in accepted.sorted(by: { $0.key < $1.key })
        where before.accepted[user]?.writes != writes {
            let participation = Participation(
                writes: writes, since: before.accepted[user]?.since ?? writer.row.seq)
            try tables.shares.set(participation, of: user, in: number)
            if before.accepted[user] == nil { try join(before, user, writer) }
            zones[writer.row.incarnation]?.set(participation, of: user, in: number)
        }
        writer.touch(number)
    }

    private func join(
        _ share: ZoneShare, _ user: String, _ writer: ZoneWriter
    ) throws(CloudError) {
        let (row, owner) = (writer.row, writer.database.key)
        guard let known = zones[row.incarnation]?.views[user] else {
            var view = ZoneView(
                number: databases.nextIncarnation(), owner: owner, zoneName: row.name,
                incarnation: row.incarnation, user: user)
            view.isWhole = share.root == nil
            let shared = try databases.state(view.participant)
            try databases.beginWriting(shared)
            try tables.zones.put(
                ZoneRow(rowName(of: view), dbSeq: shared.nextSeq(), incarnation: row.incarnation),
                in: shared.id)
            try tables.shares.add(view)
            zones[row.incarnation]?.views[user] = view
            return try notify(view, in: shared, by: nil)
        }
        if share.root == nil {
            zones[row.incarnation]?.views[user]?.isWhole = true
            return
        }
        if try !writer.tell(known, of: share.number, since: nil) { try renumber(known) }
    }

    private func leave(
        _ share: ZoneShare, _ user: String, _ writer: ZoneWriter
    ) throws(CloudError) {
        let incarnation = writer.row.incarnation
        try tables.shares.set(nil, of: user, in: share.number)
        zones[incarnation]?.set(nil, of: user, in: share.number)
        guard let view = zones[incarnation]?.views[user] else { return }
        guard !view.shares.isEmpty else { return try end(view) }
        let since = share.accepted[user]?.since ?? 0
        if try !writer.tell(view, of: share.number, since: since) { try renumber(view) }
        try noteChange(of: view, by: writer.author)
    }

    // MARK: - Views

    /// Takes a zone from a participant's database.
    func end(_ view: ZoneView) throws(CloudError) {
        let shared = try databases.state(view.participant)
        try databases.beginWriting(shared)
        _ = try tables.zones.delete(rowName(of: view), in: shared.id, dbSeq: shared.nextSeq())
        try tables.shares.delete(view)
        try tables.removals.schedule(view.number)
        try notify(view, in: shared, by: nil)
        try tables.subscriptions.delete(boundTo: rowName(of: view), in: shared)
        zones[view.incarnation]?.views[view.user] = nil
    }

    /// Makes the tokens of a view too old.
    private func renumber(_ view: ZoneView) throws(CloudError) {
        let number = databases.nextIncarnation()
        try tables.shares.renumber(view, number)
        try tables.removals.schedule(view.number)
        zones[view.incarnation]?.views[view.user]?.number = number
    }

    /// Makes the tokens given out for zones of a shared database answer as expired.
    ///
    /// - Parameter zoneName: nil: all of them.
    func renumber(_ zoneName: String?, in database: DatabaseState) throws(CloudError) -> Bool {
        let old = views {
            $0.participant == database.key && (zoneName ?? $0.zoneName) == $0.zoneName
        }
        for view in old { try renumber(view) }
        return !old.isEmpty
    }

    /// Tells the participants of some shares of a zone that it has changed.
    ///
    /// - Parameter author: Who gets no push for it.
    func noteChange(
        of touched: Set<Int64>, in incarnation: Int64, by author: PushWriter?
    ) throws(CloudError) {
        guard let zone = zone(incarnation) else { return }
        var told: Set<String> = []
        for number in touched.sorted() {
            for user in zone.shares[number]?.accepted.keys.sorted() ?? []
            where told.insert(user).inserted {
                if let view = zone.views[user] { try noteChange(of: view, by: author) }
            }
        }
    }

    private func noteChange(of view: ZoneView, by author: PushWriter?) throws(CloudError) {
        let shared = try databases.state(view.participant)
        try databases.beginWriting(shared)
        guard var row = try tables.zones.find(rowName(of: view), in: shared.id), row.isLive else {
            return
        }
        row.dbSeq = shared.nextSeq()
        try tables.zones.put(row, in: shared.id)
        try notify(view, in: shared, by: author)
    }

    /// Has a participant's subscriptions fire.
    private func notify(
        _ view: ZoneView, in shared: DatabaseState, by author: PushWriter?
    ) throws(CloudError) {
        let owner = accounts.ownerName(of: view.owner)
        try pushes.note(
            nil, in: RecordZone.ID(view.zoneName, ownerRecordName: owner), of: shared, by: author)
    }

    /// Some of all views, in the order in which they came to be.
    func views(_ isWanted: (ZoneView) -> Bool) -> [ZoneView] {
        zones.values.flatMap { $0.views.values.filter(isWanted) }.sorted { $0.number < $1.number }
    }

    func rowName(of view: ZoneView) -> String {
        RecordZone.ID(view.zoneName, ownerRecordName: accounts.ownerName(of: view.owner))
            .sharedRowName
    }

    // MARK: - A zone goes

    /// Ends all that was shared of a zone that is gone.
    func endAll(of incarnation: Int64) throws(CloudError) {
        guard let zone = zone(incarnation) else { return }
        for view in zone.views.values.sorted(by: { $0.number < $1.number }) { try end(view) }
        for share in zone.shares.values.sorted(by: { $0.number < $1.number }) {
            try tables.shares.delete(share)
            try tables.removals.schedule(share.number)
        }
        zones[incarnation] = nil
    }
}
