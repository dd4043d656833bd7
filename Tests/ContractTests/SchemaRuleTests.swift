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

    private func world(_ depth: Depth, isAlone: Bool = false) async throws -> (World, Asker) {
        let world = try World(depth, isAlone: isAlone)
        try await world.service.setSchema(Self.text, of: world.container)
        let production = world.database(.private, .user("ada"), .production)
        try await production.create("Notes")
        try await world.ada.create("Notes")
        return (world, production)
    }

    @Test(arguments: Depth.allCases)
    func `production knows only the schema, development grows by saving`(depth: Depth) async throws
    {
        let (world, production) = try await world(depth, isAlone: true)
        let newType = RecordOperation.make(.create, "a", type: "Other")
        let newField = RecordOperation.make(.create, "b", ["more": .int64(1)], type: "Entry")
        #expect(try await production.one(newType).code == .badRequest)
        #expect(try await production.one(newField).code == .badRequest)
        #expect(try await world.ada.one(newType).record != nil)
        #expect(try await world.ada.one(newField).record != nil)
        try await world.service.set(#"{"strictSchema": true}"#) { $0.strictSchema = true }
        #expect(try await world.ada.one(.make(.create, "c", type: "Third")).code == .badRequest)
    }

    @Test(arguments: Depth.allCases)
    func `encrypted fields take encrypted values and no others`(depth: Depth) async throws {
        let (_, production) = try await world(depth)
        func entry(_ name: String, _ field: String, _ value: FieldValue, encrypted: Bool)
            -> RecordOperation
        {
            var operation = RecordOperation.make(.create, name, type: "Entry")
            operation.fields = [field: Field(value, isEncrypted: encrypted)]
            return operation
        }
        #expect(
            try await production.one(entry("a", "secret", .string("x"), encrypted: true)).record
                != nil)
        #expect(
            try await production.one(entry("b", "secret", .string("x"), encrypted: false)).code
                == .badRequest)
        #expect(
            try await production.one(entry("c", "title", .string("x"), encrypted: true)).code
                == .badRequest)
        #expect(
            try await production.lookUp("a").first?.record?.fields["secret"]?.isEncrypted == true)
        let query = Query(
            recordType: "Entry", filters: [.init(.equals, .field("secret"), .string("x"))])
        #expect(
            await production.code(
                .read(.queryRecords(.init(query: query, zoneID: RecordZone.ID("Notes")))))
                == .badRequest)
    }

    private static let asked: [(Query, String?)] = [
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
    ]

    @Test(arguments: Depth.allCases, asked)
    func `queries need the indexes they use`(
        depth: Depth, row: (Query, String?)
    ) async throws {
        let (query, reason) = row
        let (_, production) = try await world(depth)
        let request = RecordQueryRequest(query: query, zoneID: RecordZone.ID("Notes"))
        #expect(await production.reason(.read(.queryRecords(request))) == reason)
    }

    @Test(arguments: Depth.allCases)
    func `a type of the schema that nobody has used is empty, not unknown`(depth: Depth)
        async throws
    {
        let (_, production) = try await world(depth)
        #expect(try await production.names(Query(recordType: "Entry")) == [])
    }
}
