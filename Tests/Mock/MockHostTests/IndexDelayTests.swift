import CloudModel
import CloudWire
import HTTPServer
import MockSamples
import Testing

/// Queries of records that have changed since the index was brought up to date.
struct IndexDelayTests {
    /// Every setting that delays the index, and what brings it up to date.
    enum Delay: String, CaseIterable, CustomTestStringConvertible {
        case queries = "indexLagQueries=1"
        case time = "indexLagMilliseconds=1000"
        case manual = "async=manual"

        var testDescription: String { rawValue }

        /// The same as a request's body.
        var body: String {
            switch self {
            case .queries: #"{"indexLagQueries":1}"#
            case .time: #"{"indexLagMilliseconds":1000}"#
            case .manual: #"{"async":"manual"}"#
            }
        }

        func catchUp(_ bench: Bench) throws {
            switch self {
            // The first query of a test has counted already.
            case .queries: break
            case .time: _ = try bench.admin("POST", "clock/advance", #"{"by":"2s"}"#)
            case .manual: _ = try bench.admin("POST", "simulate", #"{"event":"update-indexes"}"#)
            }
        }
    }

    private func bench(_ delay: Delay, _ records: String...) throws -> Bench {
        let bench = try Bench()
        try bench.make("Notes")
        for record in records { try save(bench, record, "old") }
        _ = try bench.admin("POST", "clock/advance", #"{"by":"10s"}"#)
        #expect(try bench.admin("PUT", "options", delay.body).status == 200)
        return bench
    }

    private func save(
        _ bench: Bench, _ name: String, _ title: String, parent: String? = nil,
        atomicWith bad: RecordOperation? = nil
    ) throws {
        var operation = RecordOperation(
            .forceUpdate, recordName: name, recordType: "Note",
            fields: ["title": Field(.string(title))])
        operation.parent = parent.map { Record.Reference($0) }
        let request = RecordModifyRequest(
            operations: [operation] + (bad.map { [$0] } ?? []), zoneID: RecordZone.ID("Notes"))
        let answer = try bench.call(.write(.modifyRecords(request)))
        if bad == nil { #expect(answer?.items.first?.code == nil, "\(answer?.text ?? "")") }
    }

    /// The names and titles that a query finds.
    private func found(
        _ bench: Bench, title: String? = nil, sorted: Bool = false, limit: Int? = nil
    ) throws -> [String] {
        let filters = title.map { [Query.Filter(.equals, .field("title"), .string($0))] } ?? []
        let sorts = sorted ? [Query.Sort(.field("title"))] : []
        var found: [String] = []
        var marker: String?
        repeat {
            let request = RecordQueryRequest(
                query: Query(recordType: "Note", filters: filters, sorts: sorts),
                zoneID: RecordZone.ID("Notes"), limit: limit, continuationMarker: marker)
            let json = try #require(try bench.call(.read(.queryRecords(request)))?.json)
            for record in try #require(json["records"]).elements {
                let title = record["fields"]?["title"]?["value"]?.string
                found.append("\(record["recordName"]?.string ?? "") \(title ?? "")")
            }
            marker = json["continuationMarker"]?.string
        } while marker != nil
        return found
    }

    @Test(arguments: Delay.allCases, [false, true])
    func `an updated record is found with its old values until the index has caught up`(
        delay: Delay, sorted: Bool
    ) throws {
        let bench = try bench(delay, "a", "b", "c")
        if sorted { #expect(try found(bench, sorted: true).count == 3) }
        try save(bench, "b", "new")
        #expect(try found(bench, sorted: sorted) == ["a old", "b old", "c old"])
        try delay.catchUp(bench)
        let now = try found(bench, sorted: sorted).sorted()
        #expect(now == ["a old", "b new", "c old"])
    }

    @Test(arguments: Delay.allCases)
    func `a sort index made after the update has the old values too`(delay: Delay) throws {
        let bench = try bench(delay, "a", "b")
        try save(bench, "a", "new")
        #expect(try found(bench, sorted: true) == ["a old", "b old"])
        try delay.catchUp(bench)
        #expect(try found(bench, sorted: true) == ["a new", "b old"])
    }

    @Test(arguments: [Delay.time, .manual])
    func `a filter compares the values of the index`(delay: Delay) throws {
        let bench = try bench(delay, "a")
        try save(bench, "a", "new")
        #expect(try found(bench, title: "new") == [])
        #expect(try found(bench, title: "old") == ["a old"])
        try delay.catchUp(bench)
        #expect(try found(bench, title: "new") == ["a new"])
        #expect(try found(bench, title: "old") == [])
    }

    @Test(arguments: [Delay.time, .manual], [false, true])
    func `pages have each record once`(delay: Delay, sorted: Bool) throws {
        let bench = try bench(delay, "a", "b", "c", "d", "e")
        for name in ["d", "a", "d"] { try save(bench, name, "new") }
        for limit in 1...6 {
            #expect(
                try found(bench, sorted: sorted, limit: limit)
                    == ["a old", "b old", "c old", "d old", "e old"])
        }
    }

    @Test(arguments: Delay.allCases)
    func `a parent is found though a child was saved since`(delay: Delay) throws {
        let bench = try bench(delay, "parent")
        try save(bench, "child", "new", parent: "parent")
        #expect(try found(bench) == ["parent old"])
        try delay.catchUp(bench)
        #expect(try found(bench).sorted() == ["child new", "parent old"])
    }

    @Test(arguments: [Delay.time, .manual])
    func `a record deleted after its update is not found`(delay: Delay) throws {
        let bench = try bench(delay, "a", "b")
        try save(bench, "a", "new")
        let request = RecordModifyRequest(
            operations: [.forceDelete("a")], zoneID: RecordZone.ID("Notes"))
        _ = try bench.call(.write(.modifyRecords(request)))
        #expect(try found(bench) == ["b old"])
        // A new record of the same name has no old values.
        try save(bench, "a", "again")
        #expect(try found(bench) == ["b old"])
    }

    @Test(arguments: [Delay.time, .manual])
    func `a batch that fails as a whole leaves no old values behind`(delay: Delay) throws {
        let bench = try bench(delay, "a")
        var bad = RecordOperation(.update, recordName: "a2", recordType: "Note")
        bad.recordChangeTag = "old"
        try save(bench, "a", "new", atomicWith: bad)
        #expect(try found(bench) == ["a old"])
        try save(bench, "a", "newer")
        #expect(try found(bench) == ["a old"])
        try delay.catchUp(bench)
        #expect(try found(bench) == ["a newer"])
    }

    @Test func `an update made before the delay was set is found as it is`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        try save(bench, "a", "old")
        _ = try bench.admin("POST", "clock/advance", #"{"by":"10s"}"#)
        try save(bench, "a", "new")
        _ = try bench.admin("PUT", "options", #"{"indexLagMilliseconds":1000}"#)
        #expect(try found(bench) == ["a new"])
    }

    @Test func `each delayed version becomes visible in its turn`() throws {
        let bench = try bench(.time, "a")
        for title in ["one", "two", "three"] {
            try save(bench, "a", title)
            _ = try bench.admin("POST", "clock/advance", #"{"by":"400ms"}"#)
        }
        #expect(try found(bench) == ["a one"])
        _ = try bench.admin("POST", "clock/advance", #"{"by":"400ms"}"#)
        #expect(try found(bench) == ["a two"])
        _ = try bench.admin("POST", "clock/advance", #"{"by":"400ms"}"#)
        #expect(try found(bench) == ["a three"])
    }

    @Test func `an update of a turn that is not stored has no old values`() throws {
        let bench = try bench(.manual, "a")
        let (token, webToken) = (try bench.apiToken, bench.webToken("ann"))
        try bench.lose { bench in
            let body =
                #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceUpdate","#
                + #""record":{"recordName":"a","recordType":"Note"}}]}"#
            _ = bench.app.respond(
                HTTPRequest(
                    method: "POST",
                    target: "/database/1/\(Samples.main)/development/private/records/modify"
                        + "?ckAPIToken=\(token)&ckWebAuthToken=\(WireQuery.encoded(webToken))",
                    body: Array(body.utf8)))
        }
        #expect(try found(bench) == ["a old"])
        try save(bench, "a", "new")
        #expect(try found(bench) == ["a old"])
    }
}
