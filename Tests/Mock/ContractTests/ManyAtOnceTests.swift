import CloudModel
import Testing

/// Several callers of one database at the same time.
@Suite struct ManyAtOnceTests {
    @Test(arguments: Depth.allCases)
    func `C-23 of many writers with one tag exactly one wins`(depth: Depth) async throws {
        let world = try World(depth)
        try await world.ada.create("Notes")
        var tag = try await world.ada.put("a").recordChangeTag
        for _ in 0..<5 {
            let seen = tag
            let items = try await withThrowingTaskGroup(of: Record.Item.self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        try await world.ada.one(
                            .make(.update, "a", ["n": .int64(Int64(writer))], tag: seen))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(items.compactMap(\.record).count == 1)
            #expect(items.compactMap(\.code) == Array(repeating: .conflict, count: 7))
            tag = items.compactMap(\.record).first?.recordChangeTag ?? ""
        }
    }

    @Test(arguments: Depth.allCases)
    func `C-69 a client that pages while others write misses nothing`(depth: Depth) async throws {
        let world = try World(depth)
        try await world.ada.create("Notes")
        let expected = Set((0..<60).map { "r\($0)" })
        let seen = try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<3 {
                group.addTask {
                    for index in 0..<20 { try await world.ada.put("r\(writer * 20 + index)") }
                }
            }
            var seen: Set<String> = []
            var token: ChangeToken?
            for _ in 0..<40 {
                let drained = try await world.ada.drain(token, limit: 3)
                seen.formUnion(drained.items.map(\.recordName))
                token = drained.token
            }
            try await group.waitForAll()
            return seen.union(try await world.ada.drain(token).items.map(\.recordName))
        }
        #expect(seen == expected)
    }
}
