import AsyncOperations
import CloudKit
import CloudKitMock
import Foundation
import Testing

/// Files that cannot be sent or had: each is an error of its record, and of nothing else.
@Suite(.timeLimit(.minutes(10)))
struct AssetFailureTests {
    @Test func `a file that is not there fails its own record, and an atomic batch`() async throws {
        try await AssetWorld.run { world in
            let missing = world.folder.appendingPathComponent("missing")
            let file = try world.file("f", AssetWorld.bytes(9))
            func results(_ atomically: Bool) async throws -> [CKError.Code?] {
                let records = [
                    world.photo("a", ["picture": file]), world.photo("b", ["picture": missing]),
                    world.photo("c", ["picture": world.folder]),
                    world.photo("d", ["picture": try #require(URL(string: "https://a.example/b"))]),
                ]
                let found = try await world.ours.modifyRecords(
                    saving: records, deleting: [], atomically: atomically
                ).saveResults
                return records.map { found[$0.recordID]?.code }
            }
            #expect(
                try await results(true)
                    == [.batchRequestFailed]
                    + [CKError.Code?](repeating: .assetFileNotFound, count: 3))
            #expect(try await world.count("assets/upload") == 0)
            #expect(
                try await results(false)
                    == [nil] + [CKError.Code?](repeating: .assetFileNotFound, count: 3))
        }
    }

    @Test func `a file larger than the service takes is not sent`() async throws {
        try await AssetWorld.run { world in
            let large = try world.file("large", Data())
            let handle = try FileHandle(forWritingTo: large)
            try handle.truncate(atOffset: (50 << 20) + 1)
            try handle.close()
            let error = await failure {
                try await world.ours.save(world.photo("a", ["picture": large]))
            }
            #expect(error?.code == .limitExceeded)
            #expect(try await world.count("assets/upload") == 0)
        }
    }

    /// What goes wrong on the way there, and what the record's error is.
    @Test(arguments: [
        ("assets/upload once -> THROTTLED", CKError.Code.requestRateLimited),
        ("assets/upload once -> QUOTA_EXCEEDED", .quotaExceeded),
        ("assets/upload/bytes once -> QUOTA_EXCEEDED", .quotaExceeded),
        ("assets/upload/bytes once -> TRY_AGAIN_LATER retry 5s", .serviceUnavailable),
        ("assets/upload/bytes once -> cut before commit", .serverResponseLost),
        ("assets/upload/bytes once -> cut after commit", .serverResponseLost),
        ("assets/upload/bytes once -> cut at 10", .serverResponseLost),
    ])
    func `a refused upload is no saved record`(rule: String, code: CKError.Code) async throws {
        try await AssetWorld.run { world in
            try await world.cloud.inject(rule)
            let file = try world.file("f", AssetWorld.bytes(200_000))
            let photo = world.photo("a", ["picture": file])
            let error = await failure { try await world.ours.save(photo) }
            #expect(error?.code == code, "\(String(describing: error))")
            #expect(try await world.count("records/modify") == 0)
        }
    }

    @Test(arguments: [
        ("assets/download once -> cut at 100", CKError.Code.serverResponseLost),
        ("assets/download once -> cut before commit", .serverResponseLost),
        ("assets/download once -> TRY_AGAIN_LATER retry 5s", .serviceUnavailable),
        ("assets/download once -> NOT_FOUND", .assetNotAvailable),
    ])
    func `a download that fails is its record's error alone`(
        rule: String, code: CKError.Code
    ) async throws {
        try await AssetWorld.run { world in
            let file = try world.file("f", AssetWorld.bytes(300_000))
            let (heavy, plain) = (world.photo("a", ["picture": file]), world.photo("b"))
            _ = try await world.ours.modifyRecords(saving: [heavy, plain], deleting: [])
            try await world.cloud.inject(rule)
            let found = try await world.ours.records(for: [heavy.recordID, plain.recordID])
            #expect(found[heavy.recordID]?.code == code)
            #expect(found[plain.recordID]?.isSuccess == true)
            let again = try await world.ours.record(for: heavy.recordID)
            #expect(try AssetWorld.content(again["picture"] as Any?).count == 300_000)
        }
    }
}
