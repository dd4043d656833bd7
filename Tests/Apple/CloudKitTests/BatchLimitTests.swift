import AsyncOperations
import CloudKit
import Foundation
import Testing

/// Batches as large as CloudKit takes, and what in a batch is refused before it is sent.
struct BatchLimitTests {
    private func count(
        _ world: World, in zone: CKRecordZone.ID
    ) async throws -> Int {
        let changes = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil)
        return changes.modificationResultsByID.count
    }

    // MARK: How many

    @Test(arguments: [200, 201, 400])
    func `an atomic batch of one zone can have 400 records, to save and to delete`(
        size: Int
    ) async throws {
        let world = try World()
        let zone = try await world.zone("History")
        let records = (0..<size).map { world.note("h\($0)", zone) }
        let saved = try await world.ours.modifyRecords(saving: records, deleting: [])
        #expect(saved.saveResults.count == size)
        #expect(saved.saveResults.values.allSatisfy { $0.isSuccess })
        let deleted = try await world.ours.modifyRecords(
            saving: [], deleting: records.map { $0.recordID })
        #expect(deleted.deleteResults.count == size)
        #expect(deleted.deleteResults.values.allSatisfy { $0.isSuccess })
        #expect(try await count(world, in: zone) == 0)
    }

    @Test func `a conflict in a batch of two requests is found before the first is sent`()
        async throws
    {
        let world = try World()
        let zone = try await world.zone("History")
        try await world.ours.save(world.note("h300", zone, title: "theirs"))
        let records = (0..<400).map { world.note("h\($0)", zone) }
        let results = try await world.ours.modifyRecords(saving: records, deleting: []).saveResults
        #expect(results[records[300].recordID]?.code == .serverRecordChanged)
        let others = records.filter { $0.recordID.recordName != "h300" }
        #expect(others.allSatisfy { results[$0.recordID]?.code == .batchRequestFailed })
        #expect(try await count(world, in: zone) == 1)
    }

    @Test func `what was stored before a later request failed is reported as stored`() async throws
    {
        let world = try World()
        let zone = try await world.zone("History")
        let records = (0..<400).map { world.note("h\($0)", zone) }
        // A parent that does not exist is found by the service only.
        records[300].setParent(CKRecord.ID(recordName: "missing", zoneID: zone))
        let results = try await world.ours.modifyRecords(saving: records, deleting: []).saveResults
        #expect(results[records[300].recordID]?.code == .referenceViolation)
        #expect(results.values.count { $0.isSuccess } == 200)
        #expect(results.values.count { $0.code == .batchRequestFailed } == 199)
        #expect(try await count(world, in: zone) == 200)
    }

    @Test(arguments: [true, false])
    func `in a batch of two requests a child may stand before its parent`(
        isAtomic: Bool
    ) async throws {
        let world = try World()
        let zone = try await world.zone("History")
        let records = (0..<400).map { world.note("h\($0)", zone) }
        records[0].setParent(records[399])
        records[1]["next"] = CKRecord.Reference(record: records[398], action: .deleteSelf)
        let results = try await world.ours.modifyRecords(
            saving: records, deleting: [], atomically: isAtomic
        ).saveResults
        #expect(results.values.allSatisfy { $0.isSuccess })
    }

    @Test(arguments: [true, false])
    func `in a batch of two requests a parent may be deleted before its child`(
        isAtomic: Bool
    ) async throws {
        let world = try World()
        let zone = try await world.zone("History")
        let records = (0..<400).map { world.note("h\($0)", zone) }
        for (child, parent) in [(399, 0), (0, 250), (201, 1)] {
            records[child].setParent(records[parent])
        }
        _ = try await world.ours.modifyRecords(saving: records, deleting: [])
        let results = try await world.ours.modifyRecords(
            saving: [], deleting: records.map { $0.recordID }, atomically: isAtomic
        ).deleteResults
        #expect(results.values.allSatisfy { $0.isSuccess })
        #expect(try await count(world, in: zone) == 0)
    }

    // MARK: Names

    static let badNames = ["", "_private", String(repeating: "a", count: 256)]

    @Test(arguments: badNames)
    func `a name that no record can have fails its own record and no other`(
        name: String
    ) async throws {
        let world = try World()
        let zone = try await world.zone("Layouts")
        let (odd, fine) = (world.note(name, zone), world.note("fine", zone))
        let results = try await world.ours.modifyRecords(
            saving: [odd, fine], deleting: [], atomically: false
        ).saveResults
        #expect(results[odd.recordID]?.code == .invalidArguments)
        #expect(results[fine.recordID]?.isSuccess == true)
        let atomic = try await world.ours.modifyRecords(saving: [odd, fine], deleting: [])
        #expect(atomic.saveResults[odd.recordID]?.code == .invalidArguments)
        #expect(atomic.saveResults[fine.recordID]?.code == .batchRequestFailed)
    }

    @Test(arguments: badNames)
    func `such a name fails its own deletion and fetch, and no other`(name: String) async throws {
        let world = try World()
        let zone = try await world.zone("Layouts")
        let fine = try await world.ours.save(world.note("fine", zone)).recordID
        let odd = CKRecord.ID(recordName: name, zoneID: zone)
        let fetched = try await world.ours.records(for: [odd, fine])
        #expect(fetched[odd]?.code == (name == "_private" ? .unknownItem : .invalidArguments))
        #expect(fetched[fine]?.isSuccess == true)
        let deleted = try await world.ours.modifyRecords(
            saving: [], deleting: [odd, fine], atomically: false
        ).deleteResults
        // A record that cannot exist counts as deleted, as any missing one.
        #expect(deleted[odd]?.code == (name == "_private" ? nil : .invalidArguments))
        #expect(deleted[fine]?.isSuccess == true)
    }

    @Test(arguments: ["", String(repeating: "a", count: 256)], [0, 1, 2])
    func `a link to such a name fails the record that has it`(
        name: String, place: Int
    ) async throws {
        let world = try World()
        let zone = try await world.zone("Layouts")
        let (odd, fine) = (world.note("odd", zone), world.note("fine", zone))
        let target = CKRecord.ID(recordName: name, zoneID: zone)
        switch place {
        case 0: odd.setParent(target)
        case 1: odd["link"] = CKRecord.Reference(recordID: target, action: .none)
        default: odd["link"] = [CKRecord.Reference(recordID: target, action: .none)]
        }
        let results = try await world.ours.modifyRecords(
            saving: [odd, fine], deleting: [], atomically: false
        ).saveResults
        #expect(results[odd.recordID]?.code == .invalidArguments)
        #expect(results[fine.recordID]?.isSuccess == true)
    }

    @Test func `a name of 255 letters is fine, and the service's own names are its own to refuse`()
        async throws
    {
        let world = try World()
        let zone = try await world.zone("Layouts")
        try await world.ours.save(world.note(String(repeating: "a", count: 255), zone))
        let before = world.requests
        let me = try await world.container.userRecordID()
        let user = CKRecord(recordType: CKRecord.SystemType.userRecord, recordID: me)
        user["nickname"] = "Ada"
        _ = await failure { try await world.ours.save(user) }
        #expect(world.requests > before + 1)
    }

    // MARK: Cycles

    /// How the records of a batch lead to each other, in a circle.
    enum Circle: CaseIterable { case owners, ownerLists, parents, mixed, ofThree, itself }

    @Test(arguments: Circle.allCases, [true, false])
    func `a cycle of new records is refused before anything is sent`(
        circle: Circle, isAtomic: Bool
    ) async throws {
        let world = try World()
        let zone = try await world.zone("Shows")
        let (show, part, other) = (
            world.note("show", zone), world.note("part", zone), world.note("other", zone)
        )
        func owner(_ record: CKRecord) -> CKRecord.Reference {
            CKRecord.Reference(record: record, action: .deleteSelf)
        }
        switch circle {
        case .owners:
            show["of"] = owner(part)
            part["of"] = owner(show)
        case .ownerLists:
            show["of"] = [owner(part)]
            part["of"] = owner(show)
        case .parents:
            show.parent = owner(part)
            part.parent = owner(show)
        case .mixed:
            show.setParent(part)
            part["of"] = owner(show)
        case .ofThree:
            show["of"] = owner(part)
            part["of"] = owner(other)
            other["of"] = owner(show)
        case .itself: show.setParent(show)
        }
        let before = world.requests
        let error = await failure {
            _ = try await world.ours.modifyRecords(
                saving: [show, part, other], deleting: [], atomically: isAtomic)
        }
        #expect(error?.code == .invalidArguments)
        #expect(error?.localizedDescription.contains("cycle") == true)
        #expect(world.requests == before)
    }

    @Test func `links that own nothing may lead in a circle, and others need not`() async throws {
        let world = try World()
        let zone = try await world.zone("Shows")
        let records = (0..<4).map { world.note("n\($0)", zone) }
        for (record, next) in zip(records, records.dropFirst() + records.prefix(1)) {
            record["next"] = CKRecord.Reference(record: next, action: .none)
        }
        // A diamond is no circle.
        for owned in records[1...2] { owned.setParent(records[0]) }
        records[3]["of"] = records[1...2].map {
            CKRecord.Reference(record: $0, action: .deleteSelf)
        }
        let results = try await world.ours.modifyRecords(saving: records, deleting: []).saveResults
        #expect(results.values.allSatisfy { $0.isSuccess })
    }

    @Test func `a long chain of parents is no cycle, and has no depth that traps`() async throws {
        let world = try World()
        let zone = try await world.zone("Shows")
        let records = (0..<400).map { world.note("n\($0)", zone) }
        for (record, next) in zip(records, records.dropFirst()) {
            record["of"] = CKRecord.Reference(record: next, action: .deleteSelf)
        }
        let results = try await world.ours.modifyRecords(saving: records, deleting: []).saveResults
        #expect(results.values.allSatisfy { $0.isSuccess })
    }
}
