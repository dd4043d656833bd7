import CloudModel
import Foundation
import JSON
import RandomSeeds
import Testing
import ToolRunner

/// What a server of assets has to put up with: a disk that takes nothing or fails, and clients that do
/// not go on, which are a program in another language, `asset_clients.py`.
@Suite(
    .serialized, .timeLimit(.minutes(30)),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
struct AssetTrialTests {
    private static func play(
        _ scenario: String, _ folder: Folder, _ arguments: String...
    ) throws -> JSONValue {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("asset_clients.py").path
        let ready = folder.url.appendingPathComponent("ready.json").path
        let ended = try Tool.run(
            "/usr/bin/python3", ["-B", script, scenario, ready] + arguments, errors: .kept)
        try #require(ended.status == 0, "\(ended.errors)")
        print("assets, \(scenario): \(ended.text)")
        return try JSONDocument.parse(ended.output).root
    }

    @Test func `a disk that takes nothing costs neither memory nor answers`() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let store = folder.url.appendingPathComponent("store").path
        let server = try ServerProcess(
            folder: folder.url, store: store, users: ["ada"], disk: .stalled)
        defer { server.kill() }
        // 4,000 bodies of 60,000 bytes come to their end meanwhile.
        let facts = try Self.play("parallel", folder, folder.url.path)
        #expect(facts["polite"]?.int64 == 200)
        // A sanitizer keeps what was freed, and shadows of all memory.
        if !Seeds.isSanitized {
            #expect(try #require(facts["peak_above_empty_mib"]?.int64) < 64)
        }
    }

    @Test func `stalled clients leave other clients file descriptors`() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let server = try ServerProcess(folder: folder.url, users: ["ada"], filesMax: 256)
        defer { server.kill() }
        let facts = try Self.play("stalled", folder)
        #expect(facts["polite"]?.int64 == 200 && facts["whole"]?.bool == true)
        #expect(try #require(facts["downloads"]?.int64) <= 5)
        #expect(try #require(facts["uploads"]?.int64) <= 130)
    }

    @Test func `an upload counts that begins before its address expires`() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let server = try ServerProcess(folder: folder.url, users: ["ada"])
        defer { server.kill() }
        let facts = try Self.play("late", folder)
        #expect(facts["begun"]?.bool == true)
        #expect(facts["later"]?.int64 == 410)
        #expect(facts["status"]?.int64 == 200)
    }

    @Test(arguments: [false, true])
    func `a folder that cannot be synchronized keeps no orphan and loses nothing`(
        isKnown: Bool
    ) async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let store = folder.url.appendingPathComponent("store").path
        // The first is the file's own.
        let disk = FailingDisk.sync(2)
        let server = try ServerProcess(
            folder: folder.url, store: store, users: ["ada"], disk: disk)
        defer { server.kill() }
        let database = try server.database(ServerKillTests.address, user: "ada")
        let zone = RecordZone.ID("Notes")
        _ = try await database.modifyZones([.create(zone)])
        let token = AssetUploadRequest.Token(
            recordType: "Note", fieldName: "photo", recordName: "a")
        let urls = try await database.uploadURLs(
            AssetUploadRequest([token, token], zoneID: zone))
        func files() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: store + "/assets").count
        }
        // The same bytes, which another upload has brought already.
        if isKnown { _ = try await server.transfer(.post, urls[0], [1]) }
        try disk.arm(folder.url)
        await #expect(throws: KillTestError.self) {
            try await server.transfer(.post, urls[1], [1])
        }
        for _ in 0..<2_000 where try files() > 0 {
            _ = try await server.admin(.get, "health")
        }
        #expect(try files() == (isKnown ? 1 : 0))
        _ = try await server.transfer(.post, urls[1], [1])
        #expect(try files() == 1)
    }
}
