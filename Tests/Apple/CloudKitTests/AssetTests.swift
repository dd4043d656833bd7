import AsyncOperations
import CloudKit
import CloudKitMock
import Foundation
import Testing

/// Files beside records: sent with a save, fetched with the record, each once.
@Suite(.timeLimit(.minutes(10)))
struct AssetTests {
    @Test(arguments: MockDepth.allCases)
    func `row 112, a file is sent with its record and comes back as another file`(
        depth: MockDepth
    ) async throws {
        try await AssetWorld.run(depth: depth) { world in
            // More than libcurl takes at a time, and than is handed on at a time.
            let bytes = AssetWorld.bytes(700_001)
            let file = try world.file("picture.png", bytes)
            let saved = try await world.ours.save(world.photo("a", ["picture": file]))
            #expect((saved["picture"] as? CKAsset)?.fileURL == file)
            #expect(try Data(contentsOf: file) == bytes, "the app's file was touched")
            let found = try await world.ours.record(for: saved.recordID)
            let fetched = try #require((found["picture"] as? CKAsset)?.fileURL)
            #expect(fetched != file && fetched.isFileURL)
            #expect(try Data(contentsOf: fetched) == bytes)
            let rights = try FileManager.default.attributesOfItem(atPath: fetched.path)
            #expect((rights[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test func `a list of files keeps its order, and one of no bytes is a file`() async throws {
        try await AssetWorld.run { world in
            let contents = [AssetWorld.bytes(10), Data(), AssetWorld.bytes(10, 7)]
            let files = try contents.enumerated().map {
                CKAsset(fileURL: try world.file("\($0)", $1))
            }
            let record = world.photo("a")
            record["pages"] = files
            try await world.ours.save(record)
            let found = try await world.ours.record(for: record.recordID)
            let pages = try #require(found["pages"] as? [CKAsset])
            #expect(try pages.map { try AssetWorld.content($0) } == contents)
            // One more page: those that are there are not sent again.
            let more = pages + [CKAsset(fileURL: try world.file("more", AssetWorld.bytes(3)))]
            found["pages"] = more
            let sent = try await world.count("assets/upload/bytes")
            try await world.ours.save(found)
            #expect(try await world.count("assets/upload/bytes") == sent + 1)
            let again = try await world.ours.record(for: record.recordID)
            let read = try #require(again["pages"] as? [CKAsset])
            #expect(
                try read.map { try AssetWorld.content($0) } == contents + [AssetWorld.bytes(3)])
        }
    }

