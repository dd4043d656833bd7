import Basics
import CloudModel
import CloudWire

/// The devices that get pushes, and the pushes for them.
///
/// Which subscriptions a change fires is decided with the change; what follows from it is queued once
/// the turn is stored. So nothing is pushed that was not committed.
final class Pushes: StorePart {
    private let context: StoreContext
    private let accounts: Accounts
    private let roles: Roles
    private var devices: [PushRegistration] = []
    /// Places in `devices`, by push token.
    private var places: [String: [Int]] = [:]
    /// The same by the user's record name, which is another in each container.
    private var byUser: [String: [Int]] = [:]
    /// What the open turn has fired.
    private var pending: [(token: String, note: PushNote)] = []
    /// Devices with pushes that nobody was told of yet.
    private var fresh: [String] = []
    private(set) var queues = PushQueues()
    /// Held pushes that the open turn lets go.
    private var released = 0
    /// Of tokens and identifiers, apart from the names of records.
    private var generator: SeededGenerator

    init(_ context: StoreContext, _ accounts: Accounts, _ roles: Roles) {
        self.context = context
        self.accounts = accounts
        self.roles = roles
        var names = context.generator
        generator = SeededGenerator(seed: names.next() ^ FeedToken.digest(["pushes"]))
    }

    // MARK: - The turn

    func didCommit() {
        if released > 0 { fresh += queues.release(released) }
        released = 0
        guard !pending.isEmpty else { return }
        let (now, isHeld) = (context.clock.now, context.options.upkeep == .manual)
        for (token, note) in pending {
            queues.add(note, to: token, at: now, isHeld: isHeld) {
                generator.uuid().lowercased()
            }
            if !isHeld { fresh.append(token) }
        }
        pending.removeAll(keepingCapacity: true)
    }

    /// Lets held pushes go with the turn, the oldest first.
    ///
    /// - Returns: How many.
    func release(_ count: Int?) -> Int {
        let number = min(count ?? .max, queues.held - released)
        released += number
        return number
    }

    /// How many are held back when the turn is stored.
    var held: Int { queues.held - released }

    func didRollBack() throws(CloudError) {
        pending = []
        released = 0
        try readDevices()
    }

    /// After a restore, what was fired before is about what is no more.
    func reload() throws(CloudError) {
        pending = []
        queues.forget { _ in true }
        try readDevices()
    }

    private func readDevices() throws(CloudError) {
        devices = try context.tables.pushTokens.all()
        index()
    }

    private func index() {
        places = Dictionary(grouping: devices.indices, by: { devices[$0].token.token })
        byUser = Dictionary(grouping: devices.indices, by: { devices[$0].owner.userRecordName })
    }

    /// The devices with new pushes since this was asked last.
    func takeFresh() -> [String] {
        guard !fresh.isEmpty else { return [] }
        defer { fresh = [] }
        return fresh
    }

    func noteDelivery(of push: Push) { queues.noteDelivery(of: push) }

    // MARK: - Devices

    /// Whether pushes can be waited for with a token.
    func knows(_ token: String) -> Bool { places[token] != nil }

    var registrations: [PushRegistration] { devices }

