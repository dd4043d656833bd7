import CloudModel
import RecordSync

/// The service of a simulated world, in its plainest form: what it holds of each user.
struct SimCloud {
    struct Stored: Equatable {
        var value: Int
        var tag: String
    }
    struct Zone {
        var records: [String: Stored] = [:]
        /// When each record last changed, deletions among them.
        var changed: [String: Int] = [:]
        /// Tokens from before are no longer known.
        var floor = 0
        var epoch: Int
    }
    struct Account {
        var zones: [String: Zone] = [:]
        /// When each zone last changed; how those that are gone went.
        var changed: [String: Int] = [:]
        var gone: [String: Bool] = [:]
        var floor = 0
        var epoch = 0
    }
    enum ItemFailure: Equatable {
        case conflict(Stored)
        case missing, zoneMissing, zonePurged
    }
    var accounts: [String: Account] = [:]
    private var clock = 0
    private var nextEpoch = 1

    private mutating func tick() -> Int {
        clock += 1
        return clock
    }

    // MARK: Writing

    mutating func createZone(_ name: String, _ user: String) {
        guard accounts[user]?.zones[name] == nil else { return }
        nextEpoch += 1
        accounts[user, default: Account()].zones[name] = Zone(epoch: nextEpoch)
        accounts[user]?.gone[name] = nil
        let now = tick()
        accounts[user]?.changed[name] = now
    }

    mutating func deleteZone(_ name: String, _ user: String, isPurged: Bool) {
        guard accounts[user]?.zones.removeValue(forKey: name) != nil else { return }
        accounts[user]?.gone[name] = isPurged
        let now = tick()
        accounts[user]?.changed[name] = now
    }

    mutating func save(
        _ name: String, in zone: String, _ user: String, value: Int, tag: String?
    ) -> Result<Stored, SaveError> {
        guard let before = accounts[user]?.zones[zone] else {
            let isPurged = accounts[user]?.gone[zone] == true
            return .failure(SaveError(isPurged ? .zonePurged : .zoneMissing))
        }
        if let there = before.records[name], there.tag != tag {
            return .failure(SaveError(.conflict(there)))
        }
        if before.records[name] == nil, tag != nil { return .failure(SaveError(.missing)) }
        let now = tick()
        let stored = Stored(value: value, tag: "t\(now)")
        accounts[user]?.zones[zone]?.records[name] = stored
        note(name, zone, user, now)
        return .success(stored)
    }

    struct SaveError: Error {
        let failure: ItemFailure
        init(_ failure: ItemFailure) { self.failure = failure }
    }

    /// - Returns: Whether the zone is there.
    mutating func delete(_ name: String, in zone: String, _ user: String) -> Bool {
        guard accounts[user]?.zones[zone] != nil else { return false }
        if accounts[user]?.zones[zone]?.records.removeValue(forKey: name) != nil {
            note(name, zone, user, tick())
        }
        return true
    }

    private mutating func note(_ name: String, _ zone: String, _ user: String, _ now: Int) {
        accounts[user]?.zones[zone]?.changed[name] = now
        accounts[user]?.changed[zone] = now
    }

    // MARK: Forgetting

    mutating func compact(_ zone: String, _ user: String) {
        guard let before = accounts[user]?.zones[zone] else { return }
        accounts[user]?.zones[zone]?.floor = clock
        accounts[user]?.zones[zone]?.changed = before.changed.filter {
            before.records[$0.key] != nil
        }
    }

    mutating func expire(_ zone: String, _ user: String) {
        let now = tick()
        accounts[user]?.zones[zone]?.floor = now
    }

    mutating func compactDatabase(_ user: String) {
        guard let before = accounts[user] else { return }
        let now = tick()
        accounts[user]?.floor = now
        accounts[user]?.changed = before.changed.filter { before.zones[$0.key] != nil }
    }

    // MARK: Feeds

    /// A position: up to when changes were told, and since when deletions are kept for it.
    private struct Position {
        var moment: Int
        var base: Int

        /// A token is `epoch:moment:base`; nil when it is no longer known.
        init?(_ token: ChangeToken?, _ epoch: Int, _ floor: Int, now: Int) {
            (moment, base) = (0, now)
            guard let token else { return }
            let parts = token.rawValue.split(separator: ":").compactMap { Int($0) }
            guard parts.count == 3, parts[0] == epoch, parts[2] >= floor else { return nil }
            (moment, base) = (parts[1], parts[2])
        }

        /// The position after a page that ends with a moment; nil for the last page.
        func token(after end: Int?, _ epoch: Int, now: Int) -> ChangeToken {
            let moment = end ?? now
            return ChangeToken("\(epoch):\(moment):\(max(base, moment))")
        }
    }

    func databasePage(
        _ user: String, _ token: ChangeToken?, limit: Int, leavingOut: (String) -> Bool
    ) -> Result<SyncAnswer.DatabasePage, SyncFailure> {
        let account = accounts[user] ?? Account()
        guard let from = Position(token, account.epoch, account.floor, now: clock) else {
            return .failure(.tokenExpired)
        }
        let news = account.changed.filter { $0.value > from.moment }.sorted { $0.value < $1.value }
        let page = news.prefix(limit)
        let isAll = page.count == news.count
        let told = page.filter { !leavingOut($0.key) }.map(\.key)
        return .success(
            SyncAnswer.DatabasePage(
                changed: told.filter { account.zones[$0] != nil }.map { RecordZone.ID($0) },
                deleted: told.filter { account.zones[$0] == nil }
                    .map { (RecordZone.ID($0), account.gone[$0] == true) },
                token: from.token(
                    after: isAll ? nil : page.last?.value, account.epoch, now: clock),
                moreComing: !isAll))
    }

    func zonePage(
        _ zone: String, _ user: String, _ token: ChangeToken?, limit: Int,
        shuffledBy random: inout SimRandom
    ) -> Result<SyncAnswer.ZonePage, SyncFailure> {
        guard let zone = accounts[user]?.zones[zone] else {
            return .failure(.zoneMissing(isPurged: accounts[user]?.gone[zone] == true))
        }
        guard let from = Position(token, zone.epoch, zone.floor, now: clock) else {
            return .failure(.tokenExpired)
        }
        let news = zone.changed.filter { $0.value > from.moment }.sorted { $0.value < $1.value }
        let page = news.prefix(limit)
        let isAll = page.count == news.count
        var names = page.map(\.key)
        for index in names.indices.dropLast() {
            names.swapAt(index, index + random.below(names.count - index))
        }
        return .success(
            SyncAnswer.ZonePage(
                changed: names.filter { zone.records[$0] != nil }
                    .map { KnownRecords.Entry(name: $0, type: "Note") },
                deleted: names.filter { zone.records[$0] == nil },
                token: from.token(after: isAll ? nil : page.last?.value, zone.epoch, now: clock),
                moreComing: !isAll))
    }
}
