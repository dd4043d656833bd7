import CloudModel
import MockSamples
import Testing

/// Faults as a client meets them.
struct MockFaultTests {
    private func bench(_ rules: String...) throws -> Bench {
        let bench = try Bench { $0.seed = 1 }
        try bench.make("Notes", "Trash")
        let list = rules.map { "\"\($0)\"" }.joined(separator: ",")
        let answer = try bench.admin("PUT", "faults", "{\"rules\":[\(list)]}")
        try #require(answer.status == 200, "\(answer.text)")
        return bench
    }

    @Test(arguments: CloudError.Code.allCases.filter(\.isServiceCode))
    func `every service code can be injected and leaves no trace`(code: CloudError.Code) throws {
        let bench = try bench("zones/modify once -> \(code.rawValue) retry 7s")
        let answer = try #require(try bench.call(Samples.deleteZones("Notes")))
        #expect(answer.status == code.httpStatus)
        #expect(answer.code == code.rawValue)
        #expect(answer.headers["retry-after"] == "7")
        #expect((answer.json?["redirectURL"] != nil) == (code == .authenticationRequired))
        #expect(try bench.zoneNames() == ["Notes", "Trash"])
        _ = try bench.reply(Samples.deleteZones("Notes"))
        #expect(try bench.zoneNames() == ["Trash"])
    }

    @Test func `a cut before the commit leaves no trace, one after it does`() throws {
        let bench = try bench(
            "1st zones/modify -> cut before commit", "2nd zones/modify -> cut after commit")
        #expect(try bench.call(Samples.deleteZones("Notes")) == nil)
        #expect(try bench.zoneNames() == ["Notes", "Trash"])
        #expect(try bench.call(Samples.deleteZones("Notes")) == nil)
        #expect(try bench.zoneNames() == ["Trash"])
    }

    @Test func `some items fail and the others are carried out`() throws {
        let bench = try bench("zones/modify in zone N* once -> THROTTLED on 1 items retry 2s")
        guard
            case .zones(let items) = try bench.reply(Samples.deleteZones("Trash", "Notes"))
        else {
            Issue.record("another shape")
            return
        }
        guard case .deleted = items[0], case .failure(_, let error) = items[1] else {
            Issue.record("\(items)")
            return
        }
        #expect(error.code == .throttled && error.retryAfter == .seconds(2))
        #expect(try bench.zoneNames() == ["Notes"])
    }

    /// One of everything that is listed, in the zone Notes and the default zone.
    private func fill(_ bench: Bench) throws {
        for zone in [RecordZone.ID("Notes"), .default] {
            let operations = (1...3).map {
                RecordOperation(.forceReplace, recordName: "r\($0)", recordType: "Note")
            }
            _ = try bench.reply(
                .write(.modifyRecords(RecordModifyRequest(operations: operations, zoneID: zone))))
        }
        let watched = ["Note", "Tag"].map { type in
            Subscription.Operation.create(
                Subscription(
                    subscriptionID: "s-" + type, kind: .query, query: Query(recordType: type),
                    firesOn: [.create]))
        }
        _ = try bench.reply(.write(.modifySubscriptions(watched)))
    }

    static let zoneFaults: [(rule: String, zones: [String], records: Int?)] = [
        ("changes/zone in zone Trash -> drop all items", ["Notes"], 3),
        ("changes/zone in zone Trash -> repeat all items", ["Notes", "Trash", "Trash"], 3),
        ("changes/zone in zone Trash -> drop all records", ["Notes", "Trash"], 3),
        ("changes/zone in zone Trash -> repeat all records", ["Notes", "Trash"], 3),
        ("changes/zone in zone Trash -> NOT_FOUND on all records", ["Notes", "Trash"], 3),
        ("changes/zone in zone Notes -> drop 1 records", ["Notes", "Trash"], 2),
        ("zones/lookup in zone Trash -> drop 1 items", ["Notes"], nil),
        ("zones/lookup in zone Trash -> repeat 1 items", ["Notes", "Trash", "Trash"], nil),
    ]

    @Test(arguments: zoneFaults)
    func `what is in a zone that a fault does not name stays as it is`(
        rule: String, zones: [String], records: Int?
    ) throws {
        let bench = try bench(rule)
        try fill(bench)
        let ids = ["Notes", "Trash"].map { RecordZone.ID($0) }
        let command: CloudRead =
            rule.hasPrefix("zones")
            ? .lookUpZones(ids) : .zoneChanges(ids.map { ZoneChangesRequest(zoneID: $0) })
        let answer = try #require(try bench.call(.read(command)))
        #expect(answer.items.map(\.name) == zones)
        let found = answer.json?["zones"]?.elements.map { zone in
            zone["records"]?.elements.count { $0["serverErrorCode"] == nil }
        }
        #expect(found?.first == .some(records))
    }

