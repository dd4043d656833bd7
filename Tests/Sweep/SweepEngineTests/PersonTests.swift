import AsyncOperations
import CloudModel
import Configuration
import DeletionPlanning
import InProcessMock
import MockStore
import SweepEngine
import Testing

/// S9, S5: one run is about one person at one server, from its first request to its last.
struct PersonTests {
    @Test func `verify for another person than the run's is refused`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let swept = await bench.sweep(request([id]))
        #expect(swept.status == .done)
        let report = await Sweep(request([id]), in: bench.world()).verify(
            run: swept.runID, on: bench.readable(user: "eve"))
        #expect(report.status == .refused, "\(report.explanation)")
    }

    @Test func `what a refused verification saw is not called kept`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let swept = await bench.sweep(request([id]))
        try bench.seed(id, ["theirs"], user: "eve")
        let report = await Sweep(request([id]), in: bench.world()).verify(
            run: swept.runID, on: bench.readable(user: "eve"))
        #expect(report.status == .refused, "\(report.explanation)")
        #expect(report.tally.kept == 0 && report.tally.left == report.tally.found)
        #expect(report.rows.allSatisfy { $0.outcome != .kept && $0.outcome != .empty })
    }

    @Test func `resume for another person than the run's is refused`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        try bench.seed(id, ["a"], user: "eve")
        let tape = Tape { _, entry in
            guard case .write = entry.command else { return nil }
            return .refuse(CloudError(.accessDenied))
        }
        let first = await bench.sweep(request([id]), tape)
        #expect(first.canResume)
        let before = try bench.dump(user: "eve")
        let report = await Sweep(request([id]), in: bench.world()).resume(
            run: first.runID, on: bench.databases(user: "eve"))
        #expect(report.status == .refused, "\(report.explanation)")
        #expect(try bench.dump(user: "eve") == before)
    }

    /// From the nth request on somebody else is signed in.
    private struct Turning: CloudDatabase {
        let ada: MockDatabase
        let eve: MockDatabase
        let count: Locked<Int>
        let turn: Int
        /// The first request of the other person's session.
        var first: Locked<CloudCommand?>?
        var address: Database.Address { ada.address }
        func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
            let now = count.withLock { count in
                count += 1
                return count
            }
            if now == turn { first?.withLock { $0 = command } }
            return try await (now < turn ? ada : eve).perform(command)
        }
    }

    /// A list of subscriptions does not say whose it is, and an empty one nothing at all.
    @Test func `no row of a plan speaks of what was read as somebody else`() async throws {
        let id = try container("one")
        var turn = 1
        var total = 100
        while turn <= total {
            let bench = try Bench()
            try bench.seed(id, ["_defaultZone"])
            try bench.perform(
                .write(
                    .modifySubscriptions([
                        .create(Subscription(subscriptionID: "all", kind: .database))
                    ])), at: address(id))
            let count = Locked(0)
            let (cloud, now) = (bench.cloud, turn)
            let report = await Sweep(request([id]), in: bench.world()).plan(on: {
                ReadOnlyDatabase(
                    Turning(
                        ada: cloud.database(at: $0, user: "ada"),
                        eve: cloud.database(at: $0, user: "eve"), count: count, turn: now))
            })
            if turn > 1 {
                for row in report.rows where [.subscriptions, .defaultZone].contains(row.kind) {
                    #expect(row.outcome != .empty, "from request \(turn) on: \(row)")
                }
            }
            total = min(total, count.withLock { $0 })
            turn += 1
        }
        #expect(turn > 5)
    }

    @Test func `a session that changes the person anywhere deletes nothing of the other`()
        async throws
    {
        let id = try container("one")
        var total = 200
        var number = 2
        while number <= total {
            let bench = try Bench()
            for user in ["ada", "eve"] {
                try bench.seed(id, ["a", "b"], user: user)
                try bench.seed(id, ["_defaultZone"], user: user)
                try bench.perform(
                    .write(
                        .modifySubscriptions([
                            .create(Subscription(subscriptionID: "all", kind: .database))
                        ])), at: address(id), user: user)
            }
            let before = try bench.dump(user: "eve")
            let count = Locked(0)
            let cloud = bench.cloud
            let turn = number
            let first = Locked<CloudCommand?>(nil)
            // One after the other, so that "between two requests" has a meaning.
            var wanted = request([id])
            wanted.limits.parallelism = 1
            wanted.limits.perDatabase = 1
            let report = await Sweep(wanted, in: bench.world()).run(
                on: {
                    Turning(
                        ada: cloud.database(at: $0, user: "ada"),
                        eve: cloud.database(at: $0, user: "eve"), count: count, turn: turn,
                        first: first)
                }, confirm: approve)
            if try bench.dump(user: "eve") != before {
                // A subscription has no owner to name: only the one request between the question
                // who is signed in and its deletion cannot be guarded. Which request of a run that is
                // differs from run to run.
                guard case .write(.modifySubscriptions) = first.withLock({ $0 }) else {
                    Issue.record("from request \(number) on: something of the other's is gone")
                    return
                }
                let left = try bench.cloud.withStore { store in
                    try store.summary().filter { $0.user == "eve" && $0.address.scope == .private }
                }
                #expect(left.map { $0.zones } == [2], "from request \(number) on")
                #expect(left.map { $0.records } == [9], "from request \(number) on")
            }
            if report.status == .done {
                #expect(try bench.left() == 0, "from request \(number) on")
                total = min(total, count.withLock { $0 })
            }
            number += 1
        }
        #expect(total < 200)
    }

    /// Lists lag, so that only asking by name shows what came back; and whoever is asked has to be
    /// the right person up to the end of the pass.
    @Test func `a pass that ends in another person's session proves nothing`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let cloud = bench.cloud
        let asked = Locked(0)
        let deleted = Locked(false)
        let tape = Tape { _, entry in
            if entry.command.isModifying { deleted.withLock { $0 = true } }
            switch entry.command {
            case .read(.listZones), .read(.databaseChanges):
                return .answer { reply in
                    guard case .zonePage(var page) = reply, asked.withLock({ $0 }) > 0
                    else { return reply }
                    page.zones.removeAll { $0.id.zoneName == "a" }
                    return .zonePage(page)
                }
            case .read(.zoneChanges) where deleted.withLock({ $0 }):
                // Another device writes as soon as the first pass has found nothing.
                let isFirst = asked.withLock { asked in
                    asked += 1
                    return asked == 1
                }
                guard isFirst else { return nil }
                return .answer { reply in
                    try? bench.seed(id, ["a"])
                    return reply
                }
            default: return nil
            }
        }
        struct Turning: CloudDatabase {
            let ada: TapedDatabase
            let eve: MockDatabase
            let asked: Locked<Int>
            var address: Database.Address { ada.address }
            func perform(_ command: CloudCommand) async throws(CloudError) -> CloudReply {
                if case .read(.zoneChanges) = command, asked.withLock({ $0 }) > 0 {
                    asked.withLock { $0 = 100 }
                }
                return try await asked.withLock { $0 } < 100
                    ? ada.perform(command) : eve.perform(command)
            }
        }
        let report = await Sweep(request([id]), in: bench.world()).run(
            on: {
                Turning(
                    ada: TapedDatabase(base: cloud.database(at: $0, user: "ada"), tape: tape),
                    eve: cloud.database(at: $0, user: "eve"), asked: asked)
            }, confirm: approve)
        #expect(report.status == .partlyFailed, "\(report.explanation)")
        #expect(try bench.left() > 0)
    }

    @Test func `S9 who is there is asked in every container before deleting and after each pass`()
        async throws
    {
        let bench = try Bench()
        let ids = try ["one", "two"].map { try container($0) }
        for id in ids { try bench.seed(id, ["a"]) }
        let tape = Tape()
        let report = await bench.sweep(request(ids), tape)
        #expect(report.status == .done, "\(report.explanation)")
        let before = tape.all.prefix { !$0.command.isModifying }
        for id in ids {
            // Once before everything that is read, once after it, and once after the approval.
            let asked = before.count {
                $0.address.container == id && $0.command == .read(.caller)
            }
            #expect(asked == 3)
            #expect(tape.all.last { $0.address.container == id }?.command == .read(.caller))
        }
    }

    @Test(arguments: 1...5)
    func `a sign-in that is over ends a run with 7, whichever question meets it`(
        question: Int
    ) async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let asked = Locked(0)
        let tape = Tape { _, entry in
            guard entry.command == .read(.caller) else { return nil }
            let count = asked.withLock { count in
                count += 1
                return count
            }
            return count >= question ? .refuse(CloudError(.authenticationRequired)) : nil
        }
        let report = await bench.sweep(request([id]), tape)
        #expect(report.status == .notSignedIn, "\(report.explanation)")
        #expect(tape.modifying.isEmpty == (question <= 3))
    }

    /// Another session would answer for its own zone of that name.
    @Test func `what is read of a private database is asked for by its owner`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a", "_defaultZone"])
        try bench.seed(id, ["Receipts"], type: "Receipt")
        var wanted = request(
            [id], policy: Policy(protect: [ProtectRule(recordType: "Receipt", reason: "tax law")]))
        wanted.targets[0].zones = ["a"]
        let tape = Tape()
        let report = await bench.sweep(wanted, tape)
        #expect(report.status == .done, "\(report.explanation)")
        let ada = try bench.cloud.withStore {
            $0.userRecordName(of: "ada", in: id, .development)
        }
        var owners: [String: [String?]] = [:]
        for entry in tape.all {
            let zones: [RecordZone.ID?] =
                switch entry.command {
                case .read(.zoneChanges(let requests)): requests.map(\.zoneID)
                case .read(.lookUpZones(let ids)): ids
                // Over all zones: whose the answer's are is looked at.
                case .read(.queryRecords(let query)): query.zoneWide ? [] : [query.zoneID]
                case .read(.lookUpRecords(let request)): [request.zoneID]
                default: []
                }
            owners[entry.command.operationPath, default: []] += zones.map { $0?.ownerRecordName }
        }
        #expect(owners.values.allSatisfy { $0.allSatisfy { $0 == ada } }, "\(owners)")
        #expect(owners.values.filter { !$0.isEmpty }.count == 4, "\(owners)")
    }

    @Test func `S5 a plan for another server is refused`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let sweep = Sweep(request([id]), in: bench.world())
        let report = await sweep.plan(on: bench.readable())
        let path = bench.folder + "/the.plan"
        try await sweep.exportPlan(run: try #require(report.runID), to: path)
        var world = bench.world()
        world.server = ServerFacts(url: "https://other.example.com", isRehearsal: false)
        let tape = Tape()
        let refused = await Sweep(request([id]), in: world).apply(
            planFile: path, on: bench.databases(tape), confirm: approve)
        #expect(refused.status == .refused, "\(refused.explanation)")
        #expect(tape.all.isEmpty)
    }

    @Test(arguments: [
        ServerFacts(url: "https://other.example.com", isRehearsal: true),
        ServerFacts(url: "in process", isRehearsal: false),
    ])
    func `a run at one server is not verified at another`(server: ServerFacts) async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let swept = await bench.sweep(request([id]))
        #expect(swept.status == .done, "\(swept.explanation)")
        var world = bench.world()
        world.server = server
        let tape = Tape()
        let report = await Sweep(request([id]), in: world).verify(
            run: swept.runID, on: bench.readable(tape))
        #expect(report.status == .refused, "\(report.explanation)")
        #expect(tape.all.isEmpty)
    }

    @Test func `another certificate in the middle of a run is no proof`() async throws {
        let bench = try Bench()
        let id = try container("one")
        try bench.seed(id, ["a"])
        let asked = Locked(0)
        var world = bench.world()
        world.serverKey = {
            asked.withLock { asked in
                asked += 1
                return asked < 3 ? "one" : "other"
            }
        }
        let report = await bench.sweep(request([id]), world: world)
        #expect(report.status == .dataLeft, "\(report.explanation)")
    }
}
