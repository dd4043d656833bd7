import AsyncOperations
import CloudKit
import Foundation
import Testing

/// Operations that are kept in files until they have ended. Another connection stands for another process:
/// it shares nothing but the folder.
@Suite(.timeLimit(.minutes(10)))
struct LongLivedTests {
    private func withFolder(_ body: (URL, World) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("cloudkit-long-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder, World(stateFolder: folder.path))
    }

    private func files(_ folder: URL) -> [String] {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String]
        return (paths ?? []).filter { $0.hasSuffix(".operation") }
    }

    /// An operation whose file stays, as when its process ends: it is kept, and then waits for ever.
    ///
    /// - Returns: Ends with the operation.
    private func abandon(
        _ operation: CKDatabaseOperation, _ world: World
    ) async -> AsyncStream<Void> {
        operation.isLongLived = true
        let (ended, end) = AsyncStream<Void>.makeStream()
        operation.completionBlock = { end.finish() }
        let kept = Locked(false)
        operation.longLivedOperationWasPersistedBlock = {
            kept.withLock { $0 = true }
            world.hangs.withLock { $0 = true }
        }
        let (asked, tell) = AsyncStream<Void>.makeStream()
        world.asked.withLock { $0 = { tell.yield() } }
        world.ours.add(operation)
        for await _ in asked { break }
        #expect(kept.withLock { $0 })
        return ended
    }

