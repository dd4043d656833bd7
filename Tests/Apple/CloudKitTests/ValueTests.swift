import CloudKit
import Foundation
import Testing

/// Records' fields, IDs, archives and errors as values.
struct ValueTests {
    @Test func `every type of value comes back from the server`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let record = world.note("a", zone)
        let moment = Date(timeIntervalSince1970: 1_000_000.25)
        let place = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.4), altitude: 170,
            horizontalAccuracy: 5, verticalAccuracy: 7, course: 90, speed: 1, timestamp: moment)
        let link = CKRecord.Reference(
            recordID: CKRecord.ID(recordName: "b", zoneID: zone), action: .none)
        record["text"] = "über"
        record["whole"] = 42
        record["real"] = 2.5
        record["flag"] = true
        record["moment"] = moment
        record["bytes"] = Data([0, 1, 255])
        record["place"] = place
        record["link"] = link
        record["texts"] = ["a", "b"]
        record["wholes"] = [1, 2]
        record["object"] = NSNumber(value: 7)
        record["old"] = "as it was" as NSString
        let saved = try await world.ours.save(record)
        #expect(saved["text"] as? String == "über")
        #expect(saved["whole"] as? Int == 42)
        #expect(saved["whole"] as? Int64 == 42)
        #expect(saved["whole"] as? Double == 42)
        #expect(saved["real"] as? Double == 2.5)
        #expect(saved["flag"] as? Bool == true)
        #expect(saved["moment"] as? Date == moment)
        #expect(saved["bytes"] as? Data == Data([0, 1, 255]))
        #expect(saved["place"] as? CLLocation == place)
        #expect(saved["link"] as? CKRecord.Reference == link)
        #expect(saved["texts"] as? [String] == ["a", "b"])
        #expect(saved["wholes"] as? [Int] == [1, 2])
        #expect(saved["object"] as? Int == 7)
        #expect(saved["old"] as? String == "as it was")
        let whole: Int? = saved["whole"]
        let real: Float? = saved["real"]
        let none: String? = saved["whole"]
        #expect(whole == 42 && real == 2.5 && none == nil)
        #expect(saved.changedKeys() == [])
    }

    @Test func `fields know what was changed and cleared`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let record = world.note("a", zone, title: "one")
        record["body"] = "long"
        let saved = try await world.ours.save(record)
        saved["body"] = nil
        saved["count"] = 1
        #expect(saved.changedKeys().sorted() == ["body", "count"])
        #expect(saved.allKeys().sorted() == ["count", "title"])
        let again = try await world.ours.save(saved)
        #expect(again.allKeys().sorted() == ["count", "title"])
    }

    @Test func `encrypted fields are apart from the others`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let record = world.note("a", zone, title: "one")
        record.encryptedValues["secret"] = "two"
        #expect(record.encryptedValues.changedKeys() == ["secret"])
        let saved = try await world.ours.save(record)
        #expect(saved.allKeys() == ["title"])
        #expect(saved.encryptedValues.allKeys() == ["secret"])
        #expect(saved.encryptedValues["secret"] == "two")
        #expect(saved["secret"] as? String == nil)
    }

    @Test func `an empty list is of its elements' type`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let (empty, full) = (world.note("a", zone), world.note("b", zone))
        let link = CKRecord.Reference(recordID: empty.recordID, action: .none)
        empty["links"] = [CKRecord.Reference]()
        empty["counts"] = [Int]()
        empty["words"] = [String]()
        empty["moments"] = [Date]()
        full["links"] = [link]
        full["counts"] = [1]
        full["words"] = ["one"]
        full["moments"] = [Date(timeIntervalSince1970: 0)]
        // The service makes no field of an empty list, and refuses one of another type than the field's.
        await #expect(throws: CKError.self) { try await world.ours.save(empty) }
        let saved = try await world.ours.save(full)
        #expect(saved["links"] == [link])
        try await world.ours.save(empty)
        saved["links"] = NSArray()
        saved["words"] = [String]()
        let cleared = try await world.ours.save(saved)
        #expect((cleared["links"] as? [CKRecord.Reference])?.isEmpty == true)
        #expect((cleared["words"] as? [String])?.isEmpty == true)
    }

    @Test(arguments: [
        (NSNumber(value: 0.0), "4.5"), (NSNumber(value: 2.0 as Float), "4.5"),
        (NSNumber(value: -3), "4"), (NSNumber(value: true), "4"),
        (NSNumber(value: Int64.min), "4"),
    ])
    func `a number's object is whole or not as it was made`(
        number: NSNumber, next: String
    ) async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let (first, second) = (world.note("a", zone), world.note("b", zone))
        first["count"] = number
        #expect(try await world.ours.save(first)["count"] == number)
        if let whole = Int(next) { second["count"] = whole } else { second["count"] = Double(next) }
        try await world.ours.save(second)
    }

    @Test func `a record gives its fields one by one`() {
        let record = CKRecord(recordType: "Note")
        record["title"] = "one"
        record["count"] = 2
        record.encryptedValues["secret"] = "three"
        var seen: [String] = []
        for (key, value) in record { seen.append("\(key)=\(value)") }
        #expect(seen.sorted() == ["count=2", "title=one"])
        #expect(record.first { $0.0 == "count" }?.1 as? Int == 2)
    }

    @Test func `fields are set and read by name, several at once`() {
        let record = CKRecord(recordType: "Note")
        record["body"] = "long"
        record.setValuesForKeys(["title": "one", "count": 2, "body": NSNull()])
        #expect(record["title"] == "one")
        #expect(record["count"] == 2)
        #expect(record["body"] as String? == nil)
        let values = record.dictionaryWithValues(forKeys: ["title", "body"])
        #expect(values["title"] as? String == "one")
        #expect(values["body"] is NSNull)
    }

    @Test func `a value that no field can hold is refused by name when it is saved`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let record = world.note("a", zone)
        record["mixed"] = ["a" as NSString, 1 as NSNumber] as NSArray
        let error = await failure { try await world.ours.save(record) }
        #expect(error?.code == .invalidArguments)
        #expect(error?.localizedDescription.contains("\"mixed\"") == true)
    }

    @Test func `IDs are equal by value`() {
        let zone = CKRecordZone.ID(zoneName: "Notes")
        #expect(zone == CKRecordZone.ID(zoneName: "Notes", ownerName: CKCurrentUserDefaultName))
        #expect(zone != CKRecordZone.ID(zoneName: "Notes", ownerName: "_abc"))
        #expect(Set([zone, CKRecordZone.ID(zoneName: "Notes")]).count == 1)
        #expect(CKRecord.ID(recordName: "a") == CKRecord.ID(recordName: "a", zoneID: .default))
        #expect(CKRecord.ID().recordName != CKRecord.ID().recordName)
    }

    @Test func `errors are what app code expects of them`() throws {
        let error: any Error = CKError(.zoneNotFound, userInfo: [CKErrorRetryAfterKey: 0.2])
        #expect((error as NSError).domain == CKErrorDomain)
        #expect((error as NSError).code == 26)
        #expect((error as? CKError)?.code == .zoneNotFound)
        #expect((error as? CKError)?.retryAfterSeconds == 0.2)
        do {
            throw error
        } catch CKError.zoneNotFound {
            // As app code catches it.
        }
        do {
            throw error
        } catch let error as CKError where error.code == .zoneNotFound {
            #expect(error.errorCode == 26)
        }
        #expect("\(error)" == "<CKError: \"Zone Not Found\" (26); retry after 0.2 s>")
        #expect(CKError.Code.participantAlreadyInvited.rawValue == 37)
    }

    @Test func `a credential never shows its secret`() {
        let tokens = CloudKitConfiguration.Credential.tokens(api: "hidden1", webAuth: "hidden2")
        let key = CloudKitConfiguration.Credential.serverKey(id: "hidden3", pem: "hidden4")
        var text = ""
        for credential in [tokens, key] {
            text += "\(credential) " + String(reflecting: credential)
            dump(credential, to: &text)
            dump(CloudKitConfiguration(credential: credential), to: &text)
        }
        #expect(!text.contains("hidden"))
    }
}
