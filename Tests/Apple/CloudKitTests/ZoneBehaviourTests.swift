import AsyncOperations
import CloudKit
import CloudModel
import Testing

/// The list of behaviours, row by row: account and zones.
struct ZoneBehaviourTests {
    typealias Reason = CKDatabase.DatabaseChange.Deletion.Reason

    @Test(arguments: [CloudError.Code.authenticationRequired, .authenticationFailed])
    func `row 1, without an account every request fails as not authenticated`(
        code: CloudError.Code
    ) async throws {
        let world = try World()
        world.fail(CloudError(code), CloudError(code), CloudError(code))
        #expect(await failure { try await world.zone("Notes") }?.code == .notAuthenticated)
        // A refused credential does not say that the user is signed out.
        let status = try await world.container.accountStatus()
        #expect(status == (code == .authenticationFailed ? .couldNotDetermine : .noAccount))
        let error = await failure { _ = try await world.ours.allRecordZones() }
        #expect(error?.code == .notAuthenticated)
    }

    @Test func `row 6, a full account refuses a save`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        world.fail(CloudError(.quotaExceeded))
        let error = await failure { try await world.ours.save(world.note("a", zone)) }
        #expect(error?.code == .quotaExceeded)
    }

    @Test func `row 7, saving a zone that exists keeps its records`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        try await world.ours.save(world.note("a", zone))
        try await world.zone("Notes")
        let kept = try await world.ours.record(for: CKRecord.ID(recordName: "a", zoneID: zone))
        #expect(kept.recordType == "Note")
    }

    @Test func `row 8, deleting a missing zone is a partial failure by zone`() async throws {
        let world = try World()
        let there = try await world.zone("Notes")
        let missing = CKRecordZone.ID(zoneName: "Missing")
        let operation = CKModifyRecordZonesOperation(recordZoneIDsToDelete: [missing, there])
        let seen = Locked<(deleted: [CKRecordZone.ID]?, error: CKError?)>((nil, nil))
        operation.modifyRecordZonesCompletionBlock = { _, deleted, error in
            seen.withLock { $0 = (deleted, error as? CKError) }
        }
        await world.ours.finish(operation)
        let (deleted, error) = seen.withLock { $0 }
        #expect(deleted == [there])
        #expect(error?.code == .partialFailure)
        let item = error?.partialErrorsByItemID?[missing] as? CKError
        #expect(item?.code == .zoneNotFound)
        #expect(error?.partialErrorsByItemID?.count == 1)
        let alone = await failure { try await world.ours.deleteRecordZone(withID: missing) }
        #expect(alone?.code == .zoneNotFound)
    }

    @Test func `row 9, a missing zone is the matter of its own records only`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let missing = CKRecordZone.ID(zoneName: "Missing")
        let (here, there) = (world.note("a", zone), world.note("b", missing))
        let saves = try await world.ours.modifyRecords(saving: [there, here], deleting: [])
        #expect(saves.saveResults[there.recordID]?.code == .zoneNotFound)
        #expect(saves.saveResults[here.recordID]?.isSuccess == true)
        let fetched = try await world.ours.records(for: [there.recordID, here.recordID])
        #expect(fetched[there.recordID]?.code == .zoneNotFound)
        #expect(fetched[here.recordID]?.isSuccess == true)
        let gone = await failure { try await world.ours.deleteRecord(withID: there.recordID) }
        #expect(gone?.code == .zoneNotFound)
    }

    @Test func `row 10, a deleted zone comes back empty`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let saved = try await world.ours.save(world.note("a", zone))
        try await world.ours.deleteRecordZone(withID: zone)
        try await world.zone("Notes")
        let error = await failure { _ = try await world.ours.record(for: saved.recordID) }
        #expect(error?.code == .unknownItem)
        let changes = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil)
        #expect(changes.modificationResultsByID.isEmpty)
    }

    @Test func `row 11, a token of a zone's earlier life has expired`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        try await world.ours.save(world.note("a", zone))
        let token = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
        try await world.ours.deleteRecordZone(withID: zone)
        try await world.zone("Notes")
        let error = await failure {
            _ = try await world.ours.recordZoneChanges(inZoneWith: zone, since: token)
        }
        #expect(error?.code == .changeTokenExpired)
    }

    @Test func `row 12, an erased zone was erased by the user until somebody creates it`()
        async throws
    {
        let world = try World()
        let zone = try await world.zone("Notes")
        let record = try await world.ours.save(world.note("a", zone))
        let token = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
        try await world.lose(zone, .purged)
        let asked = [
            await failure { try await world.ours.save(world.note("b", zone)) },
            await failure { _ = try await world.ours.record(for: record.recordID) },
            await failure { try await world.ours.deleteRecord(withID: record.recordID) },
            await failure { _ = try await world.ours.recordZone(for: zone) },
            await failure { try await world.ours.deleteRecordZone(withID: zone) },
            await failure {
                _ = try await world.ours.recordZoneChanges(inZoneWith: zone, since: token)
            },
        ]
        #expect(asked.map { $0?.code } == Array(repeating: .userDeletedZone, count: asked.count))
        #expect(asked.allSatisfy { $0?.localizedDescription == "Zone was purged by user" })
        try await world.zone("Notes")
        try await world.ours.save(world.note("a", zone))
    }

    @Test func `row 12, records of an erased zone fail by themselves`() async throws {
        let world = try World()
        let (erased, kept) = (try await world.zone("Erased"), try await world.zone("Kept"))
        try await world.lose(erased, .purged)
        let (there, gone) = (world.note("a", kept), world.note("a", erased))
        let results = try await world.ours.modifyRecords(saving: [gone, there], deleting: [])
        #expect(results.saveResults[gone.recordID]?.code == .userDeletedZone)
        #expect(results.saveResults[there.recordID]?.isSuccess == true)
        let fetched = try await world.ours.records(for: [gone.recordID, there.recordID])
        #expect(fetched[gone.recordID]?.code == .userDeletedZone)
        #expect(fetched[there.recordID]?.isSuccess == true)
    }

    @Test(arguments: [
        (RecordZone.DeletionReason.deleted, Reason.deleted, "deleted"),
        (.purged, .purged, "purged"), (.encryptedDataReset, .encryptedDataReset, "reset"),
    ])
    func `row 13, a zone that went is reported with the reason`(
        cause: RecordZone.DeletionReason, reason: Reason, word: String
    ) async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let token = try await world.ours.databaseChanges(since: nil).changeToken
        try await world.lose(zone, cause)
        let changes = try await world.ours.databaseChanges(since: token)
        #expect(changes.deletions.map { $0.zoneID } == [zone])
        #expect(changes.deletions.first?.reason == reason)
        #expect(changes.deletions.first?.purged == (reason == .purged))
        let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: token)
        let told = Locked<[String]>([])
        operation.recordZoneWithIDWasDeletedBlock = { id in
            told.withLock { $0.append("deleted \(id.zoneName)") }
        }
        operation.recordZoneWithIDWasPurgedBlock = { id in
            told.withLock { $0.append("purged \(id.zoneName)") }
        }
        operation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock = { id in
            told.withLock { $0.append("reset \(id.zoneName)") }
        }
        await world.ours.finish(operation)
        #expect(told.withLock { $0 } == ["\(word) Notes"])
        let plain = CKFetchDatabaseChangesOperation(previousServerChangeToken: token)
        let heard = Locked<[CKRecordZone.ID]>([])
        plain.recordZoneWithIDWasDeletedBlock = { id in heard.withLock { $0.append(id) } }
        await world.ours.finish(plain)
        #expect(heard.withLock { $0 } == [zone])
    }

    @Test func `row 13, a zone lost with its keys is not found and says why`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        try await world.lose(zone, .encryptedDataReset)
        let error = await failure { try await world.ours.save(world.note("a", zone)) }
        #expect(error?.code == .zoneNotFound)
        #expect(error?.userInfo[CKErrorUserDidResetEncryptedDataKey] as? Bool == true)
        let missing = CKRecord.ID(
            recordName: "a", zoneID: CKRecordZone.ID(zoneName: "Missing"))
        let other = await failure { _ = try await world.ours.record(for: missing) }
        #expect(other?.code == .zoneNotFound)
        #expect(other?.userInfo[CKErrorUserDidResetEncryptedDataKey] == nil)
    }

    @Test func `row 15, the default zone has no capabilities and no changes`() async throws {
        let world = try World()
        let zone = try await world.ours.recordZone(for: .default)
        #expect(zone.capabilities == [])
        let error = await failure {
            _ = try await world.ours.recordZoneChanges(inZoneWith: .default, since: nil)
        }
        #expect(error?.code == .invalidArguments)
    }

    @Test(arguments: [CKDatabase.Scope.public, .shared])
    func `row 16, only the private database has custom zones`(scope: CKDatabase.Scope) async throws
    {
        let world = try World()
        let database = world.container.database(with: scope)
        let error = await failure { try await database.save(CKRecordZone(zoneName: "Notes")) }
        #expect(error?.code == .badDatabase)
    }

    @Test func `row 17, a zone that was only said to be created can be created again`()
        async throws
    {
        let world = try World()
        world.canned.withLock {
            $0 = [.zones([.zone(RecordZone(id: RecordZone.ID("Notes"), isAtomic: true))])]
        }
        let zone = try await world.zone("Notes")
        let error = await failure { try await world.ours.save(world.note("a", zone)) }
        #expect(error?.code == .zoneNotFound)
        try await world.zone("Notes")
        try await world.ours.save(world.note("a", zone))
    }

    @Test func `row 18, a zone deleted while its changes are paged is not found`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        for name in ["a", "b", "c"] { try await world.ours.save(world.note(name, zone)) }
        let page = try await world.ours.recordZoneChanges(
            inZoneWith: zone, since: nil, resultsLimit: 1)
        #expect(page.moreComing)
        try await world.ours.deleteRecordZone(withID: zone)
        let error = await failure {
            _ = try await world.ours.recordZoneChanges(
                inZoneWith: zone, since: page.changeToken, resultsLimit: 1)
        }
        #expect(error?.code == .zoneNotFound)
    }

    @Test func `row 19, zones that are gone do not keep others from going`() async throws {
        let world = try World()
        let (first, second) = (try await world.zone("First"), try await world.zone("Second"))
        let missing = CKRecordZone.ID(zoneName: "Missing")
        let results = try await world.ours.modifyRecordZones(
            saving: [], deleting: [first, missing, second]
        ).deleteResults
        #expect(results[first]?.isSuccess == true)
        #expect(results[missing]?.code == .zoneNotFound)
        #expect(results[second]?.isSuccess == true)
        #expect(try await world.ours.allRecordZones().map { $0.zoneID } == [.default])
    }

    @Test(arguments: ["_Mine", "Zoë", String(repeating: "z", count: 256)])
    func `row 20, a zone's name is short ASCII without an underscore first`(
        name: String
    ) async throws {
        let world = try World()
        #expect(await failure { try await world.zone(name) }?.code == .invalidArguments)
    }

    @Test func `one's own zones have the IDs that the app made`() async throws {
        let world = try World()
        let made = CKRecordZone(zoneName: "Notes")
        #expect(try await world.ours.save(made).zoneID == made.zoneID)
        let listed = try await world.ours.allRecordZones().map { $0.zoneID }
        #expect(Set(listed) == [made.zoneID, .default])
        let changed = try await world.ours.databaseChanges(since: nil).modifications
        #expect(changed.contains { $0.zoneID == made.zoneID })
        let record = try await world.ours.save(world.note("a", made.zoneID))
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        let found = try await world.ours.records(matching: query).matchResults
        #expect(found.map { $0.0 } == [record.recordID])
    }

    @Test func `fetching zones by ID answers for each`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let missing = CKRecordZone.ID(zoneName: "Missing")
        let found = try await world.ours.recordZones(for: [zone, missing])
        #expect(try found[zone]?.get().capabilities == [.fetchChanges, .atomic, .sharing])
        #expect(found[missing]?.code == .zoneNotFound)
        let operation = CKFetchRecordZonesOperation(recordZoneIDs: [zone, missing])
        let codes = Locked<[CKError.Code?]>([])
        operation.fetchRecordZonesCompletionBlock = { zones, error in
            codes.withLock { $0.append((error as? CKError)?.code) }
            if zones?.keys.map({ $0 }) != [zone] { codes.withLock { $0.append(.internalError) } }
        }
        operation.fetchRecordZonesResultBlock = { result in
            codes.withLock { $0.append(result.code) }
        }
        await world.ours.finish(operation)
        #expect(codes.withLock { $0 } == [nil, .partialFailure])
    }
}
