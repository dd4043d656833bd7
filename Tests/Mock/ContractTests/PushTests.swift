import CloudModel
import MockStore
import Testing

/// Which devices are told of a change, and what.
@Suite(.timeLimit(.minutes(10))) struct PushTests {
    private static func query(
        _ name: String, _ filters: [Query.Filter] = [],
        on events: [Subscription.Event] = [.create, .update, .delete]
    ) -> Subscription {
        Subscription(
            subscriptionID: name, kind: .query, query: Query(recordType: "Note", filters: filters),
            firesOn: events)
    }

    /// A world with a zone, and two devices of one user that get pushes.
    private struct Devices {
        let world: World
        let phone: Asker
        let laptop: Asker
        let phoneToken: PushToken
        let laptopToken: PushToken

        init(_ depth: Depth, isAlone: Bool = false) async throws {
            world = try World(depth, isAlone: isAlone)
            phone = world.database(.private, .user("ada", device: "phone"))
            laptop = world.database(.private, .user("ada", device: "laptop"))
            try await world.ada.create("Notes")
            phoneToken = try await phone.pushToken()
            laptopToken = try await laptop.pushToken()
        }

        func onPhone() async throws -> [PushSeen] { try await world.service.pushes(to: phoneToken) }
        func onLaptop() async throws -> [PushSeen] {
            try await world.service.pushes(to: laptopToken)
        }
    }

    @Test(arguments: Depth.allCases)
    func `C-111 a change is pushed to the user's devices but the one that wrote`(
        depth: Depth
    ) async throws {
        let devices = try await Devices(depth)
        let bob = devices.world.database(.private, .user("bob", device: "phone"))
        let bobs = try await bob.pushToken()
        try await devices.phone.subscribe(.create(Self.query("q")))
        try await devices.phone.put("a")
        #expect(try await devices.onPhone() == [])
        #expect(try await devices.onLaptop().map(\.bare) == [PushSeen("q", "a", .create)])
        #expect(try await devices.onLaptop().first?.zone == "Notes")
        #expect(try await devices.world.service.pushes(to: bobs) == [])
    }

    @Test(arguments: Depth.allCases)
    func `pending pushes are sent once, with the current state`(depth: Depth) async throws {
        let devices = try await Devices(depth)
        try await devices.phone.subscribe(
            .create(Self.query("q")),
            .create(Subscription(subscriptionID: "z", kind: .zone, zoneID: RecordZone.ID("Notes"))),
            .create(Subscription(subscriptionID: "d", kind: .database)))
        try await devices.phone.put("a")
        try await devices.phone.put("a")
        try await devices.phone.put("b")
        try await devices.phone.one(.forceDelete("b"))
        let seen = try await devices.onLaptop()
        #expect(
            Set(seen.map(\.bare)) == [
                PushSeen("q", "a", .update), PushSeen("q", "b", .delete), PushSeen("z"),
                PushSeen("d"),
            ])
        #expect(seen.count == 4)
        #expect(seen.first { $0.subscription == "z" }?.zone == "Notes")
        #expect(seen.first { $0.subscription == "d" }?.zone == nil)
    }

    @Test(arguments: Depth.allCases)
    func `a query subscription fires on its events and on records that fit`(
        depth: Depth
    ) async throws {
        let devices = try await Devices(depth)
        let large = Query.Filter(.greaterThan, .field("n"), .int64(10))
        try await devices.phone.subscribe(
            .create(Self.query("large", [large], on: [.create, .update])),
            .create(Self.query("gone", [large], on: [.delete])))
        try await devices.phone.put("small", ["n": .int64(1)])
        try await devices.phone.put("big", ["n": .int64(11)])
        try await devices.phone.put("other", ["n": .int64(11)], type: "Other")
        #expect(try await devices.onLaptop().map(\.bare) == [PushSeen("large", "big", .create)])
        try await devices.phone.put("small", ["n": .int64(12)])
        try await devices.phone.one(.forceDelete("big"))
        try await devices.phone.one(.forceDelete("nothing"))
        #expect(
            try await devices.onLaptop().map(\.bare) == [
                PushSeen("large", "big", .create), PushSeen("large", "small", .update),
                PushSeen("gone", "big", .delete),
            ])
    }

    @Test(arguments: Depth.allCases)
    func `users get no push about public records that they may not read`(depth: Depth) async throws
    {
        let world = try World(depth)
        try await world.service.setSchema(
            """
            DEFINE SCHEMA CREATE ROLE Editor;
            RECORD TYPE Note ("___recordID" REFERENCE QUERYABLE, n INT64,
                GRANT READ, WRITE TO "_creator", GRANT READ TO Editor, GRANT CREATE TO "_icloud");
            """, of: world.container)
        var tokens: [String: PushToken] = [:]
        for user in ["ada", "bob"] {
            let asker = world.database(.public, .user(user, device: "phone"))
            tokens[user] = try await asker.pushToken()
            try await asker.subscribe(.create(Self.query("q-" + user)))
        }
        func told(_ user: String) async throws -> [PushSeen] {
            try await world.service.pushes(to: try #require(tokens[user])).map(\.bare)
        }
        let laptop = world.database(.public, .user("ada", device: "laptop"))
        try await laptop.put("a", zone: "_defaultZone")
        #expect(try await told("ada") == [PushSeen("q-ada", "a", .create)])
        #expect(try await told("bob") == [])
        var grant = SimulatedEvent(.grantRole, user: "bob", in: world.container)
        grant.name = "Editor"
        try await world.service.simulate(grant)
        try await laptop.put("b", zone: "_defaultZone")
        #expect(try await told("bob") == [PushSeen("q-bob", "b", .create)])
        try await laptop.one(.forceDelete("b"), zone: "_defaultZone")
        #expect(try await told("bob") == [PushSeen("q-bob", "b", .delete)])
    }

    @Test(arguments: Depth.allCases)
    func `a subscription that fires once is gone when it has`(depth: Depth) async throws {
        let devices = try await Devices(depth)
        var once = Self.query("once")
        once.firesOnce = true
        try await devices.phone.subscribe(.create(once))
        _ = try await devices.phone.modify(
            ["a", "b"].map { RecordOperation(.create, recordName: $0, recordType: "Note") })
        try await devices.phone.put("c")
        #expect(try await devices.onLaptop().map(\.bare) == [PushSeen("once", "a", .create)])
        #expect(try await devices.phone.subscriptions() == [])
    }

    @Test(arguments: Depth.allCases)
    func `what is not stored is not pushed`(depth: Depth) async throws {
        let devices = try await Devices(depth)
        try await devices.phone.subscribe(
            .create(Self.query("q")), .create(Subscription(subscriptionID: "d", kind: .database)))
        let failed = try await devices.phone.modify([
            RecordOperation(.create, recordName: "a", recordType: "Note"),
            .make(.update, "nobody", tag: "1"),
        ])
        #expect(failed.records.map(\.code) == [.atomicError, .notFound])
        #expect(try await devices.onLaptop() == [])
        let reply = try await devices.phone.modify(
            [
                RecordOperation(.create, recordName: "b", recordType: "Note"),
                .make(.update, "nobody", tag: "1"),
            ], atomic: false)
        #expect(reply.records.count == 2)
        #expect(
            try await devices.onLaptop().map(\.bare) == [
                PushSeen("d"), PushSeen("q", "b", .create),
            ])
    }

    @Test(arguments: Depth.allCases)
    func `database subscriptions tell of zones that come and go`(depth: Depth) async throws {
        let devices = try await Devices(depth)
        try await devices.phone.subscribe(
            .create(Subscription(subscriptionID: "d", kind: .database)))
        try await devices.phone.put("a", zone: "_defaultZone")
        #expect(try await devices.onLaptop() == [])
        try await devices.phone.create("More")
        #expect(try await devices.onLaptop().map(\.bare) == [PushSeen("d")])
        #expect(try await devices.onPhone() == [])
        // The user erases a zone in the settings: no device of theirs has written that.
        try await devices.world.service.purge(
            zone: "More", of: "ada", at: devices.world.address())
        #expect(try await devices.onPhone().map(\.bare) == [PushSeen("d")])
    }

    @Test(arguments: Depth.allCases)
    func `who is given a zone is told of changes in it`(depth: Depth) async throws {
        let devices = try await Devices(depth)
        let world = devices.world
        let bob = world.database(.shared, .user("bob", device: "phone"))
        let bobs = try await bob.pushToken()
        // Shared databases come with the first zone in them.
        try await world.service.simulate(
            SimulatedEvent(.share, user: "ada", in: world.container, zone: "Notes", with: "bob"))
        try await bob.subscribe(.create(Subscription(subscriptionID: "d", kind: .database)))
        try await devices.phone.put("a")
        #expect(try await world.service.pushes(to: bobs).map(\.bare) == [PushSeen("d")])
    }

    @Test(arguments: Depth.allCases)
    func `everybody's changes in the public database fire everybody's subscriptions`(
        depth: Depth
    ) async throws {
        let world = try World(depth)
        let ada = world.database(.public, .user("ada", device: "phone"))
        let bob = world.database(.public, .user("bob", device: "phone"))
        let (adas, bobs) = (try await ada.pushToken(), try await bob.pushToken())
        try await ada.subscribe(.create(Self.query("a")))
        try await bob.subscribe(.create(Self.query("b")))
        try await bob.put("n", zone: "_defaultZone")
        #expect(
            try await world.service.pushes(to: adas).map(\.bare) == [PushSeen("a", "n", .create)])
        #expect(try await world.service.pushes(to: bobs) == [])
    }

    @Test(arguments: Depth.allCases)
    func `clients that name themselves are distinguished`(depth: Depth) async throws {
        let world = try World(depth)
        try await world.ada.create("Notes")
        let one = world.database(.private, .user("ada", device: "browser"))
        let first = try await one.pushToken(clientID: "tab-1")
        let second = try await one.pushToken(clientID: "tab-2")
        #expect(first.token != second.token)
        try await one.subscribe(.create(Self.query("q")))
        let phone = world.database(.private, .user("ada", device: "phone"))
        try await phone.put("a")
        for token in [first, second] {
            #expect(
                try await world.service.pushes(to: token).map(\.bare)
                    == [PushSeen("q", "a", .create)])
        }
    }

    @Test(arguments: Depth.allCases)
    func `a token that another user registers is theirs`(depth: Depth) async throws {
        let devices = try await Devices(depth)
        let bob = devices.world.database(.private, .user("bob", device: "laptop"))
        guard
            case .pushToken(let kept) = try await bob.ask(
                .write(.registerToken(devices.laptopToken)))
        else { throw Odd() }
        #expect(kept.token == devices.laptopToken.token)
        try await devices.phone.subscribe(.create(Self.query("q")))
        try await devices.phone.put("a")
        #expect(try await devices.onLaptop() == [])
    }

    @Test(arguments: Depth.allCases)
    func `nobody signed out is told anything`(depth: Depth) async throws {
        let devices = try await Devices(depth, isAlone: true)
        try await devices.phone.subscribe(.create(Self.query("q")))
        var event = SimulatedEvent(.signOut, user: "ada")
        event.device = "laptop"
        try await devices.world.service.simulate(event)
        try await devices.phone.put("a")
        #expect(try await devices.onLaptop() == [])
    }

    @Test(arguments: Depth.allCases)
    func `a restore discards pending pushes, a reset the devices too`(
        depth: Depth
    ) async throws {
        let devices = try await Devices(depth, isAlone: true)
        try await devices.phone.subscribe(.create(Self.query("q")))
        var event = SimulatedEvent(.snapshot)
        event.name = "before"
        try await devices.world.service.simulate(event)
        try await devices.phone.put("a")
        #expect(try await devices.onLaptop().count == 1)
        event.kind = .restore
        try await devices.world.service.simulate(event)
        #expect(try await devices.onLaptop() == [])
        try await devices.phone.put("a")
        #expect(try await devices.onLaptop().map(\.bare) == [PushSeen("q", "a", .create)])
        try await devices.world.service.reset()
        try await devices.phone.create("Notes")
        try await devices.phone.subscribe(.create(Self.query("q")))
        try await devices.phone.put("a")
        #expect(try await devices.onLaptop() == [])
    }

    @Test(arguments: Depth.allCases)
    func `only who is signed in gets a token`(depth: Depth) async throws {
        let world = try World(depth)
        let command = CloudCommand.write(.createToken(.production, clientID: nil))
        #expect(
            await world.database(.public, .anonymous).code(command) == .authenticationRequired)
        let key = world.database(.public, .serverKey("k"))
        #expect(try await key.pushToken().environment == .development)
    }
}
