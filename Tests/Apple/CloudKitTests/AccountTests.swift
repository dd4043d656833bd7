import AsyncOperations
import CloudKit
import CloudModel
import Foundation
import Testing

/// Signing in and out, and what apps are told of it.
struct AccountTests {
    @Test func `row 1, who signs out is not authenticated, and nothing is lost`()
        async throws
    {
        let world = try World()
        let zone = try await world.zone("Notes")
        try await world.ours.save(world.note("a", zone))
        try world.cloud.withStore { try $0.signOut("ada") }
        #expect(try await world.container.accountStatus() == .noAccount)
        let record = world.note("b", zone)
        #expect(await failure { try await world.ours.save(record) }?.code == .notAuthenticated)
        try world.cloud.withStore { try $0.signIn("ada") }
        #expect(try await world.container.accountStatus() == .available)
        try await world.ours.save(record)
        let names = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil)
            .modificationResultsByID.keys.map { $0.recordName }
        #expect(names.sorted() == ["a", "b"])
    }

    @Test func `a change of the account is posted when a request shows it`() async throws {
        let world = try World()
        let posted = Locked(0)
        let observer = world.notifications.addObserver(
            forName: .CKAccountChanged, object: nil, queue: nil
        ) { _ in posted.withLock { $0 += 1 } }
        defer { world.notifications.removeObserver(observer) }
        let zone = try await world.zone("Notes")
        _ = try await world.container.userRecordID()
        try await world.ours.save(world.note("a", zone))
        #expect(posted.withLock { $0 } == 0)
        try world.cloud.withStore { try $0.signOut("ada") }
        for _ in 0..<2 { _ = try await world.container.accountStatus() }
        #expect(posted.withLock { $0 } == 1)
        try world.cloud.withStore { try $0.signIn("ada") }
        for _ in 0..<2 { _ = try await world.ours.allRecordZones() }
        #expect(posted.withLock { $0 } == 2)
        _ = try await world.container.userRecordID()
        #expect(posted.withLock { $0 } == 2)
        world.canned.withLock { $0 = [.user(UserIdentity(userRecordName: "_someone"))] }
        _ = try await world.container.userRecordID()
        #expect(posted.withLock { $0 } == 3)
    }

    /// Apps delete what they have cached when the account goes.
    @Test func `a refused credential is no sign-out`() async throws {
        let world = try World()
        let posted = Locked(0)
        let observer = world.notifications.addObserver(
            forName: .CKAccountChanged, object: nil, queue: nil
        ) { _ in posted.withLock { $0 += 1 } }
        defer { world.notifications.removeObserver(observer) }
        _ = try await world.container.userRecordID()
        world.fail(CloudError(.authenticationFailed))
        #expect(try await world.container.accountStatus() == .couldNotDetermine)
        world.fail(CloudError(.authenticationFailed))
        let error = await failure { _ = try await world.ours.allRecordZones() }
        #expect(error?.code == .notAuthenticated)
        let status = await withCheckedContinuation { continuation in
            world.fail(CloudError(.authenticationFailed))
            world.container.accountStatus { status, error in
                continuation.resume(returning: (status, (error as? CKError)?.code))
            }
        }
        #expect(status.0 == .couldNotDetermine && status.1 == nil)
        #expect(posted.withLock { $0 } == 0)
        world.fail(CloudError(.authenticationRequired))
        #expect(try await world.container.accountStatus() == .noAccount)
        #expect(posted.withLock { $0 } == 1)
    }
}
