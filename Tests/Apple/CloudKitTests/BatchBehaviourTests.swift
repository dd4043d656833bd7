import AsyncOperations
import CloudKit
import CloudModel
import Foundation
import MockStore
import Testing

/// The list of behaviours, row by row: batches, references, errors of whole requests.
struct BatchBehaviourTests {
    /// A conflict beside two records that could be saved.
    private func batch(
        _ world: World, atomic: Bool
    ) async throws -> (error: CKError?, codes: [String: CKError.Code?], saved: [String]) {
        let zone = try await world.zone("Notes")
        try await world.ours.save(world.note("b", zone))
        let records = ["a", "b", "c"].map { world.note($0, zone) }
        let operation = CKModifyRecordsOperation(recordsToSave: records)
        operation.isAtomic = atomic
        let codes = Locked<[String: CKError.Code?]>([:])
        let end = Locked<(error: CKError?, saved: [String])>((nil, []))
        operation.perRecordSaveBlock = { id, result in
            codes.withLock { $0[id.recordName] = result.code }
        }
        operation.modifyRecordsCompletionBlock = { saved, _, error in
            let names = (saved ?? []).map { $0.recordID.recordName }
            end.withLock { $0 = (error as? CKError, names) }
        }
        await world.ours.finish(operation)
        let (error, saved) = end.withLock { $0 }
        return (error, codes.withLock { $0 }, saved)
    }