    /// What answers list, and how one item of each is named in them.
    static let listings: [(String, CloudCommand, String)] = [
        (
            "records/query",
            .read(.queryRecords(RecordQueryRequest(query: Query(recordType: "Note")))),
            "r1"
        ),
        (
            "records/lookup",
            .read(.lookUpRecords(RecordLookupRequest(recordNames: ["r1", "r2"]))), "r1"
        ),
        ("zones/list", .read(.listZones(token: nil)), "_defaultZone"),
        ("zones/lookup", .read(.lookUpZones([RecordZone.ID("Notes"), .default])), "Notes"),
        ("changes/database", .read(.databaseChanges(token: nil, limit: nil)), "Trash"),
        (
            "changes/zone",
            .read(
                .zoneChanges(
                    ["Notes", "Trash"].map { ZoneChangesRequest(zoneID: RecordZone.ID($0)) })),
            "Notes"
        ),
        ("subscriptions/list", .read(.listSubscriptions), "s-Note"),
        ("subscriptions/lookup", .read(.lookUpSubscriptions(["s-Note", "s-Tag"])), "s-Note"),
    ]

    @Test(arguments: listings)
    func `one item of what is read fails, and the next answer is whole`(
        operation: String, command: CloudCommand, name: String
    ) throws {
        let bench = try bench("\(operation) once -> NOT_FOUND on 1 items")
        try fill(bench)
        let failed = try #require(try bench.call(command))
        #expect(failed.status == 200)
        let items = failed.items
        let whole = try #require(try bench.call(command)).items
        #expect(items.map(\.name) == whole.map(\.name))
        #expect(whole.count > 1 && whole.first?.name == name)
        #expect(items.first?.code == "NOT_FOUND" && items.first?.reason?.isEmpty == false)
        #expect((items.dropFirst() + whole).allSatisfy { $0.code == nil })
    }

    @Test(arguments: listings)
    func `items are missing from an answer, or come twice`(
        operation: String, command: CloudCommand, name: String
    ) throws {
        let bench = try bench(
            "1st \(operation) -> drop 1 items", "2nd \(operation) -> repeat 1 items")
        try fill(bench)
        let answers = try (1...3).map { _ in
            try #require(try bench.call(command)).items.map(\.name)
        }
        let (fewer, more, whole) = (answers[0], answers[1], answers[2])
        #expect(fewer == Array(whole.dropFirst()))
        #expect(more == [name] + whole)
    }

    @Test func `records in the pages of a feed fail, are missing, or come twice`() throws {
        let bench = try bench(
            "1st changes/zone in zone Notes -> INTERNAL_ERROR on 2 records",
            "2nd changes/zone in zone Notes -> drop 1 records",
            "3rd changes/zone in zone Notes -> repeat all records")
        try fill(bench)
        let command = CloudCommand.read(
            .zoneChanges([ZoneChangesRequest(zoneID: RecordZone.ID("Notes"))]))
        func page() throws -> [Record.Item] {
            guard case .zoneChanges(let zones) = try bench.reply(command),
                case .page(let page)? = zones.first
            else { return [] }
            return page.records
        }
        let failed = try page()
        #expect(failed.map(\.recordName) == ["r1", "r2", "r3"])
        let codes = failed.map { (item) -> CloudError.Code? in
            if case .failure(_, let error) = item { error.code } else { nil }
        }
        #expect(codes == [.internalError, .internalError, nil])
        #expect(try page().map(\.recordName) == ["r2", "r3"])
        // The server sends each twice, and our client takes no such answer.
        #expect(throws: CloudError.self) { try page() }
    }

    @Test func `what a missing item tells of was carried out`() throws {
        let bench = try bench("zones/modify once -> drop 1 items")
        let answer = try #require(try bench.call(Samples.deleteZones("Notes", "Trash")))
        #expect(answer.items.map(\.name) == ["Trash"])
        #expect(try bench.zoneNames() == [])
    }

