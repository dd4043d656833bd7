import CloudModel
import MockStore
import Testing

/// Queries that the service refuses for what they ask by.
struct QueryRefusalTests {
    private func world() throws -> World {
        let world = try World()
        try world.ada.create("Notes")
        try world.ada.put(
            "a",
            [
                "title": .string("Milk"), "n": .int64(1),
                "tags": .list(.string, [.string("home")]),
            ])
        return world
    }

    private static let listComparators: [(Query.Comparator, FieldValue)] = [
        (.listContains, .string("Milk")), (.notListContains, .string("Milk")),
        (.listContainsAll, .list(.string, [.string("Milk")])),
        (.notListContainsAll, .list(.string, [.string("Milk")])),
        (.listContainsAny, .list(.string, [.string("Milk")])),
        (.notListContainsAny, .list(.string, [.string("Milk")])),
        (.listMemberBeginsWith, .string("Mi")), (.notListMemberBeginsWith, .string("Mi")),
    ]

    @Test(arguments: listComparators)
    func `a comparator of lists is refused for a field that is not a list`(
        comparator: Query.Comparator, value: FieldValue
    ) throws {
        let ada = try world().ada
        func query(_ field: String) -> Query {
            Query(recordType: "Note", filters: [.init(comparator, .field(field), value)])
        }
        let error = #expect(throws: CloudError.self) { try ada.query(query("title")) }
        #expect(error?.code == .badRequest)
        #expect(error?.reason.contains("'title'") == true, "\(error?.reason ?? "")")
        _ = try ada.query(query("tags"))
    }

    @Test(arguments: ["_title", "_", "__createdBy", "___nothing"])
    func `a field name that begins with an underscore is refused in queries`(
        name: String
    ) throws {
        let ada = try world().ada
        let filtered = Query(
            recordType: "Note", filters: [.init(.equals, .field(name), .string("Milk"))])
        let sorted = Query(recordType: "Note", sorts: [.init(.field(name))])
        for query in [filtered, sorted] {
            let error = #expect(throws: CloudError.self) { try ada.query(query) }
            #expect(error?.code == .badRequest)
            #expect(error?.reason.contains(name) == true)
        }
    }

    @Test(arguments: Query.SystemField.allCases)
    func `the stored names of system fields are taken`(field: Query.SystemField) throws {
        let ada = try world().ada
        let query = Query(recordType: "Note", sorts: [.init(.field(field.storedName))])
        _ = try ada.query(query)
    }
}
