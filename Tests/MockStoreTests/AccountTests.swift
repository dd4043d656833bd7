import CloudModel
import MockServer
import Testing

@Suite struct AccountTests {
    @Test func `user record names differ by user, container, environment and seed only`() throws {
        let world = try World(seed: 7)
        let other = Container.ID("iCloud.com.example.other")!
        func names(_ world: World) throws -> [String] {
            try world.cloud.withStore { store in
                [
                    store.userRecordName(of: "ada", in: World.container, .development),
                    store.userRecordName(of: "bob", in: World.container, .development),
                    store.userRecordName(of: "ada", in: other, .development),
                    store.userRecordName(of: "ada", in: World.container, .production),
                ]
            }
        }
        let first = try names(world)
        #expect(Set(first).count == 4)
        for name in first {
            #expect(name.hasPrefix("_") && name.utf8.count == 33)
            #expect(
                name.utf8.dropFirst().allSatisfy {
                    (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
                })
        }
        #expect(try names(World(seed: 7)) == first)
        #expect(try names(World(seed: 8)) != first)
    }

    @Test func `private databases are each user's own, public ones everybody's`() throws {
        let world = try World()
        let bob = world.database(.private, .user("bob"))
        try world.ada.create("Notes")
        try world.ada.put("a")
        #expect(try bob.listedNames() == ["_defaultZone"])
        try world.everybody.put("p", zone: "_defaultZone")
        #expect(
            try world.database(.public, .user("bob")).exists("p", zone: "_defaultZone"))
        #expect(
            try !world.database(.public, .user("bob"), .production)
                .exists("p", zone: "_defaultZone"))
    }

    @Test func `who is asked for is told`() throws {
        let world = try World()
        try world.cloud.withStore {
            try $0.addUser(MockUser("ada", givenName: "Ada", familyName: "Example"))
        }
        for command in [CloudCommand.caller, .currentUser] {
            for scope in Database.Scope.allCases {
                let reply = try world.database(scope).ask(command)
                #expect(
                    reply
                        == .user(
                            UserIdentity(
                                userRecordName: try world.name("ada"), givenName: "Ada",
                                familyName: "Example")))
            }
        }
    }

    @Test(arguments: [Database.Scope.private, .shared])
    func `A-1 without a user private and shared databases are closed`(
        scope: Database.Scope
    ) throws {
        let world = try World()
        #expect(
            world.database(scope, .anonymous).code(.listZones(token: nil))
                == .authenticationRequired)
        #expect(
            world.database(scope, .serverKey("k")).code(.listZones(token: nil)) == .accessDenied)
        #expect(
            world.database(scope, .user("nobody")).code(.listZones(token: nil))
                == .authenticationFailed)
    }

    @Test func `an API token alone reads public records and does nothing else`() throws {
        let world = try World()
        try world.everybody.put("p", zone: "_defaultZone")
        let nobody = world.database(.public, .anonymous)
        #expect(try nobody.exists("p", zone: "_defaultZone"))
        #expect(try nobody.names(Query(recordType: "Note"), zone: nil) == ["p"])
        for command in [
            CloudCommand.caller, .listSubscriptions, .modifyZones([]), .restrict,
            .modifyRecords(RecordModifyRequest(operations: [.forceDelete("p")])),
        ] {
            #expect(nobody.code(command) == .authenticationRequired)
        }
    }

    @Test func `a server key writes public records as itself`() throws {
        let world = try World()
        let key = world.database(.public, .serverKey("k1"))
        let record = try key.put("p", zone: "_defaultZone")
        #expect(record.created.userRecordName != (try world.name("ada")))
        #expect(record.created.userRecordName.utf8.count == 33)
        let other = world.database(.public, .serverKey("k2"))
        #expect(try other.one(.forceDelete("p"), zone: "_defaultZone").code == .accessDenied)
        #expect(try key.one(.forceDelete("p"), zone: "_defaultZone").isDeleted)
    }

    @Test func `unknown containers exist once asked for, or are refused`() throws {
        let world = try World()
        #expect(world.ada.code(.listZones(token: nil)) == nil)
        try world.set { $0.autoCreateContainers = false }
        #expect(world.ada.code(.listZones(token: nil)) == .authenticationFailed)
        try world.cloud.withStore { try $0.addContainer(World.container) }
        #expect(world.ada.code(.listZones(token: nil)) == nil)
    }

    @Test func `a restricted user is refused everything but users and unrestrict`() throws {
        let world = try World()
        try world.ada.create("Notes")
        #expect(try world.ada.ask(.restrict) == .done)
        for command in [
            CloudCommand.listZones(token: nil), .modifyZones([.delete(RecordZone.ID("Notes"))]),
            .listSubscriptions, .databaseChanges(token: nil, limit: nil),
        ] {
            #expect(world.ada.code(command) == .accessDenied)
        }
        #expect(
            world.everybody.code(.queryRecords(.init(query: .init(recordType: "Note"))))
                == .accessDenied)
        #expect(world.ada.code(.caller) == nil)
        #expect(world.database(.private, .user("bob")).code(.listZones(token: nil)) == nil)
        #expect(
            world.database(.private, .user("ada"), .production).code(.listZones(token: nil)) == nil)
        let summary = try world.cloud.withStore { try $0.summary() }
        #expect(summary.first { $0.user == "ada" }?.isRestricted == true)
        #expect(try world.ada.ask(.unrestrict) == .done)
        #expect(try world.ada.listedNames() == ["_defaultZone", "Notes"])
    }

    @Test func `public records are written by their creator alone, without a schema`() throws {
        let world = try World()
        let bob = world.database(.public, .user("bob"))
        let zone = "_defaultZone"
        try world.everybody.put("p", ["n": .int64(1)], zone: zone)
        #expect(try bob.exists("p", zone: zone))
        let denied = try bob.one(.make(.forceUpdate, "p", ["n": .int64(2)]), zone: zone)
        #expect(denied.code == .accessDenied)
        #expect(denied.error?.reason == "WRITE operation not permitted")
        #expect(try bob.one(.forceDelete("p"), zone: zone).code == .accessDenied)
        #expect(try world.everybody.one(.forceDelete("p"), zone: zone).isDeleted)
    }

    @Test func `grants of the schema decide who reads, creates and writes`() throws {
        let world = try World()
        try world.schema(
            """
            DEFINE SCHEMA
            RECORD TYPE Open ("___recordID" REFERENCE QUERYABLE, n INT64,
                GRANT READ TO "_world", GRANT CREATE, WRITE TO "_icloud");
            RECORD TYPE Own ("___recordID" REFERENCE QUERYABLE, n INT64,
                GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud");
            RECORD TYPE Closed ("___recordID" REFERENCE QUERYABLE, GRANT READ TO "_world");
            """)
        let zone = "_defaultZone"
        let (ada, bob) = (world.everybody, world.database(.public, .user("bob")))
        let nobody = world.database(.public, .anonymous)
        try ada.put("open", zone: zone, type: "Open")
        try ada.put("own", zone: zone, type: "Own")
        try bob.put("his", zone: zone, type: "Own")
        #expect(
            try ada.one(.make(.create, "c", type: "Closed"), zone: zone).code == .accessDenied)
        #expect(try bob.one(.forceDelete("open"), zone: zone).isDeleted)
        #expect(try bob.lookUp("own", "his", zone: zone).map(\.code) == [.accessDenied, nil])
        #expect(try bob.names(Query(recordType: "Own"), zone: zone) == ["his"])
        #expect(
            nobody.code(.queryRecords(.init(query: .init(recordType: "Own")))) == .accessDenied)
        // A key creates only where creators and signed-in users both may.
        let key = world.database(.public, .serverKey("k"))
        #expect(try key.one(.make(.create, "k", type: "Own"), zone: zone).code == .accessDenied)
    }

    @Test func `the Users record can be read by all, cleared by its user, deleted by nobody`()
        throws
    {
        let world = try World()
        let (name, zone) = (try world.name("ada"), "_defaultZone")
        let bob = world.database(.public, .user("bob"))
        let record = try #require(try bob.lookUp(name, zone: zone).first?.record)
        #expect(record.recordType == "Users" && record.fields == [:])
        let write = RecordOperation.make(.forceReplace, name, ["nick": .string("A")], type: "Users")
        #expect(try bob.one(write, zone: zone).code == .badRequest)
        #expect(try world.everybody.one(write, zone: zone).record != nil)
        #expect(try bob.lookUp(name, zone: zone).first?.record?.fields.count == 1)
        let clear = RecordOperation.make(.forceReplace, name, type: "Users")
        #expect(try world.everybody.one(clear, zone: zone).record?.fields == [:])
        #expect(try world.everybody.one(.forceDelete(name), zone: zone).code == .accessDenied)
        #expect(try bob.lookUp("_nobody", zone: zone).first?.code == .notFound)
    }
}
