package import Basics
package import CloudModel
import CloudWire

/// Everything the mock service knows, and all of its rules. Owned by one thread.
///
/// ``apply(_:at:by:)`` works inside an open transaction, which only the ``StoreCommitter`` that opened
/// the store can end, so that one wait for the disk covers all the commands of a turn.
///
/// The rules are in parts, each of which alone has what it keeps in memory, and knows only parts that
/// stand before it: ``Accounts``, ``Containers``, ``Roles``, ``SpentTokens``,
/// ``PendingTerms``, ``ExpiredWebTokens``, ``Databases`` and ``Histories`` know none; then
/// ``Sessions``, ``People``, ``Pushes``, ``Shares``, ``Zones``, ``Assets``, ``Feeds``, ``Records``, ``Queries``,
/// ``Invitations``, ``Subscriptions``, ``Snapshots``, ``Removal`` and ``AssetCollector``. Their SQL is in types
/// of its own, one for a table or two: see
/// ``StoreTables``.
package final class MockStore {
    /// Where a store is kept.
    package enum Location: Sendable, Hashable {
        case memory
        /// In `store.sqlite` in a folder that exists.
        case directory(String)
    }

    let context: StoreContext
    let accounts: Accounts
    let containers: Containers
    let roles: Roles
    let spentTokens: SpentTokens
    let terms: PendingTerms
    let expiredWebTokens: ExpiredWebTokens
    let databases: Databases
    let histories: Histories
    let sessions: Sessions
    let people: People
    let pushes: Pushes
    let shares: Shares
    let zones: Zones
    package let assets: Assets
    let feeds: Feeds
    let records: Records
    let queries: Queries
    let invitations: Invitations
    let subscriptions: Subscriptions
    package let snapshots: Snapshots
    let removal: Removal
    let collector: AssetCollector
    private let parts: [any StorePart]

    /// Opens a store, or makes an empty one; see ``StoreCommitter``.
    init(
        location: Location, options: MockOptions, clock: WallClock, seed: UInt64,
        image: StoreImage? = nil
    ) throws(MockStoreError) {
        context = try StoreContext(
            location: location, options: options, clock: clock, seed: seed, image: image)
        accounts = Accounts(context)
        containers = Containers(context)
        roles = Roles(context)
        spentTokens = SpentTokens(context)
        terms = PendingTerms(context)
        expiredWebTokens = ExpiredWebTokens(context)
        databases = Databases(context)
        histories = Histories(context)
        sessions = Sessions(
            context: context, accounts: accounts, containers: containers, roles: roles,
            databases: databases, terms: terms)
        people = People(context: context, accounts: accounts)
        pushes = Pushes(context, accounts, roles)
        shares = Shares(context, accounts, databases, pushes)
        zones = Zones(context, databases, shares, histories, pushes)
        assets = Assets(context, containers, databases, zones, at: location)
        feeds = Feeds(
            context: context, databases: databases, shares: shares, histories: histories,
            zones: zones, assets: assets)
        records = Records(
            context: context, containers: containers, databases: databases, shares: shares,
            histories: histories, zones: zones, sessions: sessions, assets: assets,
            pushes: pushes)
        queries = Queries(context, containers, zones, shares, assets)
        invitations = Invitations(
            context: context, accounts: accounts, databases: databases, sessions: sessions,
            shares: shares)
        subscriptions = Subscriptions(context: context, databases: databases, zones: zones)
        snapshots = Snapshots(context, image?.snapshots ?? [:])
        removal = Removal(context, assets)
        collector = AssetCollector(context, assets)
        parts = [
            context.lags, context.quotas, accounts, terms, expiredWebTokens, containers, roles,
            spentTokens, databases, histories, pushes, shares, assets, queries, snapshots,
            collector,
        ]
        if let folder = image?.assets { assets.begin(in: folder) }
        try reload()
        try assets.open()
        if image != nil { try beginHistory() }
    }

    /// Leaves the history of the store that this one began as a copy of.
    private func beginHistory() throws(MockStoreError) {
        try stored { () throws(CloudError) in
            try context.tables.beginIfNeeded()
            try histories.begin(ofFork: context.generator.next())
        }
        try reload()
    }

    /// Brings what a store of an earlier format holds to what it would hold now; says whether there was
    /// any of it.
    func adoptOlder() throws(MockStoreError) -> Bool {
        try stored { () throws(CloudError) in try invitations.adoptOlderViews() }
    }

    /// Switches and limits; may be changed between commands.
    package var options: MockOptions {
        get { context.options }
        set { context.options = newValue }
    }

    /// How far back feeds can be read from now on by ``apply(_:at:by:from:)``.
    package var faultLag: Duration {
        get { context.faultLag }
        set { context.faultLag = newValue }
    }

    /// The seed names were made with; a store that is opened again keeps its own.
    package var seed: UInt64 { context.seed }

    /// The time of the clock that the store was opened with.
    package var now: Timestamp { context.clock.now }

    /// How often the store was opened, this time included: what bears this number was not given before.
    package var starts: Int64 { context.starts }

    // MARK: - Commands

    /// Carries out one command.
    ///
    /// A failed command leaves no trace; what other requests of the same batch did stays.
    ///
    package func apply(
        _ command: CloudCommand, at address: Database.Address, by caller: Caller,
        from origin: CommandOrigin = CommandOrigin()
    ) throws(CloudError) -> CloudReply {
        let session = try openSession(command, at: address, by: caller, origin)
        context.moved = 0
        let hadCascades = session.database.hasCascades && options.upkeep == .auto
        let reply =
            switch command {
            case .read(let request): try answer(request, session)
            case .write(let request): try answer(request, session)
            }
        if hadCascades { try records.runCascades(in: session.database) }
        return reply
    }

    private func openSession(
        _ command: CloudCommand, at address: Database.Address, by caller: Caller,
        _ origin: CommandOrigin = CommandOrigin()
    ) throws(CloudError) -> Session {
        return try sessions.open(command, at: address, by: caller, origin)
    }

    private func answer(
        _ request: CloudRead, _ session: Session
    ) throws(CloudError) -> CloudReply {
        switch request {
        case .listZones(let token): .zonePage(try feeds.list(token, session))
        case .lookUpZones(let names): .zones(try zones.lookUp(names, session))
        case .zoneListChanges(let token, let limit), .databaseChanges(let token, let limit):
            .zonePage(try feeds.databaseChanges(token, limit, session))
        case .zoneChanges(let requests): .zoneChanges(try feeds.zoneChanges(requests, session))
        case .queryRecords(let request): .recordPage(try queries.page(request, session))
        case .queryBatch(let requests): .recordPages(try queryBatch(requests, session))
        case .lookUpRecords(let request): .records(try records.lookUp(request, session))
        case .resolveShares(let lookups): .shares(try invitations.resolve(lookups, session))
        case .listSubscriptions: .subscriptions(try subscriptions.list(session))
        case .lookUpSubscriptions(let names):
            .subscriptions(try subscriptions.lookUp(names, session))
        case .currentUser: .user(people.current(session))
        case .caller: .user(people.caller(session))
        case .discoverUsers(let infos): .users(try people.discover(infos, session))
        case .lookUpUsersByEmail(let addresses):
            .users(try people.lookUp(addresses.map { .emailAddress($0) }, session))
        case .lookUpUsersByID(let names):
            .users(try people.lookUp(names.map { .userRecordName($0) }, session))
        case .lookUpContacts: .users(try people.contacts(session))
        }
    }

    /// Each query of a batch by itself, with its zone's token.
    private func queryBatch(
        _ requests: [RecordQueryRequest], _ session: Session
    ) throws(CloudError) -> [RecordPage.Item] {
        guard requests.count <= WireLimits.batchQueriesMax else {
            throw CloudError(
                .badRequest, reason: "more than \(WireLimits.batchQueriesMax) queries in one batch")
        }
        // One answer, however many queries there are; each gets a record at least.
        var left = WireLimits.feedPagesMax * options.recordsPageMax
        return try context.answers(to: requests) { given throws(CloudError) in
            var request = given
            request.limit = max(1, min(request.limit ?? options.recordsPageMax, left))
            var page = try queries.page(request, session)
            left -= page.records.count
            if let zone = request.zoneID, !zone.isDefault, !session.isPublic {
                page.token = try feeds.token(of: zone, atEnd: true, session)
            }
            return .page(page)
        } failed: {
            .failure($1)
        }
    }

    private func answer(
        _ request: CloudWrite, _ session: Session
    ) throws(CloudError) -> CloudReply {
        switch request {
        case .modifyZones(let operations): .zones(try zones.modify(operations, session))
        case .modifyRecords(let request): .records(try records.modify(request, session))
        case .acceptShares(let lookups): .shares(try invitations.accept(lookups, session))
        case .modifySubscriptions(let operations):
            .subscriptions(try subscriptions.modify(operations, session))
        case .uploadAssets(let request): .assetUploads(try assets.upload(request, session))
        case .rereferenceAssets(let request): .assets(try assets.rereference(request, session))
        case .createToken(let environment, let clientID):
            .pushToken(try pushes.create(environment, clientID: clientID, session))
        case .registerToken(let token): .pushToken(try pushes.register(token, session))
        case .restrict: try setRestricted(true, session)
        case .unrestrict: try setRestricted(false, session)
        }
    }

    /// Closes or opens the container to the caller's own requests.
    private func setRestricted(
        _ isRestricted: Bool, _ session: Session
    ) throws(CloudError) -> CloudReply {
        guard case .user(let name, _) = session.caller else {
            throw CloudError(.accessDenied, reason: "only a user can restrict access")
        }
        try databases.beginWriting(session.database)
        try accounts.setRestricted(isRestricted, name, at: session.address)
        return .done
    }

    /// The token of a query's zone, for requests that ask for it beside the result.
    ///
    /// - Returns: nil where the zone has no feed.
    package func currentSyncToken(
        of zoneID: RecordZone.ID?, at address: Database.Address, by caller: Caller
    ) throws(CloudError) -> ChangeToken? {
        guard let zoneID, !zoneID.isDefault, address.scope != .public else { return nil }
        return try feedToken(of: zoneID, atEnd: true, at: address, by: caller)
    }

    /// The token for the beginning or the end of a zone's feed, or of the database's.
    package func feedToken(
        of zoneID: RecordZone.ID?, atEnd: Bool, at address: Database.Address, by caller: Caller
    ) throws(CloudError) -> ChangeToken {
        let session = try openSession(.read(.lookUpZones([])), at: address, by: caller)
        return try feeds.token(of: zoneID, atEnd: atEnd, session)
    }

    // MARK: - The batch

    /// Runs what is no command; if it fails, the batch fails.
    func stored<Result>(
        _ body: () throws(CloudError) -> Result
    ) throws(MockStoreError) -> Result {
        context.moved = 0
        return try context.tables.translating(body)
    }

    /// The open batch was committed.
    func didCommit() {
        for part in parts { part.didCommit() }
    }

    /// The open batch was rolled back.
    func didRollBack() throws(MockStoreError) {
        try context.tables.translating { () throws(CloudError) in
            try context.reload()
            for part in parts { try part.didRollBack() }
        }
    }

    /// Reads once more what the parts keep of the tables.
    func reload() throws(MockStoreError) {
        try context.tables.translating { () throws(CloudError) in
            try context.reload()
            for part in parts { try part.reload() }
        }
    }
}
