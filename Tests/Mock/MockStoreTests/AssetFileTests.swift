import AsyncOperations
import Basics
import CloudModel
import Foundation
import InProcessMock
import MockStore
import Testing

/// The files of assets: that they are there as long as anybody refers to them, and no longer.
@Suite(.timeLimit(.minutes(10)))
struct AssetFileTests {
    /// A service with its store in a folder.
    final class Kept {
        let directory: Directory
        let cloud: MockCloud
        let time: Locked<Int64>
        var ada: Asker { Asker(cloud: cloud, address: World.address(), caller: .user("ada")) }

        init(_ directory: Directory, at start: Int64 = 1_800_000_000_000) throws {
            let time = Locked(start)
            self.directory = directory
            self.time = time
            cloud = try MockCloud(
                location: .directory(directory.path),
                clock: WallClock { Timestamp(milliseconds: time.withLock { $0 }) }, users: ["ada"])
        }

        /// The names of the files, once all that nobody refers to is gone.
        func files() throws -> [String] {
            while try cloud.withStore({ try $0.purgeSome() }) {}
            try cloud.withStore { $0.close() }
            return try names()
        }

        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: directory.path + "/assets").sorted()
        }

        func upload(_ text: String, _ record: String, zone: String = "Notes") throws -> Asset {
            let url = try url(record, zone: zone)
            return try cloud.withStore { try $0.receiveAsset(Array(text.utf8), at: url) }
        }

        func url(_ record: String, zone: String = "Notes") throws -> String {
            let token = AssetUploadRequest.Token(
                recordType: "Note", fieldName: "photo", recordName: record)
            let request = AssetUploadRequest([token], zoneID: RecordZone.ID(zone))
            guard case .assetUploads(let items) = try ada.ask(.write(.uploadAssets(request))),
                case .address(_, let url)? = items.first
            else { throw Odd() }
            return url
        }

        @discardableResult
        func put(_ text: String, _ record: String, zone: String = "Notes") throws -> String {
            let asset = try upload(text, record, zone: zone)
            let saved = try ada.put(record, ["photo": .asset(asset)], zone: zone)
            guard case .asset(let kept)? = saved.fields["photo"]?.value,
                let url = kept.downloadURL
            else { throw Odd() }
            return url
        }

        func bytes(_ url: String) throws -> String {
            String(decoding: try cloud.withStore { try $0.assetBytes(at: url) }, as: UTF8.self)
        }
    }

    private func kept() throws -> Kept {
        let kept = try Kept(try Directory())
        try kept.ada.create("Notes", "Other")
        return kept
    }

    @Test func `equal bytes are one file, which goes with the last record`() throws {
        let kept = try kept()
        try kept.put("same", "a")
        let url = try kept.put("same", "b", zone: "Other")
        try kept.put("else", "c")
        #expect(try kept.files().count == 2)
        // Nothing waits to be claimed any more.
        kept.time.withLock { $0 += 25 * 3_600_000 }
        try kept.ada.one(.forceDelete("a"))
        #expect(try kept.files().count == 2)
        kept.time.withLock { $0 -= 25 * 3_600_000 }
        #expect(try kept.bytes(url) == "same")
        kept.time.withLock { $0 += 25 * 3_600_000 }
        try kept.ada.delete(zone: "Other")
        #expect(try kept.files().count == 1)
        let cleared = RecordOperation(
            .forceUpdate, recordName: "c", recordType: "Note", fields: ["photo": nil])
        try kept.ada.one(cleared)
        #expect(try kept.files() == [])
    }

    @Test func `what no record claims is there for a day`() throws {
        let kept = try kept()
        _ = try kept.upload("unclaimed", "a")
        kept.time.withLock { $0 += 24 * 3_600_000 - 1 }
        #expect(try kept.files().count == 1)
        kept.time.withLock { $0 += 1 }
        #expect(try kept.files() == [])
    }

    @Test func `a snapshot keeps what its records have`() throws {
        let kept = try kept()
        let url = try kept.put("kept", "a")
        let ofZone = try kept.put("of a zone", "b", zone: "Other")
        let snapshot = try kept.cloud.snapshot()
        try kept.put("new", "a")
        try kept.ada.delete(zone: "Other")
        kept.time.withLock { $0 += 25 * 3_600_000 }
        // The snapshot has files of its own.
        #expect(try kept.files().count == 1)
        try kept.ada.one(.forceDelete("a"))
        #expect(try kept.files() == [])
        try kept.cloud.restore(snapshot)
        #expect(try kept.files().count == 2)
        kept.time.withLock { $0 -= 25 * 3_600_000 }
        #expect(try kept.bytes(url) == "kept")
        #expect(try kept.bytes(ofZone) == "of a zone")
    }

    @Test func `an upload ends with a zone that a restore takes away`() throws {
        let kept = try kept()
        let snapshot = try kept.cloud.snapshot()
        try kept.ada.create("New")
        let url = try kept.url("a", zone: "New")
        try kept.cloud.restore(snapshot)
        let error = try #require(throws: CloudError.self) {
            try kept.cloud.withStore { try $0.receiveAsset([1], at: url) }
        }
        #expect(error.code == .notFound)
    }

    @Test func `a reset leaves no file`() throws {
        let kept = try kept()
        try kept.put("a", "a")
        _ = try kept.upload("b", "b")
        try kept.cloud.reset()
        kept.time.withLock { $0 += 25 * 3_600_000 }
        #expect(try kept.files() == [])
    }

    @Test func `a store that is opened again has its files and no others`() throws {
        let directory = try Directory()
        let url: String
        let waiting: String
        do {
            let kept = try Kept(directory)
            try kept.ada.create("Notes")
            url = try kept.put("kept", "a")
            waiting = try kept.url("b")
            let name = try #require(try kept.names().first)
            func mode(_ path: String) throws -> Int {
                let facts = try FileManager.default.attributesOfItem(atPath: path)
                return try #require(facts[.posixPermissions] as? Int)
            }
            #expect(try mode(directory.path + "/assets") == 0o700)
            #expect(try mode(directory.path + "/assets/" + name) == 0o600)
        }
        // As a process leaves them that is killed between the file and its row.
        for name in ["7.part", String(repeating: "ab", count: 20)] {
            try Data("left".utf8).write(
                to: URL(fileURLWithPath: directory.path + "/assets/" + name))
        }
        let kept = try Kept(directory)
        #expect(try kept.names().count == 1)
        #expect(try kept.bytes(url) == "kept")
        _ = try kept.cloud.withStore { try $0.receiveAsset([1], at: waiting) }
    }

    @Test func `a turn that is undone leaves no file`() throws {
        let directory = try Directory()
        let committer = try StoreCommitter(
            location: .directory(directory.path),
            clock: .fixed(Timestamp(milliseconds: 1_800_000_000_000)), seed: 3)
        let store = committer.store
        try store.addUser(MockUser("ada"))
        let request = AssetUploadRequest([
            AssetUploadRequest.Token(recordType: "Note", fieldName: "photo")
        ])
        guard
            case .assetUploads(let items) = try store.apply(
                .write(.uploadAssets(request)), at: World.address(), by: .user("ada")),
            case .address(_, let url)? = items.first
        else { throw Odd() }
        try committer.commit()
        _ = try store.receiveAsset(Array("lost".utf8), at: url)
        try store.limitSize(pages: 1)
        let large = RecordOperation.make(
            .create, "a", ["text": .string(String(repeating: "x", count: 900_000))])
        _ = try? store.apply(
            .write(.modifyRecords(RecordModifyRequest(operations: [large]))), at: World.address(),
            by: .user("ada"))
        #expect(throws: MockStoreError.self) { try committer.commit() }
        store.close()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path + "/assets") == [])
    }

    @Test func `a file whose row goes and comes back in one turn stays`() throws {
        let directory = try Directory()
        let committer = try StoreCommitter(
            location: .directory(directory.path),
            clock: .fixed(Timestamp(milliseconds: 1_800_000_000_000)), seed: 3)
        let store = committer.store
        try store.addUser(MockUser("ada"))
        func modify(_ operation: RecordZone.Operation) throws {
            _ = try store.apply(
                .write(.modifyZones([operation])), at: World.address(), by: .user("ada"))
        }
        func url(in zone: String) throws -> String {
            try modify(.create(RecordZone.ID(zone)))
            let token = AssetUploadRequest.Token(recordType: "Note", fieldName: "photo")
            let request = AssetUploadRequest([token], zoneID: RecordZone.ID(zone))
            guard
                case .assetUploads(let items) = try store.apply(
                    .write(.uploadAssets(request)), at: World.address(), by: .user("ada")),
                case .address(_, let url)? = items.first
            else { throw Odd() }
            return url
        }
        let (first, second) = (try url(in: "Old"), try url(in: "New"))
        _ = try store.receiveAsset(Array("same".utf8), at: first)
        try modify(.delete(RecordZone.ID("Old")))
        try committer.commit()
        while try store.purgeSome() {}
        _ = try store.receiveAsset(Array("same".utf8), at: second)
        try committer.commit()
        store.close()
        func files() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: directory.path + "/assets").count
        }
        #expect(try files() == 1)
        try modify(.delete(RecordZone.ID("New")))
        while try store.purgeSome() { try committer.commit() }
        store.close()
        #expect(try files() == 0)
    }

    @Test func `what a store in memory keeps on disk is gone at its end`() throws {
        let world = try World()
        try world.ada.create("Notes")
        func folders() throws -> Set<String> {
            let parent = FileManager.default.temporaryDirectory.path
            return Set(
                try FileManager.default.contentsOfDirectory(atPath: parent).filter {
                    $0.hasPrefix("cksweep-assets-")
                })
        }
        let token = AssetUploadRequest.Token(recordType: "Note", fieldName: "photo")
        let request = AssetUploadRequest([token], zoneID: RecordZone.ID("Notes"))
        guard case .assetUploads(let items) = try world.ada.ask(.write(.uploadAssets(request))),
            case .address(_, let url)? = items.first
        else { throw Odd() }
        _ = try world.cloud.withStore { try $0.receiveAsset([1, 2, 3], at: url) }
        let during = try folders()
        #expect(!during.isEmpty)
        try world.cloud.withStore { $0.close() }
        // Other tests may make folders meanwhile; one of those that were there is gone.
        #expect(try !during.isSubset(of: folders()))
    }
}