    @Test func `row 38, one bad item of an atomic batch fails it all`() async throws {
        let world = try World()
        let result = try await batch(world, atomic: true)
        #expect(result.error?.code == .partialFailure)
        #expect(
            result.codes == [
                "a": .batchRequestFailed, "b": .serverRecordChanged, "c": .batchRequestFailed,
            ])
        #expect(result.saved == [])
        let zone = CKRecordZone.ID(zoneName: "Notes")
        let error = await failure {
            _ = try await world.ours.record(for: CKRecord.ID(recordName: "a", zoneID: zone))
        }
        #expect(error?.code == .unknownItem)
    }

    @Test func `row 39, a batch is atomic zone by zone`() async throws {
        let world = try World()
        let (first, second) = (try await world.zone("First"), try await world.zone("Second"))
        try await world.ours.save(world.note("bad", first))
        let records = [
            world.note("bad", first), world.note("good", first), world.note("other", second),
        ]
        let results = try await world.ours.modifyRecords(saving: records, deleting: []).saveResults
        #expect(results[records[0].recordID]?.code == .serverRecordChanged)
        #expect(results[records[1].recordID]?.code == .batchRequestFailed)
        #expect(results[records[2].recordID]?.isSuccess == true)
    }

    @Test func `row 40, a batch that failed leaves nothing behind`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let parent = try await world.ours.save(world.note("parent", zone))
        let other = try await world.ours.save(world.note("other", zone))
        let token = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
        let child = world.note("child", zone)
        child.setParent(parent)
        let results = try await world.ours.modifyRecords(
            saving: [child, world.note("parent", zone)], deleting: [other.recordID])
        #expect(results.saveResults[parent.recordID]?.code == .serverRecordChanged)
        #expect(results.saveResults[child.recordID]?.code == .batchRequestFailed)
        #expect(results.deleteResults[other.recordID]?.code == .batchRequestFailed)
        let changes = try await world.ours.recordZoneChanges(inZoneWith: zone, since: token)
        #expect(changes.modificationResultsByID.isEmpty && changes.deletions.isEmpty)
        #expect(changes.changeToken == token)
        for record in [parent, other] {
            let now = try await world.ours.record(for: record.recordID)
            #expect(now.recordChangeTag == record.recordChangeTag)
        }
    }

    @Test func `row 41, without atomicity the rest is stored`() async throws {
        let world = try World()
        let result = try await batch(world, atomic: false)
        #expect(result.error?.code == .partialFailure)
        #expect(result.codes == ["a": nil, "b": .serverRecordChanged, "c": nil])
        #expect(result.saved == ["a", "c"])
    }

    @Test func `row 42, a record may fail with a batch that is not atomic`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let record = world.note("a", zone)
        world.canned.withLock {
            $0 = [
                .records(
                    RecordsReply(records: [
                        .failure(recordName: "a", CloudError(.atomicError))
                    ]))
            ]
        }
        let results = try await world.ours.modifyRecords(
            saving: [record], deleting: [], atomically: false)
        #expect(results.saveResults[record.recordID]?.code == .batchRequestFailed)
        try await world.ours.save(record)
    }

    @Test func `row 43, operations and methods are atomic unless said otherwise`() {
        #expect(CKModifyRecordsOperation().isAtomic)
    }

    @Test func `row 44, a child may stand before its parent`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let (parent, child) = (world.note("parent", zone), world.note("child", zone))
        child.setParent(parent)
        let results = try await world.ours.modifyRecords(saving: [child, parent], deleting: [])
        #expect(results.saveResults.values.allSatisfy { $0.isSuccess })
        let stored = try await world.ours.record(for: child.recordID)
        #expect(stored.parent?.recordID == parent.recordID)
    }

    @Test func `row 48, the result block says success when single items failed`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        try await world.ours.save(world.note("a", zone))
        let operation = CKModifyRecordsOperation(recordsToSave: [world.note("a", zone)])
        let ends = Locked<[Bool]>([])
        operation.modifyRecordsResultBlock = { result in
            ends.withLock { $0.append(result.isSuccess) }
        }
        await world.ours.finish(operation)
        #expect(ends.withLock { $0 } == [true])
    }

    @Test func `row 49, one record too large fails alone`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let (small, large) = (world.note("a", zone), world.note("b", zone))
        large["body"] = Data(count: 1_100_000)
        let results = try await world.ours.modifyRecords(
            saving: [small, large], deleting: [], atomically: false
        ).saveResults
        #expect(results[small.recordID]?.isSuccess == true)
        #expect(results[large.recordID]?.isSuccess == false)
    }

    @Test func `row 50, a record both saved and deleted is refused`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let record = world.note("a", zone)
        let error = await failure {
            _ = try await world.ours.modifyRecords(saving: [record], deleting: [record.recordID])
        }
        #expect(error?.code == .invalidArguments)
    }

    @Test func `row 51, a parent that is nowhere is a violation`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let child = world.note("child", zone)
        child.setParent(CKRecord.ID(recordName: "nowhere", zoneID: zone))
        #expect(await failure { try await world.ours.save(child) }?.code == .referenceViolation)
    }

    @Test func `row 52, an ordinary link to nothing is stored`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let record = world.note("a", zone)
        let nowhere = CKRecord.ID(recordName: "nowhere", zoneID: zone)
        record["link"] = CKRecord.Reference(recordID: nowhere, action: .none)
        let saved = try await world.ours.save(record)
        let link: CKRecord.Reference? = saved["link"]
        #expect(link?.recordID == nowhere)
    }

    @Test func `rows 53 and 54, a parent goes with its children or not at all`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let (parent, child) = (world.note("parent", zone), world.note("child", zone))
        child.setParent(parent)
        _ = try await world.ours.modifyRecords(saving: [parent, child], deleting: [])
        let error = await failure { try await world.ours.deleteRecord(withID: parent.recordID) }
        #expect(error?.code == .referenceViolation)
        let results = try await world.ours.modifyRecords(
            saving: [], deleting: [parent.recordID, child.recordID])
        #expect(results.deleteResults.values.allSatisfy { $0.isSuccess })
    }

    @Test func `row 56, referrers go with their target and show in the changes`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let (target, referrer) = (world.note("target", zone), world.note("referrer", zone))
        referrer["owner"] = CKRecord.Reference(record: target, action: .deleteSelf)
        _ = try await world.ours.modifyRecords(saving: [target, referrer], deleting: [])
        let token = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
        let results = try await world.ours.modifyRecords(
            saving: [], deleting: [target.recordID])
        #expect(Array(results.deleteResults.keys) == [target.recordID])
        let changes = try await world.ours.recordZoneChanges(inZoneWith: zone, since: token)
        #expect(Set(changes.deletions.map { $0.recordID }) == [target.recordID, referrer.recordID])
    }

    @Test func `row 55, a parent is touched when a child is saved without it`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let parent = try await world.ours.save(world.note("parent", zone))
        let token = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
        let child = world.note("child", zone)
        child.setParent(parent)
        try await world.ours.save(child)
        let changes = try await world.ours.recordZoneChanges(inZoneWith: zone, since: token)
        let changed = Set(changes.modificationResultsByID.keys)
        #expect(changed == [parent.recordID, child.recordID])
        parent["title"] = "mine"
        let error = await failure { try await world.ours.save(parent) }
        #expect(error?.code == .serverRecordChanged)
        #expect(error?.serverRecord?.recordChangeTag != parent.recordChangeTag)
    }

    @Test func `row 57, a target has so many referrers that go with it and no more`() async throws {
        var options = MockOptions()
        options.referrersMax = 3
        let world = try World(options: options)
        let zone = try await world.zone("Notes")
        let target = try await world.ours.save(world.note("target", zone))
        let referrers = (0..<4).map { world.note("n\($0)", zone) }
        for referrer in referrers {
            referrer["owner"] = CKRecord.Reference(record: target, action: .deleteSelf)
        }
        let results = try await world.ours.modifyRecords(
            saving: referrers, deleting: [], atomically: false
        ).saveResults
        let codes = referrers.map { results[$0.recordID]?.code }
        #expect(codes == [nil, nil, nil, .invalidArguments])
    }

    @Test func `row 58, a child cannot be moved to a parent that went meanwhile`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let parent = try await world.ours.save(world.note("parent", zone))
        let child = try await world.ours.save(world.note("child", zone))
        let otherDevice = world.ours
        try await otherDevice.deleteRecord(withID: parent.recordID)
        child.setParent(parent)
        let move = await failure { try await world.ours.save(child) }
        #expect(move?.code == .referenceViolation)
        let new = world.note("new", zone)
        new.setParent(parent)
        #expect(await failure { try await world.ours.save(new) }?.code == .referenceViolation)
        child.parent = nil
        try await world.ours.save(child)
    }

    @Test func `row 59, changes may tell of a child before its parent`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let (parent, child) = (world.note("parent", zone), world.note("child", zone))
        child.setParent(parent)
        _ = try await world.ours.modifyRecords(saving: [child, parent], deleting: [])
        world.rewrite.withLock { rewrite in
            rewrite = { reply in
                guard case .zoneChanges(let items) = reply, case .page(var page)? = items.first
                else { return reply }
                page.records.sort { $0.recordName < $1.recordName }
                return .zoneChanges([.page(page)])
            }
        }
        let operation = CKFetchRecordZoneChangesOperation(recordZoneIDs: [zone])
        let names = Locked<[String]>([])
        operation.recordWasChangedBlock = { id, result in
            let parent = (try? result.get())?.parent?.recordID.recordName
            let name = parent.map { "\(id.recordName) of \($0)" } ?? id.recordName
            names.withLock { $0.append(name) }
        }
        await world.ours.finish(operation)
        #expect(names.withLock { $0 } == ["child of parent", "parent"])
    }

    @Test(arguments: [
        (
            CloudError.Code.tryAgainLater, CKError.Code.serviceUnavailable,
            Duration?.some(.seconds(30))
        ),
        (.throttled, .requestRateLimited, .milliseconds(1500)),
        (.internalError, .internalError, nil), (.networkFailure, .networkFailure, nil),
        (.responseLost, .serverResponseLost, nil), (.accessDenied, .permissionFailure, nil),
        (.certificateUntrusted, .networkFailure, nil),
    ])
    func `rows 113 and 116, whole requests fail by their kind, with the time to wait`(
        code: CloudError.Code, native: CKError.Code, wait: Duration?
    ) async throws {
        let world = try World()
        world.fail(CloudError(code, reason: "because", retryAfter: wait))
        let error = await failure { _ = try await world.ours.allRecordZones() }
        #expect(error?.code == native)
        let seconds = wait.map { $0 / .seconds(1) }
        #expect(error?.retryAfterSeconds == seconds)
        #expect(error?.localizedDescription == "because")
    }
}
