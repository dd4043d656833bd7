import CloudModel
import MockStore
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

    @Test(arguments: Depth.allCases, [FieldValue.Kind.string, .reference])
    func `an empty list makes no field, and is stored in one that there is`(
        depth: Depth, kind: FieldValue.Kind
    ) async throws {
        let (world, production) = try await world(depth, isAlone: true)
        let first: FieldValue = kind == .string ? .string("a") : .link("a")
        func save(_ name: String, _ list: [FieldValue], _ type: String = "Note") -> RecordOperation
        {
            .make(.forceUpdate, name, ["list": .list(kind, list)], type: type)
        }
        let refused = try await world.ada.one(save("a", []))
        #expect(refused.code == .badRequest)
        #expect(refused.error?.reason.contains("'list' in record type 'Note'") == true)
        #expect(try await !world.ada.exists("a"))
        // What its type can be told from comes first: by another save, in the same batch too.
        let batch = try await world.ada.modify([save("b", [first]), save("a", [])], atomic: false)
        #expect(batch.records.map(\.code) == [nil, nil])
        #expect(try await world.ada.one(save("c", [])).code == nil)
        #expect(try await world.ada.one(save("d", [], "Other")).code == .badRequest)
        // A batch that is undone teaches nothing.
        let undone = try await world.ada.modify(
            [save("e", [first], "Third"), .make(.create, "b")], atomic: true)
        #expect(undone.records.map(\.code) == [.atomicError, .conflict])
        #expect(try await world.ada.one(save("f", [], "Third")).code == .badRequest)
        // A schema says the type.
        guard kind == .string else { return }
        for asker in [world.ada, production] {
            let known = RecordOperation.make(
                .create, "tagged", ["tags": .list(.string, [])], type: "Entry")
            #expect(try await asker.one(known).code == nil)
        }
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
                recordType: "Bare",
                filters: [
                    .init(.equals, .system(.parent), .reference(Record.Reference("x"))),
                    .init(.equals, .system(.share), .reference(Record.Reference("s"))),
                ]), nil
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
    func `a strict schema does not know what was saved before it was strict`(depth: Depth)
        async throws
    {
        let (world, _) = try await world(depth, isAlone: true)
        try await world.ada.put("a", ["more": .int64(1)], type: "Entry")
        try await world.ada.put("b", type: "Other")
        try await world.service.set(#"{"strictSchema": true}"#) { $0.strictSchema = true }
        let field = try await world.ada.one(
            .make(.forceUpdate, "a", ["more": .int64(2)], type: "Entry"))
        #expect(
            field.error?.reason
                == "Cannot create or modify field 'more' in record 'Entry' in production schema")
        let type = try await world.ada.one(.make(.forceUpdate, "b", type: "Other"))
        #expect(type.error?.reason == "Cannot create new type Other in production schema")
        #expect(type.code == .badRequest && field.code == .badRequest)
        let query = RecordQueryRequest(
            query: Query(recordType: "Other"), zoneID: RecordZone.ID("Notes"))
        #expect(await world.ada.code(.read(.queryRecords(query))) == .notFound)
        // What is not mentioned stays, and what a schema has can be saved.
        #expect(
            try await world.ada.put("a", ["title": .string("t")], type: "Entry").fields.count == 2)
    }

    @Test(arguments: Depth.allCases)
    func `without a schema a strict server knows what was saved before`(depth: Depth) async throws {
        let world = try World(depth, isAlone: true)
        try await world.ada.create("Notes")
        try await world.ada.put("a", ["n": .int64(1)])
        try await world.service.set(#"{"strictSchema": true}"#) { $0.strictSchema = true }
        #expect(try await world.ada.put("b", ["n": .int64(2)]).recordType == "Note")
        #expect(try await world.ada.one(.make(.create, "c", ["m": .int64(2)])).code == .badRequest)
        #expect(try await world.ada.one(.make(.create, "d", type: "Other")).code == .badRequest)
    }

    // MARK: - Grants

    private static let zone = "_defaultZone"

    private func publicWorld(_ depth: Depth) async throws -> World {
        let world = try World(depth)
        try await world.service.setSchema(
            """
            DEFINE SCHEMA
                CREATE ROLE Editor;
                CREATE ROLE "test role";
                RECORD TYPE Plain ("___recordID" REFERENCE QUERYABLE, n INT64);
                RECORD TYPE Desk ("___recordID" REFERENCE QUERYABLE, n INT64,
                    GRANT WRITE TO "_creator", GRANT READ, CREATE, WRITE TO Editor,
                    GRANT READ TO "test role");
                RECORD TYPE Loud ("___recordID" REFERENCE QUERYABLE, n INT64,
                    GRANT READ, CREATE, WRITE TO "_world");
            """, of: world.container)
        return world
    }

    private func event(_ kind: SimulatedEvent.Kind, _ role: String, _ world: World) async throws {
        var event = SimulatedEvent(kind, user: "bob", in: world.container)
        event.name = role
        try await world.service.simulate(event)
    }

    @Test(arguments: Depth.allCases)
    func `a role of the schema is for those who have been given it`(depth: Depth) async throws {
        let world = try await publicWorld(depth)
        let (ada, bob) = (world.everybody, world.database(.public, .user("bob")))
        let nobody = world.database(.public, .anonymous)
        func create(_ name: String, _ asker: Asker) async throws -> Record.Item {
            try await asker.one(.make(.create, name, type: "Desk"), zone: Self.zone)
        }
        #expect(try await create("b", bob).error?.reason == "CREATE operation not permitted")
        try await event(.grantRole, "Editor", world)
        #expect(try await create("b", bob).record != nil)
        #expect(try await create("a", ada).code == .accessDenied)
        #expect(try await bob.names(Query(recordType: "Desk"), zone: Self.zone) == ["b"])
        for asker in [ada, nobody] {
            let query = RecordQueryRequest(query: Query(recordType: "Desk"))
            #expect(
                await asker.reason(.read(.queryRecords(query))) == "READ operation not permitted")
            #expect(try await asker.lookUp("b", zone: Self.zone).first?.code == .accessDenied)
        }
        // A role counts in its container and environment alone.
        #expect(
            try await world.database(.public, .user("bob"), .production)
                .one(.make(.create, "p", type: "Desk"), zone: Self.zone).code == .accessDenied)
        try await event(.takeRole, "Editor", world)
        #expect(try await create("c", bob).code == .accessDenied)
        // Who made a record may change it still, and may not read it.
        #expect(try await bob.one(.forceDelete("b"), zone: Self.zone).isDeleted)
        try await event(.grantRole, "test role", world)
        #expect(try await bob.names(Query(recordType: "Desk"), zone: Self.zone) == [])
        #expect(try await create("d", bob).code == .accessDenied)
    }

    @Test(arguments: Depth.allCases)
    func `a user who may write a record and not read it does not get its contents`(
        depth: Depth
    ) async throws {
        let world = try await publicWorld(depth)
        let bob = world.database(.public, .user("bob"))
        try await event(.grantRole, "Editor", world)
        let made = try #require(
            await bob.one(.make(.create, "b", ["n": .int64(1)], type: "Desk"), zone: Self.zone)
                .record)
        #expect(made.fields["n"]?.value == .int64(1))
        try await event(.takeRole, "Editor", world)
        // As its creator he may write it still.
        let saved = try #require(
            await bob.one(.make(.forceUpdate, "b", type: "Desk"), zone: Self.zone).record)
        #expect(saved.fields.isEmpty && saved.id.recordName == "b")
        let next = RecordOperation.make(.update, "b", tag: saved.recordChangeTag, type: "Desk")
        #expect(try await bob.one(next, zone: Self.zone).record != nil)
    }

    @Test(arguments: Depth.allCases)
    func `only roles that the schema creates can be given`(depth: Depth) async throws {
        let world = try await publicWorld(depth)
        for role in ["Editr", "_creator", "_icloud", "_world"] {
            await #expect(throws: (any Error).self) { try await event(.grantRole, role, world) }
        }
        await #expect(throws: (any Error).self) { try await event(.takeRole, "Editor", world) }
    }

    @Test(arguments: Depth.allCases)
    func `a type of which nothing is granted has the service's grants`(depth: Depth) async throws {
        let world = try await publicWorld(depth)
        let (ada, bob) = (world.everybody, world.database(.public, .user("bob")))
        let nobody = world.database(.public, .anonymous)
        let key = world.database(.public, .serverKey("k"))
        let record = try await ada.put("p", ["n": .int64(1)], zone: Self.zone, type: "Plain")
        #expect(try await nobody.names(Query(recordType: "Plain"), zone: nil) == ["p"])
        #expect(
            try await bob.one(.make(.forceUpdate, "p", type: "Plain"), zone: Self.zone).code
                == .accessDenied)
        // A key would need the right of creators too.
        #expect(
            try await key.one(.make(.create, "k", type: "Plain"), zone: Self.zone).error?.reason
                == "CREATE operation not permitted")
        // Who has no right is not told whether their tag is the latest.
        for operation in [
            RecordOperation.make(.update, "p", tag: "0", type: "Plain"), .delete("p", tag: "0"),
        ] {
            #expect(try await bob.one(operation, zone: Self.zone).code == .accessDenied)
            #expect(try await ada.one(operation, zone: Self.zone).code == .conflict)
        }
        #expect(
            try await ada.one(.delete("p", tag: record.recordChangeTag), zone: Self.zone).isDeleted)
    }

    @Test(arguments: Depth.allCases)
    func `what the world may do, whoever is signed in may do, and nobody else may write`(
        depth: Depth
    ) async throws {
        let world = try await publicWorld(depth)
        let (ada, bob) = (world.everybody, world.database(.public, .user("bob")))
        let nobody = world.database(.public, .anonymous)
        try await ada.put("l", zone: Self.zone, type: "Loud")
        #expect(try await nobody.exists("l", zone: Self.zone))
        let write = RecordModifyRequest(operations: [.make(.create, "n", type: "Loud")])
        #expect(await nobody.code(.write(.modifyRecords(write))) == .authenticationRequired)
        #expect(try await bob.one(.forceDelete("l"), zone: Self.zone).isDeleted)
    }

    @Test(arguments: Depth.allCases)
    func `grants are for the public database`(depth: Depth) async throws {
        let world = try await publicWorld(depth)
        try await world.ada.create("Notes")
        try await world.ada.put("d", ["n": .int64(1)], type: "Desk")
        #expect(try await world.ada.names(Query(recordType: "Desk")) == ["d"])
    }

    @Test(arguments: Depth.allCases)
    func `a type of the schema that nobody has used is empty, not unknown`(depth: Depth)
        async throws
    {
        let (_, production) = try await world(depth)
        #expect(try await production.names(Query(recordType: "Entry")) == [])
    }
}
