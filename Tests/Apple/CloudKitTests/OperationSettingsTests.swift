import AsyncOperations
import CloudKit
import Foundation
import Testing

/// What apps may do to operations and their settings, and what the library may not.
struct OperationSettingsTests {
    @Test func `settings are copied in, and an operation's own can be changed`() {
        let settings = CKOperation.Configuration()
        settings.timeoutIntervalForRequest = 5
        let (first, second) = (CKFetchRecordsOperation(), CKFetchRecordsOperation())
        first.configuration = settings
        second.configuration = settings
        first.configuration.timeoutIntervalForRequest = 7
        settings.timeoutIntervalForRequest = 9
        #expect(first.configuration.timeoutIntervalForRequest == 7)
        #expect(second.configuration.timeoutIntervalForRequest == 5)
        let group = CKOperationGroup()
        group.defaultConfiguration = settings
        settings.timeoutIntervalForRequest = 11
        #expect(group.defaultConfiguration.timeoutIntervalForRequest == 9)
    }

    @Test func `the older settings are the configuration's`() async throws {
        let world = try World()
        let operation = CKFetchRecordsOperation()
        operation.isLongLived = true
        operation.allowsCellularAccess = false
        operation.timeoutIntervalForRequest = 3
        operation.timeoutIntervalForResource = 4
        operation.container = world.container
        let settings = try #require(operation.configuration)
        #expect(settings.isLongLived && operation.isLongLived)
        #expect(!settings.allowsCellularAccess && !operation.allowsCellularAccess)
        #expect(settings.timeoutIntervalForRequest == 3)
        #expect(settings.timeoutIntervalForResource == 4)
        #expect(settings.container === world.container && operation.container === world.container)
    }

    @Test func `a container writes nothing into the operations that are added to it`()
        async throws
    {
        let world = try World()
        let zone = try await world.zone("Notes")
        let list = CKFetchRecordZonesOperation(recordZoneIDs: [zone])
        let found = Locked(false)
        list.perRecordZoneResultBlock = { _, result in found.withLock { $0 = result.isSuccess } }
        await world.container.finish(list)
        #expect(found.withLock { $0 })
        #expect(list.database == nil && list.configuration.container == nil)
        // The settings that an app shares among operations least of all.
        let settings = CKOperation.Configuration()
        let look = CKFetchShareMetadataOperation(shareURLs: [])
        look.configuration = settings
        await world.container.finish(look)
        #expect(settings.container == nil && look.configuration.container == nil)
    }

    /// Keeps what blocks say without a lock, as apps do whose blocks come one at a time.
    private final class Collector { var codes: [CKError.Code] = [] }

    @Test func `blocks of operations need not be sendable`() async throws {
        let world = try World()
        let operation = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "a")])
        let collector = Collector()
        operation.perRecordResultBlock = { _, result in
            if let code = result.code { collector.codes.append(code) }
        }
        await world.ours.finish(operation)
        #expect(collector.codes == [.unknownItem])
    }

    @Test func `errors are NSErrors wherever they are looked at`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let id = CKRecord.ID(recordName: "a", zoneID: zone)
        let operation = CKFetchRecordsOperation(recordIDs: [id])
        let ended = Locked<(any Error)?>(nil)
        operation.fetchRecordsCompletionBlock = { _, error in ended.withLock { $0 = error } }
        await world.ours.finish(operation)
        let error = try #require(ended.withLock { $0 } as? CKError)
        let all = error.userInfo[CKPartialErrorsByItemIDKey]
        let objects = try #require(all as? [AnyHashable: NSError])
        #expect(objects[id]?.domain == CKErrorDomain)
        #expect(objects[id]?.code == CKError.unknownItem.rawValue)
        #expect((all as? [CKRecord.ID: NSError])?.count == 1)
        #expect((all as? [CKRecord.ID: CKError])?[id]?.code == .unknownItem)
        #expect((error.partialErrorsByItemID?[id] as? CKError)?.code == .unknownItem)
        #expect(error.partialErrorsByItemID as? [AnyHashable: NSError] != nil)
        do {
            throw error
        } catch let error as NSError {
            #expect(error.code == CKError.partialFailure.rawValue)
        }
        let foreign: any Error = NSError(domain: NSPOSIXErrorDomain, code: 2)
        #expect(foreign as? CKError == nil)
    }

    @Test func `users are not asked whether they may be found`() async throws {
        let world = try World()
        let asked = try await world.container.requestApplicationPermission(.userDiscoverability)
        #expect(asked == .denied)
        let status = await withCheckedContinuation { continuation in
            world.container.status(forApplicationPermission: .userDiscoverability) { status, _ in
                continuation.resume(returning: status)
            }
        }
        #expect(status == .denied)
        #expect(world.requests == 0)
    }
}
