import AsyncOperations
import Basics
import CloudKit
import CloudModel
import Foundation
import OpenSSL
import Testing

/// Services that lie about the bytes of assets, and files that change under our hands.
@Suite(.timeLimit(.minutes(10)))
struct AssetLiarTests {
    /// The mock server's form of a checksum.
    private static func checksum(of bytes: [UInt8]) -> String {
        Base64.encode([1] + SHA256.hash(bytes).prefix(20))
    }

    /// Takes uploads and hands out whatever it is told to.
    private struct Transfers: AssetSending, AssetReading {
        /// What is done before the last byte is asked for.
        var meanwhile: @Sendable () -> Void = {}
        /// What it says that it was sent.
        var claim: @Sendable (Asset) -> Asset = { $0 }
        var answer: [UInt8] = []
        /// What every transfer ends with.
        var failure: CloudError?
        /// Who takes what was read, kept as a client's thread keeps it for a while after the end.
        let takers = Locked<[@Sendable ([UInt8]) -> Bool]>([])

        func send(
            _ byteCount: Int, to address: String, _ give: @escaping @Sendable (Int) -> [UInt8]?
        ) async throws(CloudError) -> Asset {
            if let failure { throw failure }
            var bytes: [UInt8] = []
            while bytes.count < byteCount {
                if byteCount - bytes.count == 1 { meanwhile() }
                guard let piece = give(max(1, byteCount - bytes.count - 1)), !piece.isEmpty else {
                    throw CloudError(.cancelled)
                }
                bytes += piece
            }
            var asset = Asset(fileChecksum: checksum(of: bytes), size: Int64(bytes.count))
            asset.receipt = "receipt"
            return claim(asset)
        }

        func read(
            _ asset: Asset, _ take: @escaping @Sendable ([UInt8]) -> Bool
        ) async throws(CloudError) {
            if let failure { throw failure }
            takers.withLock { $0.append(take) }
            for byte in answer where !take([byte]) { throw CloudError(.cancelled) }
        }
    }

    /// A database that says of every save and lookup that the record has this asset.
    private struct Shelf: CloudDatabase {
        let address: Database.Address
        let kept: Asset
        let writes: Locked<[CloudWrite]>

