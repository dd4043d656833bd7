import CloudModel
import MockSamples
import MockStore
import Testing

/// What the service does later: when it is simulated, and how long it is not visible before.
struct PendingWorkTests {
    private func bench(_ switches: String...) throws -> Bench {
        let bench = try Bench { configuration in
            for text in switches { try? configuration.set(text) }
        }
        return bench
    }

    private func save(
        _ bench: Bench, _ names: String..., zone: String = "Notes", to target: String? = nil
    ) throws {
        let operations = names.map { name in
            var operation = RecordOperation(
                .forceReplace, recordName: name, recordType: "Note",
                fields: ["title": Field(.string(name))])
            if let target {
                operation.fields["to"] = Field(
                    .reference(Record.Reference(target, action: .deleteSelf)))
            }
            return operation
        }
        let request = RecordModifyRequest(operations: operations, zoneID: RecordZone.ID(zone))
        let answer = try bench.call(.write(.modifyRecords(request)))
        #expect(answer?.items.allSatisfy { $0.code == nil } == true, "\(answer?.text ?? "")")
    }

    private func delete(_ bench: Bench, _ name: String, zone: String) throws {
        let request = RecordModifyRequest(
            operations: [.forceDelete(name)], zoneID: RecordZone.ID(zone))
        _ = try bench.call(.write(.modifyRecords(request)))
    }

    /// The records that a query finds.
    private func found(_ bench: Bench, zone: String = "Notes") throws -> [String] {
        let query = RecordQueryRequest(
            query: Query(recordType: "Note"), zoneID: RecordZone.ID(zone))
        return try bench.call(.read(.queryRecords(query)))?.items.map(\.name).sorted() ?? []
    }

    private func looked(_ bench: Bench, _ names: String..., zone: String) throws -> [String] {
        let request = RecordLookupRequest(recordNames: names, zoneID: RecordZone.ID(zone))
        return try bench.call(.read(.lookUpRecords(request)))?.items.filter { $0.code == nil }
            .map(\.name) ?? []
    }

    private func pending(_ bench: Bench) throws -> [String: Int64] {
        let pending = try #require(try bench.admin("GET", "pending").json?["pending"]).elements
        return Dictionary(
            uniqueKeysWithValues: pending.map {
                ($0["event"]?.string ?? "", $0["count"]?.int64 ?? -1)
            })
    }

    /// What an event did and what is left.
    private func run(_ bench: Bench, _ event: String, _ count: Int? = nil) throws -> [Int64?] {
        let rest = count.map { ",\"count\":\($0)" } ?? ""
        let answer = try bench.admin("POST", "simulate", "{\"event\":\"\(event)\"\(rest)}")
        #expect(answer.status == 200, "\(answer.text)")
        return [answer.json?["changed"]?.int64, answer.json?["pending"]?.int64]
    }

    // MARK: - Pending work

    @Test func `referrers in a default zone go when that is simulated, one by one with a count`()
        throws
    {
        let bench = try bench("async=manual")
        try save(bench, "target", zone: "_defaultZone")
        try save(bench, "a", "b", zone: "_defaultZone", to: "target")
        try save(bench, "c", zone: "_defaultZone", to: "a")
        try delete(bench, "target", zone: "_defaultZone")
        for _ in 0..<3 { _ = try bench.zoneNames() }
        #expect(try looked(bench, "a", "b", "c", zone: "_defaultZone") == ["a", "b", "c"])
        #expect(try pending(bench)["finish-cascades"] == 2)
        #expect(try run(bench, "finish-cascades", 1) == [1, 2])
        #expect(try looked(bench, "a", "b", "c", zone: "_defaultZone") == ["b", "c"])
        #expect(try run(bench, "finish-cascades") == [2, 0])
        #expect(try looked(bench, "b", "c", zone: "_defaultZone") == [])
    }

