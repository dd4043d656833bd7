import CloudModel
import MockStore
import Testing

/// Who users are to one another: `users/discover` and the lookups.
@Suite struct PeopleTests {
    private func users(_ asker: Asker, _ request: CloudRead) async throws -> [UserIdentity.Item] {
        guard case .users(let items) = try await asker.ask(.read(request)) else { throw Odd() }
        return items
    }

    @Test(arguments: Depth.allCases)
    func `a user is discovered by address and record name, and others are left out`(
        depth: Depth
    ) async throws {
        let world = try World(depth)
        let bob = try await world.name("bob")
        let asked: [UserIdentity.LookupInfo] = [
            .emailAddress("BOB@example.com"), .emailAddress("nobody@example.com"),
            .userRecordName("_00000000000000000000000000000001"), .userRecordName(bob),
        ]
        let names = NameComponents(givenName: "Bob", familyName: "Example")
        #expect(
            try await users(world.everybody, .discoverUsers(asked))
                == [asked[0], asked[3]].map { info in
                    .user(
                        UserIdentity(userRecordName: bob, nameComponents: names, lookupInfo: info))
                })
    }

    @Test(arguments: Depth.allCases)
    func `the older lookups answer an item for each that was asked for`(depth: Depth) async throws {
        let world = try World(depth)
        let bob = try await world.name("bob")
        let found = try await users(
            world.everybody, .lookUpUsersByEmail(["nobody@example.com", "bob@example.com"]))
        let unknown = CloudError(.notFound, reason: "user not found")
        let names = NameComponents(givenName: "Bob", familyName: "Example")
        #expect(
            found == [
                .failure(.emailAddress("nobody@example.com"), unknown),
                .user(
                    UserIdentity(
                        userRecordName: bob, nameComponents: names,
                        lookupInfo: .emailAddress("bob@example.com"))),
            ])
        #expect(
            try await users(world.everybody, .lookUpUsersByID([bob, "_no"])) == [
                .user(UserIdentity(userRecordName: bob, nameComponents: names)),
                .failure(.userRecordName("_no"), unknown),
            ])
    }

    @Test(arguments: Depth.allCases)
    func `users know one another, and not themselves`(depth: Depth) async throws {
        // A service of its own: other tests add users to the common one.
        let world = try World(depth, isAlone: true)
        let bob = try await world.name("bob")
        for request in [CloudRead.discoverUsers(nil), .lookUpContacts] {
            let names = try await users(world.everybody, request).map {
                if case .user(let user) = $0 { user.userRecordName } else { "" }
            }
            #expect(names == [bob])
        }
    }

    @Test(arguments: Depth.allCases)
    func `a user who is not discoverable is found by no other user`(depth: Depth) async throws {
        let world = try World(depth, isAlone: true)
        var bob = MockUser("bob", givenName: "Robert")
        bob.names?.nickname = "Bob"
        bob.phoneNumbers = ["+1 555 0100"]
        try await world.service.add(bob)
        let infos: [UserIdentity.LookupInfo] = [
            .phoneNumber("+1-555-0100"), .userRecordName(try await world.name("bob")),
            .emailAddress("bob@example.com"),
        ]
        let found = try await users(world.everybody, .discoverUsers(infos))
        #expect(found.count == 3)
        guard case .user(let user)? = found.first else { throw Odd() }
        #expect(user.nameComponents?.nickname == "Bob")

        bob.isDiscoverable = false
        try await world.service.add(bob)
        #expect(try await users(world.everybody, .discoverUsers(infos)).isEmpty)
        #expect(try await users(world.everybody, .lookUpContacts).isEmpty)
        let own = world.database(.public, .user("bob"))
        #expect(try await users(own, .discoverUsers(infos)).count == 3)
        guard case .user(let caller) = try await own.ask(.read(.caller)) else { throw Odd() }
        #expect(caller.nameComponents == nil)
    }

    @Test(arguments: Depth.allCases)
    func `only users look for others, and in the public database`(depth: Depth) async throws {
        let world = try World(depth)
        for request in [
            CloudRead.discoverUsers([]), .discoverUsers(nil), .lookUpUsersByEmail([]),
            .lookUpUsersByID([]), .lookUpContacts,
        ] {
            let command = CloudCommand.read(request)
            #expect(await world.database(.private).code(command) == .badRequest)
            #expect(await world.database(.shared).code(command) == .badRequest)
            #expect(
                await world.database(.public, .serverKey("k")).code(command)
                    == .authenticationFailed)
            #expect(
                await world.database(.public, .anonymous).code(command) == .authenticationRequired)
        }
    }

    @Test(arguments: Depth.allCases)
    func `a request looks for no more than two hundred`(depth: Depth) async throws {
        let world = try World(depth)
        let many = (0..<201).map { "u\($0)@example.com" }
        for request in [
            CloudRead.discoverUsers(many.map { .emailAddress($0) }), .lookUpUsersByEmail(many),
            .lookUpUsersByID(many),
        ] {
            #expect(await world.everybody.code(.read(request)) == .badRequest)
        }
    }
}
