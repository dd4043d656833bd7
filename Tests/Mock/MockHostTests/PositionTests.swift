import CloudModel
import CloudWire
import HTTPServer
import JSON
import MockSamples
import MockStore
import Testing

/// Where devices stand in feeds, and what change tokens say.
struct PositionTests {
    private let notes = RecordZone.ID("Notes")

    private func bench() throws -> Bench {
        let bench = try Bench()
        try bench.make("Notes")
        for name in ["a", "b", "c", "d"] { try save(bench, name) }
        return bench
    }

    private func save(_ bench: Bench, _ name: String) throws {
        let operation = RecordOperation(.create, recordName: name, recordType: "Note")
        let request = RecordModifyRequest(operations: [operation], zoneID: notes)
        #expect(try bench.call(.write(.modifyRecords(request)))?.status == 200)
    }

    @discardableResult
    private func fetch(
        _ bench: Bench, _ token: ChangeToken? = nil, limit: Int = 200, reverse: Bool = false
    ) throws -> ChangeToken {
        var request = ZoneChangesRequest(zoneID: notes, token: token, limit: limit)
        request.reverse = reverse
        guard case .zoneChanges(let items) = try bench.reply(.read(.zoneChanges([request]))),
            case .page(let page)? = items.first
        else { throw CloudError(.unknown) }
        return page.token
    }

    private func positions(_ bench: Bench, _ query: String = "") throws -> [JSONValue] {
        try #require(try bench.admin("GET", "positions" + query).json?["positions"]?.elements)
            .map(\.self)
    }

    private func token(_ bench: Bench, _ token: ChangeToken) throws -> JSONValue {
        let answer = try bench.admin("GET", "position?token=" + WireQuery.encoded(token.rawValue))
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(answer.json)
    }

