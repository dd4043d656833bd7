import CloudKit
import CloudKitMock
import Foundation
import Testing

/// Batches and values at the limits of what CloudKit takes, at each depth.
@Suite(.timeLimit(.minutes(10)))
struct BatchTests {
    /// Runs a body at a depth with an empty zone.
    private func withZone(
        _ depth: MockDepth, _ body: @Sendable (CKDatabase, CKRecordZone.ID) async throws -> Void
    ) async throws {
        try await withMockCloud(seed: 5, depth: depth) { cloud in
            let database = cloud.container.privateCloudDatabase
            try await body(database, database.save(CKRecordZone(zoneName: "Notes")).zoneID)
        }
    }

    private func count(_ database: CKDatabase, _ zone: CKRecordZone.ID) async throws -> Int {
        var (token, count) = (CKServerChangeToken?.none, 0)
        while true {
            let page = try await database.recordZoneChanges(inZoneWith: zone, since: token)
            count += page.modificationResultsByID.count - page.deletions.count
            guard page.moreComing else { return count }
            token = page.changeToken
        }
    }

    @Test(arguments: MockDepth.allCases, [200, 201, 400])
    func `as many records as CloudKit takes are saved and deleted at once`(
        depth: MockDepth, size: Int
    ) async throws {
        try await withZone(depth) { database, zone in
            let records = (0..<size).map { makeNote("n\($0)", zone, "Milk") }
            let saved = try await database.modifyRecords(saving: records, deleting: [])
            #expect(saved.saveResults.count == size)
            for result in saved.saveResults.values { _ = try result.get() }
            let stored = try await count(database, zone)
            #expect(stored == size)
            let deleted = try await database.modifyRecords(
                saving: [], deleting: records.map(\.recordID))
            #expect(deleted.deleteResults.count == size)
            for result in deleted.deleteResults.values { try result.get() }
            let (left, _) = try await database.records(
                matching: CKQuery(recordType: "Note", predicate: NSPredicate(value: true)),
                inZoneWith: zone)
            #expect(left.isEmpty)
        }
    }

    /// Names, and whether a record can have them.
    static let names =
        [
            (String(repeating: "a", count: 255), true), (String(repeating: "a", count: 256), false),
            ("_private", false), ("", false),
            // Whether a name can have other letters than ASCII is the service's to say.
            ("café", nil), ("🫖", nil), (String(repeating: "é", count: 250), nil),
        ] as [(String, Bool?)]

    @Test(arguments: MockDepth.allCases, names)
    func `a name that no record can have fails its own save and no other`(
        depth: MockDepth, name: (text: String, isValid: Bool?)
    ) async throws {
        try await withZone(depth) { database, zone in
            let (odd, fine) = (makeNote(name.text, zone, "odd"), makeNote("fine", zone, "fine"))
            let results = try await database.modifyRecords(
                saving: [odd, fine], deleting: [], atomically: false
            ).saveResults
            _ = try #require(results[fine.recordID]).get()
            switch try #require(results[odd.recordID]) {
            case .success(let saved):
                #expect(name.isValid != false)
                #expect(saved.recordID == odd.recordID)
                #expect(try await database.record(for: odd.recordID)["title"] as? String == "odd")
            case .failure(let error):
                #expect(name.isValid != true)
                #expect((error as? CKError)?.code == .invalidArguments)
            }
        }
    }

    @Test(arguments: MockDepth.allCases)
    func `new records that own each other are refused, and none is stored`(
        depth: MockDepth
    ) async throws {
        try await withZone(depth) { database, zone in
            let (list, item) = (makeNote("list", zone, "List"), makeNote("item", zone, "Item"))
            item["list"] = CKRecord.Reference(record: list, action: .deleteSelf)
            list["items"] = [CKRecord.Reference(record: item, action: .deleteSelf)]
            let error = await code {
                _ = try await database.modifyRecords(saving: [list, item], deleting: [])
            }
            #expect(error == .invalidArguments)
            let stored = try await count(database, zone)
            #expect(stored == 0)
        }
    }

    @Test(arguments: MockDepth.allCases, [Double.nan, .infinity, -.infinity])
    func `a number that the service cannot store fails its record, and what is stored stays`(
        depth: MockDepth, odd: Double
    ) async throws {
        try await withZone(depth) { database, zone in
            let note = makeNote("n", zone, "Milk")
            note["ratio"] = 1.5
            try await database.save(note)
            let place = CLLocation(
                coordinate: CLLocationCoordinate2D(latitude: 1, longitude: 2), altitude: odd,
                horizontalAccuracy: 5, verticalAccuracy: odd,
                timestamp: Date(timeIntervalSince1970: 0))
            let changes: [(CKRecord) -> Void] = [
                { $0["ratio"] = odd }, { $0["ratio"] = [1.0, odd] },
                { $0["ratio"] = Date(timeIntervalSince1970: odd) }, { $0["ratio"] = place },
            ]
            for change in changes {
                change(note)
                let error = await #expect(throws: CKError.self) { try await database.save(note) }
                #expect(error?.code == .invalidArguments)
                #expect(error?.localizedDescription.contains("ratio") == true)
            }
            let stored = try await database.record(for: note.recordID)
            #expect(stored["ratio"] as? Double == 1.5)
            #expect(stored["title"] as? String == "Milk")
        }
    }

    @Test(arguments: MockDepth.allCases)
    func `the last of a save and a deletion is sent, and a record of the default zone too`(
        depth: MockDepth
    ) async throws {
        try await withZone(depth) { database, zone in
            let delegate = NoteSender()
            var configuration = CKSyncEngine.Configuration(
                database: database, stateSerialization: nil, delegate: delegate)
            configuration.automaticallySync = false
            let engine = CKSyncEngine(configuration)
            let id = CKRecord.ID(recordName: "n", zoneID: zone)
            engine.state.add(pendingRecordZoneChanges: [.saveRecord(id)])
            engine.state.add(pendingRecordZoneChanges: [.deleteRecord(id)])
            #expect(engine.state.pendingRecordZoneChanges == [.deleteRecord(id)])
            engine.state.add(pendingRecordZoneChanges: [.saveRecord(id), .saveRecord(id)])
            #expect(engine.state.pendingRecordZoneChanges == [.saveRecord(id)])
            let plain = CKRecord.ID(recordName: "in-default")
            engine.state.add(pendingRecordZoneChanges: [.saveRecord(plain)])
            try await engine.sendChanges()
            #expect(engine.state.pendingRecordZoneChanges.isEmpty)
            for id in [id, plain] { #expect(try await database.record(for: id).recordID == id) }
            // The default zone has no feed: a fetch is not about it, and does not fail.
            try await engine.fetchChanges()
        }
    }
}

/// An app that makes each record when its engine sends it.
private final class NoteSender: CKSyncEngineDelegate {
    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {}

    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
        await CKSyncEngine.RecordZoneChangeBatch(
            pendingChanges: syncEngine.state.pendingRecordZoneChanges
        ) { CKRecord(recordType: "Note", recordID: $0) }
    }
}
