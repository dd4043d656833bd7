import AsyncOperations
import CloudKit
import CloudModel
import Testing

/// An operation of several requests of which a later one fails: what was stored is known to be.
struct PartialFailureTests {
    /// Lets the first request that changes something through, and fails the next.
    private func failSecond(_ world: World, _ code: CloudError.Code) {
        world.rewrite.withLock { rewrite in
            rewrite = { reply in
                switch reply {
                case .records, .zones: world.fail(CloudError(code))
                default: break
                }
                return reply
            }
        }
    }

    @Test(arguments: [true, false], [CloudError.Code.networkFailure, .throttled])
    func `records of an earlier request are saved, and the others have the error`(
        isAtomic: Bool, code: CloudError.Code
    ) async throws {
        let world = try World()
        let zones = [try await world.zone("First"), try await world.zone("Second")]
        let records = zones.flatMap { zone in (0..<150).map { world.note("n\($0)", zone) } }
        failSecond(world, code)
        let results = try await world.ours.modifyRecords(
            saving: records, deleting: [], atomically: isAtomic
        ).saveResults
        let native: CKError.Code = code == .throttled ? .requestRateLimited : .networkFailure
        #expect(records.prefix(150).allSatisfy { results[$0.recordID]?.isSuccess == true })
        #expect(records.suffix(150).allSatisfy { results[$0.recordID]?.code == native })
        #expect(records.prefix(150).allSatisfy { $0.recordChangeTag != nil })
    }

    @Test func `zones of an earlier request are saved, and the others have the error`()
        async throws
    {
        let world = try World()
        let zones = (0..<201).map { CKRecordZone(zoneName: "z\($0)") }
        failSecond(world, .networkFailure)
        let results = try await world.ours.modifyRecordZones(saving: zones, deleting: [])
            .saveResults
        #expect(zones.prefix(200).allSatisfy { results[$0.zoneID]?.isSuccess == true })
        #expect(results[zones[200].zoneID]?.code == .networkFailure)
    }

    @Test func `a first request that fails fails the operation`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let records = (0..<400).map { world.note("n\($0)", zone) }
        world.faultsOnWrites.withLock { $0 = [CloudError(.networkFailure)] }
        let error = await failure {
            _ = try await world.ours.modifyRecords(
                saving: records, deleting: [], atomically: false)
        }
        #expect(error?.code == .networkFailure)
    }

    /// An app that gets a conflict without the server's record cannot merge, and loses its edit.
    @Test func `a conflict whose server record cannot be fetched can be tried again`() async throws
    {
        let world = try World()
        let zone = try await world.zone("Notes")
        try await world.ours.save(world.note("a", zone, title: "theirs"))
        let mine = world.note("a", zone, title: "mine")
        failSecond(world, .networkFailure)
        #expect(await failure { try await world.ours.save(mine) }?.code == .networkFailure)
        world.rewrite.withLock { $0 = nil }
        world.fail()
        let error = await failure { try await world.ours.save(mine) }
        #expect(error?.code == .serverRecordChanged)
        #expect(error?.serverRecord?["title"] == "theirs")
    }
}
