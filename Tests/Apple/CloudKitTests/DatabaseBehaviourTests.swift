import AsyncOperations
import CloudKit
import MockStore
import Testing

/// The list of behaviours, row by row: the feeds of databases, queries and subscriptions.
struct DatabaseBehaviourTests {
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

    @Test func `row 92, a zone made again shows once, and its own token has expired`() async throws
    {
        let world = try World()
        let zone = try await world.zone("Notes")
        try await world.ours.save(world.note("a", zone))
        let ofZone = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil)
        let token = try await world.ours.databaseChanges(since: nil).changeToken
        try await world.ours.deleteRecordZone(withID: zone)
        try await world.zone("Notes")
        let changes = try await world.ours.databaseChanges(since: token)
        #expect(changes.modifications.map { $0.zoneID } == [zone])
        #expect(changes.deletions.isEmpty)
        let error = await failure {
            _ = try await world.ours.recordZoneChanges(
                inZoneWith: zone, since: ofZone.changeToken)
        }
        #expect(error?.code == .changeTokenExpired)
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

    @Test func `row 108, a cursor goes on while records come and go`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let records = (0..<6).map { world.note("n\($0)", zone) }
        _ = try await world.ours.modifyRecords(saving: records, deleting: [])
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        let first = try await world.ours.records(
            matching: query, inZoneWith: zone, resultsLimit: 2)
        var seen = first.matchResults.map { $0.0.recordName }
        try await world.ours.deleteRecord(withID: first.matchResults[0].0)
        try await world.ours.save(world.note("new", zone))
        var cursor = first.queryCursor
        for _ in 0..<10 {
            guard let next = cursor else { break }
            let page = try await world.ours.records(continuingMatchFrom: next, resultsLimit: 2)
            #expect(page.matchResults.allSatisfy { $0.1.isSuccess })
            seen += page.matchResults.map { $0.0.recordName }
            cursor = page.queryCursor
        }
        #expect(cursor == nil)
        #expect(Set(seen).isSubset(of: Set(records.map { $0.recordID.recordName } + ["new"])))
        #expect(seen.count >= 5)
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
