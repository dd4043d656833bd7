import Basics
import CloudModel
import Testing

/// Names and texts that a careless encoder, URL or table would spoil.
@Suite struct OddNameTests {
    private static let names = [
        "with space", "a/b", "a?b=c&d", "%2e%2e", "..", "quote\"quote", "back\\slash", "a+b",
        "semi;colon", "tab-less~!@#$^*()", "null", "0", "-1",
        "'; DROP TABLE records; --", "{\"zoneName\":\"x\"}", String(repeating: "n", count: 255),
    ]

    @Test(arguments: Depth.allCases)
    func `zones and records of odd names are made, found, listed and deleted`(
        depth: Depth
    ) async throws {
        let world = try World(depth)
        for name in Self.names {
            #expect(try await world.ada.create(name).first?.error == nil, "\(name)")
            try await world.ada.put(name, ["to": .link(name)], zone: name)
            let found = try await world.ada.lookUp(name, zone: name)
            #expect(found.first?.record?.id.recordName == name)
            #expect(try await world.ada.drain(zone: name).items == found, "\(name)")
        }
        #expect(
            Set(try await world.ada.listedNames()) == Set(Self.names + ["_defaultZone"]))
        for name in Self.names {
            #expect(try await world.ada.one(.forceDelete(name), zone: name).isDeleted)
            #expect(try await world.ada.delete(zone: name).isDeleted, "\(name)")
        }
        #expect(try await world.ada.listedNames() == ["_defaultZone"])
    }

    @Test(arguments: Depth.allCases)
    func `names that differ in case alone are two`(depth: Depth) async throws {
        let world = try World(depth)
        try await world.ada.create("Notes", "notes")
        try await world.ada.put("A")
        try await world.ada.put("a")
        #expect(try await world.ada.drain().items.map(\.recordName) == ["A", "a"])
        #expect(try await world.ada.drain(zone: "notes").items == [])
        try await world.ada.delete(zone: "notes")
        #expect(try await world.ada.exists("a"))
    }

    private static let texts = [
        "", " ", "naïve", "nai\u{308}ve", "🌿👩‍👩‍👧‍👦", "שלום", "\u{0}\u{1}\u{1F}\u{7F}",
        "\u{2028}\u{2029}",
        "\u{FEFF}\u{FFFD}\u{10FFFF}", "\"\\/\n\r\t\u{8}\u{C}", "</script>", "null",
        String(repeating: "é", count: 5000),
    ]

    @Test(arguments: Depth.allCases)
    func `every text comes back scalar for scalar, alone, in lists and in queries`(
        depth: Depth
    ) async throws {
        let world = try World(depth)
        try await world.ada.create("Notes")
        for (index, text) in Self.texts.enumerated() {
            let fields: [String: FieldValue] = [
                "text": .string(text), "list": .list(.string, [.string(text), .string(text)]),
            ]
            try await world.ada.put("r\(index)", fields)
            let found = try await world.ada.lookUp("r\(index)").first?.record
            guard case .string(let back) = found?.fields["text"]?.value else { throw Odd() }
            #expect(Array(back.unicodeScalars) == Array(text.unicodeScalars))
            #expect(found?.fields.mapValues(\.value) == fields)
        }
        for (index, text) in Self.texts.enumerated() {
            let query = Query(
                recordType: "Note", filters: [.init(.equals, .field("text"), .string(text))])
            #expect(try await world.ada.names(query).contains("r\(index)"))
        }
    }

    @Test(arguments: Depth.allCases)
    func `numbers come back bit for bit`(depth: Depth) async throws {
        let world = try World(depth)
        try await world.ada.create("Notes")
        let integers: [Int64] = [.min, .max, -1, 0, 1 << 53, (1 << 53) + 1]
        let doubles: [Double] = [
            0.1, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e21, 1.0 / 3,
        ]
        let fields: [String: FieldValue] = [
            "integers": .list(.int64, integers.map { .int64($0) }),
            "doubles": .list(.double, doubles.map { .double($0) }),
            "when": .timestamp(Timestamp(milliseconds: -62_135_596_800_000)),
        ]
        let record = try await world.ada.put("a", fields)
        #expect(record.fields.mapValues(\.value) == fields)
        guard case .list(_, let back) = record.fields["doubles"]?.value else { throw Odd() }
        let bits = back.map { value in
            if case .double(let number) = value { number.bitPattern } else { UInt64.max }
        }
        #expect(bits == doubles.map(\.bitPattern))
    }
}
