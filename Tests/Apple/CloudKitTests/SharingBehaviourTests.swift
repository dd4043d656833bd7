import CloudKit
import Foundation
import Testing

/// The list of behaviours, row by row: zones that others read. What apps share themselves is in
/// ``SharedNoteTests``.
struct SharingBehaviourTests {
    /// A zone of ada's with a record, which bob reads.
    private func shared(_ world: World) async throws -> (CKRecordZone.ID, CKDatabase) {
        let zone = try await world.zone("Notes")
        try await world.ours.save(world.note("a", zone, title: "ours"))
        try world.share(zone)
        return (zone, world.container(of: "bob").sharedCloudDatabase)
    }

    @Test func `row 91, when sharing ends the zone is deleted for the participant`() async throws {
        let world = try World()
        let (zone, theirs) = try await shared(world)
        let before = try await theirs.databaseChanges(since: nil)
        let there = try #require(before.modifications.first?.zoneID)
        #expect(before.modifications.count == 1)
        #expect(there.zoneName == "Notes")
        #expect(there.ownerName != CKCurrentUserDefaultName)
        let records = try await theirs.recordZoneChanges(inZoneWith: there, since: nil)
        let found = try records.modificationResultsByID.values.map { try $0.get().record }
        let record = found.first { $0["title"] == "ours" }
        #expect(record?.recordID.zoneID == there)
        try world.unshare(zone)
        let after = try await theirs.databaseChanges(since: before.changeToken)
        #expect(after.deletions.map { $0.zoneID } == [there])
        #expect(after.deletions.first?.reason == .deleted)
        let error = await failure {
            _ = try await theirs.recordZoneChanges(inZoneWith: there, since: records.changeToken)
        }
        #expect(error?.code == .zoneNotFound)
        #expect(try await world.ours.allRecordZones().contains { $0.zoneID == zone })
    }

    @Test func `rows 97 and 100, a participant who may read can neither save nor delete`()
        async throws
    {
        let world = try World()
        let (zone, theirs) = try await shared(world)
        let there = try #require(try await theirs.allRecordZones().first?.zoneID)
        let id = CKRecord.ID(recordName: "a", zoneID: there)
        let record = try await theirs.record(for: id)
        record["title"] = "theirs"
        #expect(await failure { try await theirs.save(record) }?.code == .permissionFailure)
        #expect(
            await failure { try await theirs.deleteRecord(withID: id) }?.code == .permissionFailure)
        let kept = try await world.ours.record(for: CKRecord.ID(recordName: "a", zoneID: zone))
        #expect(kept["title"] == "ours")
    }

    @Test func `row 99, a participant who deletes the shared zone leaves`() async throws {
        let world = try World()
        let (zone, theirs) = try await shared(world)
        let there = try #require(try await theirs.allRecordZones().first?.zoneID)
        try await theirs.deleteRecordZone(withID: there)
        #expect(try await theirs.allRecordZones().isEmpty)
        let kept = try await world.ours.record(for: CKRecord.ID(recordName: "a", zoneID: zone))
        #expect(kept["title"] == "ours")
    }

    @Test func `row 105, the share of a zone has a fixed name`() {
        let zone = CKRecordZone.ID(zoneName: "Notes")
        let share = CKShare(recordZoneID: zone)
        #expect(share.recordID.recordName == CKRecordNameZoneWideShare)
        #expect(share.recordID.zoneID == zone)
    }
}
