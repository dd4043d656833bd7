import CloudModel
import MockStore
import Testing

@Suite struct AccountTests {
    @Test(arguments: Depth.allCases)
    func `private databases are each user's own, public ones everybody's`(depth: Depth) async throws
    {
        let world = try World(depth)
        let bob = world.database(.private, .user("bob"))
        try await world.ada.create("Notes")
        try await world.ada.put("a")
        #expect(try await bob.listedNames() == ["_defaultZone"])
        try await world.everybody.put("p", zone: "_defaultZone")
        #expect(
            try await world.database(.public, .user("bob")).exists("p", zone: "_defaultZone"))
        #expect(
            try await !world.database(.public, .user("bob"), .production)
                .exists("p", zone: "_defaultZone"))
    }

    @Test(arguments: Depth.allCases)
    func `who is asked for is told`(depth: Depth) async throws {
        let world = try World(depth, isAlone: true)
        try await world.service.add(MockUser("ada", givenName: "Ada", familyName: "Example"))
        for command in [CloudCommand.read(.caller), .read(.currentUser)] {
            for scope in Database.Scope.allCases {
                let reply = try await world.database(scope).ask(command)
                #expect(
                    reply
                        == .user(
                            UserIdentity(
                                userRecordName: try await world.name("ada"), givenName: "Ada",
                                familyName: "Example")))
            }
        }
    }

    @Test(arguments: Depth.allCases, [Database.Scope.private, .shared])
    func `C-1 without a user private and shared databases are closed`(
        depth: Depth, scope: Database.Scope
    ) async throws {
        let world = try World(depth)
        #expect(
            await world.database(scope, .anonymous).code(.read(.listZones(token: nil)))
                == .authenticationRequired)
        #expect(
            await world.database(scope, .serverKey("k")).code(.read(.listZones(token: nil)))
                == .authenticationFailed)
        #expect(
            await world.database(scope, .user("nobody")).code(.read(.listZones(token: nil)))
                == .authenticationFailed)
    }

    @Test(arguments: Depth.allCases)
    func `an API token alone reads public records and does nothing else`(depth: Depth) async throws
    {
        let world = try World(depth)
        try await world.everybody.put("p", zone: "_defaultZone")
        let nobody = world.database(.public, .anonymous)
        #expect(try await nobody.exists("p", zone: "_defaultZone"))
        #expect(try await nobody.names(Query(recordType: "Note"), zone: nil) == ["p"])
        for command in [
            CloudCommand.read(.caller), .read(.listSubscriptions), .write(.modifyZones([])),
            .write(.restrict),
            .write(.modifyRecords(RecordModifyRequest(operations: [.forceDelete("p")]))),
        ] {
            #expect(await nobody.code(command) == .authenticationRequired)
        }
    }

    @Test(arguments: Depth.allCases)
    func `a server key writes public records as itself`(depth: Depth) async throws {
        let world = try World(depth)
        let key = world.database(.public, .serverKey("k1"))
        let record = try await key.put("p", zone: "_defaultZone")
        #expect(record.created.userRecordName != (try await world.name("ada")))
        #expect(record.created.userRecordName.utf8.count == 33)
        // It can ask who it is, as clients do before anything else.
        for command in [CloudRead.caller, .currentUser] {
            guard case .user(let user) = try await key.ask(.read(command)) else { throw Odd() }
            #expect(user.userRecordName == record.created.userRecordName)
            #expect(user.nameComponents == nil)
            let elsewhere = world.database(.private, .serverKey("k1"))
            #expect(await elsewhere.code(.read(command)) == .authenticationFailed)
        }
        guard case .zones(let items) = try await key.ask(.read(.lookUpZones([RecordZone.ID("No")])))
        else { throw Odd() }
        // A zone without an owner is the caller's, wherever his name is derived.
        let owner = try #require(items.first).id.ownerRecordName
        #expect(owner == nil || owner == record.created.userRecordName)
        let other = world.database(.public, .serverKey("k2"))
        #expect(try await other.one(.forceDelete("p"), zone: "_defaultZone").code == .accessDenied)
        #expect(try await key.one(.forceDelete("p"), zone: "_defaultZone").isDeleted)
    }

    @Test(arguments: Depth.allCases)
    func `a restricted user is refused everything but users and unrestrict`(depth: Depth)
        async throws
    {
        let world = try World(depth)
        try await world.ada.create("Notes")
        #expect(try await world.ada.ask(.write(.restrict)) == .done)
        for command in [
            CloudCommand.read(.listZones(token: nil)),
            .write(.modifyZones([.delete(RecordZone.ID("Notes"))])),
            .read(.listSubscriptions), .read(.databaseChanges(token: nil, limit: nil)),
        ] {
            #expect(await world.ada.code(command) == .accessDenied)
        }
        #expect(
            await world.everybody.code(
                .read(.queryRecords(.init(query: .init(recordType: "Note")))))
                == .accessDenied)
        #expect(await world.ada.code(.read(.caller)) == nil)
        #expect(
            await world.database(.private, .user("bob")).code(.read(.listZones(token: nil))) == nil)
        #expect(
            await world.database(.private, .user("ada"), .production).code(
                .read(.listZones(token: nil)))
                == nil)
        #expect(try await world.ada.ask(.write(.unrestrict)) == .done)
        #expect(try await world.ada.listedNames() == ["_defaultZone", "Notes"])
    }

    @Test(arguments: Depth.allCases)
    func `public records are written by their creator alone, without a schema`(depth: Depth)
        async throws
    {
        let world = try World(depth)
        let bob = world.database(.public, .user("bob"))
        let zone = "_defaultZone"
        try await world.everybody.put("p", ["n": .int64(1)], zone: zone)
        #expect(try await bob.exists("p", zone: zone))
        let denied = try await bob.one(.make(.forceUpdate, "p", ["n": .int64(2)]), zone: zone)
        #expect(denied.code == .accessDenied)
        #expect(denied.error?.reason == "WRITE operation not permitted")
        // Who may not write is told so, whatever the tag.
        let stale = try await bob.one(.make(.update, "p", tag: "stale"), zone: zone)
        #expect(stale.code == .accessDenied)
        #expect(try await bob.one(.forceDelete("p"), zone: zone).code == .accessDenied)
        #expect(try await world.everybody.one(.forceDelete("p"), zone: zone).isDeleted)
    }

    @Test(arguments: Depth.allCases)
    func `grants of the schema decide who reads, creates and writes`(depth: Depth) async throws {
        let world = try World(depth)
        try await world.service.setSchema(
            """
            DEFINE SCHEMA
            RECORD TYPE Open ("___recordID" REFERENCE QUERYABLE, n INT64,
                GRANT READ TO "_world", GRANT CREATE, WRITE TO "_icloud");
            RECORD TYPE Own ("___recordID" REFERENCE QUERYABLE, n INT64,
                GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud");
            RECORD TYPE Closed ("___recordID" REFERENCE QUERYABLE, GRANT READ TO "_world");
            """, of: world.container)
        let zone = "_defaultZone"
        let (ada, bob) = (world.everybody, world.database(.public, .user("bob")))
        let nobody = world.database(.public, .anonymous)
        try await ada.put("open", zone: zone, type: "Open")
        try await ada.put("own", zone: zone, type: "Own")
        try await bob.put("his", zone: zone, type: "Own")
        #expect(
            try await ada.one(.make(.create, "c", type: "Closed"), zone: zone).code == .accessDenied
        )
        #expect(try await bob.one(.forceDelete("open"), zone: zone).isDeleted)
        #expect(try await bob.lookUp("own", "his", zone: zone).map(\.code) == [.accessDenied, nil])
        #expect(try await bob.names(Query(recordType: "Own"), zone: zone) == ["his"])
        #expect(
            await nobody.code(.read(.queryRecords(.init(query: .init(recordType: "Own")))))
                == .accessDenied)
        // A key creates only where creators and signed-in users both may.
        let key = world.database(.public, .serverKey("k"))
        #expect(
            try await key.one(.make(.create, "k", type: "Own"), zone: zone).code == .accessDenied)
    }

    @Test(arguments: Depth.allCases)
    func `the Users record can be read by all, cleared by its user, deleted by nobody`(depth: Depth)
        async throws
    {
        let world = try World(depth)
        let (name, zone) = (try await world.name("ada"), "_defaultZone")
        let bob = world.database(.public, .user("bob"))
        let record = try #require(try await bob.lookUp(name, zone: zone).first?.record)
        #expect(record.recordType == "Users" && record.fields == [:])
        let write = RecordOperation.make(.forceReplace, name, ["nick": .string("A")], type: "Users")
        #expect(try await bob.one(write, zone: zone).code == .accessDenied)
        #expect(try await world.everybody.one(write, zone: zone).record != nil)
        #expect(try await bob.lookUp(name, zone: zone).first?.record?.fields.count == 1)
        let clear = RecordOperation.make(.forceReplace, name, type: "Users")
        #expect(try await world.everybody.one(clear, zone: zone).record?.fields == [:])
        #expect(try await world.everybody.one(.forceDelete(name), zone: zone).code == .accessDenied)
        #expect(try await bob.lookUp("_nobody", zone: zone).first?.code == .notFound)
    }
}
