import AsyncOperations
import CloudKit
import CloudModel
import Foundation
import MockStore
import Testing

/// The list of behaviours, row by row: the feeds of zones.
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

    @Test func `row 65, any earlier token still leads on`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        var tokens: [CKServerChangeToken?] = [nil]
        for name in ["a", "b", "c"] {
            try await world.ours.save(world.note(name, zone))
            let page = try await world.ours.recordZoneChanges(
                inZoneWith: zone, since: tokens.last ?? nil)
            #expect(names(page) == [name])
            tokens.append(page.changeToken)
        }
        let seen = [["a", "b", "c"], ["b", "c"], ["c"], []].map { Set($0) }
        for (token, expected) in zip(tokens, seen).reversed() {
            let page = try await world.ours.recordZoneChanges(inZoneWith: zone, since: token)
            #expect(names(page) == expected)
            #expect(page.changeToken == tokens.last)
        }
    }

    @Test func `row 69, a record changed while its zone is paged comes again`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        for name in ["a", "b", "c", "d"] { try await world.ours.save(world.note(name, zone)) }
        let first = try await world.ours.recordZoneChanges(
            inZoneWith: zone, since: nil, resultsLimit: 2)
        #expect(names(first) == ["a", "b"])
        let changed = try await world.ours.record(
            for: CKRecord.ID(recordName: "a", zoneID: zone))
        changed["title"] = "new"
        try await world.ours.save(changed)
        let rest = try await world.ours.recordZoneChanges(
            inZoneWith: zone, since: first.changeToken)
        #expect(names(rest) == ["a", "c", "d"])
        let again = try rest.modificationResultsByID[changed.recordID]?.get().record
        #expect(again?["title"] == "new")
    }

    @Test(arguments: [(MockOptions.InitialScan.history, ["gone"]), (.live, [])])
    func `row 71, a fetch from the beginning tells of old deletions where the server does`(
        scan: MockOptions.InitialScan, expected: [String]
    ) async throws {
        var options = MockOptions()
        options.initialScan = scan
        let world = try World(options: options)
        let zone = try await world.zone("Notes")
        let gone = try await world.ours.save(world.note("gone", zone))
        try await world.ours.save(world.note("kept", zone))
        try await world.ours.deleteRecord(withID: gone.recordID)
        let all = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil)
        #expect(names(all) == ["kept"])
        #expect(all.deletions.map { $0.recordID.recordName } == expected)
    }

    @Test func `rows 72 and 77, after an expired token what a rescan does not tell is gone`()
        async throws
    {
        let world = try World()
        let zone = try await world.zone("Notes")
        let records = ["a", "b"].map { world.note($0, zone) }
        _ = try await world.ours.modifyRecords(saving: records, deleting: [])
        let first = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil)
        var local = names(first)
        try await world.ours.deleteRecord(withID: records[0].recordID)
        try await world.ours.save(world.note("c", zone))
        _ = try world.cloud.withStore { try $0.compactTombstones() }
        let error = await failure {
            _ = try await world.ours.recordZoneChanges(
                inZoneWith: zone, since: first.changeToken)
        }
        #expect(error?.code == .changeTokenExpired)
        let scan = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil)
        #expect(scan.deletions.isEmpty && !scan.moreComing)
        local.formIntersection(names(scan))
        local.formUnion(names(scan))
        #expect(local == ["b", "c"])
    }

    /// A token whose text was changed.
    private func forged(
        _ token: CKServerChangeToken, _ change: (String) -> String
    ) throws -> CKServerChangeToken {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.outputFormat = .xml
        archiver.encode(token, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        let xml = String(decoding: archiver.encodedData, as: UTF8.self)
        let texts: [String] = xml.split(separator: "<string>").dropFirst().compactMap { part in
            part.split(separator: "</string>").first.map(String.init)
        }
        let text = try #require(texts.max { $0.count < $1.count })
        let other = xml.replacingOccurrences(of: text, with: change(text))
        return try #require(
            try NSKeyedUnarchiver.unarchivedObject(
                ofClass: CKServerChangeToken.self, from: Data(other.utf8)))
    }

    @Test func `rows 74 to 76, what is no token of the zone has expired`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let token = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
        let ofDatabase = try await world.ours.databaseChanges(since: nil).changeToken
        let other = try await world.zone("Other")
        let tokens = [
            try forged(token) { String(repeating: "A", count: $0.count) },
            try forged(token) { String($0.dropLast(4)) }, ofDatabase,
            try await world.ours.recordZoneChanges(inZoneWith: other, since: nil).changeToken,
        ]
        for wrong in tokens {
            let error = await failure {
                _ = try await world.ours.recordZoneChanges(inZoneWith: zone, since: wrong)
            }
            // The web services have one code for all of them, and so has an app: begin anew.
            #expect(error?.code == .changeTokenExpired)
        }
        let same = try forged(token) { $0 }
        #expect(same == token)
        _ = try await world.ours.recordZoneChanges(inZoneWith: zone, since: same)
    }

    @Test(arguments: [true, false])
    func `the token is blamed for a refused request only when the service takes it without one`(
        isToken: Bool
    ) async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let token = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
        let ofDatabase = try await world.ours.databaseChanges(since: nil).changeToken
        let expected = isToken ? CKError.Code.changeTokenExpired : .invalidArguments
        func fail() {
            let refusal = CloudError(.badRequest, reason: "unknown")
            if isToken { world.fail(refusal) } else { world.fail(refusal, refusal) }
        }
        fail()
        let error = await failure {
            _ = try await world.ours.recordZoneChanges(
                inZoneWith: zone, since: token, desiredKeys: ["title"])
        }
        #expect(error?.code == expected)
        fail()
        let other = await failure { _ = try await world.ours.databaseChanges(since: ofDatabase) }
        #expect(other?.code == expected)
    }

    @Test func `without a token a refused request is not asked again`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let before = world.requests
        world.fail(CloudError(.badRequest, reason: "unknown"))
        let error = await failure {
            _ = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil)
        }
        #expect(error?.code == .invalidArguments)
        #expect(world.requests == before + 1)
    }

    @Test func `a service that is away when it is asked again expires no token`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let token = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
        world.fail(CloudError(.badRequest, reason: "unknown"), CloudError(.networkFailure))
        let error = await failure {
            _ = try await world.ours.recordZoneChanges(inZoneWith: zone, since: token)
        }
        #expect(error?.code == .networkFailure)
    }

    @Test func `row 84, one's own writes come back with the tags that the saves gave`()
        async throws
    {
        let world = try World()
        let zone = try await world.zone("Notes")
        let token = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
        let saves = try await world.ours.modifyRecords(
            saving: ["a", "b"].map { world.note($0, zone) }, deleting: []
        ).saveResults
        let changes = try await world.ours.recordZoneChanges(inZoneWith: zone, since: token)
        #expect(changes.modificationResultsByID.count == 2)
        for (id, change) in changes.modificationResultsByID {
            let (saved, told) = (try saves[id]?.get(), try change.get().record)
            #expect(told.recordChangeTag == saved?.recordChangeTag)
            #expect(told.modificationDate == saved?.modificationDate)
        }
    }

    @Test func `row 86, a record that cannot be told fails alone`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let records = ["a", "b", "c"].map { world.note($0, zone) }
        _ = try await world.ours.modifyRecords(saving: records, deleting: [])
        world.rewrite.withLock { rewrite in
            rewrite = { reply in
                guard case .zoneChanges(let items) = reply, case .page(var page)? = items.first
                else { return reply }
                page.records[1] = .failure(
                    recordName: "b", CloudError(.internalError, reason: "broken"))
                return .zoneChanges([.page(page)])
            }
        }
        let operation = CKFetchRecordZoneChangesOperation(recordZoneIDs: [zone])
        let seen = Locked<(records: [String: CKError.Code?], ended: Bool)>(([:], false))
        operation.recordWasChangedBlock = { id, result in
            seen.withLock { $0.records[id.recordName] = result.code }
        }
        operation.recordZoneFetchResultBlock = { _, result in
            seen.withLock { $0.ended = result.isSuccess }
        }
        await world.ours.finish(operation)
        let (told, ended) = seen.withLock { $0 }
        #expect(told == ["a": nil, "b": .internalError, "c": nil])
        #expect(ended)
    }

    @Test func `row 87, a record that came and went is told as gone or not at all`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let token = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
        let short = try await world.ours.save(world.note("short", zone))
        try await world.ours.deleteRecord(withID: short.recordID)
        let changes = try await world.ours.recordZoneChanges(inZoneWith: zone, since: token)
        #expect(changes.modificationResultsByID.isEmpty)
        #expect(changes.deletions.allSatisfy { $0.recordID == short.recordID })
    }
}
