import CloudKit
import Testing

/// Zones with names that no zone can have.
struct ZoneNameTests {
    static let badNames = ["", "_private", String(repeating: "z", count: 256)]

    @Test(arguments: badNames)
    func `a name that no zone can have fails its own zone and no other`(name: String) async throws {
        let world = try World()
        let (odd, fine) = (CKRecordZone(zoneName: name), CKRecordZone(zoneName: "fine"))
        let results = try await world.ours.modifyRecordZones(saving: [odd, fine], deleting: [])
            .saveResults
        #expect(results[odd.zoneID]?.code == .invalidArguments)
        #expect(results[fine.zoneID]?.isSuccess == true)
    }

    @Test(arguments: badNames)
    func `such a name fails its own deletion and fetch, and no other`(name: String) async throws {
        let world = try World()
        let fine = try await world.zone("fine")
        let odd = CKRecordZone.ID(zoneName: name)
        let found = try await world.ours.recordZones(for: [odd, fine])
        #expect(found[odd]?.isSuccess == false)
        #expect(found[fine]?.isSuccess == true)
        let deleted = try await world.ours.modifyRecordZones(saving: [], deleting: [odd, fine])
            .deleteResults
        #expect(deleted[odd]?.isSuccess == false)
        #expect(deleted[fine]?.isSuccess == true)
    }

    @Test(arguments: badNames)
    func `a record in such a zone fails, and no other`(name: String) async throws {
        let world = try World()
        let zone = try await world.zone("fine")
        let odd = world.note("a", CKRecordZone.ID(zoneName: name))
        let fine = world.note("a", zone)
        let results = try await world.ours.modifyRecords(saving: [odd, fine], deleting: [])
            .saveResults
        #expect([.invalidArguments, .zoneNotFound].contains(results[odd.recordID]?.code))
        #expect(results[fine.recordID]?.isSuccess == true)
    }
}
