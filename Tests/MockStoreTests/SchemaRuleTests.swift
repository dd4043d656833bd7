import CloudModel
import MockServer
import Testing

@Suite struct SchemaRuleTests {
    private static let text = """
        DEFINE SCHEMA
            RECORD TYPE Entry (
                "___createTime" TIMESTAMP SORTABLE,
                "___recordID"   REFERENCE QUERYABLE,
                secret          ENCRYPTED STRING,
                tags            LIST<STRING>,
                title           STRING QUERYABLE SORTABLE SEARCHABLE,
                when            TIMESTAMP QUERYABLE
            );
            RECORD TYPE Bare ( n INT64 QUERYABLE );
        """

    private func world() throws -> (World, Asker) {
        let world = try World()
        try world.schema(Self.text)
        let production = world.database(.private, .user("ada"), .production)
        try production.create("Notes")
        try world.ada.create("Notes")
        return (world, production)
    }

    @Test func `production knows only the schema, development grows by saving`() throws {
        let (world, production) = try world()
        let newType = RecordOperation.make(.create, "a", type: "Other")
        let newField = RecordOperation.make(.create, "b", ["more": .int64(1)], type: "Entry")
        #expect(try production.one(newType).code == .badRequest)
        #expect(try production.one(newField).code == .badRequest)
        #expect(try world.ada.one(newType).record != nil)
        #expect(try world.ada.one(newField).record != nil)
        try world.set { $0.strictSchema = true }
        #expect(try world.ada.one(.make(.create, "c", type: "Third")).code == .badRequest)
    }

    @Test func `encrypted fields take encrypted values and no others`() throws {
        let (_, production) = try world()
        func entry(_ name: String, _ field: String, _ value: FieldValue, encrypted: Bool)
            -> RecordOperation
        {
            var operation = RecordOperation.make(.create, name, type: "Entry")
            operation.fields = [field: Field(value, isEncrypted: encrypted)]
            return operation
        }
        #expect(
            try production.one(entry("a", "secret", .string("x"), encrypted: true)).record != nil)
        #expect(
            try production.one(entry("b", "secret", .string("x"), encrypted: false)).code
                == .badRequest)
        #expect(
            try production.one(entry("c", "title", .string("x"), encrypted: true)).code
                == .badRequest)
        #expect(try production.lookUp("a").first?.record?.fields["secret"]?.isEncrypted == true)
        let query = Query(
            recordType: "Entry", filters: [.init(.equals, .field("secret"), .string("x"))])
        #expect(
            production.code(.queryRecords(.init(query: query, zoneID: RecordZone.ID("Notes"))))
                == .badRequest)
    }

    @Test(
        arguments: [
            (Query(recordType: "Entry"), nil),
            (Query(recordType: "Bare"), "Field 'recordName' is not marked queryable"),
            (
                Query(recordType: "Bare", filters: [.init(.equals, .field("n"), .int64(1))]), nil
            ),
            (
                Query(
                    recordType: "Entry",
                    filters: [.init(.listContains, .field("tags"), .string("x"))]),
                "Field 'tags' is not marked queryable"
            ),
            (
                Query(recordType: "Entry", sorts: [.init(.field("when"))]),
                "Field 'when' is not marked sortable"
            ),
            (Query(recordType: "Entry", sorts: [.init(.system(.createdTimestamp))]), nil),
            (
                Query(recordType: "Entry", sorts: [.init(.system(.modifiedTimestamp))]),
                "Field 'modifiedTimestamp' is not marked sortable"
            ),
            (
                Query(
                    recordType: "Entry",
                    filters: [.init(.containsAllTokens, .field("title"), .string("x"))]), nil
            ),
        ] as [(Query, String?)])
    func `queries need the indexes they use`(query: Query, reason: String?) throws {
        let (_, production) = try world()
        let request = RecordQueryRequest(query: query, zoneID: RecordZone.ID("Notes"))
        #expect(production.reason(.queryRecords(request)) == reason)
    }

    @Test func `a type of the schema that nobody has used is empty, not unknown`() throws {
        let (_, production) = try world()
        #expect(try production.names(Query(recordType: "Entry")) == [])
    }
}
