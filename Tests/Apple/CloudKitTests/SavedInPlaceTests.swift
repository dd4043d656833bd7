import AsyncOperations
import CloudKit
import Foundation
import Testing

/// What a save does to the record that the app has passed.
struct SavedInPlaceTests {
    @Test func `a record that was saved can be saved again`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let record = world.note("a", zone, title: "one")
        let first = try await world.ours.save(record)
        #expect(record.changedKeys().isEmpty)
        #expect(record.recordChangeTag == first.recordChangeTag)
        #expect(record.creationDate == first.creationDate)
        #expect(record.modificationDate == first.modificationDate)
        #expect(record.creatorUserRecordID == first.creatorUserRecordID)
        record["title"] = "two"
        record.encryptedValues["secret"] = "hush"
        let second = try await world.ours.save(record)
        #expect(second.recordChangeTag != first.recordChangeTag)
        #expect(record.recordChangeTag == second.recordChangeTag)
        #expect(record.changedKeys().isEmpty && record.encryptedValues.changedKeys().isEmpty)
        #expect(record["title"] == "two")
        #expect(record.encryptedValues["secret"] == "hush")
    }

    @Test(arguments: [true, false])
    func `an operation updates its records, those that failed excepted`(
        isAtomic: Bool
    ) async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        try await world.ours.save(world.note("taken", zone))
        let good = world.note("good", zone, title: "1")
        let bad = world.note("taken", zone, title: "2")
        let operation = CKModifyRecordsOperation(recordsToSave: [good, bad])
        operation.isAtomic = isAtomic
        await world.ours.finish(operation)
        #expect((good.recordChangeTag == nil) == isAtomic)
        #expect(good.changedKeys() == (isAtomic ? ["title"] : []))
        #expect(bad.recordChangeTag == nil)
        #expect(bad.changedKeys() == ["title"])
    }

    @Test func `what the app changes during a save stays changed`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let record = world.note("a", zone, title: "one")
        record["body"] = "text"
        world.rewrite.withLock { rewrite in
            rewrite = { reply in
                record["title"] = "two"
                return reply
            }
        }
        try await world.ours.save(record)
        world.rewrite.withLock { $0 = nil }
        #expect(record.changedKeys() == ["title"])
        #expect(record["title"] == "two")
        try await world.ours.save(record)
        #expect(try await world.ours.record(for: record.recordID)["title"] == "two")
    }

    @Test func `a share and its root can be saved again`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let root = world.note("root", zone)
        let share = CKShare(rootRecord: root)
        _ = try await world.ours.modifyRecords(saving: [root, share], deleting: [])
        #expect(share.url != nil)
        #expect(share.recordChangeTag != nil && root.recordChangeTag != nil)
        #expect(root.share?.recordID == share.recordID)
        share[CKShare.SystemFieldKey.title] = "Trip"
        share.publicPermission = .readOnly
        try await world.ours.save(share)
        #expect(share.publicPermission == .readOnly)
        let stored = try await world.ours.record(for: share.recordID)
        #expect(stored[CKShare.SystemFieldKey.title] == "Trip")
        #expect(stored.recordChangeTag == share.recordChangeTag)
    }

    @Test func `a saved file is not sent again`() async throws {
        try await AssetWorld.run { world in
            let bytes = AssetWorld.bytes(100)
            let file = try world.file("picture", bytes)
            let record = world.photo("a", ["picture": file])
            try await world.ours.save(record)
            #expect(record.changedKeys().isEmpty)
            #expect((record["picture"] as? CKAsset)?.fileURL == file)
            let sent = try await world.count("assets/upload/bytes")
            record["title"] = "again"
            try await world.ours.save(record)
            _ = try await world.ours.modifyRecords(
                saving: [record], deleting: [], savePolicy: .allKeys)
            #expect(try await world.count("assets/upload/bytes") == sent)
            let stored = try await world.ours.record(for: record.recordID)
            #expect(try AssetWorld.content(stored["picture"]) == bytes)
            #expect(stored["title"] == "again")
        }
    }
}
