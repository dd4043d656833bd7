import CloudModel
import MockServer
import Testing

/// Faults as a client meets them.
struct MockFaultTests {
    private func bench(_ rules: String...) throws -> Bench {
        let bench = try Bench()
        try bench.make("Notes", "Trash")
        let list = rules.map { "\"\($0)\"" }.joined(separator: ",")
        let answer = try bench.admin("PUT", "faults", "{\"rules\":[\(list)]}")
        try #require(answer.status == 200, "\(answer.text)")
        return bench
    }

    @Test(arguments: CloudError.Code.allCases.filter(\.isServiceCode))
    func `every service code can be injected and leaves no trace`(code: CloudError.Code) throws {
        let bench = try bench("zones/modify times=1 -> \(code.rawValue) retry=7s")
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
            "zones/modify nth=1 -> cut before commit", "zones/modify nth=2 -> cut after commit")
        #expect(try bench.call(Samples.deleteZones("Notes")) == nil)
        #expect(try bench.zoneNames() == ["Notes", "Trash"])
        #expect(try bench.call(Samples.deleteZones("Notes")) == nil)
        #expect(try bench.zoneNames() == ["Trash"])
    }

    @Test func `some items fail and the others are carried out`() throws {
        let bench = try bench("zones/modify#N* times=1 -> THROTTLED on 1 items retry=2s")
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

    @Test func `an item that fails in an atomic batch saves its siblings`() throws {
        let bench = try bench("records/modify times=1 -> CONFLICT on 1 items")
        let save = CloudCommand.modifyRecords(
            RecordModifyRequest(
                operations: (1...3).map {
                    RecordOperation(.forceReplace, recordName: "r\($0)", recordType: "Note")
                }, zoneID: RecordZone.ID("Notes"), atomic: true))
        let answer = try #require(try bench.call(save))
        #expect(answer.text.contains("CONFLICT") && answer.text.contains("ATOMIC_ERROR"))
        let look = CloudCommand.lookUpRecords(
            RecordLookupRequest(recordNames: ["r1", "r3"], zoneID: RecordZone.ID("Notes")))
        #expect(try bench.call(look)?.text.contains("NOT_FOUND") == true)
        #expect(try bench.call(save)?.status == 200)
        #expect(try bench.call(look)?.text.contains("NOT_FOUND") == false)
    }

    @Test func `a stale list names deleted zones so often and then tells the truth`() throws {
        let bench = try bench("zones/list times=2 -> stale zone list")
        #expect(try bench.zoneNames() == ["Notes", "Trash"])
        _ = try bench.reply(Samples.deleteZones("Notes"))
        #expect(try bench.zoneNames("bob") == [])
        #expect(try bench.zoneNames() == ["Notes", "Trash"])
        #expect(try bench.zoneNames() == ["Notes", "Trash"])
        #expect(try bench.zoneNames() == ["Trash"])
    }

    @Test func `an empty page leads on to the real one`() throws {
        let bench = try bench("zones/list nth=1 -> empty page", "records/query nth=1 -> empty page")
        guard case .zonePage(let page) = try bench.reply(.listZones(token: nil)) else { return }
        #expect(page.zones.isEmpty && page.moreComing)
        guard case .zonePage(let next) = try bench.reply(.listZones(token: page.token)) else {
            return
        }
        #expect(next.zones.contains { $0.id.zoneName == "Notes" })
        _ = try bench.reply(
            .modifyRecords(
                RecordModifyRequest(operations: [
                    RecordOperation(.create, recordName: "b", recordType: "Bookmark")
                ])))
        var query = RecordQueryRequest(query: Query(recordType: "Bookmark"))
        guard case .recordPage(let empty) = try bench.reply(.queryRecords(query)) else { return }
        #expect(empty.records.isEmpty)
        query.continuationMarker = empty.continuationMarker
        guard case .recordPage(let full) = try bench.reply(.queryRecords(query)) else { return }
        #expect(full.records.map(\.recordName) == ["b"])
    }

    @Test func `a repeated page comes with the token it was asked for, and then moves on`() throws {
        let bench = try bench(
            "changes/zone times=2 -> repeat page", "zones/list times=1 -> repeat page",
            "records/query times=1 -> repeat page")
        let save = RecordModifyRequest(
            operations: (1...3).map {
                RecordOperation(.forceReplace, recordName: "r\($0)", recordType: "Note")
            }, zoneID: RecordZone.ID("Notes"))
        _ = try bench.reply(.modifyRecords(save))
        var pages: [[String]] = []
        var token: ChangeToken?
        repeat {
            let request = ZoneChangesRequest(
                zoneID: RecordZone.ID("Notes"), token: token, limit: 2)
            guard case .zoneChanges(let items) = try bench.reply(.zoneChanges([request])),
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

        guard case .zonePage(let first) = try bench.reply(.listZones(token: nil)),
            case .zonePage(let second) = try bench.reply(.listZones(token: first.token))
        else { return }
        #expect(first.moreComing && first.zones == second.zones && !second.moreComing)
        var query = RecordQueryRequest(
            query: Query(recordType: "Note"), zoneID: RecordZone.ID("Notes"))
        guard case .recordPage(let found) = try bench.reply(.queryRecords(query)) else { return }
        query.continuationMarker = found.continuationMarker
        guard case .recordPage(let again) = try bench.reply(.queryRecords(query)) else { return }
        #expect(found.records == again.records && found.records.count == 3)
        #expect(found.continuationMarker != nil && again.continuationMarker == nil)
    }

    @Test func `a fault of one device leaves the user's others alone`() throws {
        let bench = try bench("zones/list device=phone -> THROTTLED")
        func status(_ device: String?) throws -> Int? {
            let body = device.map { ",\"device\":\"\($0)\"" } ?? ""
            let made = try bench.admin("POST", "tokens", "{\"user\":\"ann\"\(body)}")
            let token = made.json?["webToken"]?.string ?? ""
            return try bench.call(.listZones(token: nil), webToken: token)?.status
        }
        #expect(try status("phone") == 429)
        #expect(try status("desk") == 200)
        #expect(try status(nil) == 200)
    }

    @Test func `another device uploads a deleted zone again`() throws {
        let bench = try bench("zones/modify#Notes times=1 -> recreate zone with 250 records")
        _ = try bench.reply(Samples.deleteZones("Notes", "Trash"))
        #expect(try bench.zoneNames() == ["Notes"])
        let summary = try bench.admin("GET", "summary?user=ann")
        let database = summary.json?["databases"]?.elements.first { _ in true }
        #expect(database?["records"]?.int64 == 250)
        _ = try bench.reply(Samples.deleteZones("Notes"))
        #expect(try bench.zoneNames() == [])
    }

    @Test func `a delay holds the answer back, with whatever else happens`() throws {
        let bench = try bench("any -> delay 30ms", "users/* times=1 -> THROTTLED")
        let answer = try #require(try bench.call(.caller))
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
        let bench = try bench("users/* nth=2 -> THROTTLED")
        _ = try bench.call(.caller)
        _ = try bench.call(.caller)
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
            let bench = try bench("users/* probability=0.4 -> THROTTLED")
            return try (0..<60).map { _ in try bench.call(.caller)?.status ?? 0 }
        }
        let first = try statuses()
        #expect(first.contains(200) && first.contains(429))
        #expect(try statuses() == first)
    }
}
