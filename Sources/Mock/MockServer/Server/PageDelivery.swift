import Basics
package import CloudModel

/// How the pages of answers go out: as they are, empty first, once more, or naming zones that are
/// gone already.
///
/// Three ask for it: the options, an act and a fault. The store knows nothing of it. A page that
/// goes out empty or once more has a token for the place where its request began, which is turned
/// back before the store sees the next request.
package struct PageDelivery: Sendable {
    /// What is still to come in one database; in memory only.
    private struct Arrangement {
        /// Pages of its feeds, and of its zones', that are to come empty.
        var empties = 0
        /// Such pages that are to come once more.
        var repeats = 0
        var goneZones: [GoneZone] = []
    }

    private struct GoneZone {
        let id: RecordZone.ID
        /// How many lists still have it.
        var lists: Int
        /// Until when others have it.
        var end: Timestamp
        /// Whether they have it until a tick.
        var isHeld: Bool
        /// Whether it was deleted while a fault wants to know.
        var isForFaults: Bool

        /// Whether lists have it still.
        func isListed(_ now: Timestamp, _ options: MockOptions) -> Bool {
            lists > 0 || now < end || isHeld && options.upkeep == .manual
        }
    }

    /// How one page goes out.
    private enum Manner {
        case asItIs
        /// Without items, with more to come.
        case empty(token: String)
        /// With more to come.
        case again(token: String)
    }

    private var arrangements: [DatabaseKey: Arrangement] = [:]

    /// Whether faults want to know which zones are deleted from now on.
    package var notesForFaults = false {
        didSet {
            guard oldValue, !notesForFaults else { return }
            for key in arrangements.keys {
                for index in arrangements[key]?.goneZones.indices ?? 0..<0 {
                    arrangements[key]?.goneZones[index].isForFaults = false
                }
            }
        }
    }

    /// Deleted zones remembered for one database.
    package static let goneZonesMax = 10_000

    package init() {}

    /// Carries out a command, and gives its answer the form in which it goes out.
    ///
    /// - Parameter fault: What a fault makes of the request.
    package mutating func answer(
        _ command: CloudCommand, at address: Database.Address, by caller: Caller,
        from store: MockStore, fault: FaultAction? = nil, origin: CommandOrigin = CommandOrigin()
    ) throws(CloudError) -> CloudReply {
        let starts = command.pageTokens.map { PageStart($0) }
        var command = command
        if !starts.isEmpty { command.pageTokens = starts.map(\.token) }
        let reply = try store.apply(command, at: address, by: caller, from: origin)
        let key = Self.key(address, caller)
        func manner(_ page: Int, hasItems: Bool) throws(CloudError) -> Manner {
            guard fault != nil || store.options.emptyPages > 0 || arrangements[key] != nil else {
                return .asItIs
            }
            var start = starts[page]
            start.token = try Self.token(
                of: start, page, command, at: address, by: caller, store)
            return self.manner(of: command, start, hasItems: hasItems, key, store.options, fault)
        }
        switch reply {
        case .zones(let items):
            if case .write = command { note(items, key, store) }
            return reply
        case .zonePage(var page):
            nameGoneZones(in: &page, of: command, key, fault, store)
            switch try manner(0, hasItems: !page.zones.isEmpty) {
            case .asItIs: break
            case .empty(let token):
                page = ZonePage(zones: [], token: ChangeToken(token), moreComing: true)
            case .again(let token): (page.token, page.moreComing) = (ChangeToken(token), true)
            }
            return .zonePage(page)
        case .recordPage(var page):
            switch try manner(0, hasItems: !page.records.isEmpty) {
            case .asItIs: break
            case .empty(let token): page = RecordPage(records: [], continuationMarker: token)
            case .again(let token): page.continuationMarker = token
            }
            return .recordPage(page)
        case .zoneChanges(var items):
            for (index, item) in items.enumerated() {
                guard case .page(var page) = item else { continue }
                switch try manner(index, hasItems: !page.records.isEmpty) {
                case .asItIs: continue
                case .empty(let token):
                    (page.records, page.token, page.moreComing) = ([], ChangeToken(token), true)
                case .again(let token): (page.token, page.moreComing) = (ChangeToken(token), true)
                }
                items[index] = .page(page)
            }
            return .zoneChanges(items)
        case .recordPages, .records, .shares, .subscriptions, .assetUploads, .assets, .user, .users,
            .pushToken, .done:
            return reply
        }
    }

    /// The token of a page's beginning. A client that reads a feed from its beginning must be told when tokens expire:
    /// its page gets the token of that place.
    private static func token(
        of start: PageStart, _ page: Int, _ command: CloudCommand, at address: Database.Address,
        by caller: Caller, _ store: MockStore
    ) throws(CloudError) -> String? {
        switch command {
        case .read(.zoneChanges(let requests)) where start.token == nil:
            try store.feedToken(
                of: requests[page].zoneID, atEnd: false, at: address, by: caller
            ).rawValue
        case .read(.databaseChanges(token: nil, _)), .read(.zoneListChanges(token: nil, _)):
            try store.feedToken(of: nil, atEnd: false, at: address, by: caller).rawValue
        default: start.token
        }
    }

    /// Does what an act says; those that are about pages never reach the store.
    package mutating func carryOut(
        _ act: MockAct, on store: MockStore
    ) throws(MockAct.Refusal) -> MockAct.Report {
        guard act.kind == .emptyPages || act.kind == .repeatPages else {
            let report = try store.carryOut(act)
            if act.kind == .restore { forget() }
            return report
        }
        try store.check(act)
        guard let address = act.address(act.database ?? .private), let count = act.count else {
            throw .malformed("a container and a count are needed")
        }
        let key = DatabaseKey(address: address, user: act.user ?? "")
        let pages = count == 1 ? "1 page" : "\(count) pages"
        if act.kind == .emptyPages {
            arrangements[key, default: Arrangement()].empties = count
            return MockAct.Report(
                message: "\(pages) without items will come first", changed: count)
        }
        arrangements[key, default: Arrangement()].repeats = count
        return MockAct.Report(
            message: "the next \(count == 1 ? "page" : pages) will come twice", changed: count)
    }

    /// Forgets what is still to come in databases that a reset empties whole.
    package mutating func forget(_ scope: ResetScope = ResetScope()) {
        guard scope.zoneName == nil else { return }
        for key in arrangements.keys where scope.covers(key) { arrangements[key] = nil }
    }

    /// What a token that an answer gave stands for in the store; nil is the beginning.
    static func storeToken(_ text: String) -> String? { PageStart(text).token }

    /// Whether a stale list would differ from the true one.
    package func hasGoneZones(at address: Database.Address, of caller: Caller) -> Bool {
        arrangements[Self.key(address, caller)]?.goneZones.contains(where: \.isForFaults) ?? false
    }

    /// How many deleted zones lists still have.
    func listedGoneZones(_ store: MockStore) -> Int {
        let (options, now) = (store.options, store.context.clock.now)
        return arrangements.values.reduce(0) { count, arrangement in
            count + arrangement.goneZones.count { $0.isListed(now, options) }
        }
    }

    /// Has lists lack deleted zones, database by database, in the order of their deletion.
    ///
    /// - Returns: How many.
    mutating func endZoneListLag(_ count: Int?, _ store: MockStore) -> Int {
        let (options, now) = (store.options, store.context.clock.now)
        var left = count ?? .max
        for key in arrangements.keys.sorted(by: { $0.text < $1.text }) {
            guard var gone = arrangements[key]?.goneZones else { continue }
            for index in gone.indices where left > 0 && gone[index].isListed(now, options) {
                left -= 1
                (gone[index].lists, gone[index].end, gone[index].isHeld) = (0, now, false)
            }
            gone.removeAll { !$0.isForFaults && !$0.isListed(now, options) }
            arrangements[key]?.goneZones = gone
        }
        return (count ?? .max) - left
    }

    private static func key(_ address: Database.Address, _ caller: Caller) -> DatabaseKey {
        guard case .user(let name, _) = caller, address.scope != .public else {
            return DatabaseKey(address: address, user: "")
        }
        return DatabaseKey(address: address, user: name)
    }

    private mutating func manner(
        of command: CloudCommand, _ start: PageStart, hasItems: Bool, _ key: DatabaseKey,
        _ options: MockOptions, _ fault: FaultAction?
    ) -> Manner {
        if fault == .emptyPage { return .empty(token: start.again(empties: start.empties)) }
        guard hasItems else { return .asItIs }
        if fault == .repeatPage { return .again(token: start.sent ?? start.again(empties: 0)) }
        switch command {
        case .read(.zoneChanges), .read(.queryRecords):
            guard start.empties < options.emptyPages else { break }
            return .empty(token: start.again(empties: start.empties + 1))
        default: break
        }
        switch command {
        case .read(.zoneChanges), .read(.databaseChanges), .read(.zoneListChanges): break
        default: return .asItIs
        }
        guard let arrangement = arrangements[key] else { return .asItIs }
        if arrangement.empties > 0 {
            arrangements[key]?.empties -= 1
            return .empty(token: start.again(empties: start.empties))
        }
        guard arrangement.repeats > 0 else { return .asItIs }
        arrangements[key]?.repeats -= 1
        return .again(token: start.sent ?? start.again(empties: 0))
    }

    /// Remembers which zones were deleted, while anybody wants to know.
    private mutating func note(
        _ items: [RecordZone.Item], _ key: DatabaseKey, _ store: MockStore
    ) {
        let (options, now) = (store.options, store.context.clock.now)
        let lags =
            options.zoneListLag > 0 || options.zoneListLagTime > .zero || options.upkeep == .manual
        guard notesForFaults || lags || arrangements[key] != nil else { return }
        let changed = Set(items.filter { if case .failure = $0 { false } else { true } }.map(\.id))
        var gone = (arrangements[key]?.goneZones ?? []).filter { !changed.contains($0.id) }
        for case .deleted(let id, _) in items where !id.isDefault && gone.count < Self.goneZonesMax
        {
            let zone = GoneZone(
                id: id, lists: options.zoneListLag,
                end: now.advanced(by: options.zoneListLagTime),
                isHeld: options.upkeep == .manual, isForFaults: notesForFaults)
            if zone.isForFaults || zone.isListed(now, options) { gone.append(zone) }
        }
        arrangements[key, default: Arrangement()].goneZones = gone
    }

    /// Adds zones that are gone to the last page of a list, and to that of a feed where a fault says so.
    private mutating func nameGoneZones(
        in page: inout ZonePage, of command: CloudCommand, _ key: DatabaseKey,
        _ fault: FaultAction?, _ store: MockStore
    ) {
        let (options, now) = (store.options, store.context.clock.now)
        guard !page.moreComing, var gone = arrangements[key]?.goneZones, !gone.isEmpty else {
            return
        }
        var named: Set<RecordZone.ID> = []
        for index in gone.indices {
            if fault == .staleZoneList, gone[index].isForFaults {
                named.insert(gone[index].id)
            } else if case .read(.listZones) = command, gone[index].isListed(now, options) {
                gone[index].lists = max(0, gone[index].lists - 1)
                named.insert(gone[index].id)
            }
        }
        page.zones.removeAll {
            if case .deleted(let id, _) = $0 { named.contains(id) } else { false }
        }
        named.subtract(page.zones.map(\.id))
        for zone in gone where named.contains(zone.id) {
            page.zones.append(.zone(RecordZone(id: zone.id, isAtomic: true)))
        }
        arrangements[key]?.goneZones = gone.filter { $0.isForFaults || $0.isListed(now, options) }
    }
}

