import CloudKit
import Foundation
import Testing

/// Numbers that the service has no spelling for: a save must not turn them into something else.
struct OddNumberTests {
    /// Where in a record an odd number is.
    enum Place: CaseIterable {
        case number, float, boxed, list, boxedList, date, boxedDate, dateList, encrypted
        case latitude, altitude, horizontalAccuracy, verticalAccuracy, course, speed
        case locationDate, locationList

        func set(_ odd: Double, in record: CKRecord) {
            let date = Date(timeIntervalSince1970: odd)
            switch self {
            case .number: record["ratio"] = odd
            case .float: record["ratio"] = Float(odd)
            case .boxed: record["ratio"] = NSNumber(value: odd)
            case .list: record["ratio"] = [1.5, odd]
            case .boxedList: record["ratio"] = [NSNumber(value: 1.5), NSNumber(value: odd)]
            case .date: record["ratio"] = date
            case .boxedDate: record["ratio"] = NSDate(timeIntervalSinceReferenceDate: odd)
            case .dateList: record["ratio"] = [Date(timeIntervalSince1970: 1), date]
            case .encrypted: record.encryptedValues["ratio"] = odd
            case .latitude: record["ratio"] = place(latitude: odd)
            case .altitude: record["ratio"] = place(altitude: odd)
            case .horizontalAccuracy: record["ratio"] = place(horizontal: odd)
            case .verticalAccuracy: record["ratio"] = place(vertical: odd)
            case .course: record["ratio"] = place(course: odd)
            case .speed: record["ratio"] = place(speed: odd)
            case .locationDate: record["ratio"] = place(seconds: odd)
            case .locationList: record["ratio"] = [place(), place(altitude: odd)]
            }
        }

        private func place(
            latitude: Double = 1, altitude: Double = 3, horizontal: Double = 4,
            vertical: Double = 5, course: Double = 6, speed: Double = 7, seconds: Double = 8
        ) -> CLLocation {
            CLLocation(
                coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: 2),
                altitude: altitude, horizontalAccuracy: horizontal, verticalAccuracy: vertical,
                course: course, speed: speed, timestamp: Date(timeIntervalSince1970: seconds))
        }
    }

    /// The sibling is stored, the stored value of the odd field stays, and nothing traps.
    @Test(arguments: Place.allCases, [Double.nan, .infinity, -.infinity])
    func `NaN and infinity fail the save of their own record, which names the field`(
        place: Place, odd: Double
    ) async throws {
        let world = try World()
        let zone = try await world.zone("Lab")
        let record = world.note("sample", zone, title: "before")
        place.set(1.5, in: record)
        let stored = try await world.ours.save(record)
        place.set(odd, in: stored)
        let before = world.requests
        let error = await failure { try await world.ours.save(stored) }
        #expect(error?.code == .invalidArguments)
        #expect(error?.localizedDescription.contains("\"ratio\"") == true)
        #expect(world.requests == before)
        let sibling = world.note("sibling", zone)
        let results = try await world.ours.modifyRecords(
            saving: [stored, sibling], deleting: [], atomically: false
        ).saveResults
        #expect(results[stored.recordID]?.code == .invalidArguments)
        #expect(results[sibling.recordID]?.isSuccess == true)
        let now = try await world.ours.record(for: stored.recordID)
        #expect(now.recordChangeTag == stored.recordChangeTag)
        place.set(2.5, in: stored)
        try await world.ours.save(stored)
    }

    @Test(arguments: [1e17, -1e17, 1e300])
    func `a date beyond what the service counts is refused`(seconds: Double) async throws {
        let world = try World()
        let record = world.note("sample", try await world.zone("Lab"))
        record["when"] = Date(timeIntervalSince1970: seconds)
        let error = await failure { try await world.ours.save(record) }
        #expect(error?.code == .invalidArguments)
        #expect(error?.localizedDescription.contains("\"when\"") == true)
    }

    @Test func `the distant past and future can be saved`() async throws {
        let world = try World()
        let record = world.note("sample", try await world.zone("Lab"))
        record["from"] = Date.distantPast
        record["to"] = Date.distantFuture
        let saved = try await world.ours.save(record)
        #expect(saved["from"] == Date.distantPast)
        #expect(saved["to"] == Date.distantFuture)
    }

    @Test func `the app reads back what it has set`() {
        let record = CKRecord(recordType: "Sample")
        record["ratio"] = Double.infinity
        record["when"] = Date(timeIntervalSince1970: .infinity)
        record["list"] = [1, Double.infinity]
        let (ratio, when, list) = (
            record["ratio"] as Double?, record["when"] as Date?, record["list"] as [Double]?
        )
        #expect(ratio == .infinity)
        #expect(when == Date(timeIntervalSince1970: .infinity))
        #expect(list == [1, .infinity])
    }

    /// What could not be saved before an archive cannot be saved after it: the field is not cleared.
    @Test(arguments: Place.allCases.filter { $0 != .encrypted })
    func `a refused value stays refused in an archive`(place: Place) async throws {
        let world = try World()
        let zone = try await world.zone("Lab")
        let record = world.note("sample", zone)
        place.set(1.5, in: record)
        let stored = try await world.ours.save(record)
        place.set(.nan, in: stored)
        stored.setValue(ObjectIdentifier(world), forKey: "other")
        let bytes = try NSKeyedArchiver.archivedData(
            withRootObject: stored, requiringSecureCoding: true)
        let read = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CKRecord.self, from: bytes))
        let error = await failure { try await world.ours.save(read) }
        #expect(error?.code == .invalidArguments)
        #expect(try await world.ours.record(for: stored.recordID).allKeys().contains("ratio"))
    }

    @Test func `a query by such a number or place is refused`() async throws {
        let world = try World()
        let zone = try await world.zone("Lab")
        let here = CLLocation(latitude: .nan, longitude: 2)
        let queries = [
            CKQuery(
                recordType: "Note", predicate: NSPredicate(format: "ratio > %@", Double.infinity)),
            CKQuery(
                recordType: "Note",
                predicate: NSPredicate(
                    format: "distanceToLocation:fromLocation:(place, %@) < 10", here)),
            CKQuery(recordType: "Note", predicate: NSPredicate(value: true)),
        ]
        queries[2].sortDescriptors = [
            CKLocationSortDescriptor(key: "place", relativeLocation: here)
        ]
        let before = world.requests
        for query in queries {
            let error = await failure {
                _ = try await world.ours.records(matching: query, inZoneWith: zone)
            }
            #expect(error?.code == .invalidArguments)
        }
        #expect(world.requests == before)
    }
}