    @Test func `queries find what they did not find yet, the oldest zone first`() throws {
        let bench = try bench("async=manual", "unknownTypeIsEmpty=true")
        try bench.make("Notes", "Trips")
        try save(bench, "a")
        try save(bench, "b", zone: "Trips")
        for _ in 0..<3 { #expect(try found(bench) == []) }
        #expect(try looked(bench, "a", zone: "Notes") == ["a"])
        #expect(try pending(bench)["update-indexes"] == 2)
        #expect(try run(bench, "update-indexes", 1) == [1, 1])
        #expect(try found(bench) == ["a"])
        #expect(try found(bench, zone: "Trips") == [])
        #expect(try run(bench, "update-indexes") == [1, 0])
        #expect(try found(bench, zone: "Trips") == ["b"])
        try save(bench, "c")
        #expect(try found(bench) == ["a"])
        _ = try bench.admin("PUT", "options", #"{"async":"auto"}"#)
        #expect(try found(bench) == ["a", "c"])
    }

    @Test func `a deleted zone is listed and read until two events end that`() throws {
        let bench = try bench("async=manual")
        try bench.make("Notes", "Trips")
        try save(bench, "a")
        _ = try bench.call(Samples.deleteZones("Notes", "Trips"))
        #expect(try bench.zoneNames() == ["Notes", "Trips"])
        #expect(try looked(bench, "a", zone: "Notes") == ["a"])
        #expect(try pending(bench)["update-zone-lists"] == 2)
        #expect(try pending(bench)["finish-zone-deletions"] == 2)
        #expect(try run(bench, "update-zone-lists", 1) == [1, 1])
        #expect(try bench.zoneNames() == ["Trips"])
        #expect(try run(bench, "update-zone-lists") == [1, 0])
        #expect(try bench.zoneNames() == [])
        #expect(try looked(bench, "a", zone: "Notes") == ["a"])
        #expect(try run(bench, "finish-zone-deletions") == [2, 0])
        #expect(try looked(bench, "a", zone: "Notes") == [])
    }

    @Test
    func `nothing can be written to a deleted zone that is still read, and a new one is empty`()
        throws
    {
        let bench = try bench("async=manual")
        try bench.make("Notes")
        try save(bench, "a")
        _ = try bench.call(Samples.deleteZones("Notes"))
        let request = RecordModifyRequest(
            operations: [.forceDelete("a")], zoneID: RecordZone.ID("Notes"))
        #expect(
            try bench.call(.write(.modifyRecords(request)))?.items.map(\.code)
                == ["ZONE_NOT_FOUND"])
        #expect(
            try bench.call(Samples.deleteZones("Notes"))?.items.map(\.code) == ["ZONE_NOT_FOUND"])
        try bench.make("Notes")
        #expect(try looked(bench, "a", zone: "Notes") == [])
    }