extension DatabaseKey {
    /// What databases are put in order by.
    fileprivate var text: String {
        "\(address.container.rawValue) \(address.environment.rawValue) \(address.scope.rawValue) \(user)"
    }
}

/// Where a request's page begins.
private struct PageStart {
    /// The token as it was sent.
    let sent: String?
    /// What it stands for in the store; nil is the beginning.
    var token: String?
    /// Empty pages that the options have put before this page already.
    let empties: Int

    /// Tells our tokens from the store's, which begin with the small number of their layout.
    private static let mark: UInt8 = 0xFF

    init(_ sent: String?) {
        self.sent = sent
        if let sent, let bytes = Base64.decode(sent), bytes.first == Self.mark {
            var (empties, token, coder) = (UInt64(0), String?.none, RowCoder(reading: bytes))
            Self.code(&empties, &token, &coder)
            if coder.isAtEnd {
                (self.token, self.empties) = (token, Int(truncatingIfNeeded: empties & 0xFFFF))
                return
            }
        }
        (token, empties) = (sent, 0)
    }

    /// A token for the same place.
    func again(empties: Int) -> String {
        var (empties, token, coder) = (UInt64(empties), token, RowCoder())
        Self.code(&empties, &token, &coder)
        return Base64.encode(coder.bytes)
    }

