import CloudKit
import Foundation
import Testing

/// What apps keep of records, tokens and queries between two runs.
struct ArchiveTests {
    /// A thing after its way through an archive.
    private func kept<Thing: NSObject & NSSecureCoding>(_ thing: Thing) throws -> Thing? {
        let bytes = try NSKeyedArchiver.archivedData(
            withRootObject: thing, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: Thing.self, from: bytes)
    }

    @Test func `a record made from archived system fields can be saved`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let saved = try await world.ours.save(world.note("a", zone, title: "one"))
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        saved.encodeSystemFields(with: archiver)
        archiver.finishEncoding()
        let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        let restored = try #require(CKRecord(coder: reader))
        #expect(restored.recordID == saved.recordID)
        #expect(restored.recordChangeTag == saved.recordChangeTag)
        #expect(restored.creationDate == saved.creationDate)
        #expect(restored.allKeys() == [])
        restored["title"] = "two"
        #expect(try await world.ours.save(restored)["title"] == "two")
    }

    @Test func `tokens, IDs and zones survive an archive`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let token = try await world.ours.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
        let bytes = try NSKeyedArchiver.archivedData(
            withRootObject: token, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: CKServerChangeToken.self, from: bytes)
        #expect(read == token)
        let id = CKRecord.ID(recordName: "a", zoneID: zone)
        let idBytes = try NSKeyedArchiver.archivedData(
            withRootObject: id, requiringSecureCoding: true)
        #expect(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CKRecord.ID.self, from: idBytes) == id)
    }

    @Test func `a cursor goes on where it was archived`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        for name in ["a", "b", "c"] { try await world.ours.save(world.note(name, zone)) }
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        let first = try await world.ours.records(
            matching: query, inZoneWith: zone, resultsLimit: 2)
        let given = try #require(first.queryCursor)
        let cursor = try #require(try kept(given))
        #expect(cursor == first.queryCursor)
        let rest = try await world.ours.records(continuingMatchFrom: cursor)
        let names = (first.matchResults + rest.matchResults).map { $0.0.recordName }
        #expect(names.sorted() == ["a", "b", "c"])
    }

    @Test func `a whole record keeps every type of value, and what was changed`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let moment = Date(timeIntervalSince1970: 1_000_000.25)
        let place = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.4), altitude: 170,
            horizontalAccuracy: 5, verticalAccuracy: 7, course: 90, speed: 1, timestamp: moment)
        let other = CKRecord.ID(recordName: "b", zoneID: zone)
        let link = CKRecord.Reference(recordID: other, action: .deleteSelf)
        let new = world.note("a", zone, title: "über")
        new["count"] = 42
        new["ratio"] = 2.0
        new["moment"] = moment
        new["bytes"] = Data([0, 1, 255])
        new["place"] = place
        new["link"] = link
        new["words"] = ["a", "b"]
        new["none"] = [String]()
        new["places"] = [place]
        new["links"] = [link]
        new.encryptedValues["secret"] = "two"
        let target = world.note("b", zone)
        // An empty list makes no field.
        target["none"] = ["one"]
        try await world.ours.save(target)
        for record in [new, try await world.ours.save(new)] {
            record["title"] = "changed"
            record["count"] = nil
            record["picture"] = CKAsset(fileURL: URL(fileURLWithPath: "/tmp/picture.png"))
            let read = try #require(try kept(record))
            #expect(read.recordID == record.recordID)
            #expect(read.recordChangeTag == record.recordChangeTag)
            #expect(Set(read.allKeys()) == Set(record.allKeys()))
            #expect(Set(read.changedKeys()) == Set(record.changedKeys()))
            #expect(read["title"] == "changed")
            #expect(read["ratio"] == 2.0)
            #expect(read["moment"] == moment)
            #expect(read["bytes"] == Data([0, 1, 255]))
            #expect(read["place"] == place)
            #expect(read["link"] == link)
            #expect(read["words"] == ["a", "b"])
            #expect(read["none"] == [String]())
            #expect(read["places"] == [place])
            #expect(read["links"] == [link])
            #expect(read["picture"] == CKAsset(fileURL: URL(fileURLWithPath: "/tmp/picture.png")))
            #expect(read.encryptedValues["secret"] == "two")
        }
    }

    @Test func `a query survives an archive and finds the same`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let records = (0..<4).map { number in
            let record = world.note("n\(number)", zone)
            record["count"] = number
            return record
        }
        _ = try await world.ours.modifyRecords(saving: records, deleting: [])
        let query = CKQuery(
            recordType: "Note",
            predicate: NSPredicate(
                format: "count > 0 AND creationDate > %@", Date(timeIntervalSince1970: 0)))
        query.sortDescriptors = [
            NSSortDescriptor(key: "count", ascending: false),
            NSSortDescriptor(key: "modificationDate", ascending: true),
        ]
        let read = try #require(try kept(query))
        #expect(read.sortDescriptors?.count == 2)
        let found = try await world.ours.records(matching: read, inZoneWith: zone)
        #expect(found.matchResults.map { $0.0.recordName } == ["n3", "n2", "n1"])
        let refused = CKQuery(
            recordType: "Note", predicate: NSPredicate(format: "a = 1 OR b = 2"))
        #expect(throws: (any Error).self) { try kept(refused) }
    }

    @Test func `subscriptions survive an archive`() throws {
        let zone = CKRecordZone.ID(zoneName: "Notes", ownerName: "_someone")
        let query = CKQuerySubscription(
            recordType: "Note", predicate: NSPredicate(format: "title = 'x'"),
            subscriptionID: "some", options: [.firesOnRecordDeletion, .firesOnce])
        query.zoneID = zone
        query.notificationInfo = .init(alertBody: "text", shouldBadge: true)
        let read = try #require(try kept(query))
        #expect(read.subscriptionID == "some")
        #expect(read.recordType == "Note")
        #expect(read.zoneID == zone)
        #expect(read.querySubscriptionOptions == [.firesOnRecordDeletion, .firesOnce])
        #expect(read.notificationInfo?.alertBody == "text")
        #expect(read.notificationInfo?.shouldBadge == true)
        let ofZone = CKRecordZoneSubscription(zoneID: zone, subscriptionID: "zone")
        ofZone.recordType = "Note"
        let readZone = try #require(try kept(ofZone))
        #expect(readZone.zoneID == zone && readZone.recordType == "Note")
        let all = CKDatabaseSubscription(subscriptionID: "all")
        #expect(try kept(all)?.subscriptionID == "all")
        #expect(try kept(all)?.recordType == nil)
    }

    @Test func `copies are of the same kind`() {
        let record = CKRecord(recordType: "Note")
        let share = CKShare(rootRecord: record)
        #expect(share.copy() is CKShare)
        #expect((record.copy() as? CKRecord)?.recordID == record.recordID)
    }
}
