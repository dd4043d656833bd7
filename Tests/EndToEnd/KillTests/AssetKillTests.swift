import AsyncOperations
import Basics
import CloudModel
import Foundation
import JSON
import RandomSeeds
import Testing

/// `kill -9` of a durable mock server while assets are uploaded: what it acknowledged is there
/// afterwards, and no file that belongs to nothing.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct AssetKillTests {
    private static let seed = Seeds.one("asset kills")
    private static var rounds: Int { ServerKillTests.rounds / 2 + 1 }

    /// What the server said it has, by record.
    private typealias Ledger = [String: [UInt8]]

    @Test func `every acknowledged asset survives kill -9, and no orphan does`() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let store = folder.url.appendingPathComponent("store").path
        var random = SeededGenerator(seed: Self.seed)
        var known: Ledger = [:]
        for round in 0..<Self.rounds {
            let server = try ServerProcess(folder: folder.url, store: store, users: ["ada"])
            try await check(known, server, store, round)
            let log = Locked(known)
            let limit = Int(random.next() % 6) + 1
            let seeds = (0..<4).map { _ in random.next() }
            let database = try server.database(ServerKillTests.address, user: "ada")
            _ = try await database.modifyZones([.create(RecordZone.ID("Notes"))])
            await withTaskGroup { group in
                for (writer, seed) in seeds.enumerated() {
                    group.addTask {
                        await Self.write(
                            database, server, "r\(round)w\(writer)n", SeededGenerator(seed: seed),
                            log, killAfter: limit)
                    }
                }
            }
            server.kill()
            known = log.withLock { $0 }
        }
        // Nobody kills before they have saved one.
        #expect(known.count >= Self.rounds)
    }

    private func check(
        _ known: Ledger, _ server: ServerProcess, _ store: String, _ round: Int
    ) async throws {
        let database = try server.database(ServerKillTests.address, user: "ada")
        var wanted: Set<String> = []
        for (name, bytes) in known {
            let request = RecordLookupRequest(
                recordNames: [name], zoneID: RecordZone.ID("Notes"))
            guard
                case .record(let record)? = try await database.records(for: request).records.first,
                case .asset(let asset)? = record.fields["photo"]?.value,
                let url = asset.downloadURL,
                let checksum = Base64.decode(asset.fileChecksum)
            else {
                Issue.record("round \(round), seed \(Self.seed): \(name) is not there")
                continue
            }
            let read = try await server.transfer(.get, url)
            #expect(read == bytes, "round \(round), seed \(Self.seed): \(name) has other bytes")
            wanted.insert(Hexadecimal.encode(Array(checksum.dropFirst())))
        }
        let dump = String(
            decoding: try await server.answer(.get, "dump?user=ada"), as: UTF8.self)
        func isKnown(_ name: String) -> Bool {
            let checksum = Base64.encode([1] + (Hexadecimal.decode(name) ?? []))
            return wanted.contains(name) || dump.contains(checksum)
        }
        // What was uploaded and not claimed goes a day later; a request makes the server look.
        _ = try await server.admin(.post, "clock/advance", #"{"seconds":172800}"#)
        var orphans: [String] = []
        for _ in 0..<2_000 {
            _ = try await server.admin(.get, "health")
            let names = try FileManager.default.contentsOfDirectory(atPath: store + "/assets")
            orphans = names.filter { !isKnown($0) }
            if orphans.isEmpty { break }
        }
        #expect(orphans == [], "round \(round), seed \(Self.seed): files that belong to nothing")
        _ = try await server.admin(.post, "clock/advance", #"{"seconds":-172800}"#)
    }

    /// Uploads and attaches until the server is gone.
    private static func write(
        _ database: some CloudDatabase, _ server: ServerProcess, _ name: String,
        _ random: SeededGenerator, _ log: Locked<Ledger>, killAfter limit: Int
    ) async {
        var random = random
        for number in 0..<1_000 {
            let (record, byte) = ("\(name)\(number)", UInt8(truncatingIfNeeded: random.next()))
            let bytes = [UInt8](repeating: byte, count: Int(random.next() % 400_000))
            // Somewhere in the middle of an upload, for one of the writers.
            async let saved = save(bytes, record, database, server)
            if number == limit { server.killNow() }
            guard await saved else { return }
            log.withLock { $0[record] = bytes }
        }
    }

    private static func save(
        _ bytes: [UInt8], _ record: String, _ database: some CloudDatabase, _ server: ServerProcess
    ) async -> Bool {
        let zone = RecordZone.ID("Notes")
        let token = AssetUploadRequest.Token(
            recordType: "Note", fieldName: "photo", recordName: record)
        do {
            guard
                let url = try await database.uploadURLs(
                    AssetUploadRequest([token], zoneID: zone)
                ).first
            else { return false }
            let answer = try JSONDocument.parse(try await server.transfer(.post, url, bytes)).root
            guard let file = answer["singleFile"], let checksum = file["fileChecksum"]?.string,
                let size = file["size"]?.int64
            else { return false }
            var asset = Asset(fileChecksum: checksum, size: size)
            asset.receipt = file["receipt"]?.string
            let operation = RecordOperation(
                .create, recordName: record, recordType: "Note",
                fields: ["photo": Field(.asset(asset))])
            let reply = try await database.modifyRecords(
                RecordModifyRequest(operations: [operation], zoneID: zone))
            if case .record? = reply.records.first { return true }
            return false
        } catch {
            return false
        }
    }
}

extension CloudDatabase {
    /// The addresses that `assets/upload` gives.
    func uploadURLs(_ request: AssetUploadRequest) async throws -> [String] {
        guard case .assetUploads(let items) = try await write(.uploadAssets(request)) else {
            throw KillTestError("no addresses")
        }
        return items.compactMap { if case .address(_, let url) = $0 { url } else { nil } }
    }
}
