import CloudModel
import MockSamples
import Testing

/// Actions that change the service's answer into something else, or the world before the request.
struct FaultActionTests {
    private func bench(_ rules: String...) throws -> Bench {
        let bench = try Bench { $0.seed = 1 }
        try bench.make("Notes", "Trash")
        try set(rules, bench)
        return bench
    }

    private func set(_ rules: [String], _ bench: Bench) throws {
        let list = rules.map { "\"\($0)\"" }.joined(separator: ",")
        let answer = try bench.admin("PUT", "faults", "{\"rules\":[\(list)]}")
        try #require(answer.status == 200, "\(answer.text)")
    }

    private func save(
        _ names: String..., in zone: String = "Notes", on bench: Bench
    ) throws {
        let operations = names.map {
            RecordOperation(.forceReplace, recordName: $0, recordType: "Note")
        }
        _ = try bench.reply(
            .write(
                .modifyRecords(
                    RecordModifyRequest(operations: operations, zoneID: RecordZone.ID(zone)))))
    }

    private func changes(
        _ bench: Bench, after token: ChangeToken? = nil, in zone: String = "Notes"
    ) throws -> ZoneChangesItem {
        let request = ZoneChangesRequest(zoneID: RecordZone.ID(zone), token: token)
        guard case .zoneChanges(let items) = try bench.reply(.read(.zoneChanges([request]))),
            let item = items.first
        else { throw CloudError(.unknown) }
        return item
    }

    private func page(
        _ bench: Bench, after token: ChangeToken? = nil
    ) throws -> (names: [String], token: ChangeToken) {
        switch try changes(bench, after: token) {
        case .page(let page): (page.records.map(\.recordName), page.token)
        case .failure(_, let error): throw error
        }
    }

    // MARK: - Other answers

