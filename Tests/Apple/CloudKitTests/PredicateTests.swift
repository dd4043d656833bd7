import CloudKit
import Foundation
import Testing

/// Predicates and sort descriptors, from their words to what a query finds.
struct PredicateTests {
    /// A world with three records; their names are their titles.
    private func orchard() async throws -> (World, CKRecordZone.ID) {
        let world = try World()
        let zone = try await world.zone("Notes")
        let rows: [(String, Int, [String], CLLocation)] = [
            ("apple", 1, ["red", "green"], CLLocation(latitude: 0, longitude: 0)),
            ("banana", 2, ["yellow"], CLLocation(latitude: 0, longitude: 1)),
            ("cherry", 3, ["red"], CLLocation(latitude: 0, longitude: 5)),
        ]
        let records = rows.map { name, count, colours, place in
            let record = world.note(name, zone, title: name)
            record["count"] = count
            record["colours"] = colours
            record["place"] = place
            return record
        }
        _ = try await world.ours.modifyRecords(saving: records, deleting: [])
        return (world, zone)
    }

    private func names(
        _ world: World, _ zone: CKRecordZone.ID?, _ predicate: NSPredicate,
        sorted: [NSSortDescriptor] = []
    ) async throws -> [String] {
        let query = CKQuery(recordType: "Note", predicate: predicate)
        query.sortDescriptors = sorted
        let found = try await world.ours.records(matching: query, inZoneWith: zone)
        return found.matchResults.map { $0.0.recordName }
    }

    static let formats: [(String, [any Sendable], Set<String>)] = [
        ("TRUEPREDICATE", [], ["apple", "banana", "cherry"]),
        ("title == %@", ["banana"], ["banana"]),
        ("title = 'apple'", [], ["apple"]),
        ("count != 2", [], ["apple", "cherry"]),
        ("count > %d AND count <= %ld", [1, 3], ["banana", "cherry"]),
        ("(count >= 1) && (count < 3 and title BEGINSWITH \"b\")", [], ["banana"]),
        ("%K == %@", ["title", "cherry"], ["cherry"]),
        ("title IN %@", [["apple", "cherry", "fig"]], ["apple", "cherry"]),
        ("title IN {'banana', 'fig'}", [], ["banana"]),
        ("NOT (title IN {'banana'})", [], ["apple", "cherry"]),
        ("NOT title BEGINSWITH 'b'", [], ["apple", "cherry"]),
        ("count BETWEEN {2, 3}", [], ["banana", "cherry"]),
        ("colours CONTAINS 'red'", [], ["apple", "cherry"]),
        ("ANY colours = 'green'", [], ["apple"]),
        ("%@ IN colours", ["yellow"], ["banana"]),
        ("'green' IN colours", [], ["apple"]),
        ("self CONTAINS 'cherry'", [], ["cherry"]),
        ("allTokens TOKENMATCHES[cdl] %@", ["apple"], ["apple"]),
    ]

    @Test(arguments: formats)
    func `a format finds what it says`(
        format: String, arguments: [any Sendable], expected: Set<String>
    ) async throws {
        let (world, zone) = try await orchard()
        let predicate = NSPredicate(format: format, argumentArray: arguments)
        #expect(Set(try await names(world, zone, predicate)) == expected)
    }