    private static func code(
        _ empties: inout UInt64, _ token: inout String?, _ coder: inout RowCoder
    ) {
        coder.version(mark)
        coder.varint(&empties)
        coder.optionalString(&token)
    }
}

extension CloudCommand {
    /// Where the pages that it asks for begin; nothing where an answer has no pages.
    fileprivate var pageTokens: [String?] {
        get {
            switch self {
            case .read(.listZones(let token)), .read(.zoneListChanges(let token, _)),
                .read(.databaseChanges(let token, _)):
                [token?.rawValue]
            case .read(.zoneChanges(let requests)): requests.map { $0.token?.rawValue }
            case .read(.queryRecords(let request)): [request.continuationMarker]
            default: []
            }
        }
        set {
            let tokens = newValue.map { $0.map { ChangeToken($0) } }
            switch self {
            case .read(.listZones): self = .read(.listZones(token: tokens[0]))
            case .read(.zoneListChanges(_, let limit)):
                self = .read(.zoneListChanges(token: tokens[0], limit: limit))
            case .read(.databaseChanges(_, let limit)):
                self = .read(.databaseChanges(token: tokens[0], limit: limit))
            case .read(.zoneChanges(var requests)):
                for index in requests.indices { requests[index].token = tokens[index] }
                self = .read(.zoneChanges(requests))
            case .read(.queryRecords(var request)):
                request.continuationMarker = newValue[0]
                self = .read(.queryRecords(request))
            default: break
            }
        }
    }
}
