import AsyncOperations
import CloudKit
import Foundation
import Testing

/// What operations have from Foundation's queues, and the rules of CloudKit's own settings.
struct OperationTests {
    private func listing(
        _ said: Locked<[String]>, _ name: String
    ) -> CKFetchRecordZonesOperation {
        let operation = CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()
        operation.fetchRecordZonesCompletionBlock = { zones, error in
            let code = (error as? CKError)?.errorCode
            said.withLock { $0.append(code.map { "\(name) \($0)" } ?? name) }
        }
        return operation
    }

    @Test func `an operation waits for those it depends on`() async throws {
        let world = try World()
        let said = Locked<[String]>([])
        let operations = ["one", "two", "three"].map { listing(said, $0) }
        operations[0].addDependency(operations[1])
        operations[1].addDependency(operations[2])
        await withCheckedContinuation { continuation in
            operations[0].completionBlock = { continuation.resume() }
            for operation in operations { world.ours.add(operation) }
        }
        #expect(said.withLock { $0 } == ["three", "two", "one"])
        #expect(operations.allSatisfy { $0.isFinished && !$0.isExecuting })
    }

    @Test func `a cancelled operation says so and asks nothing`() async throws {
        let world = try World()
        let said = Locked<[String]>([])
        let operation = listing(said, "listed")
        operation.cancel()
        await world.ours.finish(operation)
        #expect(said.withLock { $0 } == ["listed 20"])
        #expect(world.commands.withLock { $0.isEmpty })
    }

    @Test func `cancelling ends a request under way`() async throws {
        let world = try World()
        world.hangs.withLock { $0 = true }
        let said = Locked<[String]>([])
        let operation = listing(said, "listed")
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            world.asked.withLock { $0 = { operation.cancel() } }
            world.ours.add(operation)
        }
        #expect(said.withLock { $0 } == ["listed 20"])
        #expect(world.commands.withLock { $0.count } == 1)
    }

    @Test func `an operation whose time is up says so`() async throws {
        let world = try World()
        world.hangs.withLock { $0 = true }
        let said = Locked<[String]>([])
        let operation = listing(said, "listed")
        operation.configuration.timeoutIntervalForResource = 0.001
        await world.ours.finish(operation)
        #expect(said.withLock { $0 } == ["listed 4"])
    }

    @Test
    func `without a state folder no operation is long-lived, by its own settings or its group's`()
        async throws
    {
        let world = try World()
        let said = Locked<[String]>([])
        let alone = listing(said, "alone")
        alone.configuration.isLongLived = true
        await world.ours.finish(alone)
        let grouped = listing(said, "grouped")
        let group = CKOperationGroup()
        group.defaultConfiguration.isLongLived = true
        grouped.group = group
        await world.ours.finish(grouped)
        #expect(said.withLock { $0 } == ["alone 12", "grouped 12"])
        // Who is signed in was asked each time, and nothing else.
        #expect(world.requests == 2)
    }

    @Test func `an operation on a queue of the app's own finds its container`() async throws {
        let world = try World()
        try await world.zone("Notes")
        let said = Locked<[String]>([])
        let operation = listing(said, "listed")
        operation.configuration.container = world.container
        let queue = OperationQueue()
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            queue.addOperation(operation)
        }
        #expect(said.withLock { $0 } == ["listed"])
    }

    @Test func `methods with completion handlers do what the async ones do`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let record = world.note("a", zone, title: "one")
        let saved: CKRecord = try await withCheckedThrowingContinuation { continuation in
            world.ours.save(record) { saved, error in
                guard let saved else { return continuation.resume(throwing: error ?? Odd()) }
                continuation.resume(returning: saved)
            }
        }
        #expect(saved["title"] == "one")
        let results = try await withCheckedThrowingContinuation { continuation in
            world.ours.fetch(withRecordIDs: [record.recordID]) { continuation.resume(with: $0) }
        }
        #expect(results[record.recordID]?.isSuccess == true)
        let changes = try await withCheckedThrowingContinuation { continuation in
            world.ours.fetchRecordZoneChanges(inZoneWith: zone, since: nil) {
                continuation.resume(with: $0)
            }
        }
        #expect(Array(changes.modificationResultsByID.keys) == [record.recordID])
        let error: CKError? = await withCheckedContinuation { continuation in
            world.ours.delete(withRecordZoneID: CKRecordZone.ID(zoneName: "Missing")) { _, error in
                continuation.resume(returning: error as? CKError)
            }
        }
        #expect(error?.code == .zoneNotFound)
    }

    @Test func `what the server does not have fails clearly`() async throws {
        let world = try World()
        let operation = CKDiscoverAllUserIdentitiesOperation()
        let seen = Locked<[CKError?]>([])
        operation.discoverAllUserIdentitiesResultBlock = { result in
            if case .failure(let error) = result { seen.withLock { $0.append(error as? CKError) } }
        }
        operation.discoverAllUserIdentitiesCompletionBlock = { error in
            seen.withLock { $0.append(error as? CKError) }
        }
        await world.container.finish(operation)
        let errors = seen.withLock { $0 }
        #expect(errors.map { $0?.code } == Array(repeating: .serverRejectedRequest, count: 2))
        #expect(errors.allSatisfy { $0?.localizedDescription.contains("unavailable") == true })
    }

    @Test func `users who let themselves be found are found, others left out`() async throws {
        let world = try World()
        let me = try await world.container.userRecordID()
        #expect(
            try await world.container.userIdentity(forUserRecordID: me)?.userRecordID == me)
        let bob = try #require(
            try await world.container.userIdentity(forEmailAddress: "bob@example.com"))
        #expect(bob.nameComponents?.givenName == "Bob")
        let nobody = try await world.container.userIdentity(forEmailAddress: "eve@example.com")
        #expect(nobody == nil)
        let infos = CKUserIdentity.LookupInfo.lookupInfos(
            withEmails: ["eve@example.com", "bob@example.com"])
        let operation = CKDiscoverUserIdentitiesOperation(userIdentityLookupInfos: infos)
        let found = Locked<[String?]>([])
        operation.userIdentityDiscoveredBlock = { user, info in
            found.withLock { $0.append(info.emailAddress) }
        }
        await world.container.finish(operation)
        #expect(found.withLock { $0 } == ["bob@example.com"])
    }
}
