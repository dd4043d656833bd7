import AsyncOperations
import CloudKit
import CloudModel
import Foundation
import Testing

/// `CKSyncEngine` against the mock service, as apps use it.
@Suite(.timeLimit(.minutes(10)))
struct SyncEngineTests {
    private let world: World
    private let app = SyncedApp()
    private let engine: CKSyncEngine
    private let zone = CKRecordZone.ID(zoneName: "Notes")

    init() throws {
        world = try World()
        engine = app.engine(world.ours, clock: world.clock)
    }

    private func notes(_ count: Int, _ zone: CKRecordZone.ID) -> [CKRecord] {
        (0..<count).map { world.note("n\($0)", zone, title: "\($0)") }
    }

    @Test(arguments: [1, 10, 444])
    func `records go out after their zone, and another device has them`(count: Int) async throws {
        engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: zone))])
        app.save(notes(count, zone), engine)
        try await engine.sendChanges()
        let batches = Array(repeating: "sentRecordZoneChanges", count: (count + 199) / 200)
        #expect(
            app.words() == ["accountChange", "willSendChanges", "sentDatabaseChanges"] + batches
                + ["didSendChanges"])
        #expect(engine.state.pendingRecordZoneChanges.isEmpty)
        #expect(engine.state.pendingDatabaseChanges.isEmpty)

        let tablet = SyncedApp()
        try await tablet.engine(world.ours, clock: world.clock).fetchChanges()
        #expect(tablet.known.withLock { $0.fetched.count } == count)
        let words = tablet.words().filter { $0 != "fetchedRecordZoneChanges" }
        #expect(
            words == [
                "accountChange", "willFetchChanges", "fetchedDatabaseChanges",
                "willFetchRecordZoneChanges", "didFetchRecordZoneChanges", "didFetchChanges",
            ])
    }

    @Test func `a conflict that the app does not resolve is tried once more, and then waits`()
        async throws
    {
        try await world.zone("Notes")
        let mine = world.note("a", zone, title: "mine")
        try await world.ours.save(world.note("a", zone, title: "theirs"))
        let titles = Locked<[String]>([])
        app.known.withLock { known in
            known.onFailure = { _, error, engine in
                let server = error.serverRecord
                titles.withLock { $0.append(server?["title"] ?? "?") }
                engine.state.add(pendingRecordZoneChanges: [.saveRecord(mine.recordID)])
            }
        }
        app.save([mine], engine)
        let thrown = await failure { try await engine.sendChanges() }
        #expect(thrown?.code == .partialFailure)
        let item = thrown?.partialErrorsByItemID?[AnyHashable(mine.recordID)] as? CKError
        #expect(item?.code == .serverRecordChanged)
        #expect(titles.withLock { $0 } == ["theirs", "theirs"])
        #expect(engine.state.pendingRecordZoneChanges == [.saveRecord(mine.recordID)])
    }

    @Test func `a conflict that the app resolves is sent in the same send`() async throws {
        let zone = try await world.zone("Notes")
        try await world.ours.save(world.note("n7", zone, title: "theirs"))
        let app = app
        app.known.withLock { known in
            known.onFailure = { record, error, engine in
                guard let server = error.serverRecord else { return }
                server["title"] = "both"
                app.known.withLock { $0.records[record.recordID] = server }
                engine.state.add(pendingRecordZoneChanges: [.saveRecord(record.recordID)])
            }
        }
        app.save(notes(444, zone), engine)
        try await engine.sendChanges()
        #expect(app.known.withLock { $0.failures } == [.serverRecordChanged])
        #expect(engine.state.pendingRecordZoneChanges.isEmpty)
        let stored = try await world.ours.record(
            for: CKRecord.ID(recordName: "n7", zoneID: zone))
        #expect(stored["title"] == "both")
    }

    @Test func `a record in a missing zone is the app's to decide`() async throws {
        app.save(notes(1, zone), engine)
        let thrown = await failure { try await engine.sendChanges() }
        #expect(thrown?.code == .partialFailure)
        #expect(app.known.withLock { $0.failures } == [.zoneNotFound])
        #expect(engine.state.pendingRecordZoneChanges.isEmpty)
    }

    @Test func `what failed on the way is pending again, and goes by itself when it is time`()
        async throws
    {
        let zone = try await world.zone("Notes")
        let automatic = app.engine(world.ours, automatically: true, clock: world.clock)
        await app.wait(for: "didFetchChanges")
        await world.clock.waitForSleepers()
        // The account is asked for first, and answers.
        world.canned.withLock { $0 = [] }
        app.known.withLock { $0.failures = [] }
        world.faultsOnWrites.withLock {
            $0 = [CloudError(.throttled, retryAfter: .seconds(30))]
        }
        app.save(notes(1, zone), automatic)
        await app.wait(for: "didSendChanges")
        await world.clock.waitForSleepers()
        #expect(app.known.withLock { $0.failures } == [.requestRateLimited])
        #expect(automatic.state.pendingRecordZoneChanges.count == 1)
        #expect(try #require(world.clock.untilNextDeadline) >= .seconds(29))
        world.clock.advance(by: .seconds(31))
        await app.wait(for: "didSendChanges")
        #expect(automatic.state.pendingRecordZoneChanges.isEmpty)
        #expect(app.known.withLock { $0.reasons } == [.scheduled])
    }

    @Test func `an engine begins where the state of another ended`() async throws {
        let zone = try await world.zone("Notes")
        try await world.ours.save(world.note("a", zone, title: "a"))
        try await engine.fetchChanges()
        engine.state.add(pendingRecordZoneChanges: [
            .deleteRecord(CKRecord.ID(recordName: "a", zoneID: zone))
        ])
        await app.wait(for: "stateUpdate")
        while app.known.withLock({ $0.words.last }) != "stateUpdate" {
            await app.wait(for: "stateUpdate")
        }
        let state = try #require(app.known.withLock { $0.state })
        let data = try JSONEncoder().encode(state)
        app.known.withLock { $0 = SyncedApp.Known() }
        app.known.withLock {
            $0.state = try? JSONDecoder().decode(
                CKSyncEngine.State.Serialization.self, from: data)
        }
        let next = app.engine(world.ours, clock: world.clock, resuming: true)
        if next.state.pendingRecordZoneChanges.isEmpty {
            // The update of the addition may come after the one that was waited for.
            next.state.add(pendingRecordZoneChanges: [
                .deleteRecord(CKRecord.ID(recordName: "a", zoneID: zone))
            ])
        }
        try await next.fetchChanges()
        #expect(app.known.withLock { $0.fetched.isEmpty })
        try await next.sendChanges()
        #expect(app.known.withLock { $0.accounts }.isEmpty)
        let left = await failure {
            _ = try await world.ours.record(for: CKRecord.ID(recordName: "a", zoneID: zone))
        }
        #expect(left?.code == .unknownItem)
    }

    @Test func `a deletion has the record's type`() async throws {
        let zone = try await world.zone("Notes")
        let note = world.note("a", zone)
        try await world.ours.save(note)
        try await engine.fetchChanges()
        try await world.ours.deleteRecord(withID: note.recordID)
        try await engine.fetchChanges()
        let deleted = app.known.withLock { $0.deleted }
        #expect(deleted.map(\.recordType) == ["Note"])
        #expect(deleted.map(\.recordID) == [note.recordID])
    }

    @Test(arguments: [
        (RecordZone.DeletionReason.deleted, CKDatabase.DatabaseChange.Deletion.Reason.deleted),
        (.purged, .purged), (.encryptedDataReset, .encryptedDataReset),
    ])
    func `a zone goes with its reason, and what the user erased is not sent again`(
        reason: RecordZone.DeletionReason, native: CKDatabase.DatabaseChange.Deletion.Reason
    ) async throws {
        let zone = try await world.zone("Notes")
        app.save(notes(1, zone), engine)
        try await engine.sendChanges()
        try await engine.fetchChanges()
        try await world.lose(zone, reason)
        app.save(notes(1, zone), engine)
        try await engine.fetchChanges()
        #expect(app.known.withLock { $0.zonesGone.map(\.reason) } == [native])
        #expect(engine.state.pendingRecordZoneChanges.isEmpty == (reason == .purged))
    }

    @Test func `nobody signed in is told once, and forgets what was pending`() async throws {
        let zone = try await world.zone("Notes")
        app.save(notes(1, zone), engine)
        try await engine.sendChanges()
        app.save(notes(2, zone), engine)
        world.fail(CloudError(.authenticationRequired))
        let thrown = await failure { try await engine.sendChanges() }
        #expect(thrown?.code == .notAuthenticated)
        world.fail(CloudError(.authenticationRequired))
        let again = await failure { try await engine.fetchChanges() }
        #expect(again?.code == .notAuthenticated)
        #expect(engine.state.pendingRecordZoneChanges.isEmpty)
        let accounts = app.known.withLock { $0.accounts }
        #expect(accounts.count == 2)
        guard case .signOut? = accounts.last else {
            Issue.record("\(accounts)")
            return
        }
    }

    @Test func `a credential that is refused is no sign-out`() async throws {
        let zone = try await world.zone("Notes")
        app.save(notes(1, zone), engine)
        try await engine.sendChanges()
        app.save([world.note("m", zone)], engine)
        world.fail(CloudError(.authenticationFailed))
        let thrown = await failure { try await engine.sendChanges() }
        #expect(thrown?.code == .notAuthenticated)
        #expect(engine.state.pendingRecordZoneChanges.count == 1)
        try await engine.sendChanges()
        #expect(app.known.withLock { $0.accounts.count } == 1)
    }

    @Test func `a cancelled send ends, and what was pending stays`() async throws {
        let zone = try await world.zone("Notes")
        app.save(notes(3, zone), engine)
        let (asked, tell) = AsyncStream<Void>.makeStream()
        world.asked.withLock { $0 = { tell.yield() } }
        world.hangs.withLock { $0 = true }
        async let sending = failure { try await engine.sendChanges() }
        for await _ in asked { break }
        world.hangs.withLock { $0 = false }
        await engine.cancelOperations()
        #expect(await sending?.code == .operationCancelled)
        #expect(engine.state.pendingRecordZoneChanges.count == 3)
    }

    @Test func `an atomic batch stores all or none of each zone`() async throws {
        let zone = try await world.zone("Notes")
        try await world.ours.save(world.note("n1", zone, title: "theirs"))
        let app = AtomicApp(records: notes(3, zone))
        var configuration = CKSyncEngine.Configuration(
            database: world.ours, stateSerialization: nil, delegate: app)
        configuration.automaticallySync = false
        let engine = CKSyncEngine(configuration, clock: world.clock, seed: 1)
        engine.state.hasPendingUntrackedChanges = true
        let thrown = await failure { try await engine.sendChanges() }
        let errors = thrown?.partialErrorsByItemID ?? [:]
        let codes = errors.values.compactMap { ($0 as? CKError)?.code.rawValue }.sorted()
        #expect(codes == [14, 22, 22])
    }

    @Test func `another person's zone is followed in the shared database`() async throws {
        let zone = try await world.zone("Trips")
        try world.share(zone)
        try await world.ours.save(world.note("a", zone, title: "Rome"))
        let bob = SyncedApp()
        let engine = bob.engine(
            world.container(of: "bob").sharedCloudDatabase, clock: world.clock)
        try await engine.fetchChanges()
        let notes = bob.known.withLock { $0.fetched.values.filter { $0.recordType == "Note" } }
        let fetched = try #require(notes.first)
        #expect(fetched["title"] == "Rome")
        #expect(fetched.recordID.zoneID.ownerName != CKCurrentUserDefaultName)
        try world.unshare(zone)
        try await engine.fetchChanges()
        #expect(bob.known.withLock { $0.zonesGone.count } == 1)
    }
}

/// Sends the same atomic batch once.
private final class AtomicApp: CKSyncEngineDelegate {
    private let records: Locked<[CKRecord]>
    init(records: [CKRecord]) { self.records = Locked(records) }

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {}

    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
        syncEngine.state.hasPendingUntrackedChanges = false
        let records = records.withLock { records in
            defer { records = [] }
            return records
        }
        return records.isEmpty
            ? nil : CKSyncEngine.RecordZoneChangeBatch(recordsToSave: records, atomicByZone: true)
    }
}
