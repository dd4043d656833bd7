import Basics
import CloudModel
import MockStore
import Testing

/// Queries with sorts, which are answered from an index, against sorting everything by hand.
@Suite struct SortedQueryTests {
    private static let doubles: [Double] = [
        -.greatestFiniteMagnitude, -1.5, -1e-300, -0.0, 0, .leastNormalMagnitude, 1, 1.5, 1e300,
    ]

    private func fields(_ generator: inout SeededGenerator) -> [String: FieldValue] {
        var fields: [String: FieldValue] = [:]
        let number = generator.next()
        if number % 5 != 0 { fields["n"] = .int64(Int64(bitPattern: number % 7) - 3) }
        if number % 3 != 0 { fields["d"] = .double(Self.doubles[Int(number % 9)]) }
        let texts = ["", "a", "a\u{0}", "a\u{0}b", "ab", "b", "ä", "\u{1F33F}"]
        if number % 4 != 0 { fields["t"] = .string(texts[Int(number / 64 % 8)]) }
        return fields
    }

    private func less(_ left: FieldValue?, _ right: FieldValue?, _ ascending: Bool) -> Bool? {
        switch (left, right) {
        case (nil, nil): return nil
        case (nil, _): return false
        case (_, nil): return true
        case (.int64(let left)?, .int64(let right)?):
            return left == right ? nil : (left < right) == ascending
        case (.double(let left)?, .double(let right)?):
            return left == right ? nil : (left < right) == ascending
        case (.string(let left)?, .string(let right)?):
            let (left, right) = (Array(left.utf8), Array(right.utf8))
            return left == right ? nil : left.lexicographicallyPrecedes(right) == ascending
        default: return nil
        }
    }

    /// What sorting everything by hand gives: equal records in the order of their last change.
    private func expected(
        _ feed: [Record.Item], _ sorts: [(key: String, ascending: Bool)]
    ) -> [String] {
        feed.compactMap(\.record).enumerated().sorted { left, right in
            for sort in sorts {
                let fields = (left.element.fields, right.element.fields)
                if let isLess = less(
                    fields.0[sort.key]?.value, fields.1[sort.key]?.value, sort.ascending)
                {
                    return isLess
                }
            }
            return left.offset < right.offset
        }.map(\.element.id.recordName)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `pages have every record in its order while records change`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let world = try World(seed: seed)
        try world.ada.create("Notes")
        let all: [[(key: String, ascending: Bool)]] = [
            [("n", true)], [("n", false)], [("d", true), ("t", false)],
            [("t", true), ("n", false)],
            [("d", false)],
        ]
        for round in 0..<12 {
            for _ in 0..<12 {
                let name = "r\(generator.next() % 40)"
                if generator.next() % 5 == 0 {
                    try world.ada.one(.forceDelete(name))
                } else {
                    try world.ada.one(.make(.forceReplace, name, fields(&generator)))
                }
            }
            if round == 6 { try world.cloud.restore(world.cloud.snapshot()) }
            let sorts = all[Int(generator.next() % 5)]
            let query = Query(
                recordType: "Note",
                sorts: sorts.map { Query.Sort(.field($0.key), ascending: $0.ascending) })
            let expected = expected(try world.ada.drain().items, sorts)
            for limit in [1, 7, nil] {
                #expect(
                    try world.ada.names(query, limit: limit) == expected,
                    "seed \(seed), round \(round)")
            }
        }
    }

    @Test
    func `a sorted query of many records gives empty pages first, and then each in its order`()
        throws
    {
        let world = try World()
        let count = 9_000
        try world.cloud.withStore { store in
            try store.seed(zones: ["Notes"], at: World.address(), user: "ada") { _ in
                (0..<count).map { number in
                    SeedRecord(
                        "r\(number)", type: "Note",
                        fields: ["n": .int64(Int64(number * 7919 % count))])
                }
            }
        }
        let query = Query(recordType: "Note", sorts: [Query.Sort(.field("n"))])
        var (marker, empty, seen): (String?, Int, [Int64]) = (nil, 0, [])
        repeat {
            let page = try world.ada.query(query, limit: 200, marker: marker)
            if page.records.isEmpty { empty += 1 }
            seen += page.records.compactMap { item in
                if case .int64(let number)? = item.record?.fields["n"]?.value {
                    number
                } else {
                    nil
                }
            }
            marker = page.continuationMarker
        } while marker != nil
        #expect(seen == (0..<Int64(count)).map { $0 })
        // The index is made in slices, once.
        #expect((2...20).contains(empty))
        #expect(try world.ada.query(query, limit: 1).records.count == 1)
    }
}
