import Basics
import CloudModel
import DonationStore
import DonationSync
import Donations
import Foundation
import SQLite
import SyncStorageContract
import Testing

/// What the store keeps for a sync, and what the app's own acts add to it.
struct SyncStorageTests {
    @Test(arguments: StorageContract.allCases)
    func `the donation store keeps the contract of a storage`(part: StorageContract) async throws {
        let store = try memoryStore()
        let breach = try await store.sync { sync throws(DonationError) -> String? in
            do {
                try part.check(&sync)
                return nil
            } catch let error as DonationError {
                throw error
            } catch {
                return "\(error)"
            }
        }
        #expect(breach == nil)
    }

    @Test func `what a sync stores is there after the store was closed`() async throws {
        let folder = TemporaryFolder()
        let clock = TestClock()
        var configuration = DonationConfiguration(
            bundleIdentifier: "com.example.app", directory: folder.path, clock: clock.clock)
        configuration.busyTimeout = .seconds(60)
        let address = Self.address
        let store = try DonationStore(configuration: configuration)
        try await store.sync { sync throws(DonationError) in
            var database = SyncDatabase()
            database.token = ChangeToken("QUJD")
            try sync.setDatabase(database, at: address)
            var facts = ExchangeFacts()
            facts.isOn = true
            facts.context = ["a": 3]
            try sync.setExchange(facts)
        }
        await store.flushAndClose()
        let again = try DonationStore(configuration: configuration)
        let (token, facts) = try await again.syncState { sync throws(DonationError) in
            (try sync.database(at: address).token, try sync.exchange())
        }
        #expect(token == ChangeToken("QUJD") && facts.isOn && facts.context == ["a": 3])
        await again.flushAndClose()
    }