    @Test func `an operation is kept before it begins, and no longer once it has ended`()
        async throws
    {
        try await withFolder { folder, world in
            let zone = try await world.zone("Notes")
            let save = CKModifyRecordsOperation(recordsToSave: [world.note("a", zone)])
            save.isLongLived = true
            save.timeoutIntervalForRequest = 30
            let seen = Locked<[String]>([])
            save.longLivedOperationWasPersistedBlock = {
                seen.withLock { $0 = files(folder) }
            }
            let ended = Locked(false)
            save.modifyRecordsResultBlock = { result in ended.withLock { $0 = result.isSuccess } }
            await world.ours.finish(save)
            #expect(ended.withLock { $0 })
            #expect(seen.withLock { $0.count } == 1)
            #expect(files(folder).isEmpty)
            #expect(try await world.container.allLongLivedOperationIDs().isEmpty)
            #expect(
                try await world.ours.record(for: world.note("a", zone).recordID)["title"] == nil)
        }
    }

    @Test func `what is at work is one object here, and nobody else's to take`() async throws {
        try await withFolder { folder, world in
            let zone = try await world.zone("Notes")
            let save = CKModifyRecordsOperation(recordsToSave: [world.note("a", zone)])
            let ended = await abandon(save, world)
            world.hangs.withLock { $0 = false }
            let id = save.operationID
            #expect(try await world.container.allLongLivedOperationIDs() == [id])
            #expect(try await world.container.longLivedOperation(for: id) === save)
            let path = try #require(files(folder).first)
            let rights = try FileManager.default.attributesOfItem(
                atPath: folder.appendingPathComponent(path).path)
            #expect((rights[.posixPermissions] as? NSNumber)?.intValue == 0o600)

            let elsewhere = world.container(of: "ada", stateFolder: folder.path)
            #expect(try await elsewhere.allLongLivedOperationIDs() == [id])
            let busy = await failure { _ = try await elsewhere.longLivedOperation(for: id) }
            #expect(busy?.code == .serviceUnavailable)
            let bob = world.container(of: "bob", stateFolder: folder.path)
            #expect(try await bob.allLongLivedOperationIDs().isEmpty)
            #expect(try await elsewhere.longLivedOperation(for: "../\(id)") == nil)
            #expect(try await elsewhere.longLivedOperation(for: "none") == nil)
            save.cancel()
            for await _ in ended {}
            #expect(files(folder).isEmpty)
        }
    }

    /// The file of an operation that a process has left: a copy, since this process does not end.
    private func left(
        _ operation: CKDatabaseOperation, _ folder: URL, _ world: World
    ) async throws -> CKOperation.ID {
        let ended = await abandon(operation, world)
        let path = folder.appendingPathComponent(try #require(files(folder).first)).path
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        operation.cancel()
        for await _ in ended {}
        world.hangs.withLock { $0 = false }
        try bytes.write(to: URL(fileURLWithPath: path))
        return operation.operationID
    }

    @Test func `records, a share and their fields are saved by the process that goes on`()
        async throws
    {
        try await withFolder { folder, world in
            let zone = try await world.zone("Notes")
            let old = try await world.ours.save(world.note("old", zone, title: "one"))
            old["title"] = "two"
            let gone = try await world.ours.save(world.note("gone", zone))
            let share = CKShare(rootRecord: old)
            share[CKShare.SystemFieldKey.title] = "Shared"
            let save = CKModifyRecordsOperation(
                recordsToSave: [old, share, world.note("new", zone, title: "three")],
                recordIDsToDelete: [gone.recordID])
            save.savePolicy = .changedKeys
            save.isAtomic = false
            let id = try await left(save, folder, world)

            let next = world.container(of: "ada", stateFolder: folder.path)
            #expect(try await next.allLongLivedOperationIDs() == [id])
            let found = try #require(
                try await next.longLivedOperation(for: id) as? CKModifyRecordsOperation)
            #expect(found.operationID == id && found.isLongLived)
            #expect(found.savePolicy == .changedKeys && !found.isAtomic)
            let failures = Locked<[String]>([])
            found.perRecordSaveBlock = { id, result in
                if let code = result.code {
                    failures.withLock { $0.append("\(id.recordName) \(code)") }
                }
            }
            await next.finish(found)
            #expect(failures.withLock { $0 } == [])
            #expect(try await world.ours.record(for: old.recordID)["title"] == "two")
            #expect(try await world.ours.record(for: old.recordID).share != nil)
            #expect(
                await failure { _ = try await world.ours.record(for: gone.recordID) }?.code
                    == .unknownItem)
            #expect(files(folder).isEmpty)
            #expect(try await next.longLivedOperation(for: id) == nil)
        }
    }

    @Test func `fetches, queries and zones are gone on with as they were asked`() async throws {
        try await withFolder { folder, world in
            let zone = try await world.zone("Notes")
            try await world.ours.save(world.note("a", zone, title: "one"))
            let fetch = CKFetchRecordsOperation(
                recordIDs: [CKRecord.ID(recordName: "a", zoneID: zone)])
            fetch.desiredKeys = ["title"]
            let query = CKQueryOperation(
                query: CKQuery(
                    recordType: "Note", predicate: NSPredicate(format: "title == %@", "one")))
            query.zoneID = zone
            query.resultsLimit = 7
            let zones = CKModifyRecordZonesOperation(
                recordZonesToSave: [CKRecordZone(zoneName: "New")], recordZoneIDsToDelete: [zone])
            let list = CKFetchRecordZonesOperation(recordZoneIDs: [zone])
            for operation in [fetch, query, zones, list] as [CKDatabaseOperation] {
                let id = try await left(operation, folder, world)
                let next = world.container(of: "ada", stateFolder: folder.path)
                let found = try await next.longLivedOperation(for: id)
                switch found {
                case let found as CKFetchRecordsOperation:
                    #expect(found.recordIDs == fetch.recordIDs && found.desiredKeys == ["title"])
                case let found as CKQueryOperation:
                    #expect(found.query?.recordType == "Note" && found.zoneID == zone)
                    #expect(found.resultsLimit == 7)
                    let names = Locked<[String]>([])
                    found.recordMatchedBlock = { id, _ in
                        names.withLock { $0.append(id.recordName) }
                    }
                    await next.finish(found)
                    #expect(names.withLock { $0 } == ["a"])
                case let found as CKModifyRecordZonesOperation:
                    #expect(found.recordZonesToSave?.map(\.zoneID.zoneName) == ["New"])
                    #expect(found.recordZoneIDsToDelete == [zone])
                case let found as CKFetchRecordZonesOperation:
                    #expect(found.recordZoneIDs == [zone])
                default: Issue.record("\(String(describing: found))")
                }
                for path in files(folder) {
                    try FileManager.default.removeItem(at: folder.appendingPathComponent(path))
                }
            }
        }
    }

    @Test func `somebody else does not carry out what is kept`() async throws {
        try await withFolder { folder, world in
            let zone = try await world.zone("Notes")
            let save = CKModifyRecordsOperation(recordsToSave: [world.note("a", zone)])
            let id = try await left(save, folder, world)
            let ada = world.container(of: "ada", stateFolder: folder.path)
            let found = try #require(
                try await ada.longLivedOperation(for: id) as? CKModifyRecordsOperation)
            let bob = world.container(of: "bob", stateFolder: folder.path)
            found.database = bob.privateCloudDatabase
            let code = Locked<CKError.Code?>(nil)
            found.modifyRecordsResultBlock = { result in code.withLock { $0 = result.code } }
            await bob.finish(found)
            #expect(code.withLock { $0 } == .notAuthenticated)
            #expect(files(folder).count == 1)
            // Whose it is can go on with it, whoever still has the other's attempt.
            let next = world.container(of: "ada", stateFolder: folder.path)
            #expect(try await next.longLivedOperation(for: id) != nil)
            withExtendedLifetime(found) {}
        }
    }

    @Test func `what is cancelled before it is gone on with is not kept`() async throws {
        try await withFolder { folder, world in
            let zone = try await world.zone("Notes")
            let save = CKModifyRecordsOperation(recordsToSave: [world.note("a", zone)])
            let id = try await left(save, folder, world)
            let found = try #require(try await world.container.longLivedOperation(for: id))
            let (ended, end) = AsyncStream<Void>.makeStream()
            found.completionBlock = { end.finish() }
            let (asked, tell) = AsyncStream<Void>.makeStream()
            world.asked.withLock { $0 = { tell.yield() } }
            world.hangs.withLock { $0 = true }
            world.container.add(found)
            for await _ in asked { break }
            found.cancel()
            for await _ in ended {}
            #expect(files(folder).isEmpty)
        }
    }

    @Test func `what is older than a week is not gone on with`() async throws {
        try await withFolder { folder, world in
            let zone = try await world.zone("Notes")
            let save = CKModifyRecordsOperation(recordsToSave: [world.note("a", zone)])
            let id = try await left(save, folder, world)
            let path = folder.appendingPathComponent(try #require(files(folder).first))
            var bytes = Array(try Data(contentsOf: path))
            // In the archive the moment is a number of eight bytes after a mark.
            let now = Date().timeIntervalSince1970
            var changed = 0
            for place in bytes.indices.dropLast(8) where bytes[place] == 0x23 {
                let number = bytes[(place + 1)...(place + 8)]
                let bits = number.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                guard abs(Double(bitPattern: bits) - now) < 3600 else { continue }
                let old = (now - 8 * 86_400).bitPattern
                for byte in 0..<8 {
                    bytes[place + 1 + byte] = UInt8(truncatingIfNeeded: old >> (56 - 8 * byte))
                }
                changed += 1
            }
            #expect(changed == 1)
            try Data(bytes).write(to: path)
            let next = world.container(of: "ada", stateFolder: folder.path)
            #expect(try await next.longLivedOperation(for: id) == nil)
            #expect(files(folder).isEmpty)
        }
    }

    @Test func `what was left a week ago makes room`() async throws {
        try await withFolder { folder, world in
            let zone = try await world.zone("Notes")
            let save = CKModifyRecordsOperation(recordsToSave: [world.note("a", zone)])
            _ = try await left(save, folder, world)
            let first = folder.appendingPathComponent(try #require(files(folder).first))
            let home = first.deletingLastPathComponent()
            for number in 1..<100 {
                try Data("garbage".utf8).write(
                    to: home.appendingPathComponent("\(number).operation"))
            }
            let codes = Locked<[CKError.Code?]>([])
            func attempt() async {
                let more = CKModifyRecordsOperation(recordsToSave: [world.note("b", zone)])
                more.isLongLived = true
                more.modifyRecordsResultBlock = { result in
                    codes.withLock { $0.append(result.code) }
                }
                await world.ours.finish(more)
            }
            await attempt()
            #expect(codes.withLock { $0 } == [.internalError])
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -8 * 86_400)],
                ofItemAtPath: home.appendingPathComponent("1.operation").path)
            await attempt()
            #expect(codes.withLock { $0 } == [.internalError, nil])
            #expect(files(folder).count == 99)
        }
    }

    @Test func `what cannot be read is not taken for absent`() async throws {
        try await withFolder { folder, world in
            let zone = try await world.zone("Notes")
            let save = CKModifyRecordsOperation(recordsToSave: [world.note("a", zone)])
            let id = try await left(save, folder, world)
            let path = folder.appendingPathComponent(try #require(files(folder).first))
            try FileManager.default.removeItem(at: path)
            // A link to itself cannot be opened, whoever asks.
            try FileManager.default.createSymbolicLink(at: path, withDestinationURL: path)
            let next = world.container(of: "ada", stateFolder: folder.path)
            let list = await failure { _ = try await next.allLongLivedOperationIDs() }
            #expect(list?.code == .internalError)
            let found = await failure { _ = try await next.longLivedOperation(for: id) }
            #expect(found?.code == .internalError)
        }
    }

    @Test func `what cannot be kept is refused, and is not carried out`() async throws {
        try await withFolder { folder, world in
            let codes = Locked<[CKError.Code?]>([])
            let subscribe = CKModifySubscriptionsOperation(
                subscriptionsToSave: [CKDatabaseSubscription()], subscriptionIDsToDelete: nil)
            subscribe.isLongLived = true
            subscribe.modifySubscriptionsResultBlock = { result in
                codes.withLock { $0.append(result.code) }
            }
            await world.ours.finish(subscribe)
            let query = CKQueryOperation(
                query: CKQuery(
                    recordType: "Note", predicate: NSPredicate(format: "title LIKE 'a*'")))
            query.isLongLived = true
            query.queryResultBlock = { result in codes.withLock { $0.append(result.code) } }
            await world.ours.finish(query)
            #expect(codes.withLock { $0 } == [.invalidArguments, .invalidArguments])
            #expect(files(folder).isEmpty)
            let made = try await world.ours.allSubscriptions()
            #expect(made.isEmpty)
        }
    }

    @Test func `garbage in the folder is no operation`() async throws {
        try await withFolder { folder, world in
            let zone = try await world.zone("Notes")
            let save = CKModifyRecordsOperation(recordsToSave: [world.note("a", zone)])
            let id = try await left(save, folder, world)
            let path = folder.appendingPathComponent(try #require(files(folder).first))
            let whole = try Data(contentsOf: path)
            for bytes in [Data(), Data("garbage".utf8), whole.prefix(whole.count / 2)] {
                try bytes.write(to: path)
                let next = world.container(of: "ada", stateFolder: folder.path)
                #expect(try await next.allLongLivedOperationIDs().isEmpty)
                #expect(try await next.longLivedOperation(for: id) == nil)
            }
        }
    }
}