    @Test
    func
        `pushes are held back, and delivered in their order, and when the setting is changed back`()
        throws
    {
        let bench = try bench("async=manual")
        bench.app.store.options.upkeep = .manual
        try bench.make("Notes")
        let created = try bench.call(.write(.createToken(.development, clientID: "page")))
        let token = try #require(created?.json?["apnsToken"]?.string)
        for (id, kind) in [("s1", "a"), ("s2", "b")] {
            var subscription = Subscription(
                subscriptionID: id, kind: .zone, zoneID: RecordZone.ID("Notes"))
            subscription.notificationInfo = Subscription.NotificationInfo()
            subscription.notificationInfo?.alertBody = kind
            _ = try bench.call(.write(.modifySubscriptions([.create(subscription)])))
        }
        let other = try bench.admin("POST", "tokens", #"{"user":"ann","device":"phone"}"#)
        let request = RecordModifyRequest(
            operations: [
                RecordOperation(.forceReplace, recordName: "a", recordType: "Note", fields: [:])
            ], zoneID: RecordZone.ID("Notes"))
        _ = try bench.call(
            .write(.modifyRecords(request)), webToken: other.json?["webToken"]?.string ?? "")
        #expect(try pending(bench)["deliver-pushes"] == 2)
        #expect(bench.app.store.nextPush(for: token) == nil)
        #expect(try run(bench, "deliver-pushes", 1) == [1, 1])
        let first = try #require(bench.app.store.nextPush(for: token))
        bench.app.store.noteDelivery(of: first)
        #expect(bench.app.store.nextPush(for: token) == nil)
        _ = try bench.admin("PUT", "options", #"{"async":"auto"}"#)
        #expect(bench.app.store.nextPush(for: token)?.number == first.number + 1)
    }

    @Test func `events forget deletions and expire tokens`() throws {
        let bench = try bench()
        try bench.make("Notes")
        try save(bench, "a", "b")
        try delete(bench, "a", zone: "Notes")
        #expect(try run(bench, "compact") == [1, nil])
        let changes = CloudCommand.read(.databaseChanges(token: nil, limit: nil))
        guard case .zonePage(let page) = try bench.reply(changes) else {
            throw CloudError(.unknown)
        }
        #expect(try run(bench, "expire-tokens") == [1, nil])
        let again = CloudCommand.read(.databaseChanges(token: page.token, limit: nil))
        #expect(
            try bench.call(again)?.text.contains("client knowledge differs") == true)
    }

    @Test(arguments: [
        (#"{"event":"push"}"#, "use deliver-pushes"),
        (#"{"event":"update-indexs"}"#, "did you mean \\\"update-indexes\\\"?"),
        ("{}", "needs \\\"event\\\""), (#"{"event":"deliver-pushes","count":0}"#, "from 1"),
        (#"{"event":"expire-tokens","count":1}"#, "takes no count"),
        (#"{"event":"deliver-pushes","user":"ann"}"#, "takes no user, only count"),
    ])
    func `an event that does not exist is an error with the reason`(
        body: String, hint: String
    ) throws {
        let answer = try Bench().admin("POST", "simulate", body)
        #expect(answer.status == 400)
        #expect(answer.text.contains(hint), "\(answer.text)")
    }

    @Test func `after a rollback everything in memory has caught up, and pushes wait`() throws {
        let bench = try bench("async=manual")
        try bench.make("Notes")
        try save(bench, "a")
        _ = try bench.call(Samples.deleteZones("Notes"))
        let before = try pending(bench)
        try bench.lose { bench in
            for event in [
                "update-indexes", "update-zone-lists", "finish-zone-deletions", "deliver-pushes",
            ] {
                _ = try bench.send(#"{"event":"\#(event)"}"#, to: "simulate")
            }
        }
        let after = try pending(bench)
        for what in ["update-indexes", "update-zone-lists", "finish-zone-deletions"] {
            #expect(before[what] == 1 && after[what] == 0, "\(what)")
        }
        #expect(after["deliver-pushes"] == before["deliver-pushes"])
    }

    // MARK: - Lags

    @Test func `each write is missed by as many queries of its zone as the switch says`() throws {
        let bench = try bench("indexLagQueries=2", "unknownTypeIsEmpty=true")
        try bench.make("Notes")
        try save(bench, "a")
        #expect(try found(bench) == [])
        try save(bench, "b")
        #expect(try found(bench) == [])
        #expect(try found(bench) == ["a"])
        #expect(try found(bench) == ["a", "b"])
        #expect(try pending(bench)["update-indexes"] == 0)
    }

    @Test func `data that was there before a lag was switched on is found`() throws {
        let bench = try bench()
        try bench.make("Notes")
        try save(bench, "a")
        _ = try bench.admin("PUT", "options", #"{"indexLagQueries":1}"#)
        #expect(try found(bench) == ["a"])
    }

    @Test func `lists, reads and queries lag each for itself, by the clock or by requests`() throws
    {
        let bench = try bench(
            "zoneListLagMilliseconds=5000", "zoneDeletionLag=1", "indexLagMilliseconds=1000")
        try bench.make("Notes", "Trips")
        try save(bench, "a")
        #expect(try found(bench) == [])
        _ = try bench.admin("POST", "clock/advance", #"{"by":"2s"}"#)
        #expect(try found(bench) == ["a"])
        _ = try bench.call(Samples.deleteZones("Notes"))
        #expect(try looked(bench, "a", zone: "Notes") == ["a"])
        #expect(try looked(bench, "a", zone: "Notes") == [])
        #expect(try bench.zoneNames() == ["Notes", "Trips"])
        _ = try bench.admin("POST", "clock/advance", #"{"by":"5s"}"#)
        #expect(try bench.zoneNames() == ["Trips"])
        _ = try bench.admin("PUT", "options", #"{"zoneDeletionLagMilliseconds":3000}"#)
        _ = try bench.call(Samples.deleteZones("Trips"))
        _ = try bench.admin("POST", "clock/advance", #"{"by":"2999ms"}"#)
        let lookup = CloudCommand.read(.lookUpZones([RecordZone.ID("Trips")]))
        _ = try bench.call(lookup)
        #expect(try bench.call(lookup)?.items.map(\.code) == [nil])
        _ = try bench.admin("POST", "clock/advance", #"{"by":"1ms"}"#)
        #expect(try bench.call(lookup)?.items.map(\.code) == ["ZONE_NOT_FOUND"])
    }

    @Test func `an event updates the index before its time`() throws {
        let bench = try bench("indexLagMilliseconds=60000", "unknownTypeIsEmpty=true")
        try bench.make("Notes")
        try save(bench, "a")
        #expect(try found(bench) == [])
        #expect(try run(bench, "update-indexes") == [1, 0])
        #expect(try found(bench) == ["a"])
    }

    // MARK: - Another region

    private func changes(
        _ bench: Bench, _ token: ChangeToken?, device: String
    ) throws -> ZoneChangesPage {
        let made = try bench.admin("POST", "tokens", #"{"user":"ann","device":"\#(device)"}"#)
        let request = ZoneChangesRequest(zoneID: RecordZone.ID("Notes"), token: token)
        let command = CloudCommand.read(.zoneChanges([request]))
        let answer = try bench.call(command, webToken: made.json?["webToken"]?.string ?? "")
        let body = try #require(answer)
        guard
            case .zoneChanges(let items) = try ReplyOf.read(body, to: command),
            case .page(let page)? = items.first
        else { throw CloudError(.unknown, reason: body.text) }
        return page
    }

    @Test
    func `a device of another region reads an earlier feed, and a token of the first regresses`()
        throws
    {
        let bench = try bench()
        try bench.make("Notes")
        try save(bench, "a")
        let fault = #"["changes/* by user ann by device pad -> stale 10s"]"#
        #expect(try bench.admin("PUT", "faults", fault).status == 200)
        _ = try bench.admin("POST", "clock/advance", #"{"by":"11s"}"#)
        try save(bench, "b")
        let near = try changes(bench, nil, device: "phone")
        #expect(near.records.map(\.recordName) == ["a", "b"])
        let far = try changes(bench, nil, device: "pad")
        #expect(far.records.map(\.recordName) == ["a"])
        #expect(!far.moreComing)
        // It comes with what it was told in the first region.
        let back = try changes(bench, near.token, device: "pad")
        #expect(back.records.isEmpty && back.token == far.token)
        _ = try bench.admin("POST", "clock/advance", #"{"by":"11s"}"#)
        let later = try changes(bench, back.token, device: "pad")
        #expect(later.records.map(\.recordName) == ["b"])
        #expect(later.token == near.token)
        try save(bench, "c")
        #expect(try bench.admin("DELETE", "faults").status == 200)
        #expect(try changes(bench, later.token, device: "pad").records.map(\.recordName) == ["c"])
    }

    @Test func `the feed of a database is behind there too`() throws {
        let bench = try bench()
        try bench.make("Notes")
        let fault = #"["changes/* by user ann -> stale 10s"]"#
        #expect(try bench.admin("PUT", "faults", fault).status == 200)
        _ = try bench.admin("POST", "clock/advance", #"{"by":"11s"}"#)
        try bench.make("Trips")
        let all = CloudCommand.read(.databaseChanges(token: nil, limit: nil))
        #expect(try bench.call(all)?.items.map(\.name) == ["Notes"])
        _ = try bench.admin("POST", "clock/advance", #"{"by":"11s"}"#)
        #expect(try bench.call(all)?.items.map(\.name) == ["Notes", "Trips"])
    }
}
