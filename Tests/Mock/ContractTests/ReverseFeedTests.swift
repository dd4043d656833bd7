import CloudModel
import Testing

/// Feeds that begin with the newest, and queries that come in one request.
@Suite struct ReverseFeedTests {
    private func page(
        _ asker: Asker, _ token: ChangeToken?, limit: Int? = nil, reverse: Bool = true
    ) async throws -> ZoneChangesPage {
        let request = ZoneChangesRequest(
            zoneID: RecordZone.ID("Notes"), token: token, limit: limit, reverse: reverse)
        guard case .zoneChanges(let items) = try await asker.ask(.read(.zoneChanges([request]))),
            case .page(let page)? = items.first
        else { throw Odd() }
        return page
    }

    @Test(arguments: Depth.allCases)
    func `C-73 a reverse scan begins with the newest, has no deletions, and goes on forward`(
        depth: Depth
    ) async throws {
        let world = try World(depth)
        try await world.ada.create("Notes")
        for name in ["a", "b", "c", "d", "e"] { try await world.ada.put(name) }
        try await world.ada.one(.forceDelete("d"))
        let first = try await page(world.ada, nil, limit: 2)
        #expect(first.records.map(\.recordName) == ["e", "c"])
        #expect(first.moreComing)
        // What changes meanwhile comes once the scan is over.
        try await world.ada.put("a")
        try await world.ada.put("f")
        let second = try await page(world.ada, first.token, limit: 2)
        #expect(second.records.map(\.recordName) == ["b"])
        #expect(!second.moreComing)
        for reverse in [true, false] {
            let rest = try await page(world.ada, second.token, reverse: reverse)
            #expect(rest.records.map(\.recordName) == ["a", "f"])
            #expect(!rest.moreComing)
        }
    }

    @Test(arguments: Depth.allCases)
    func `a reverse scan of an empty zone ends at once`(depth: Depth) async throws {
        let world = try World(depth)
        try await world.ada.create("Notes")
        let empty = try await page(world.ada, nil)
        #expect(empty.records.isEmpty && !empty.moreComing)
        try await world.ada.put("a")
        #expect(try await page(world.ada, empty.token).records.map(\.recordName) == ["a"])
    }

    @Test(arguments: Depth.allCases)
    func `a batch answers each query by itself, with its zone's token`(depth: Depth) async throws {
        let world = try World(depth)
        try await world.ada.create("Notes")
        try await world.ada.put("a")
        try await world.ada.put("b")
        func request(_ zone: String, _ limit: Int? = nil) -> RecordQueryRequest {
            RecordQueryRequest(
                query: Query(recordType: "Note"), zoneID: RecordZone.ID(zone), limit: limit)
        }
        let batch = [request("Notes"), request("No"), request("Notes", 1)]
        guard case .recordPages(let items) = try await world.ada.ask(.read(.queryBatch(batch)))
        else { throw Odd() }
        let pages: [RecordPage?] = items.map { item in
            if case .page(let page) = item { page } else { nil }
        }
        #expect((pages[0]?.records ?? []).map(\.recordName) == ["a", "b"])
        #expect(pages[0]?.continuationMarker == nil)
        guard case .failure(let error) = items[1] else { throw Odd() }
        #expect(error.code == .zoneNotFound)
        #expect(pages[2]?.records.count == 1 && pages[2]?.continuationMarker != nil)
        let token = try #require(pages.first??.token)
        #expect(try await world.ada.feed(token).records.isEmpty)
        try await world.ada.put("c")
        #expect(try await world.ada.feed(token).records.map(\.recordName) == ["c"])
    }

    @Test(arguments: Depth.allCases)
    func `a batch has ten queries at most`(depth: Depth) async throws {
        let world = try World(depth)
        let request = RecordQueryRequest(query: Query(recordType: "Note"))
        let batch = CloudCommand.read(.queryBatch(Array(repeating: request, count: 11)))
        #expect(await world.ada.code(batch) == .badRequest)
    }
}