    @Test func `an item that fails in an atomic batch saves its siblings`() throws {
        let bench = try bench("records/modify once -> CONFLICT on 1 items")
        let save = CloudCommand.write(
            .modifyRecords(
                RecordModifyRequest(
                    operations: (1...3).map {
                        RecordOperation(.forceReplace, recordName: "r\($0)", recordType: "Note")
                    }, zoneID: RecordZone.ID("Notes"), atomic: true)))
        let answer = try #require(try bench.call(save))
        #expect(answer.text.contains("CONFLICT") && answer.text.contains("ATOMIC_ERROR"))
        let look = CloudCommand.read(
            .lookUpRecords(
                RecordLookupRequest(recordNames: ["r1", "r3"], zoneID: RecordZone.ID("Notes"))))
        #expect(try bench.call(look)?.text.contains("NOT_FOUND") == true)
        #expect(try bench.call(save)?.status == 200)
        #expect(try bench.call(look)?.text.contains("NOT_FOUND") == false)
    }

    @Test func `a stale list names deleted zones so often and then tells the truth`() throws {
        let bench = try bench("zones/list 2 times -> stale zone list")
        #expect(try bench.zoneNames() == ["Notes", "Trash"])
        _ = try bench.reply(Samples.deleteZones("Notes"))
        #expect(try bench.zoneNames("bob") == [])
        #expect(try bench.zoneNames() == ["Notes", "Trash"])
        #expect(try bench.zoneNames() == ["Notes", "Trash"])
        #expect(try bench.zoneNames() == ["Trash"])
    }

    @Test func `a stale list knows nothing from before the fault, nor from before a reset`() throws
    {
        let bench = try bench()
        func setFault() throws {
            let rule = #"["zones/list -> stale zone list"]"#
            #expect(try bench.admin("PUT", "faults", rule).status == 200)
        }
        _ = try bench.reply(Samples.deleteZones("Notes"))
        try setFault()
        #expect(try bench.zoneNames() == ["Trash"])
        _ = try bench.reply(Samples.deleteZones("Trash"))
        #expect(try bench.zoneNames() == ["Trash"])
        #expect(try bench.admin("DELETE", "faults").status == 200)
        try setFault()
        #expect(try bench.zoneNames() == [])
        _ = try bench.reply(.write(.modifyZones([.create(RecordZone.ID("New"))])))
        _ = try bench.reply(Samples.deleteZones("New"))
        #expect(try bench.zoneNames() == ["New"])
        #expect(try bench.admin("POST", "reset", "{}").status == 200)
        #expect(try bench.zoneNames() == [])
    }

    @Test func `empty pages one after another lead back to where the first began`() throws {
        let bench = try bench("zones/list 3 times -> empty page")
        var token: ChangeToken?
        var counts: [Int] = []
        repeat {
            guard case .zonePage(let page) = try bench.reply(.read(.listZones(token: token)))
            else { return }
            counts.append(page.zones.count)
            token = page.moreComing ? page.token : nil
        } while token != nil && counts.count < 10
        #expect(counts == [0, 0, 0, 3])
    }

    @Test func `an empty page leads on to the real one`() throws {
        let bench = try bench("1st zones/list -> empty page", "1st records/query -> empty page")
        guard case .zonePage(let page) = try bench.reply(.read(.listZones(token: nil))) else {
            return
        }
        #expect(page.zones.isEmpty && page.moreComing)
        guard case .zonePage(let next) = try bench.reply(.read(.listZones(token: page.token)))
        else {
            return
        }
        #expect(next.zones.contains { $0.id.zoneName == "Notes" })
        _ = try bench.reply(
            .write(
                .modifyRecords(
                    RecordModifyRequest(operations: [
                        RecordOperation(.create, recordName: "b", recordType: "Bookmark")
                    ]))))
        var query = RecordQueryRequest(query: Query(recordType: "Bookmark"))
        guard case .recordPage(let empty) = try bench.reply(.read(.queryRecords(query))) else {
            return
        }
        #expect(empty.records.isEmpty)
        query.continuationMarker = empty.continuationMarker
        guard case .recordPage(let full) = try bench.reply(.read(.queryRecords(query))) else {
            return
        }
        #expect(full.records.map(\.recordName) == ["b"])
    }

