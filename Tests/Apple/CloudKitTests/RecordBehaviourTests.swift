import AsyncOperations
import CloudKit
import Foundation
import Testing

/// The list of behaviours, row by row: single records.
struct RecordBehaviourTests {
    @Test func `rows 21 and 22, each save gives a new tag`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let new = world.note("a", zone, title: "one")
        #expect(new.recordChangeTag == nil)
        let first = try await world.ours.save(new)
        let tag = try #require(first.recordChangeTag)
        first["title"] = "two"
        let second = try await world.ours.save(first)
        #expect(second.recordChangeTag != nil && second.recordChangeTag != tag)
        #expect(second["title"] == "two")
    }

    @Test func `row 23, an old tag is a conflict with both records`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let mine = try await world.ours.save(world.note("a", zone, title: "one"))
        let other = try await world.ours.record(for: mine.recordID)
        other["title"] = "theirs"
        try await world.ours.save(other)
        mine["title"] = "mine"
        let error = try #require(await failure { try await world.ours.save(mine) })
        #expect(error.code == .serverRecordChanged)
        #expect(error.serverRecord?["title"] == "theirs")
        #expect(error.clientRecord === mine)
        let ancestor = try #require(error.ancestorRecord)
        #expect(ancestor["title"] == "one")
        #expect(ancestor !== mine && ancestor.changedKeys().isEmpty)
        #expect(ancestor.recordChangeTag == mine.recordChangeTag)
        #expect(mine["title"] == "mine")
        // What was saved is what later changes start from.
        let next = try await world.ours.record(for: mine.recordID)
        next["title"] = "second"
        try await world.ours.save(next)
        try await world.ours.save(world.ours.record(for: mine.recordID))
        next["title"] = "third"
        let later = try #require(await failure { try await world.ours.save(next) })
        #expect(later.ancestorRecord?["title"] == "second")
    }

    @Test func `row 24, saving over a record without its tag is a conflict`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        try await world.ours.save(world.note("a", zone, title: "one"))
        let again = world.note("a", zone, title: "two")
        let error = await failure { try await world.ours.save(again) }
        #expect(error?.code == .serverRecordChanged)
        #expect(error?.serverRecord?["title"] == "one")
    }

    @Test func `row 25, a record deleted meanwhile is unknown`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let mine = try await world.ours.save(world.note("a", zone, title: "one"))
        try await world.ours.deleteRecord(withID: mine.recordID)
        mine["title"] = "two"
        #expect(await failure { try await world.ours.save(mine) }?.code == .unknownItem)
    }

    @Test func `row 26, changed keys are written over whatever is there`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let mine = world.note("a", zone, title: "one")
        mine["body"] = "first"
        let saved = try await world.ours.save(mine)
        let other = try await world.ours.record(for: mine.recordID)
        other["body"] = "theirs"
        try await world.ours.save(other)
        saved["title"] = "mine"
        let results = try await world.ours.modifyRecords(
            saving: [saved], deleting: [], savePolicy: .changedKeys)
        #expect(results.saveResults[mine.recordID]?.isSuccess == true)
        let now = try await world.ours.record(for: mine.recordID)
        #expect(now["title"] == "mine")
        #expect(now["body"] == "theirs")
    }

    @Test func `row 27, all keys are written and others stay`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let saved = try await world.ours.save(world.note("a", zone, title: "one"))
        let other = try await world.ours.record(for: saved.recordID)
        other["title"] = "theirs"
        other["body"] = "theirs"
        try await world.ours.save(other)
        _ = try await world.ours.modifyRecords(
            saving: [saved], deleting: [], savePolicy: .allKeys)
        let now = try await world.ours.record(for: saved.recordID)
        #expect(now["title"] == "one")
        #expect(now["body"] == "theirs")
    }

    @Test func `row 29, a save returns another record with the server's times`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let mine = world.note("a", zone, title: "one")
        let saved = try await world.ours.save(mine)
        #expect(saved !== mine)
        let me = try await world.container.userRecordID()
        #expect(saved.creatorUserRecordID == me)
        #expect(saved.lastModifiedUserRecordID == me)
        #expect(saved.creationDate != nil)
        #expect(saved.modificationDate == saved.creationDate)
        saved["title"] = "never sent"
        let now = try await world.ours.record(for: mine.recordID)
        #expect(now["title"] == "one")
    }

    @Test func `row 30, deleting a missing record succeeds`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let id = CKRecord.ID(recordName: "never", zoneID: zone)
        #expect(try await world.ours.deleteRecord(withID: id) == id)
    }

    @Test func `row 31, a missing record is unknown and others come`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let saved = try await world.ours.save(world.note("a", zone))
        let missing = CKRecord.ID(recordName: "never", zoneID: zone)
        let error = await failure { _ = try await world.ours.record(for: missing) }
        #expect(error?.code == .unknownItem)
        let found = try await world.ours.records(for: [missing, saved.recordID])
        #expect(found[missing]?.code == .unknownItem)
        #expect(found[saved.recordID]?.isSuccess == true)
        let operation = CKFetchRecordsOperation(recordIDs: [missing, saved.recordID])
        let seen = Locked<CKError?>(nil)
        operation.fetchRecordsCompletionBlock = { _, error in
            seen.withLock { $0 = error as? CKError }
        }
        await world.ours.finish(operation)
        let partial = seen.withLock { $0 }
        #expect(partial?.code == .partialFailure)
        #expect(partial?.partialErrorsByItemID?.keys.map { $0 } == [AnyHashable(missing)])
    }

    @Test func `rows 32 and 33, a record made again is new`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let first = try await world.ours.save(world.note("a", zone))
        try await world.ours.deleteRecord(withID: first.recordID)
        let second = try await world.ours.save(world.note("a", zone))
        #expect(second.recordChangeTag != first.recordChangeTag)
        #expect(second.creationDate != first.creationDate)
    }

    @Test(arguments: ["_mine", "é", String(repeating: "r", count: 256)])
    func `row 34, a record's name is short ASCII without an underscore first`(
        name: String
    ) async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let error = await failure { try await world.ours.save(world.note(name, zone)) }
        #expect(error?.code == .invalidArguments)
    }

    @Test func `row 35, a value of another type is refused`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        try await world.ours.save(world.note("a", zone, title: "one"))
        let other = world.note("b", zone)
        other["title"] = 5
        let error = await failure { try await world.ours.save(other) }
        #expect(error?.code == .invalidArguments)
    }

    @Test func `a file is refused where nothing takes files, and the rest is stored`() async throws
    {
        let world = try World()
        let zone = try await world.zone("Notes")
        let (plain, heavy) = (world.note("a", zone), world.note("b", zone))
        heavy["picture"] = CKAsset(fileURL: URL(fileURLWithPath: #filePath))
        let results = try await world.ours.modifyRecords(
            saving: [plain, heavy], deleting: [], atomically: false
        ).saveResults
        #expect(results[plain.recordID]?.isSuccess == true)
        #expect(results[heavy.recordID]?.code == .assetNotAvailable)
    }
}
