import AsyncOperations
import CloudKit
import CloudModel
import MockServer
import Testing

/// The list of behaviours, row by row: the feeds of zones and databases, and subscriptions.
struct ChangeBehaviourTests {
    private func names(_ changes: CKDatabase.RecordZoneChanges) -> Set<String> {
        Set(changes.modificationResultsByID.keys.map { $0.recordName })
    }

    @Test func `rows 61, 63 and 64, a token is a lasting place`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        for name in ["a", "b", "c"] { try await world.ours.save(world.note(name, zone)) }
        let all = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil)
        #expect(names(all) == ["a", "b", "c"])
        #expect(!all.moreComing)
        for _ in 0..<2 {
            let none = try await world.ours.recordZoneChanges(
                inZoneWith: zone, since: all.changeToken)
            #expect(names(none).isEmpty && none.deletions.isEmpty && !none.moreComing)
            #expect(none.changeToken == all.changeToken)
        }
    }

    @Test func `rows 66, 67 and 83, an operation goes on over empty pages`() async throws {
        var options = MockOptions()
        options.emptyPages = 2
        options.recordsPageMax = 2
        let world = try World(options: options)
        let zone = try await world.zone("Notes")
        let records = (0..<5).map { world.note("n\($0)", zone) }
        _ = try await world.ours.modifyRecords(saving: records, deleting: [])
        let operation = CKFetchRecordZoneChangesOperation(recordZoneIDs: [zone])
        let events = Locked<(names: [String], tokens: Int, ends: Int)>(([], 0, 0))
        operation.recordWasChangedBlock = { id, _ in
            events.withLock { $0.names.append(id.recordName) }
        }
        operation.recordZoneChangeTokensUpdatedBlock = { _, token, _ in
            events.withLock { $0.tokens += token == nil ? 0 : 1 }
        }
        operation.recordZoneFetchResultBlock = { _, result in
            events.withLock { $0.ends += result.isSuccess ? 1 : 100 }
        }
        await world.ours.finish(operation)
        let seen = events.withLock { $0 }
        #expect(seen.names.sorted() == ["n0", "n1", "n2", "n3", "n4"])
        #expect(seen.tokens >= 4)
        #expect(seen.ends == 1)
    }

    @Test func `rows 68 and 70, a change comes once and a deletion by name`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let gone = try await world.ours.save(world.note("gone", zone))
        let token = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
        var kept = try await world.ours.save(world.note("kept", zone, title: "one"))
        kept["title"] = "two"
        kept = try await world.ours.save(kept)
        try await world.ours.deleteRecord(withID: gone.recordID)
        let changes = try await world.ours.recordZoneChanges(inZoneWith: zone, since: token)
        #expect(names(changes) == ["kept"])
        let record = try changes.modificationResultsByID[kept.recordID]?.get().record
        #expect(record?["title"] == "two")
        #expect(record?.recordChangeTag == kept.recordChangeTag)
        #expect(changes.deletions.map { $0.recordID } == [gone.recordID])
    }

    @Test func `rows 78 and 79, a missing zone fails alone`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        try await world.ours.save(world.note("a", zone))
        let missing = CKRecordZone.ID(zoneName: "Missing")
        let operation = CKFetchRecordZoneChangesOperation(recordZoneIDs: [missing, zone])
        let seen = Locked<(codes: [String: CKError.Code?], end: CKError?)>(([:], nil))
        operation.recordZoneFetchResultBlock = { id, result in
            seen.withLock { $0.codes[id.zoneName] = result.code }
        }
        operation.fetchRecordZoneChangesCompletionBlock = { error in
            seen.withLock { $0.end = error as? CKError }
        }
        await world.ours.finish(operation)
        let (codes, end) = seen.withLock { $0 }
        #expect(codes == ["Missing": .zoneNotFound, "Notes": nil])
        #expect(end?.code == .partialFailure)
    }

    @Test func `row 80, desired keys leave other fields out`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let record = world.note("a", zone, title: "one")
        record["body"] = "long"
        try await world.ours.save(record)
        let changes = try await world.ours.recordZoneChanges(
            inZoneWith: zone, since: nil, desiredKeys: ["title"])
        let found = try changes.modificationResultsByID[record.recordID]?.get().record
        #expect(found?.allKeys() == ["title"])
    }

    @Test func `row 82, after a lost page the next fetch goes on from its token`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let records = (0..<4).map { world.note("n\($0)", zone) }
        _ = try await world.ours.modifyRecords(saving: records, deleting: [])
        let first = try await world.ours.recordZoneChanges(
            inZoneWith: zone, since: nil, resultsLimit: 3)
        world.fail(CloudError(.networkFailure))
        let error = await failure {
            _ = try await world.ours.recordZoneChanges(inZoneWith: zone, since: first.changeToken)
        }
        #expect(error?.code == .networkFailure)
        let rest = try await world.ours.recordZoneChanges(
            inZoneWith: zone, since: first.changeToken)
        #expect(names(first).union(names(rest)).count == 4)
        #expect(names(first).isDisjoint(with: names(rest)))
    }

    @Test func `rows 88 to 90, a database's zones and deletions are told`() async throws {
        let world = try World()
        let (keep, drop) = (try await world.zone("Keep"), try await world.zone("Drop"))
        let all = try await world.ours.databaseChanges(since: nil)
        #expect(Set(all.modifications.map { $0.zoneID }).isSuperset(of: [keep, drop]))
        let none = try await world.ours.databaseChanges(since: all.changeToken)
        #expect(none.modifications.isEmpty && none.deletions.isEmpty)
        try await world.ours.deleteRecordZone(withID: drop)
        let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: none.changeToken)
        let seen = Locked<(deleted: [CKRecordZone.ID], ended: Bool)>(([], false))
        operation.recordZoneWithIDWasDeletedBlock = { id in
            seen.withLock { $0.deleted.append(id) }
        }
        operation.fetchDatabaseChangesResultBlock = { result in
            seen.withLock { $0.ended = result.isSuccess }
        }
        await world.ours.finish(operation)
        let (deleted, ended) = seen.withLock { $0 }
        #expect(deleted == [drop])
        #expect(ended)
    }

    @Test func `row 93, the public database has no changes`() async throws {
        let world = try World()
        let error = await failure {
            _ = try await world.container.publicCloudDatabase.databaseChanges(since: nil)
        }
        #expect(error?.code == .invalidArguments)
    }

    @Test func `row 94, shares are refused without being sent`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let share = CKShare(rootRecord: world.note("root", zone))
        let asked = world.commands.withLock { $0.count }
        let error = await failure { try await world.ours.save(share) }
        #expect(error?.code == .serverRejectedRequest)
        #expect(error?.localizedDescription.contains("Sharing is not available") == true)
        #expect(world.commands.withLock { $0.count } == asked)
    }

    @Test func `row 107, a query right after a save may miss it`() async throws {
        var options = MockOptions()
        options.indexLag = .seconds(60)
        let world = try World(options: options)
        let zone = try await world.zone("Notes")
        try await world.ours.save(world.note("a", zone))
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        let found = try await world.ours.records(matching: query, inZoneWith: zone)
        #expect(found.matchResults.isEmpty)
    }

    @Test func `row 109, a subscription to a missing zone fails by itself`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let good = CKRecordZoneSubscription(zoneID: zone, subscriptionID: "good")
        let bad = CKRecordZoneSubscription(
            zoneID: CKRecordZone.ID(zoneName: "Missing"), subscriptionID: "bad")
        let operation = CKModifySubscriptionsOperation(subscriptionsToSave: [good, bad])
        let seen = Locked<CKError?>(nil)
        operation.modifySubscriptionsCompletionBlock = { _, _, error in
            seen.withLock { $0 = error as? CKError }
        }
        await world.ours.finish(operation)
        let error = seen.withLock { $0 }
        #expect(error?.code == .partialFailure)
        let item = error?.partialErrorsByItemID?["bad"] as? CKError
        #expect(item?.code == .zoneNotFound)
        #expect(error?.partialErrorsByItemID?["good"] == nil)
    }

    @Test func `row 110, the shared database has no query subscriptions`() async throws {
        let world = try World()
        let subscription = CKQuerySubscription(
            recordType: "Note", predicate: NSPredicate(value: true),
            options: .firesOnRecordCreation)
        let error = await failure {
            try await world.container.sharedCloudDatabase.save(subscription)
        }
        #expect(error?.code == .invalidArguments)
    }

    @Test func `subscriptions are saved, replaced, listed and deleted`() async throws {
        let world = try World()
        let info = CKSubscription.NotificationInfo()
        info.shouldSendContentAvailable = true
        let subscription = CKDatabaseSubscription(subscriptionID: "all")
        subscription.notificationInfo = info
        try await world.ours.save(subscription)
        info.soundName = "ping"
        let saved = try await world.ours.save(subscription)
        #expect(saved.notificationInfo?.soundName == "ping")
        let query = CKQuerySubscription(
            recordType: "Note", predicate: NSPredicate(format: "title = %@", "x"),
            subscriptionID: "some", options: [.firesOnRecordCreation, .firesOnRecordDeletion])
        try await world.ours.save(query)
        let listed = try await world.ours.allSubscriptions()
        #expect(Set(listed.map { $0.subscriptionID }) == ["all", "some"])
        let found = try await world.ours.subscription(for: "some") as? CKQuerySubscription
        #expect(found?.recordType == "Note")
        #expect(
            found?.querySubscriptionOptions == [.firesOnRecordCreation, .firesOnRecordDeletion])
        #expect(try await world.ours.deleteSubscription(withID: "all") == "all")
        let error = await failure { _ = try await world.ours.subscription(for: "all") }
        #expect(error?.code == .unknownItem)
    }
}
