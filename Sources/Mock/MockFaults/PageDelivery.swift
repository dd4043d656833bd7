import Basics
package import CloudModel
package import MockStore

/// How pages are delivered: unchanged, empty first, repeated, or with zones that are already deleted.
///
/// It is configured by settings and faults, independently of the store. A page that is delivered empty or
/// repeated has a token for the place where its request began, which is decoded before the store sees the next request.
package struct PageDelivery: Sendable {
    private struct DeletedZone {
        let id: RecordZone.ID
        /// How many lists still name it.
        var lists: Int
        /// Until when other lists name it.
        var end: Timestamp
        /// Whether they name it until pending work is run.
        var isHeld: Bool
        /// Whether it was deleted while a fault needs to know.
        var isForFaults: Bool

        /// Whether lists still name it.
        func isListed(_ now: Timestamp, _ options: MockOptions) -> Bool {
            lists > 0 || now < end || isHeld && options.upkeep == .manual
        }
    }

    /// How one page is delivered.
    private enum Manner {
        case asItIs
        /// Without items, and with more to come.
        case empty(token: String)
        /// With more to come.
        case again(token: String)
    }

    /// Deleted zones that lists may still name, by database; in memory only.
    private var deletedZones: [DatabaseKey: [DeletedZone]] = [:]

    /// Whether faults need to know which zones are deleted from now on.
    package var notesForFaults = false {
        didSet {
            guard oldValue, !notesForFaults else { return }
            for key in deletedZones.keys {
                for index in deletedZones[key]?.indices ?? 0..<0 {
                    deletedZones[key]?[index].isForFaults = false
                }
            }
        }
    }

    /// Deleted zones remembered for one database.
    package static let deletedZonesMax = 10_000

    package init() {}

    /// Executes a command, and gives its reply the form in which it is delivered.
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
            guard fault != nil || store.options.emptyPages > 0 else {
                return .asItIs
            }
            var start = starts[page]
            start.token = try Self.token(
                of: start, page, command, at: address, by: caller, store)
            return Self.manner(of: command, start, hasItems: hasItems, store.options, fault)
        }
        switch reply {
        case .zones(let items):
            if case .write = command { note(items, key, store) }
            return reply
        case .zonePage(var page):
            nameDeletedZones(in: &page, of: command, key, fault, store)
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

    /// The token of a page's beginning. A client that reads a feed from its beginning must find out when tokens expire:
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

    /// Forgets the deleted zones of databases that a reset empties completely.
    package mutating func forget(_ scope: ResetScope = ResetScope()) {
        guard scope.zoneName == nil else { return }
        for key in deletedZones.keys where scope.covers(key) { deletedZones[key] = nil }
    }

    /// The store's token within one that a page gave; nil is the beginning.
    package static func storeToken(_ text: String) -> String? { PageStart(text).token }

    /// Whether a stale list would differ from the true one.
    package func hasDeletedZones(at address: Database.Address, of caller: Caller) -> Bool {
        deletedZones[Self.key(address, caller)]?.contains(where: \.isForFaults) ?? false
    }

    /// How many deleted zones lists still name.
    package func listedDeletedZones(_ store: MockStore) -> Int {
        let (options, now) = (store.options, store.now)
        return deletedZones.values.reduce(0) { count, zones in
            count + zones.count { $0.isListed(now, options) }
        }
    }

    /// Removes deleted zones from lists, database by database, in the order of their deletion.
    ///
    /// - Returns: How many.
    package mutating func endZoneListLag(_ count: Int?, _ store: MockStore) -> Int {
        let (options, now) = (store.options, store.now)
        var left = count ?? .max
        for key in deletedZones.keys.sorted(by: { $0.text < $1.text }) {
            guard var deleted = deletedZones[key] else { continue }
            for index in deleted.indices where left > 0 && deleted[index].isListed(now, options) {
                left -= 1
                (deleted[index].lists, deleted[index].end, deleted[index].isHeld) = (0, now, false)
            }
            deleted.removeAll { !$0.isForFaults && !$0.isListed(now, options) }
            deletedZones[key] = deleted
        }
        return (count ?? .max) - left
    }

    private static func key(_ address: Database.Address, _ caller: Caller) -> DatabaseKey {
        guard case .user(let name, _) = caller, address.scope != .public else {
            return DatabaseKey(address: address, user: "")
        }
        return DatabaseKey(address: address, user: name)
    }

    private static func manner(
        of command: CloudCommand, _ start: PageStart, hasItems: Bool, _ options: MockOptions,
        _ fault: FaultAction?
    ) -> Manner {
        if fault == .emptyPage { return .empty(token: start.again(empties: start.empties)) }
        guard hasItems else { return .asItIs }
        if fault == .repeatPage { return .again(token: start.sent ?? start.again(empties: 0)) }
        switch command {
        case .read(.zoneChanges), .read(.queryRecords):
            guard start.empties < options.emptyPages else { return .asItIs }
            return .empty(token: start.again(empties: start.empties + 1))
        default: return .asItIs
        }
    }

    /// Remembers which zones were deleted, while that is needed.
    private mutating func note(
        _ items: [RecordZone.Item], _ key: DatabaseKey, _ store: MockStore
    ) {
        let (options, now) = (store.options, store.now)
        let lags =
            options.zoneListLag > 0 || options.zoneListLagTime > .zero || options.upkeep == .manual
        guard notesForFaults || lags || deletedZones[key] != nil else { return }
        let changed = Set(items.filter { if case .failure = $0 { false } else { true } }.map(\.id))
        var deleted = (deletedZones[key] ?? []).filter { !changed.contains($0.id) }
        for case .deleted(let id, _) in items
        where !id.isDefault && deleted.count < Self.deletedZonesMax {
            let zone = DeletedZone(
                id: id, lists: options.zoneListLag,
                end: now.advanced(by: options.zoneListLagTime),
                isHeld: options.upkeep == .manual, isForFaults: notesForFaults)
            if zone.isForFaults || zone.isListed(now, options) { deleted.append(zone) }
        }
        deletedZones[key] = deleted
    }

    /// Adds deleted zones to the last page of a list, and to that of a feed if a fault says so.
    private mutating func nameDeletedZones(
        in page: inout ZonePage, of command: CloudCommand, _ key: DatabaseKey,
        _ fault: FaultAction?, _ store: MockStore
    ) {
        let (options, now) = (store.options, store.now)
        guard !page.moreComing, var deleted = deletedZones[key], !deleted.isEmpty
        else {
            return
        }
        var named: Set<RecordZone.ID> = []
        for index in deleted.indices {
            if fault == .staleZoneList, deleted[index].isForFaults {
                named.insert(deleted[index].id)
            } else if case .read(.listZones) = command, deleted[index].isListed(now, options) {
                deleted[index].lists = max(0, deleted[index].lists - 1)
                named.insert(deleted[index].id)
            }
        }
        page.zones.removeAll {
            if case .deleted(let id, _) = $0 { named.contains(id) } else { false }
        }
        named.subtract(page.zones.map(\.id))
        for zone in deleted where named.contains(zone.id) {
            page.zones.append(.zone(RecordZone(id: zone.id, isAtomic: true)))
        }
        deletedZones[key] = deleted.filter {
            $0.isForFaults || $0.isListed(now, options)
        }
    }
}

extension DatabaseKey {
    /// The key by which databases are sorted.
    fileprivate var text: String {
        "\(address.container.rawValue) \(address.environment.rawValue) \(address.scope.rawValue) \(user)"
    }
}

/// Where a request's page begins.
private struct PageStart {
    /// The token as it was sent.
    let sent: String?
    /// The store's token within it; nil is the beginning.
    var token: String?
    /// Empty pages that the settings have put before this page already.
    let empties: Int

    /// Distinguishes these tokens from the store's, which begin with the small number of their layout.
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
    /// Where the pages that it requests begin; empty: its reply has no pages.
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