    /// A new token for the device that asks.
    func create(
        _ environment: PushToken.Environment, clientID: String?, _ session: Session
    ) throws(CloudError) -> PushToken {
        var bytes: [UInt8] = []
        for _ in 0..<4 {
            let word = generator.next()
            for shift in stride(from: 56 as UInt64, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        let token = PushToken(Base64.encode(bytes), environment)
        try put(token, clientID: clientID, session)
        return token
    }

    /// Has a device's pushes sent to the user who asks.
    func register(_ token: PushToken, _ session: Session) throws(CloudError) -> PushToken {
        let known = places[token.token].map { devices[$0[0]] }
        try put(token, clientID: known?.clientID, session)
        return PushToken(token.token, token.environment)
    }

    private func put(
        _ token: PushToken, clientID: String?, _ session: Session
    ) throws(CloudError) {
        var client = session.client
        client.id = clientID ?? client.id
        var account = ""
        if case .user(let name, _) = session.caller { account = name }
        let device = PushRegistration(
            token: token, container: session.address.container,
            environment: session.address.environment, account: account,
            owner: PushWriter(
                userRecordName: session.callerName, device: session.caller.device, client: client))
        try context.tables.beginIfNeeded()
        try remove {
            $0.token.token == token.token && $0.container == device.container
                && $0.environment == device.environment
        }
        let own = byUser[device.owner.userRecordName] ?? []
        if own.count >= WireLimits.devicesOfUserMax, let oldest = own.first {
            try remove(at: [oldest])
        } else if devices.count >= WireLimits.devicesMax {
            try remove(at: [0])
        }
        try context.tables.pushTokens.put(device)
        devices.append(device)
        places[token.token, default: []].append(devices.count - 1)
        byUser[device.owner.userRecordName, default: []].append(devices.count - 1)
    }

    private func remove(
        where isOver: (PushRegistration) -> Bool
    ) throws(CloudError) {
        try remove(at: devices.indices.filter { isOver(devices[$0]) })
    }

    private func remove(at gone: [Int]) throws(CloudError) {
        guard !gone.isEmpty else { return }
        for place in gone { try context.tables.pushTokens.delete(devices[place]) }
        let leaving = Set(gone)
        devices = devices.indices.filter { !leaving.contains($0) }.map { devices[$0] }
        index()
    }

    /// Forgets the pushes about what a reset empties, and the devices too where it empties all that a
    /// user has in a container.
    func forget(_ scope: ResetScope) throws(CloudError) {
        pending.removeAll { scope.covers($0.note.address) }
        if scope.user == nil, scope.zoneName == nil { queues.forget { scope.covers($0.address) } }
        guard scope.scope == nil, scope.zoneName == nil else { return }
        let known = Set(devices.map(\.token.token))
        try context.tables.beginIfNeeded()
        try remove {
            (scope.user ?? $0.account) == $0.account
                && (scope.container ?? $0.container) == $0.container
                && (scope.environment ?? $0.environment) == $0.environment
        }
        for token in known where places[token] == nil { queues.forget(device: token) }
    }

    // MARK: - What fires

    /// Whether anybody watches a database.
    func isWatched(_ database: DatabaseState) throws(CloudError) -> Bool {
        guard database.id != 0, database.mayHaveSubscriptions else { return false }
        database.mayHaveSubscriptions = try context.tables.subscriptions.isAny(in: database.id)
        return database.mayHaveSubscriptions
    }

    /// Notes what has happened in a zone, and has the subscriptions to it fire.
    ///
    /// - Parameters:
    ///   - changes: To its records; nil where the zone has come, has gone, or belongs to somebody else
    ///     whose changes are not known here.
    ///   - types: What queries are read by; needed with changes.
    ///   - writer: Who gets no push.
    func note(
        _ changes: [RecordChange]?, _ types: KnownTypes? = nil, in zoneID: RecordZone.ID,
        of database: DatabaseState, by writer: PushWriter?
    ) throws(CloudError) {
        guard try isWatched(database) else { return }
        for (user, subscription) in try context.tables.subscriptions.all(in: database.id) {
            let notes = FiringRule(subscription, types).notes(
                readable(changes, by: user, types, database.key.address), in: zoneID,
                at: database.key.address)
            guard !notes.isEmpty else { continue }
            let fired = subscription.firesOnce ? [notes[0]] : notes
            for place in byUser[user] ?? [] {
                let device = devices[place]
                guard writer.map({ !$0.isSame(as: device.owner) }) ?? true,
                    device.account.isEmpty
                        || accounts.isSignedIn(device.account, device: device.device)
                else { continue }
                pending += fired.map { (device.token.token, $0) }
            }
            if subscription.firesOnce {
                try context.tables.beginIfNeeded()
                try context.tables.subscriptions.delete(
                    subscription.subscriptionID, in: database.id, of: user)
            }
        }
    }
}

extension Pushes {
    /// The changes to records that a user may read.
    private func readable(
        _ changes: [RecordChange]?, by user: String, _ types: KnownTypes?,
        _ address: Database.Address
    ) -> [RecordChange]? {
        guard address.scope == .public, let changes, let types else { return changes }
        let account = accounts.find(recordName: user, at: address)?.name
        let person = KnownTypes.Grantee(
            recordName: user, roles: account.map { roles.roles(of: $0, at: address) } ?? [])
        return changes.filter { types.allowsReading($0.record, by: person) }
    }
}

/// Which changes one subscription fires on.
struct FiringRule {
    private let subscription: Subscription
    private let evaluator: QueryEvaluator?

    init(_ subscription: Subscription, _ types: KnownTypes?) {
        self.subscription = subscription
        guard subscription.kind == .query, var query = subscription.query, let types else {
            evaluator = nil
            return
        }
        query.sorts = []
        do throws(CloudError) {
            query = try QueryChecker(types: types, needsIndexes: false).checked(query)
        } catch {
            // It fits no record that there can be.
            evaluator = nil
            return
        }
        evaluator = QueryEvaluator(
            query: query, zoneID: .default, searchableFields: types.searchable(in: query.recordType)
        )
    }

    /// The pushes for what has happened in a zone: of query subscriptions one a record, of others one.
    func notes(
        _ changes: [RecordChange]?, in zoneID: RecordZone.ID, at address: Database.Address
    ) -> [PushNote] {
        switch subscription.kind {
        case .query:
            guard let evaluator, isZone(zoneID) else { return [] }
            return (changes ?? []).filter {
                subscription.firesOn.contains($0.event)
                    && $0.record.type == evaluator.query.recordType
                    && evaluator.matches($0.record)
            }.map { PushNote(subscription, $0, in: zoneID, at: address) }
        case .zone:
            guard isZone(zoneID), fits(changes) else { return [] }
            return [PushNote(subscription, in: zoneID, at: address)]
        case .database:
            guard !zoneID.isDefault, fits(changes) else { return [] }
            return [PushNote(subscription, in: nil, at: address)]
        }
    }

    private func isZone(_ zoneID: RecordZone.ID) -> Bool {
        guard let wanted = subscription.zoneID else {
            return subscription.zoneWide || zoneID.isDefault
        }
        return wanted.zoneName == zoneID.zoneName
            && (wanted.ownerRecordName ?? zoneID.ownerRecordName) == zoneID.ownerRecordName
    }

    /// Zone and database subscriptions can be narrowed too; without a word they fire on everything.
    private func fits(_ changes: [RecordChange]?) -> Bool {
        let events = subscription.firesOn
        let type = subscription.query?.recordType ?? ""
        guard let changes, !changes.isEmpty, !events.isEmpty || !type.isEmpty else { return true }
        return changes.contains {
            (events.isEmpty || events.contains($0.event))
                && (type.isEmpty || $0.record.type == type)
        }
    }
}
