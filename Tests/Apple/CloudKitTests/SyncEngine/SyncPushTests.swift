import AsyncOperations
import CloudKit
import CloudKitMock
import Foundation
import Testing

/// Engines that are pushed what other devices change. Their clock stands still: nothing is looked for.
@Suite(.timeLimit(.minutes(10)))
struct SyncPushTests {
    private static let id = "iCloud.com.example.pushed"

    /// A device of its own, over TLS.
    private func device(_ cloud: MockCloud) async throws -> CKContainer {
        let variables = try await cloud.variables(as: "ann")
        var configuration = try CloudKitConfiguration(environment: variables)
        configuration.defaultContainerIdentifier = Self.id
        return CKContainer(
            identifier: nil, connection: CloudConnection(configuration))
    }

    private func run(_ body: @Sendable (MockCloud) async throws -> Void) async throws {
        let configuration = MockCloudConfiguration(containers: [Self.id], accounts: ["ann"])
        try await withMockCloud(
            seed: 31, depth: .socket, configuration: configuration, body)
    }

    private func note(_ name: String, _ zone: CKRecordZone.ID) -> CKRecord {
        CKRecord(
            recordType: "Note", recordID: CKRecord.ID(recordName: name, zoneID: zone))
    }

    @Test func `a push has an engine fetch, and its subscription is made once`() async throws {
        try await run { cloud in
            let (phone, tablet) = (try await device(cloud), try await device(cloud))
            let zone = CKRecordZone.ID(zoneName: "Notes")
            let app = SyncedApp()
            let clock = ManualClock()
            let engine = app.engine(phone.privateCloudDatabase, automatically: true, clock: clock)
            // At the beginning, and once pushes come.
            await app.wait(for: "didFetchChanges")
            await app.wait(for: "didFetchChanges")
            for number in 0..<3 {
                if number == 0 {
                    try await tablet.privateCloudDatabase.save(CKRecordZone(zoneID: zone))
                }
                let note = note("n\(number)", zone)
                try await tablet.privateCloudDatabase.save(note)
                repeat {
                    await app.wait(for: "didFetchChanges")
                } while app.known.withLock { $0.fetched[note.recordID] } == nil
            }
            #expect(clock.now.sinceStart == .zero)
            let made = try await tablet.privateCloudDatabase.allSubscriptions()
            #expect(made.map(\.subscriptionID) == ["cksyncengine-private"])
            // The next engine takes what is there.
            let other = SyncedApp()
            let second = other.engine(
                tablet.privateCloudDatabase, automatically: true, clock: clock)
            await other.wait(for: "didFetchChanges")
            await other.wait(for: "didFetchChanges")
            #expect(try await tablet.privateCloudDatabase.allSubscriptions().count == 1)
            withExtendedLifetime((engine, second)) {}
        }
    }

    @Test func `an engine that its app drives makes no subscription`() async throws {
        try await run { cloud in
            let phone = try await device(cloud)
            let app = SyncedApp()
            let engine = app.engine(phone.privateCloudDatabase, clock: ManualClock())
            try await engine.fetchChanges()
            withExtendedLifetime(app) {}
            #expect(try await cloud.requests("subscriptions/list").isEmpty)
            #expect(try await cloud.requests("tokens/create").isEmpty)
        }
    }

    @Test func `after the courier was away the engine looks, and is pushed again`() async throws {
        try await run { cloud in
            let (phone, tablet) = (try await device(cloud), try await device(cloud))
            let app = SyncedApp()
            let clock = ManualClock()
            try await cloud.inject("1st tokens/create -> TRY_AGAIN_LATER")
            let engine = app.engine(phone.privateCloudDatabase, automatically: true, clock: clock)
            await app.wait(for: "didFetchChanges")
            // The engine waits for its next look, its listener for its next try.
            await clock.waitForSleepers(2)
            clock.advance(by: .seconds(1))
            await app.wait(for: "didFetchChanges")
            let zone = CKRecordZone.ID(zoneName: "Notes")
            try await tablet.privateCloudDatabase.save(CKRecordZone(zoneID: zone))
            let note = note("a", zone)
            try await tablet.privateCloudDatabase.save(note)
            repeat {
                await app.wait(for: "didFetchChanges")
            } while app.known.withLock { $0.fetched[note.recordID] } == nil
            #expect(clock.now.sinceStart == .seconds(1))
            withExtendedLifetime(engine) {}
        }
    }
}
