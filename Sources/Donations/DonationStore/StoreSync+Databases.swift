import Basics
package import CloudModel
package import DonationSync
import SQLite

// Users and databases.
extension StoreSync {
    package func account(at address: Database.Address) throws(DonationError) -> SyncAccount {
        try core.read(
            "SELECT identity, doubted, suspended, exchanges, epoch FROM sync_accounts"
                + " WHERE container = ? AND environment = ?", address.container1,
            address.environment2
        ) { row in
            var account = SyncAccount()
            account.identity = row.optionalText(at: 0)
            account.isDoubted = row.bool(at: 1)
            account.isSuspended = row.bool(at: 2)
            account.hasDonationZone = row.bool(at: 3)
            account.epoch = row.int64(at: 4)
            return account
        }.first ?? SyncAccount()
    }

    package mutating func setAccount(
        _ account: SyncAccount, at address: Database.Address
    ) throws(DonationError) {
        try core.change(
            "INSERT OR REPLACE INTO sync_accounts VALUES (?, ?, ?, ?, ?, ?, ?)", address.container1,
            address.environment2, .text(orNull: account.identity), .flag(account.isDoubted),
            .flag(account.isSuspended), .flag(account.hasDonationZone), .integer(account.epoch))
    }

    package func database(at address: Database.Address) throws(DonationError) -> SyncDatabase {
        try core.read(
            "SELECT token, generation, listing, sweeping, aborted, exchange_dirty, repeats,"
                + " not_before, waits_since, wait, failures, halt, last_round FROM sync_databases"
                + " WHERE \(Database.Address.condition)", address.container1,
            address.environment2, address.scope3
        ) { row in
            var database = SyncDatabase()
            database.token = row.token(at: 0)
            database.generation = row.int64(at: 1)
            database.isListing = row.bool(at: 2)
            database.isSweeping = row.bool(at: 3)
            database.abortedLists = row.int64(at: 4)
            database.isExchangeDirty = row.bool(at: 5)
            database.repeats = row.int64(at: 6)
            database.notBefore = row.moment(at: 7)
            database.waitsSince = row.moment(at: 8)
            database.wait = row.optionalText(at: 9).flatMap { SyncWait(rawValue: $0) }
            database.failures = row.int64(at: 10)
            database.halt = row.optionalText(at: 11).flatMap { SyncHalt(rawValue: $0) }
            database.lastRound = row.moment(at: 12)
            return database
        }.first ?? SyncDatabase()
    }

    package mutating func setDatabase(
        _ database: SyncDatabase, at address: Database.Address
    ) throws(DonationError) {
        try core.change(
            "INSERT OR REPLACE INTO sync_databases"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", address.container1,
            address.environment2, address.scope3, .text(orNull: database.token?.rawValue),
            .integer(database.generation), .flag(database.isListing), .flag(database.isSweeping),
            .integer(database.abortedLists), .flag(database.isExchangeDirty),
            .integer(database.repeats), .integer(orNull: database.notBefore?.milliseconds),
            .integer(orNull: database.waitsSince?.milliseconds),
            .text(orNull: database.wait?.rawValue), .integer(database.failures),
            .text(orNull: database.halt?.rawValue),
            .integer(orNull: database.lastRound?.milliseconds))
    }

    package mutating func forgetDatabases(
        beside address: Database.Address
    ) throws(DonationError) {
        let (container, environment) = (address.container1, address.environment2)
        let beside = "container = ? AND environment = ?"
        // A wait that was asked for stands, whoever is signed in.
        try core.change(
            "UPDATE sync_databases SET token = NULL, generation = 1, listing = 1, sweeping = 0,"
                + " aborted = 0, exchange_dirty = 0, repeats = 0, halt = NULL, last_round = NULL WHERE \(beside)",
            container, environment)
        try core.change(
            "DELETE FROM sync_names WHERE zone IN (SELECT id FROM sync_zones WHERE \(beside))",
            container, environment)
        try core.change("DELETE FROM sync_zones WHERE \(beside)", container, environment)
        try core.change("DELETE FROM sync_refusals WHERE container = ?", container)
    }