    @Test func `a repeated page comes with the token it was asked for, and then moves on`() throws {
        let bench = try bench(
            "changes/zone 2 times -> repeat page", "zones/list once -> repeat page",
            "records/query once -> repeat page")
        let save = RecordModifyRequest(
            operations: (1...3).map {
                RecordOperation(.forceReplace, recordName: "r\($0)", recordType: "Note")
            }, zoneID: RecordZone.ID("Notes"))
        _ = try bench.reply(.write(.modifyRecords(save)))
        var pages: [[String]] = []
        var token: ChangeToken?
        repeat {
            let request = ZoneChangesRequest(
                zoneID: RecordZone.ID("Notes"), token: token, limit: 2)
            guard case .zoneChanges(let items) = try bench.reply(.read(.zoneChanges([request]))),
                case .page(let page)? = items.first
            else {
                Issue.record("another shape")
                return
            }
            pages.append(page.records.map(\.recordName))
            token = page.moreComing ? page.token : nil
            try #require(pages.count < 10)
        } while token != nil
        #expect(pages == [["r1", "r2"], ["r1", "r2"], ["r1", "r2"], ["r3"]])

        guard case .zonePage(let first) = try bench.reply(.read(.listZones(token: nil))),
            case .zonePage(let second) = try bench.reply(.read(.listZones(token: first.token)))
        else { return }
        #expect(first.moreComing && first.zones == second.zones && !second.moreComing)
        var query = RecordQueryRequest(
            query: Query(recordType: "Note"), zoneID: RecordZone.ID("Notes"))
        guard case .recordPage(let found) = try bench.reply(.read(.queryRecords(query))) else {
            return
        }
        query.continuationMarker = found.continuationMarker
        guard case .recordPage(let again) = try bench.reply(.read(.queryRecords(query))) else {
            return
        }
        #expect(found.records == again.records && found.records.count == 3)
        #expect(found.continuationMarker != nil && again.continuationMarker == nil)
    }

    @Test func `a fault of one device leaves the user's others alone`() throws {
        let bench = try bench("zones/list by device phone -> THROTTLED")
        func status(_ device: String?) throws -> Int? {
            let body = device.map { ",\"device\":\"\($0)\"" } ?? ""
            let made = try bench.admin("POST", "tokens", "{\"user\":\"ann\"\(body)}")
            let token = made.json?["webToken"]?.string ?? ""
            return try bench.call(.read(.listZones(token: nil)), webToken: token)?.status
        }
        #expect(try status("phone") == 429)
        #expect(try status("desk") == 200)
        #expect(try status(nil) == 200)
    }

    @Test func `another device uploads a deleted zone again`() throws {
        let bench = try bench("zones/modify in zone Notes once -> recreate zone with 250 records")
        _ = try bench.reply(Samples.deleteZones("Notes", "Trash"))
        #expect(try bench.zoneNames() == ["Notes"])
        let summary = try bench.admin("GET", "summary?user=ann")
        let database = summary.json?["databases"]?.elements.first { _ in true }
        #expect(database?["records"]?.int64 == 250)
        _ = try bench.reply(Samples.deleteZones("Notes"))
        #expect(try bench.zoneNames() == [])
    }

    @Test func `a delay holds the answer back, with whatever else happens`() throws {
        let bench = try bench("any -> delay 30ms", "users/* once -> THROTTLED")
        let answer = try #require(try bench.call(.read(.caller)))
        #expect(answer.status == 429)
        #expect(answer.delay == .milliseconds(30))
    }

    @Test func `a wrong rule leaves the others as they were`() throws {
        let bench = try bench("any -> delay 1ms")
        let answer = try bench.admin(
            "PUT", "faults", #"{"rules":["users/* -> THROTTLED","zones/lst -> THROTTLED"]}"#)
        #expect(answer.status == 400)
        #expect(answer.text.contains("zones/list"))
        let rules = try bench.admin("GET", "faults").json?["rules"]
        #expect(rules?.count == 1)
        #expect(rules?.elements.first { _ in true }?["text"]?.string == "any -> delay 1ms")
    }

    @Test func `rules are counted, replaced and taken away`() throws {
        let bench = try bench("2nd users/* -> THROTTLED")
        _ = try bench.call(.read(.caller))
        _ = try bench.call(.read(.caller))
        let rule = try bench.admin("GET", "faults").json?["rules"]?.elements.first { _ in true }
        #expect(rule?["matched"]?.int64 == 2)
        #expect(rule?["fired"]?.int64 == 1)
        #expect(rule?["id"]?.string == "fault-1")
        try bench.admin("POST", "faults", #"{"rules":["any -> delay 1ms"]}"#)
        #expect(try bench.admin("GET", "faults").json?["rules"]?.count == 2)
        #expect(try bench.admin("DELETE", "faults?id=fault-1").json?["rules"]?.count == 1)
        #expect(try bench.admin("DELETE", "faults?id=fault-1").status == 404)
        #expect(try bench.admin("DELETE", "faults").json?["rules"]?.count == 0)
    }

    @Test func `the same seed makes the same faults`() throws {
        func statuses() throws -> [Int] {
            let bench = try bench("40% users/* -> THROTTLED")
            return try (0..<60).map { _ in try bench.call(.read(.caller))?.status ?? 0 }
        }
        let first = try statuses()
        #expect(first.contains(200) && first.contains(429))
        #expect(try statuses() == first)
    }
}