    @Test func `a step that fails leaves nothing of itself`() async throws {
        let store = try memoryStore()
        let address = Self.address
        await #expect(throws: DonationError.self) {
            try await store.sync { sync throws(DonationError) in
                var account = SyncAccount()
                account.identity = "_ann"
                try sync.setAccount(account, at: address)
                throw DonationError(.invalid, "planned")
            }
        }
        let identity = try await store.syncState { sync throws(DonationError) in
            try sync.account(at: address).identity
        }
        #expect(identity == nil)
    }

    // MARK: Files of the version before

    @Test func `a store of version 1 is brought up to date, and keeps what it has`() async throws {
        let folder = TemporaryFolder()
        let clock = TestClock()
        let configuration = DonationConfiguration(
            bundleIdentifier: "com.example.app", directory: folder.path, clock: clock.clock)
        let first = try DonationStore(configuration: configuration)
        _ = try await first.donate([Self.interaction("one", record: "r-1")])
        try await first.restrict(container: "iCloud.restricted")
        await first.flushAndClose()
        try Self.makeVersion1(configuration.databasePath)
        let store = try DonationStore(configuration: configuration)
        #expect(try await store.list(.interaction).map(\.identifier) == ["one"])
        #expect(try await store.restrictedContainers() == ["iCloud.restricted"])
        let removed = try await store.sync { sync throws(DonationError) in
            try sync.deleteLinked(
                [ContentLink(Self.address.container, .private, zone: RecordZone.ID("Notes"))],
                .everywhere)
        }
        #expect(removed == 1)
        await store.flushAndClose()
    }

    /// Takes out of a file what version 2 added.
    private static func makeVersion1(_ path: String) throws {
        let connection = try Connection(.file(path))
        let tables = try connection.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'sync_%'")
        for table in tables { try connection.execute("DROP TABLE \(table[0].string ?? "")") }
        let indexes = try connection.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'index'"
                + " AND (name LIKE '%_record' OR name LIKE '%_parked')")
        for index in indexes { try connection.execute("DROP INDEX \(index[0].string ?? "")") }
        for table in ["interactions", "activities", "saved", "items", "intents"] {
            let columns = try connection.rows("SELECT name FROM pragma_table_info('\(table)')")
            for column in columns.compactMap({ $0[0].string })
            where column.hasPrefix("sync_") || column == "parked" {
                try connection.execute("ALTER TABLE \(table) DROP COLUMN \(column)")
            }
        }
        try connection.execute("DELETE FROM facts WHERE name GLOB 'pieces-*'")
        try connection.execute(
            "CREATE TABLE old(container TEXT PRIMARY KEY) WITHOUT ROWID;"
                + "INSERT INTO old SELECT container FROM restricted; DROP TABLE restricted;"
                + "ALTER TABLE old RENAME TO restricted; PRAGMA user_version = 1")
    }

    // MARK: The app's own acts

    @Test func `a deletion for all devices is noted with it, one for this device is not`()
        async throws
    {
        let store = try memoryStore()
        try await Self.switchOn(store)
        _ = try await store.donate([Self.interaction("one"), Self.interaction("two")])
        try await store.delete(.interactions(identifiers: ["one"]), scope: .thisDevice)
        #expect(try await Self.ownDeletions(store).isEmpty)
        try await store.delete(.interactions(identifiers: ["two"]), scope: .everywhere)
        #expect(
            try await Self.ownDeletions(store).map(\.words)
                == [.selector(.interactions(identifiers: ["two"]))])
        // What matches nothing here may match on another device.
        try await store.delete(.interactionGroup("g"), scope: .everywhere)
        #expect(try await Self.ownDeletions(store).map(\.sequence) == [1, 2])
    }

    @Test func `without the exchange no deletion is noted`() async throws {
        let store = try memoryStore()
        try await store.delete(.interactions(identifiers: ["two"]), scope: .everywhere)
        #expect(try await Self.ownDeletions(store).isEmpty)
    }

    @Test func `a strict deletion that is refused notes nothing`() async throws {
        let store = try memoryStore { $0.isStrict = true }
        try await Self.switchOn(store)
        await #expect(throws: DonationError.self) {
            try await store.delete(.interactions(identifiers: ["none"]), scope: .everywhere)
        }
        #expect(try await Self.ownDeletions(store).isEmpty)
    }

    @Test(arguments: [DeletionScope.thisDevice, .everywhere])
    func `the record of a row that goes is noted, to be deleted or not`(scope: DeletionScope)
        async throws
    {
        let store = try memoryStore()
        try await Self.put(store, "one", record: "d-1")
        try await store.delete(.interactions(identifiers: ["one"]), scope: scope)
        let gone = try await store.syncState { sync throws(DonationError) in
            try sync.gone("d-1")
        }
        let isEverywhere = scope == .everywhere
        let donated = isEverywhere ? nil : Timestamp(milliseconds: 5)
        #expect(
            gone == GoneRecord("d-1", tag: "t", isToDelete: isEverywhere, donatedAt: donated))
        #expect(try await Self.ownDeletions(store).isEmpty)
    }

    /// The service's clock as last seen, in seconds from the beginning; nil: never.
    @Test(arguments: [nil, 9, 10, 20])
    func `what expires by the service's clock too is deleted from the zone, without a deletion`(
        seen: Int?
    ) async throws {
        let clock = TestClock()
        let store = try memoryStore(clock)
        try await Self.switchOn(store)
        try await Self.put(store, "one", record: "d-1") {
            $0.donation.expiration = clock.now.advanced(by: .seconds(10))
        }
        let (begin, end) = (clock.now, clock.now.advanced(by: .seconds(10)))
        try await store.sync { sync throws(DonationError) in
            var facts = try sync.exchange()
            facts.serverTime = seen.map { begin.advanced(by: .seconds($0)) }
            try sync.setExchange(facts)
        }
        clock.advance(by: .seconds(20))
        #expect(try await store.expire().count == 1)
        let gone = try await store.syncState { sync throws(DonationError) in
            try sync.gone("d-1")
        }
        #expect(gone?.isToDelete == (seen.map { $0 >= 10 } ?? false))
        #expect(gone?.deletesFrom == (gone?.isToDelete == true ? nil : end))
        #expect(try await Self.ownDeletions(store).isEmpty)
    }

    @Test func `a row that is donated again keeps its record and is sent anew`() async throws {
        let store = try memoryStore()
        try await Self.put(store, "one", record: "d-1") {
            $0.device = "other"
            $0.isRefused = true
        }
        _ = try await store.donate([Self.interaction("one")])
        let row = try await store.syncState { sync throws(DonationError) in
            try sync.row(named: "d-1")
        }
        #expect(row?.edits == 1 && row?.device == nil && row?.isRefused == false)
        #expect(row?.isToUpload == true)
    }

    @Test func `an interaction that loses its activity is sent anew`() async throws {
        let store = try memoryStore()
        try await Self.put(store, "one", record: "d-1") {
            $0.donation.nestedActivity = Donation.NestedActivity(
                activityType: "T", persistentIdentifier: "p", payload: [])
        }
        try await store.delete(.activities(persistentIdentifiers: ["p"]))
        let row = try await store.syncState { sync throws(DonationError) in
            try sync.row(named: "d-1")
        }
        #expect(row?.edits == 1 && row?.donation.nestedActivity == nil)
    }

    @Test func `an activity waits out of sight until its item is indexed`() async throws {
        let store = try memoryStore()
        try await store.sync { sync throws(DonationError) in
            for kind in [DonationKind.activity, .savedActivity] {
                var donation = Donation(kind, type: "T", at: Timestamp(milliseconds: 5))
                donation.persistentIdentifier = "p"
                donation.savedKey = "p:p"
                donation.relatedIdentifier = "item"
                donation.title = "Hidden words"
                donation.eligibility = [.search, .prediction]
                donation.predictionKey = [1]
                try sync.putRow(SyncedRow(donation, recordName: "d-\(kind)", isParked: true))
            }
        }
        #expect(try await store.search("hidden", limit: 9).isEmpty)
        #expect(try await store.suggestions(at: Date(timeIntervalSince1970: 1)).isEmpty)
        for kind in [DonationKind.activity, .savedActivity] {
            #expect(try await store.list(kind).isEmpty)
        }
        let byName = DonationSelector.activities(persistentIdentifiers: ["p"])
        #expect(try await store.list(byName, limit: 9).isEmpty)
        #expect(try await !Self.exported(store).contains("Hidden words"))
        // What is left and what a deletion means is the whole truth.
        #expect(try await store.counts() == [.activity: 1, .savedActivity: 1])
        #expect(try await store.parkedCount() == 2)
        #expect(try await store.auditFacts().parked == 2)
        #expect(try await store.remainder(mentioning: ["Hidden words"]).count == 2)
        #expect(try await store.preview(byName).removedCount == 2)
        let item = Donation(
            .searchableItem, identifier: "item", type: "public.item",
            at: Timestamp(milliseconds: 6))
        _ = try await store.index([(item, .replace)])
        #expect(try await store.search("hidden", limit: 9).count == 1)
        #expect(try await store.list(.activity).count == 1)
        #expect(try await store.list(byName, limit: 9).count == 2)
        #expect(try await Self.exported(store).contains("Hidden words"))
        #expect(try await store.parkedCount() == 0)
        #expect(try await !store.suggestions(at: Date(timeIntervalSince1970: 1)).isEmpty)
    }

    private static func exported(_ store: DonationStore) async throws -> String {
        String(decoding: try await store.export(), as: UTF8.self)
    }

    // MARK: Erased zones

    @Test func `nothing is donated about a fenced zone until the fence is lifted`() async throws {
        let store = try memoryStore()
        let address = Self.address
        let zone = RecordZone.ID("Notes")
        try await store.sync { sync throws(DonationError) in
            try sync.setFences([
                SyncFence(
                    address: address, zone: zone, run: "run-1",
                    since: Timestamp(milliseconds: 1))
            ])
        }
        let about = Self.interaction("one", record: "r-1")
        #expect(try await store.donate([about]) == [.refusedErased])
        #expect(try await store.outcomes(limit: 1).first?.outcome == .refusedErased)
        _ = try await store.sync { sync throws(DonationError) in
            try sync.unfence(zone, at: address)
        }
        #expect(try await store.donate([about]) == [.stored])
    }

    @Test func `nothing is donated about a zone that the user purged`() async throws {
        let store = try memoryStore()
        let part = ContentLink(Self.address.container, .private, zone: RecordZone.ID("Notes"))
        try await store.sync { sync throws(DonationError) in try sync.refuseLinks(into: part) }
        let about = Self.interaction("one", record: "r-1")
        #expect(try await store.donate([about]) == [.refusedErased])
        #expect(try await store.donate([Self.interaction("two")]) == [.stored])
        try await store.sync { sync throws(DonationError) in try sync.allowLinks(into: part) }
        #expect(try await store.donate([about]) == [.stored])
    }

    @Test func `a suspension by the sync and one by the app are two`() async throws {
        let store = try memoryStore()
        let container = Self.address.container
        try await store.sync { sync throws(DonationError) in try sync.suspend(container) }
        let about = Self.interaction("one", record: "r-1")
        #expect(try await store.donate([about]) == [.refusedRestricted])
        try await store.restrict(container: container.rawValue)
        try await store.sync { sync throws(DonationError) in try sync.resume(container) }
        #expect(try await store.donate([about]) == [.refusedRestricted])
        try await store.unrestrict(container: container.rawValue)
        #expect(try await store.donate([about]) == [.stored])
    }

    @Test func `items that a sync cannot tell anything of are asked for again, once`()
        async throws
    {
        let store = try memoryStore()
        try await store.index(.item("x"), .item("y"))
        let renewer = LaterDecisionTableTests.Renewer(store, renewed: ["y"])
        for includesItems in [false, true] {
            _ = try await store.expire()
            try await store.sync { sync throws(DonationError) in
                _ = try sync.removeExchangedRows(includingItems: includesItems)
            }
        }
        #expect(try await store.contents() == [])
        // Nobody is there to be asked: it is not forgotten.
        _ = try await store.expire()
        store.setRenewer(renewer, indexName: nil)
        _ = try await store.expire()
        #expect(try await store.contents() == ["searchableItem y"])
        _ = try await store.expire()
        #expect(renewer.asked.withLock { $0 } == ["y"])
    }

    @Test func `items are not asked for again after everything was erased`() async throws {
        let store = try memoryStore()
        try await store.index(.item("y"))
        store.setRenewer(
            LaterDecisionTableTests.Renewer(store, renewed: ["y"]), indexName: nil)
        try await store.sync { sync throws(DonationError) in
            _ = try sync.removeExchangedRows(includingItems: true)
        }
        try await store.eraseEverything()
        _ = try await store.expire()
        #expect(try await store.contents() == [])
    }

    // MARK: The log of names

    @Test func `a long log of names is written anew and says the same`() async throws {
        let store = try memoryStore()
        let (address, zone) = (Self.address, RecordZone.ID("Notes"))
        let stale = try await store.sync { sync throws(DonationError) in
            var state = SyncZone(zone)
            state.isScanning = false
            try sync.setZone(state, at: address)
            let names = (0..<300).map { "record-\($0)" }
            try sync.note(names, in: zone, at: address, generation: 1)
            try sync.forgetNames(["record-7"], in: zone, at: address)
            for _ in 0..<400 {
                try sync.note(Array(names[100..<200]), in: zone, at: address, generation: 2)
                try sync.note(Array(names[150..<180]), in: zone, at: address, generation: 3)
            }
            return try sync.notedNames(among: names, in: zone, at: address, before: 3)
        }
        let expected = (0..<300).filter { !(150..<180).contains($0) && $0 != 7 }
        #expect(stale == expected.map { "record-\($0)" })
    }

    // MARK: Values

    private static let address: Database.Address = {
        guard let id = Container.ID("iCloud.com.example.app") else { preconditionFailure() }
        return Database.Address(container: id, environment: .development, scope: .private)
    }()

    private static func interaction(_ name: String, record: String? = nil) -> Donation {
        var donation = Donation(
            .interaction, identifier: name, type: "T", at: Timestamp(milliseconds: 5))
        donation.link = record.map {
            ContentLink(address.container, .private, zone: RecordZone.ID("Notes"), record: $0)
        }
        return donation
    }

    private static func put(
        _ store: DonationStore, _ name: String, record: String,
        _ change: @Sendable (inout SyncedRow) -> Void = { _ in }
    ) async throws {
        var row = SyncedRow(interaction(name), recordName: record, tag: "t")
        change(&row)
        let changed = row
        try await store.sync { sync throws(DonationError) in _ = try sync.putRow(changed) }
    }

    private static func switchOn(_ store: DonationStore) async throws {
        try await store.sync { sync throws(DonationError) in try Exchange.setOn(true, &sync) }
    }

    private static func ownDeletions(_ store: DonationStore) async throws -> [OwnDeletion] {
        try await store.syncState { sync throws(DonationError) in
            try sync.ownDeletions(limit: 9)
        }
    }
}