        func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
            if case .write(let write) = command { writes.withLock { $0.append(write) } }
            switch command {
            case .write(.uploadAssets(let request)):
                return .assetUploads(
                    request.tokens.map {
                        .address(AssetField($0.recordName ?? "", $0.fieldName), url: "https://a/b")
                    })
            default:
                let stamp = Record.Stamp(
                    timestamp: Timestamp(milliseconds: 0), userRecordName: "ann", deviceID: "d")
                let record = Record(
                    id: Record.ID("a"), recordType: "Photo", recordChangeTag: "1",
                    fields: ["picture": Field(.asset(kept))], created: stamp, modified: stamp)
                return .records(RecordsReply(records: [.record(record)]))
            }
        }
    }

    private func database(
        _ transfers: Transfers, keeping kept: Asset,
        _ writes: Locked<[CloudWrite]> = Locked([]), isApple: Bool = false
    ) -> CKDatabase {
        let connection = CloudConnection(
            defaultContainer: "iCloud.com.example.app",
            assets: AssetWay(reading: transfers, sending: transfers, isApple: isApple)
        ) { Shelf(address: $0, kept: kept, writes: writes) }
        return CKContainer(identifier: nil, connection: connection).privateCloudDatabase
    }

    private func withFile(
        _ text: String, _ body: (URL) async throws -> Void
    ) async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("cloudkit-asset-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file)
    }

    private func photo(_ file: URL) -> CKRecord {
        let record = CKRecord(recordType: "Photo", recordID: CKRecord.ID(recordName: "a"))
        record["picture"] = CKAsset(fileURL: file)
        return record
    }

    private static let sea = Asset(fileChecksum: checksum(of: Array("sea".utf8)), size: 3)

    @Test func `an honest service's word is taken`() async throws {
        try await withFile("sea") { file in
            var transfers = Transfers()
            transfers.answer = Array("sea".utf8)
            let ours = database(transfers, keeping: Self.sea)
            let saved = try await ours.save(photo(file))
            #expect((saved["picture"] as? CKAsset)?.fileURL == file)
            let found = try await ours.record(for: saved.recordID)
            #expect(try AssetWorld.content(found["picture"] as Any?) == Data("sea".utf8))
        }
    }

    @Test func `a client that keeps hold of an ended transfer keeps no file`() async throws {
        var transfers = Transfers()
        transfers.answer = Array("sea".utf8)
        let ours = database(transfers, keeping: Self.sea)
        var found: CKRecord? = try await ours.record(for: CKRecord.ID(recordName: "a"))
        let path = try #require((found?["picture"] as? CKAsset)?.fileURL?.path)
        #expect(FileManager.default.fileExists(atPath: path))
        found = nil
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(transfers.takers.withLock { $0.count } == 1)
    }

    @Test(arguments: ["se", "seas", "tea", ""])
    func `bytes that are not the asset's are none`(answer: String) async throws {
        var transfers = Transfers()
        transfers.answer = Array(answer.utf8)
        let ours = database(transfers, keeping: Self.sea)
        let error = await failure {
            _ = try await ours.record(for: CKRecord.ID(recordName: "a"))
        }
        #expect(error?.code == .assetNotAvailable)
    }

    /// Nobody else can work out Apple's checksums, which look the same.
    @Test(arguments: ["se", "seas", ""])
    func `where only the length can be told, it is`(answer: String) async throws {
        var transfers = Transfers()
        transfers.answer = Array("tea".utf8)
        let id = CKRecord.ID(recordName: "a")
        _ = try await database(transfers, keeping: Self.sea, isApple: true).record(for: id)
        transfers.answer = Array(answer.utf8)
        let ours = database(transfers, keeping: Self.sea, isApple: true)
        #expect(await failure { _ = try await ours.record(for: id) }?.code == .assetNotAvailable)
    }

    @Test func `a host of assets that is a stranger is its record's error alone`()
        async throws
    {
        try await withFile("sea") { file in
            var transfers = Transfers()
            transfers.failure = CloudError(.certificateUntrusted)
            let ours = database(transfers, keeping: Self.sea)
            let id = CKRecord.ID(recordName: "a")
            let found = try await ours.records(for: [id])
            #expect(found[id]?.code == .assetNotAvailable)
            let plain = CKRecord(recordType: "Photo", recordID: CKRecord.ID(recordName: "b"))
            let saved = try await ours.modifyRecords(
                saving: [photo(file), plain], deleting: [], atomically: false
            ).saveResults
            #expect(saved[id]?.code == .assetNotAvailable)
            #expect(saved[plain.recordID]?.code != .assetNotAvailable)
        }
    }

    @Test func `a size beyond any asset's is a file that is not had`() async {
        var transfers = Transfers()
        transfers.answer = Array("sea".utf8)
        let endless = Asset(fileChecksum: Self.checksum(of: Array("sea".utf8)), size: .max)
        let fetch = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "a")])
        let (told, codes) = (Locked<[Double]>([]), Locked<[CKError.Code?]>([]))
        fetch.perRecordProgressBlock = { _, progress in told.withLock { $0.append(progress) } }
        fetch.perRecordResultBlock = { _, result in codes.withLock { $0.append(result.code) } }
        await database(transfers, keeping: endless).finish(fetch)
        #expect(codes.withLock { $0 } == [.assetNotAvailable])
        #expect(told.withLock { !$0.isEmpty && $0.allSatisfy { 0 < $0 && $0 < 1 } })
    }

    @Test func `a service that has received other bytes has not received the file`() async throws {
        try await withFile("sea") { file in
            let other = Asset(fileChecksum: Self.checksum(of: Array("tea".utf8)), size: 3)
            var transfers = Transfers()
            transfers.claim = { _ in other }
            let writes = Locked<[CloudWrite]>([])
            let ours = database(transfers, keeping: other, writes)
            let error = await failure { try await ours.save(photo(file)) }
            #expect(error?.code == .assetNotAvailable)
            #expect(writes.withLock { $0.count } == 1, "the record was saved")
        }
    }

    @Test func `a service that keeps another file than was sent is found out`() async throws {
        try await withFile("sea") { file in
            let other = Asset(fileChecksum: Self.checksum(of: Array("tea".utf8)), size: 3)
            let ours = database(Transfers(), keeping: other)
            let error = await failure { try await ours.save(photo(file)) }
            #expect(error?.code == .assetNotAvailable)
        }
    }

    /// What an app does to its file while the file is sent.
    enum Change: CaseIterable, Sendable {
        case longer, shorter, replaced, removed

        func make(to file: URL) throws {
            switch self {
            case .longer:
                let handle = try FileHandle(forWritingTo: file)
                try handle.seekToEnd()
                try handle.write(contentsOf: Data("more".utf8))
                try handle.close()
            case .shorter:
                let handle = try FileHandle(forWritingTo: file)
                try handle.truncate(atOffset: 1)
                try handle.close()
            case .replaced: try Data("tea".utf8).write(to: file, options: .atomic)
            case .removed: try FileManager.default.removeItem(at: file)
            }
        }
    }

    @Test(arguments: Change.allCases)
    func `a file that changes while it is sent is not saved`(change: Change) async throws {
        try await withFile("sea") { file in
            var transfers = Transfers()
            transfers.meanwhile = {
                do { try change.make(to: file) } catch { Issue.record(error) }
            }
            let writes = Locked<[CloudWrite]>([])
            let ours = database(transfers, keeping: Self.sea, writes)
            let error = await failure { try await ours.save(photo(file)) }
            #expect(error?.code == (change == .removed ? .assetFileNotFound : .assetFileModified))
            #expect(writes.withLock { $0.count } == 1, "the record was saved")
        }
    }
}