    @Test(arguments: [("status 502", "", 502), (#"status 503 body busy"#, "busy", 503)])
    func `a status that is not the service's leaves no trace`(
        action: String, body: String, status: Int
    ) throws {
        let bench = try bench("zones/modify once -> \(action)")
        let answer = try #require(try bench.call(Samples.deleteZones("Notes")))
        #expect(answer.status == status && answer.text == body)
        #expect(answer.headers["content-type"] == "text/plain; charset=UTF-8")
        #expect(try bench.zoneNames() == ["Notes", "Trash"])
        let entries = try bench.admin("GET", "journal?fault=fault-1").json?["entries"]
        #expect(entries?.elements.map { $0["status"]?.int64 } == [Int64(status)])
    }

    @Test func `a page of the network's own comes instead of carrying the request out`() throws {
        let bench = try bench("zones/modify once -> wrong content")
        let answer = try #require(try bench.call(Samples.deleteZones("Notes")))
        #expect(answer.status == 200 && answer.text.hasPrefix("<!DOCTYPE html>"))
        #expect(answer.headers["content-type"] == "text/html; charset=UTF-8")
        #expect(try bench.zoneNames() == ["Notes", "Trash"])
    }

    @Test func `garbage comes of a request that is carried out, the same for the same seed`()
        throws
    {
        func garbage() throws -> [UInt8] {
            let bench = try bench("zones/modify once -> wrong content garbage")
            let answer = try #require(try bench.call(Samples.deleteZones("Notes")))
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "application/octet-stream")
            #expect(try bench.zoneNames() == ["Trash"])
            return answer.body
        }
        let first = try garbage()
        #expect(first.count == 512 && Set(first).count > 100)
        #expect(try garbage() == first)
    }

    @Test func `what stands in for an answer gives out no token and spends none`() throws {
        let bench = try Bench { $0.singleUseTokens = true }
        try set(["users/caller once -> wrong content"], bench)
        let token = bench.app.issueWebToken(user: "ann")
        let first = try #require(try bench.call(.read(.caller), webToken: token))
        #expect(first.headers["x-apple-cloudkit-web-auth-token"] == nil)
        #expect(try bench.call(.read(.caller), webToken: token)?.status == 200)
    }

    @Test func `a delay is drawn between two times, the same for the same seed`() throws {
        func delays() throws -> [Duration] {
            let bench = try bench("users/* -> delay 50ms..200ms")
            return try (0..<200).map { _ in try #require(try bench.call(.read(.caller))).delay }
        }
        let first = try delays()
        #expect(first.allSatisfy { (.milliseconds(50) ... .milliseconds(200)).contains($0) })
        #expect(Set(first).count > 50)
        #expect(try delays() == first)
    }

    // MARK: - Another world

    @Test func `a page of a feed ends where it ended some time ago`() throws {
        let bench = try bench("changes/zone once -> stale 30s")
        try save("old", on: bench)
        bench.now.milliseconds += 60_000
        try save("new", on: bench)
        bench.now.milliseconds += 10_000
        let stale = try page(bench)
        #expect(stale.names == ["old"])
        #expect(try page(bench, after: stale.token).names == ["new"])
        #expect(try page(bench).names == ["old", "new"])
    }

    @Test func `a page is no older than the fault says`() throws {
        let bench = try bench("changes/zone -> stale 5s")
        try save("old", on: bench)
        bench.now.milliseconds += 6000
        #expect(try page(bench).names == ["old"])
    }

    @Test func `a token expires once it is used, and a new one can be had`() throws {
        let bench = try bench("changes/zone in zone Notes -> expire token")
        try save("a", on: bench)
        let token = try page(bench).token
        let error = #expect(throws: CloudError.self) { try page(bench, after: token) }
        #expect(
            error?.reason.contains("client knowledge differs") == true, "\(error.debugDescription)")
        #expect(try page(bench).names == ["a"])
        let rules = try bench.admin("GET", "faults").json?["rules"]
        #expect(rules?.elements.map { $0["matched"]?.int64 } == [1], "without a token none expires")
    }

    @Test func `tokens of other zones and other users stay good`() throws {
        let bench = try bench("changes/zone in zone Notes once -> expire token")
        guard case .page(let other) = try changes(bench, in: "Trash") else { return }
        let token = try page(bench).token
        #expect(throws: CloudError.self) { try page(bench, after: token) }
        guard case .page = try changes(bench, after: other.token, in: "Trash") else {
            Issue.record("the token of Trash expired too")
            return
        }
    }

    @Test func `a database's token expires`() throws {
        let bench = try bench("changes/database -> expire token")
        guard
            case .zonePage(let page) = try bench.reply(
                .read(.databaseChanges(token: nil, limit: nil)))
        else { return }
        #expect(throws: CloudError.self) {
            try bench.reply(.read(.databaseChanges(token: page.token, limit: nil)))
        }
    }

    @Test(arguments: [("purge zone", true), ("delete zone", false)])
    func `a zone goes before the request is carried out`(action: String, isPurged: Bool) throws {
        let bench = try bench("records/modify in zone Notes once -> \(action)")
        try save("a", in: "Trash", on: bench)
        let save = RecordModifyRequest(
            operations: [RecordOperation(.create, recordName: "a", recordType: "Note")],
            zoneID: RecordZone.ID("Notes"))
        let item = try #require(try bench.call(.write(.modifyRecords(save)))?.items.first)
        #expect(item.code == "ZONE_NOT_FOUND")
        #expect(item.reason?.contains("purged") == isPurged)
        #expect(try bench.zoneNames() == ["Trash"])
    }

    @Test func `no zone goes with requests in the default zone alone`() throws {
        let bench = try bench("records/modify -> delete zone")
        try save("a", in: "_defaultZone", on: bench)
        let rules = try bench.admin("GET", "faults").json?["rules"]
        #expect(rules?.elements.map { $0["matched"]?.int64 } == [0])
    }

    // MARK: - Items

    @Test func `items are chosen by name and by what becomes of them`() throws {
        let bench = try bench("records/modify with record b* with delete -> CONFLICT on all items")
        try save("a", "b", "b2", on: bench)
        let request = RecordModifyRequest(
            operations: [
                RecordOperation(.forceDelete, recordName: "a"),
                RecordOperation(.forceReplace, recordName: "b", recordType: "Note"),
                RecordOperation(.forceDelete, recordName: "b2"),
            ], zoneID: RecordZone.ID("Notes"), atomic: false)
        let answer = try #require(try bench.call(.write(.modifyRecords(request))))
        #expect(answer.items.map(\.code) == [nil, nil, "CONFLICT"])
        let rules = try bench.admin("GET", "faults").json?["rules"]
        #expect(rules?.elements.map { $0["matched"]?.int64 } == [1])
    }

    @Test func `records in the pages of a batch of queries fail`() throws {
        let bench = try bench("internal/records/query/batch -> INTERNAL_ERROR on 1 records")
        try save("a", "b", on: bench)
        let query = RecordQueryRequest(
            query: Query(recordType: "Note"), zoneID: RecordZone.ID("Notes"))
        guard
            case .recordPages(let pages) = try bench.reply(.read(.queryBatch([query, query])))
        else { return }
        let failures = pages.map { item -> Int in
            guard case .page(let page) = item else { return -1 }
            return page.records.count { if case .failure = $0 { true } else { false } }
        }
        #expect(failures == [1, 0])
    }

    // MARK: - Times

    @Test func `a rule is in force from one time to another, on a frozen clock too`() throws {
        let bench = try Bench()
        #expect(try bench.admin("PUT", "clock", #"{"mode":"frozen"}"#).status == 200)
        try set(["2nd every 1st users/caller after 10s until 30s -> THROTTLED"], bench)
        func step(_ seconds: Int) throws -> Int? {
            _ = try bench.admin("POST", "clock/advance", "{\"seconds\":\(seconds)}")
            return try bench.call(.read(.caller))?.status
        }
        // The clock of the machine goes on meanwhile.
        bench.now.milliseconds += 3_600_000
        #expect(try step(0) == 200)
        #expect(try step(9) == 200)
        #expect(try step(1) == 200, "the first that counts")
        #expect(try step(0) == 429)
        #expect(try step(19) == 429)
        #expect(try step(1) == 200)
        let rules = try bench.admin("GET", "faults").json?["rules"]
        #expect(rules?.elements.map { $0["matched"]?.int64 } == [3])
    }

    @Test func `a rule ends at a reset where it says so`() throws {
        let bench = try bench("users/* until reset -> THROTTLED", "zones/* -> delay 1ms")
        #expect(try bench.call(.read(.caller))?.status == 429)
        #expect(try bench.admin("POST", "reset", #"{"zone":"Trash"}"#).status == 200)
        #expect(try bench.call(.read(.caller))?.status == 200)
        #expect(try bench.admin("GET", "faults").json?["rules"]?.count == 1)
    }
}