    private func event(_ bench: Bench, _ event: String, _ rest: String = "") throws {
        let answer = try bench.admin("POST", "simulate", #"{"event":"\#(event)"\#(rest)}"#)
        #expect(answer.status == 200, "\(answer.text)")
    }

    @Test func `a device stands where the last answer told it up to`() throws {
        let bench = try bench()
        #expect(try positions(bench).isEmpty)
        let token = try fetch(bench, limit: 2)
        let early = try #require(try positions(bench, "?user=ann").first)
        #expect(early["zone"]?.string == "Notes" && early["standing"]?.string == "served")
        #expect(early["more"]?.bool == true)
        #expect(early["place"]?.int64 ?? .max < early["end"]?.int64 ?? .min)
        try fetch(bench, token)
        let late = try #require(try positions(bench).first)
        #expect(late["more"]?.bool == false && late["place"]?.int64 == late["end"]?.int64)
        try save(bench, "new")
        let behind = try #require(try positions(bench).first)
        #expect(behind["place"]?.int64 == late["place"]?.int64)
        #expect(behind["end"]?.int64 ?? 0 > late["end"]?.int64 ?? 0)
        #expect(try positions(bench, "?user=bob").isEmpty)
        _ = try bench.call(Samples.deleteZones("Notes"))
        let gone = try #require(try positions(bench).first)
        #expect(gone["end"] == nil && gone["standing"]?.string == "gone")
    }

    @Test func `a device has nothing for sure while the newest comes first`() throws {
        let bench = try bench()
        try fetch(bench, limit: 2, reverse: true)
        let position = try #require(try positions(bench).first)
        #expect(position["place"]?.int64 == 0 && position["more"]?.bool == true)
    }

    @Test func `a device whose zone was made again is not up to date`() throws {
        let bench = try bench()
        let old = try fetch(bench)
        _ = try bench.call(Samples.deleteZones("Notes"))
        try bench.make("Notes")
        for name in ["e", "f", "g", "h"] { try save(bench, name) }
        let position = try #require(try positions(bench).first)
        #expect(position["standing"]?.string == "expired")
        #expect(position["why"]?.string == "recreated")
        #expect(try token(bench, old)["why"]?.string == "recreated")
    }

    @Test func `a reset and a restore forget where devices stand`() throws {
        let bench = try bench()
        try bench.make("Lists")
        try event(bench, "snapshot", #","name":"before""#)
        try save(bench, "undone")
        let undone = try fetch(bench)
        _ = try bench.reply(.read(.databaseChanges(token: nil, limit: nil)))
        #expect(try positions(bench).count == 2)
        try bench.admin("POST", "reset", #"{"user":"bob"}"#)
        try bench.admin("POST", "reset", #"{"zone":"Lists"}"#)
        #expect(try positions(bench).count == 2)
        try bench.admin("POST", "reset", #"{"zone":"Notes"}"#)
        #expect(try positions(bench).count == 1)
        try event(bench, "restore", #","name":"before""#)
        #expect(try positions(bench).isEmpty)
        let read = try token(bench, undone)
        #expect(read["standing"]?.string == "expired" && read["why"]?.string == "undone")
        #expect(read["epochNow"]?.int64 ?? 0 > read["epoch"]?.int64 ?? .max)
    }

    @Test func `what a turn told that is not stored was told to nobody`() throws {
        let bench = try bench()
        let token = try fetch(bench, limit: 1)
        let before = try positions(bench).first?["place"]?.int64
        let store = bench.app.store
        try store.limitSize(pages: 1)
        let wire = WireRequest(
            .read(.zoneChanges([ZoneChangesRequest(zoneID: notes, token: token)])),
            at: Samples.address())
        let target =
            wire.path + "?ckAPIToken=" + bench.app.apiToken + "&ckWebAuthToken="
            + WireQuery.encoded(bench.webToken("ann"))
        _ = bench.app.respond(
            HTTPRequest(method: wire.method, target: target, body: wire.body))
        for number in 0..<500 {
            let user = #"{"name":"somebody-who-needs-room-\#(number)"}"#
            _ = try bench.send(user, to: "users")
        }
        #expect(throws: (any Error).self) { try bench.app.commit() }
        try store.limitSize(pages: 1_000_000)
        #expect(try positions(bench).first?["place"]?.int64 == before)
    }

    @Test func `of more devices than are remembered those go that asked first`() throws {
        let bench = try bench()
        for number in 0...500 {
            let web = bench.app.issueWebToken(user: "ann", device: "d\(number)")
            let request = CloudCommand.read(.zoneChanges([ZoneChangesRequest(zoneID: notes)]))
            #expect(try bench.call(request, webToken: web)?.status == 200)
        }
        let left = Set(try positions(bench).compactMap { $0["device"]?.string })
        #expect(left == Set((100...500).map { "d\($0)" }))
    }

    @Test func `a token tells its feed, its place and how far behind it is`() throws {
        let bench = try bench()
        let early = try fetch(bench, limit: 2)
        let read = try token(bench, early)
        #expect(read["kind"]?.string == "zone" && read["zone"]?.string == "Notes")
        #expect(read["user"]?.string == "ann" && read["standing"]?.string == "served")
        #expect(read["place"]?.int64 ?? .max < read["end"]?.int64 ?? .min)
        #expect(read["time"]?.int64 == Samples.start.milliseconds)
        guard
            case .zonePage(let page) = try bench.reply(
                .read(.databaseChanges(token: nil, limit: nil))), let text = page.token
        else { throw CloudError(.unknown) }
        let database = try token(bench, text)
        #expect(database["kind"]?.string == "database" && database["zone"] == nil)
        #expect(database["place"]?.int64 == database["end"]?.int64)
        _ = try bench.call(Samples.deleteZones("Notes"))
        #expect(try token(bench, early)["standing"]?.string == "gone")
    }

    @Test(arguments: ["", "?token=", "?token=nonsense", "?token=AQEAAAAA"])
    func `what is no change token is refused`(query: String) throws {
        let answer = try Bench().admin("GET", "position" + query)
        #expect(answer.status == 400, "\(answer.text)")
        #expect(answer.json?["error"]?.string?.isEmpty == false)
    }
}
