import AsyncOperations
import CloudKit
import CloudModel
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

    @Test func `long-lived operations are refused, by their own settings or their group's`()
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
        #expect(world.commands.withLock { $0.isEmpty })
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
        let lookup = CKUserIdentity.LookupInfo(emailAddress: "ann@example.com")
        let operation = CKDiscoverUserIdentitiesOperation(userIdentityLookupInfos: [lookup])
        let seen = Locked<[CKError?]>([])
        operation.discoverUserIdentitiesResultBlock = { result in
            if case .failure(let error) = result { seen.withLock { $0.append(error as? CKError) } }
        }
        let url = try #require(URL(string: "https://www.icloud.com/share/abc"))
        let share = CKFetchShareMetadataOperation(shareURLs: [url])
        share.fetchShareMetadataResultBlock = { result in
            if case .failure(let error) = result { seen.withLock { $0.append(error as? CKError) } }
        }
        share.fetchShareMetadataCompletionBlock = { error in
            seen.withLock { $0.append(error as? CKError) }
        }
        for operation in [operation, share] as [CKOperation] {
            await withCheckedContinuation { continuation in
                operation.completionBlock = { continuation.resume() }
                world.container.add(operation)
            }
        }
        let errors = seen.withLock { $0 }
        #expect(errors.map { $0?.code } == Array(repeating: .serverRejectedRequest, count: 3))
        #expect(errors.allSatisfy { $0?.localizedDescription.contains("not available") == true })
        let me = try await world.container.userRecordID()
        let identity = try await world.container.userIdentity(forUserRecordID: me)
        #expect(identity?.userRecordID == me)
    }
}
