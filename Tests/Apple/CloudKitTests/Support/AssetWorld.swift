import AsyncOperations
import CloudKit
import CloudKitMock
import Foundation

/// A mock server behind TLS with a zone, and a folder for files of assets.
struct AssetWorld: Sendable {
    let cloud: MockCloud
    let zone: CKRecordZone.ID
    let folder: URL
    var ours: CKDatabase { cloud.container.privateCloudDatabase }

    static func run(
        depth: MockDepth = .socket, _ body: @Sendable (AssetWorld) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("cloudkit-asset-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withMockCloud(seed: 11, depth: depth) { cloud in
            let zone = try await cloud.container.privateCloudDatabase.save(
                CKRecordZone(zoneName: "Album"))
            try await body(AssetWorld(cloud: cloud, zone: zone.zoneID, folder: folder))
        }
    }

    /// Bytes that tell their places apart.
    static func bytes(_ count: Int, _ salt: Int = 0) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &+ salt) })
    }

    /// A file of an app's.
    func file(_ name: String, _ bytes: Data) throws -> URL {
        let url = folder.appendingPathComponent(name)
        try bytes.write(to: url)
        return url
    }

    /// A record that is not saved yet.
    func photo(_ name: String, _ files: [String: URL] = [:]) -> CKRecord {
        let record = CKRecord(
            recordType: "Photo", recordID: CKRecord.ID(recordName: name, zoneID: zone))
        for (key, url) in files { record[key] = CKAsset(fileURL: url) }
        return record
    }

    /// The bytes of a fetched asset's file.
    static func content(_ value: Any?) throws -> Data {
        guard let url = (value as? CKAsset)?.fileURL else { throw Odd() }
        return try Data(contentsOf: url)
    }

    /// How many requests of an operation the server has answered.
    func count(_ operation: String) async throws -> Int {
        try await cloud.requests(operation).count
    }
}