    // MARK: Reports

    package func report(at address: Database.Address) throws(DonationError) -> SyncReport {
        var report = SyncReport()
        let counts = try core.read(
            "SELECT name, count FROM sync_counts WHERE \(Database.Address.condition)",
            address.container1, address.environment2, address.scope3
        ) { ($0.text(at: 0), $0.int64(at: 1)) }
        for (name, count) in counts { report.set(name, count) }
        let zones = try core.read(
            "SELECT owner, zone, records, devices, first, last FROM sync_resurrected"
                + " WHERE \(Database.Address.condition)", address.container1,
            address.environment2, address.scope3
        ) { row in
            var entry = SyncReport.Resurrection(
                first: Timestamp(milliseconds: row.int64(at: 4)))
            entry.last = Timestamp(milliseconds: row.int64(at: 5))
            entry.records = row.int64(at: 2)
            entry.devices = Set(row.text(at: 3).split(separator: "\n").map { String($0) })
            return (RecordZone.ID(row.text(at: 1), owner: row.text(at: 0)), entry)
        }
        for (zone, entry) in zones { report.resurrected[zone] = entry }
        return report
    }

    package mutating func addReport(
        _ report: SyncReport, at address: Database.Address
    ) throws(DonationError) {
        for (name, count) in report.counts where count != 0 {
            try core.change(
                "INSERT INTO sync_counts VALUES (?, ?, ?, ?, ?) ON CONFLICT"
                    + " DO UPDATE SET count = count + excluded.count", address.container1,
                address.environment2, address.scope3, .text(name), .integer(count))
        }
        guard !report.resurrected.isEmpty else { return }
        var sum = SyncReport()
        sum.resurrected = try self.report(at: address).resurrected
        var new = SyncReport()
        new.resurrected = report.resurrected
        sum.add(new)
        for (zone, entry) in sum.resurrected where report.resurrected[zone] != nil {
            try core.change(
                "INSERT OR REPLACE INTO sync_resurrected VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                address.container1, address.environment2, address.scope3,
                .text(zone.ownerRecordName ?? ""), .text(zone.zoneName), .integer(entry.records),
                .text(entry.devices.sorted().joined(separator: "\n")),
                .integer(entry.first.milliseconds), .integer(entry.last.milliseconds))
        }
    }
}

extension RecordZone.ID {
    /// A zone as a row names it: "" stands for no owner.
    init(_ name: String, owner: String) {
        self.init(name, ownerRecordName: owner.isEmpty ? nil : owner)
    }
}

extension SyncReport {
    /// The counters by name.
    private static let plain:
        [(name: String, path: any WritableKeyPath<SyncReport, Int64> & Sendable)] =
            [
                ("requests", \.requests), ("recordsSeen", \.recordsSeen),
                ("deletionsSeen", \.deletionsSeen), ("zonesUnclear", \.zonesUnclear),
                ("rescans", \.rescans), ("uploaded", \.uploaded), ("downloaded", \.downloaded),
                ("deletionsSent", \.deletionsSent), ("deletionsReceived", \.deletionsReceived),
                ("refused", \.refused), ("parked", \.parked), ("rescued", \.rescued),
                ("waits", \.waits),
            ]

    /// Every counter with its name.
    var counts: [(String, Int64)] {
        Self.plain.map { ($0.name, self[keyPath: $0.path]) }
            + removed.map { ("removed " + $0.key.rawValue, $0.value) }
            + zonesGone.map { ("gone " + $0.key.rawValue, $0.value) }
    }

    /// Sets the counter of a name.
    mutating func set(_ name: String, _ count: Int64) {
        if let plain = Self.plain.first(where: { $0.name == name }) {
            self[keyPath: plain.path] = count
        } else if name.hasPrefix("removed "), let cause = Cause(rawValue: String(name.dropFirst(8)))
        {
            removed[cause] = count
        } else if name.hasPrefix("gone "),
            let reason = SyncGoneReason(rawValue: String(name.dropFirst(5)))
        {
            zonesGone[reason] = count
        }
    }
}