    @Test func `only the files of fields that are asked for are fetched`() async throws {
        try await AssetWorld.run { world in
            let (small, large) = (AssetWorld.bytes(5), AssetWorld.bytes(9, 1))
            let record = world.photo(
                "a",
                ["small": try world.file("s", small), "large": try world.file("l", large)])
            record["title"] = "sea"
            try await world.ours.save(record)
            let id = record.recordID
            let plain = try await world.ours.records(for: [id], desiredKeys: ["title"])
            #expect(try plain[id]?.get()["title"] == "sea")
            #expect(try await world.count("assets/download") == 0)
            let one = try await world.ours.records(for: [id], desiredKeys: ["small"])
            #expect(try AssetWorld.content(one[id]?.get()["small"] as Any?) == small)
            #expect(try await world.count("assets/download") == 1)
            // Feeds and queries fetch them too.
            let changes = try await world.ours.recordZoneChanges(inZoneWith: world.zone, since: nil)
            let changed = try changes.modificationResultsByID[id]?.get().record
            #expect(try AssetWorld.content(changed?["large"] as Any?) == large)
            let query = CKQuery(recordType: "Photo", predicate: NSPredicate(value: true))
            let page = try await world.ours.records(matching: query, inZoneWith: world.zone)
            #expect(
                try AssetWorld.content(page.matchResults.first?.1.get()["large"] as Any?) == large)
        }
    }

    @Test func `what was fetched is saved back without its bytes, and elsewhere with them`()
        async throws
    {
        try await AssetWorld.run { world in
            let bytes = AssetWorld.bytes(100)
            let file = try world.file("f", bytes)
            try await world.ours.save(world.photo("a", ["picture": file]))
            let found = try await world.ours.record(for: world.photo("a").recordID)
            found["title"] = "sea"
            _ = try await world.ours.modifyRecords(
                saving: [found], deleting: [], savePolicy: .allKeys)
            #expect(try await world.count("assets/upload/bytes") == 1)
            let other = world.photo("b")
            other["cover"] = found["picture"] as? CKAsset
            try await world.ours.save(other)
            #expect(try await world.count("assets/upload/bytes") == 2)
            let copy = try await world.ours.record(for: other.recordID)
            #expect(try AssetWorld.content(copy["cover"] as Any?) == bytes)
        }
    }

    @Test func `the file of a fetched asset goes with the last object that stands for it`()
        async throws
    {
        try await AssetWorld.run { world in
            let bytes = AssetWorld.bytes(100)
            try await world.ours.save(world.photo("a", ["picture": try world.file("f", bytes)]))
            let id = world.photo("a").recordID
            var found: CKRecord? = try await world.ours.record(for: id)
            let url = try #require((found?["picture"] as? CKAsset)?.fileURL)
            var copy = found?.copy() as? CKRecord
            found = nil
            #expect(try AssetWorld.content(copy?["picture"] as Any?) == bytes)
            copy = nil
            #expect(!FileManager.default.fileExists(atPath: url.path))
        }
    }

    @Test func `each record tells how far its files are, and is done once it is saved`()
        async throws
    {
        try await AssetWorld.run { world in
            let large = world.photo(
                "l", ["picture": try world.file("l", AssetWorld.bytes(700_001))])
            let small = world.photo("s", ["picture": try world.file("s", AssetWorld.bytes(3))])
            let plain = world.photo("p")
            let told = Locked<[String: [Double]]>([:])
            let save = CKModifyRecordsOperation(recordsToSave: [large, plain, small])
            save.perRecordProgressBlock = { record, progress in
                told.withLock { $0[record.recordID.recordName, default: []].append(progress) }
            }
            await world.ours.finish(save)
            let sent = told.withLock { $0 }
            #expect(sent["l", default: []].count > 2 && sent["p"] == [1])
            told.withLock { $0 = [:] }
            let fetch = CKFetchRecordsOperation(recordIDs: [large.recordID, plain.recordID])
            fetch.perRecordProgressBlock = { id, progress in
                told.withLock { $0[id.recordName, default: []].append(progress) }
            }
            await world.ours.finish(fetch)
            let came = told.withLock { $0 }
            #expect(came["l", default: []].count > 2 && came["p"] == [1])
            for list in Array(sent.values) + Array(came.values) {
                #expect(list.last == 1 && list.dropLast().allSatisfy { 0 < $0 && $0 < 1 })
                #expect(zip(list, list.dropFirst()).allSatisfy { $0 < $1 })
            }
        }
    }

    @Test func `a record whose file could not be sent is never said to be done`() async throws {
        try await AssetWorld.run { world in
            let file = try world.file("l", AssetWorld.bytes(300_000))
            let record = world.photo("l", ["picture": file])
            try await world.cloud.inject("assets/upload/bytes -> cut before commit")
            let told = Locked<[Double]>([])
            let codes = Locked<[CKError.Code?]>([])
            let save = CKModifyRecordsOperation(recordsToSave: [record])
            save.perRecordProgressBlock = { _, progress in told.withLock { $0.append(progress) } }
            save.perRecordSaveBlock = { _, result in codes.withLock { $0.append(result.code) } }
            await world.ours.finish(save)
            #expect(told.withLock { !$0.contains(1) })
            #expect(codes.withLock { $0.count } == 1 && codes.withLock { $0[0] } != nil)
            try await world.cloud.removeFaults()
            let left = await failure { _ = try await world.ours.record(for: record.recordID) }
            #expect(left?.code == .unknownItem)
        }
    }

    @Test func `an archive keeps which file it was, and the app's own by its path`() async throws {
        try await AssetWorld.run { world in
            let file = try world.file("f", AssetWorld.bytes(9))
            try await world.ours.save(world.photo("a", ["picture": file]))
            let found = try await world.ours.record(for: world.photo("a").recordID)
            found["pages"] = [CKAsset(fileURL: file), CKAsset(fileURL: file)]
            let archive = try NSKeyedArchiver.archivedData(
                withRootObject: found, requiringSecureCoding: true)
            let read = try #require(
                try NSKeyedUnarchiver.unarchivedObject(ofClass: CKRecord.self, from: archive))
            #expect((read["picture"] as? CKAsset)?.fileURL == nil)
            #expect((read["pages"] as? [CKAsset])?.map(\.fileURL) == [file, file])
            _ = try await world.ours.modifyRecords(
                saving: [read], deleting: [], savePolicy: .allKeys)
            let again = try await world.ours.record(for: found.recordID)
            #expect(try AssetWorld.content(again["picture"] as Any?) == AssetWorld.bytes(9))
            #expect((again["pages"] as? [CKAsset])?.count == 2)
        }
    }

    @Test func `the server's record of a conflict has no files`() async throws {
        try await AssetWorld.run { world in
            let file = try world.file("f", AssetWorld.bytes(9))
            try await world.ours.save(world.photo("a", ["picture": file]))
            let error = await failure {
                try await world.ours.save(world.photo("a", ["picture": file]))
            }
            #expect(error?.code == .serverRecordChanged)
            let theirs = try #require(error?.serverRecord?["picture"] as? CKAsset)
            #expect(theirs.fileURL == nil)
            #expect(try await world.count("assets/download") == 0)
        }
    }
}
