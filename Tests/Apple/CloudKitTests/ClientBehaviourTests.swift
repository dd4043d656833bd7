import AsyncOperations
import CloudKit
import CloudModel
import Foundation
import Testing

/// The list of behaviours, row by row: what the device does by itself, and what apps do with
/// limits and waits.
struct ClientBehaviourTests {
    @Test func `rows 45 and 47, up to 400 items go in two requests and more in none`() async throws
    {
        let world = try World()
        let zone = try await world.zone("Notes")
        let records = (0..<401).map { world.note("n\($0)", zone) }
        let asked = world.requests
        let error = await failure {
            _ = try await world.ours.modifyRecords(
                saving: records, deleting: [], atomically: false)
        }
        #expect(error?.code == .limitExceeded)
        #expect(world.requests == asked)
        let results = try await world.ours.modifyRecords(
            saving: Array(records.dropLast()), deleting: [], atomically: false)
        #expect(results.saveResults.values.filter { $0.isSuccess }.count == 400)
        #expect(world.requests == asked + 2)
        let fetch = await failure {
            _ = try await world.ours.records(for: records.map { $0.recordID })
        }
        #expect(fetch?.code == .limitExceeded)
    }

    @Test func `row 45, more than 2 MB are refused before they are sent`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let records = (0..<3).map { world.note("n\($0)", zone) }
        for record in records { record["body"] = Data(count: 800_000) }
        let asked = world.requests
        let error = await failure {
            _ = try await world.ours.modifyRecords(
                saving: records, deleting: [], atomically: false)
        }
        #expect(error?.code == .limitExceeded)
        #expect(world.requests == asked)
        // What is allowed natively and too much for one request of the web services goes in two.
        let two = Array(records.dropLast())
        let results = try await world.ours.modifyRecords(
            saving: two, deleting: [], atomically: false)
        #expect(results.saveResults.values.allSatisfy { $0.isSuccess })
        #expect(world.requests == asked + 2)
        // An atomic batch is compared with the server's versions before.
        for record in two { record["body"] = Data(repeating: 1, count: 800_000) }
        let whole = try await world.ours.modifyRecords(saving: two, deleting: [], atomically: true)
        #expect(whole.saveResults.values.allSatisfy { $0.isSuccess })
        #expect(world.requests == asked + 5)
    }

    /// Saves records as an app does: halves what is too much, and gives up at one.
    private func save(
        _ records: [CKRecord], in database: CKDatabase
    ) async throws -> (saved: Int, refused: Int) {
        do {
            let results = try await database.modifyRecords(
                saving: records, deleting: [], atomically: false)
            let saved = results.saveResults.values.filter { $0.isSuccess }.count
            return (saved, records.count - saved)
        } catch CKError.limitExceeded {
            guard records.count > 1 else { return (0, records.count) }
            let middle = records.count / 2
            let first = try await save(Array(records[..<middle]), in: database)
            let second = try await save(Array(records[middle...]), in: database)
            return (first.saved + second.saved, first.refused + second.refused)
        }
    }

    @Test func `row 46, halving what is too much stores it all`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        var records = (0..<900).map { world.note("n\($0)", zone) }
        let huge = world.note("huge", zone)
        huge["body"] = Data(count: 3_000_000)
        records.insert(huge, at: 450)
        let ended = try await save(records, in: world.ours)
        #expect(ended.saved == 900)
        #expect(ended.refused == 1)
        let page = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil)
        #expect(page.moreComing)
    }

    @Test(arguments: [CloudError.Code.tryAgainLater, .throttled])
    func `row 114, while a throttle stands the device refuses by itself`(
        code: CloudError.Code
    ) async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        world.fail(CloudError(code, retryAfter: .seconds(30)))
        let first = await failure { _ = try await world.ours.allRecordZones() }
        #expect(first?.code == (code == .throttled ? .requestRateLimited : .serviceUnavailable))
        #expect(first?.retryAfterSeconds == 30)
        let asked = world.requests
        world.clock.advance(by: .seconds(12))
        let second = await failure { _ = try await world.ours.allRecordZones() }
        #expect(second?.code == .requestRateLimited)
        #expect(second?.retryAfterSeconds == 18)
        #expect(world.requests == asked)
        // Other kinds of request pass, and the same kind in another database.
        try await world.ours.save(world.note("a", zone))
        _ = try await world.container.sharedCloudDatabase.allRecordZones()
        #expect(world.requests == asked + 2)
        world.clock.advance(by: .seconds(18))
        #expect(try await world.ours.allRecordZones().count == 2)
        #expect(world.requests == asked + 3)
    }

    @Test func `row 114, without a time to wait nothing is refused`() async throws {
        let world = try World()
        world.fail(CloudError(.tryAgainLater))
        #expect(
            await failure { _ = try await world.ours.allRecordZones() }?.code
                == .serviceUnavailable)
        #expect(try await world.ours.allRecordZones().count == 1)
    }

    @Test func `row 115, a busy zone fails its records with the time to wait`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let record = world.note("a", zone)
        let busy = CloudError(.tryAgainLater, retryAfter: .seconds(3))
        world.canned.withLock {
            $0 = [.records(RecordsReply(records: [.failure(recordName: "a", busy)]))]
        }
        let error = await failure { try await world.ours.save(record) }
        #expect(error?.code == .zoneBusy)
        #expect(error?.retryAfterSeconds == 3)
        // Only whole requests that were refused hold others back.
        try await world.ours.save(record)
    }

    @Test func `settings of an operation beat its group's, and those the defaults`() async throws {
        let defaults = CKOperation.Configuration()
        #expect(defaults.timeoutIntervalForRequest == 60)
        #expect(defaults.timeoutIntervalForResource == 604_800)
        let world = try World()
        let group = CKOperationGroup()
        group.defaultConfiguration.isLongLived = false
        group.defaultConfiguration.timeoutIntervalForResource = 0
        let operation = CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()
        operation.group = group
        operation.configuration.timeoutIntervalForResource = 60
        let ended = Locked<[CKError.Code?]>([])
        operation.fetchRecordZonesResultBlock = { result in
            ended.withLock { $0.append(result.code) }
        }
        await world.ours.finish(operation)
        #expect(ended.withLock { $0 } == [nil])
    }

    @Test func `a request that takes too long ends, and says whether it may have been done`()
        async throws
    {
        let world = try World()
        world.hangs.withLock { $0 = true }
        let settings = CKOperation.Configuration()
        settings.timeoutIntervalForRequest = 0.001
        let operation = CKModifyRecordZonesOperation(
            recordZonesToSave: [CKRecordZone(zoneName: "Notes")])
        operation.configuration = settings
        let ended = Locked<[CKError.Code?]>([])
        operation.modifyRecordZonesResultBlock = { result in
            ended.withLock { $0.append(result.code) }
        }
        await world.ours.finish(operation)
        #expect(ended.withLock { $0 } == [.serverResponseLost])
        let error = await failure {
            _ = try await world.ours.configuredWith(configuration: settings) { database in
                try await database.allRecordZones()
            }
        }
        #expect(error?.code == .networkFailure)
        let group = CKOperationGroup()
        group.defaultConfiguration = settings
        let late: CKError? = await withCheckedContinuation { continuation in
            world.ours.configuredWith(group: group) { database in
                database.fetchAllRecordZones { _, error in
                    continuation.resume(returning: error as? CKError)
                }
            }
        }
        #expect(late?.code == .networkFailure)
    }
}