    @Test func `places and joined predicates work, too`() async throws {
        let (world, zone) = try await orchard()
        let here = CLLocation(latitude: 0, longitude: 0)
        let near = NSPredicate(
            format: "distanceToLocation:fromLocation:(place, %@) < %f", here, 200_000.0)
        #expect(Set(try await names(world, zone, near)) == ["apple", "banana"])
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
            near, NSPredicate(format: "count > 1"),
        ])
        #expect(try await names(world, zone, both) == ["banana"])
        let all = NSPredicate(value: true)
        let farthest = try await names(
            world, zone, all,
            sorted: [CKLocationSortDescriptor(key: "place", relativeLocation: here)])
        #expect(farthest == ["apple", "banana", "cherry"])
        let down = try await names(
            world, zone, all, sorted: [NSSortDescriptor(key: "count", ascending: false)])
        #expect(down == ["cherry", "banana", "apple"])
    }

    @Test func `values may be handed over as arguments of C`() async throws {
        let (world, zone) = try await orchard()
        let id = CKRecord.ID(recordName: "apple", zoneID: zone)
        let arguments: [(String, any CVarArg)] = [
            ("creationDate > %@", Date(timeIntervalSince1970: 0) as any CVarArg),
            ("title IN %@", ["apple", "banana", "cherry"] as any CVarArg),
            ("recordID IN %@", [id] as any CVarArg), ("recordID == %@", id as any CVarArg),
            ("title == %@", "apple" as any CVarArg),
            ("count < %@", NSNumber(value: 2) as any CVarArg),
        ]
        var counts: [Int] = []
        for (format, argument) in arguments {
            counts.append(
                try await names(world, zone, NSPredicate(format: format, argument)).count)
        }
        #expect(counts == [3, 3, 1, 1, 1, 1])
        let words = String(
            format: "%@ %@", ["a"] as any CVarArg, Date(timeIntervalSince1970: 0) as any CVarArg)
        #expect(words == "[\"a\"] 1970-01-01 00:00:00 +0000")
    }

    @Test func `the predicate of a fetched subscription can be asked`() async throws {
        let (world, zone) = try await orchard()
        let subscription = CKQuerySubscription(
            recordType: "Note", predicate: NSPredicate(format: "count > 1 AND title != 'cherry'"),
            subscriptionID: "some", options: .firesOnRecordCreation)
        try await world.ours.save(subscription)
        let fetched = try #require(
            try await world.ours.subscription(for: "some") as? CKQuerySubscription)
        #expect(try await names(world, zone, fetched.predicate) == ["banana"])
    }

    @Test func `system fields are known by their names`() async throws {
        let (world, zone) = try await orchard()
        let me = try await world.container.userRecordID()
        let mine = NSPredicate(format: "creatorUserRecordID == %@", me)
        #expect(try await names(world, zone, mine).count == 3)
        let one = NSPredicate(
            format: "recordID == %@", CKRecord.ID(recordName: "apple", zoneID: zone))
        #expect(try await names(world, zone, one) == ["apple"])
        let none = NSPredicate(
            format: "modificationDate < %@", Date(timeIntervalSince1970: 0))
        #expect(try await names(world, zone, none) == [])
    }

    @Test func `without a zone all zones are searched`() async throws {
        let (world, _) = try await orchard()
        let other = try await world.zone("Other")
        try await world.ours.save(world.note("durian", other, title: "durian"))
        let found = try await names(world, nil, NSPredicate(value: true))
        #expect(Set(found) == ["apple", "banana", "cherry", "durian"])
    }

    @Test func `a cursor leads to the next page`() async throws {
        let (world, zone) = try await orchard()
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        let first = try await world.ours.records(
            matching: query, inZoneWith: zone, resultsLimit: 2)
        let cursor = try #require(first.queryCursor)
        let second = try await world.ours.records(continuingMatchFrom: cursor)
        #expect(first.matchResults.count == 2)
        #expect(second.matchResults.count == 1)
        #expect(second.queryCursor == nil)
    }

    static let refused: [(String, [any Sendable], String)] = [
        ("title == 'a' OR title == 'b'", [], "only AND joins conditions, at character 14"),
        ("title ENDSWITH 'a'", [], "the service cannot compare by ENDSWITH, at character 7"),
        (
            "title ==[c] 'a'", [],
            "the service compares exactly; options are not supported, at character 9"
        ),
        ("title == ", [], "expected a value, found the end, at character 10"),
        ("title == 'a", [], "a string without its closing quote, at character 10"),
        ("title == %@", [], "no argument for %@, at character 10"),
        ("title == %y", [], "a \"%\" that is not a known placeholder, at character 10"),
        ("title == 'a'", [5], "more arguments than \"%\" signs, at character 13"),
        ("(count > 1", [], "expected ), found the end, at character 11"),
        ("title IN {'a', 5}", [], "a list needs values of one type, at character 10"),
        ("count § 5", [], "\"§\" is unexpected here, at character 7"),
        (
            "NOT (a = 1 AND b = 2)", [],
            "the service has no negation of this condition, at character 1"
        ),
        ("", [], "expected the name of a field, found the end, at character 1"),
    ]

    @Test(arguments: refused)
    func `what cannot be asked is refused with its place`(
        format: String, arguments: [any Sendable], reason: String
    ) async throws {
        let world = try World()
        let predicate = NSPredicate(format: format, argumentArray: arguments)
        let query = CKQuery(recordType: "Note", predicate: predicate)
        let error = await failure { _ = try await world.ours.records(matching: query) }
        #expect(error?.code == .invalidArguments)
        #expect(error?.localizedDescription.hasSuffix(reason) == true, "\(error as Any)")
        #expect(world.commands.withLock { $0.isEmpty })
    }

    @Test func `blocks and key paths of other types are refused`() async throws {
        let world = try World()
        let block = CKQuery(recordType: "Note", predicate: NSPredicate { _, _ in true })
        let error = await failure { _ = try await world.ours.records(matching: block) }
        #expect(error?.code == .invalidArguments)
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        query.sortDescriptors = [NSSortDescriptor(keyPath: \String.count, ascending: true)]
        let other = await failure { _ = try await world.ours.records(matching: query) }
        #expect(other?.code == .invalidArguments)
    }
}
