import Basics
import Donations
import RandomSeeds
import Testing

/// The canonical form of what donations carry.
struct PayloadValueTests {
    static let samples: [PayloadValue] = [
        .null, .bool(true), .bool(false), .integer(0), .integer(-1), .integer(.min), .integer(.max),
        .double(0), .double(-0.0), .double(.infinity), .double(.nan), .double(1.5),
        .string(""), .string("caf\u{E9}"), .string("cafe\u{301}"), .data([]), .data([0, 255]),
        .date(0), .date(700_000_000.25), .url("https://example.com/?a=b#c"),
        .uuid(Array(0..<16)), .array([]), .array([.null, .array([.integer(1)])]),
        .set([.integer(2), .integer(1), .integer(2)]),
        .dictionary([(key: .integer(1), value: .null), (key: .string("a"), value: .bool(true))]),
    ]

    @Test(arguments: samples)
    func `a value comes back from its bytes`(value: PayloadValue) throws {
        let again = try PayloadValue(decoding: value.encoded)
        #expect(again == value)
        #expect(again.encoded == value.encoded)
    }

    @Test func `different values have different bytes`() {
        #expect(Set(Self.samples.map(\.encoded)).count == Self.samples.count)
    }

    @Test func `order makes no difference in sets and dictionaries`() {
        let forward = PayloadValue.dictionary([
            (key: .string("a"), value: .set([.integer(1), .string("x")])),
            (key: .string("b"), value: .null),
        ])
        let backward = PayloadValue.dictionary([
            (key: .string("b"), value: .null),
            (key: .string("a"), value: .set([.string("x"), .integer(1), .integer(1)])),
        ])
        #expect(forward.encoded == backward.encoded)
        #expect(PayloadValue.array([.null, .bool(true)]) != .array([.bool(true), .null]))
    }

    @Test func `the bytes are fixed`() {
        let value = PayloadValue.dictionary([
            "b": .array([.integer(-2), .bool(true)]), "a": .string("hi"),
        ])
        #expect(
            value.encoded == [
                12, 2, 5, 1, 0x61, 5, 2, 0x68, 0x69, 5, 1, 0x62, 10, 2, 3, 3, 2,
            ])
    }

    @Test(arguments: [
        ([], PayloadValue.DecodingFailure.truncated), ([5, 2, 0x61], .truncated),
        ([0, 0], .trailingBytes), ([99], .unknownTag(99)), ([5, 1, 0xFF], .notText),
        ([3, 0x80, 0x00], .notCanonical), ([11, 2, 2, 1], .notCanonical),
        ([11, 2, 1, 1], .notCanonical), ([12, 2, 2, 0, 1, 0], .notCanonical),
        ([10, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], .truncated), ([9, 1, 2], .truncated),
        ([4, 0x7F, 0xF8, 0, 0, 0, 0, 0, 1], .notCanonical),
        ([3] + [UInt8](repeating: 0xFF, count: 10), .notCanonical),
    ])
    func `bytes that no value has are refused`(
        bytes: [UInt8], failure: PayloadValue.DecodingFailure
    ) {
        #expect(throws: failure) { try PayloadValue(decoding: bytes) }
    }

    @Test func `levels beyond the limit are refused, to write and to read`() throws {
        var value = PayloadValue.null
        for _ in 0..<PayloadValue.depthMax { value = .array([value]) }
        #expect(!value.isTooDeep)
        _ = try PayloadValue(decoding: value.encoded)
        value = .array([value])
        #expect(value.isTooDeep)
        #expect(throws: PayloadValue.DecodingFailure.tooDeep) {
            try PayloadValue(decoding: value.encoded)
        }
    }

    @Test func `random bytes give a typed error or a canonical value`() {
        let seed = Seeds.one("payload bytes")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<5000 {
            let bytes = (0..<Int(generator.next() % 24)).map { _ in
                generator.next() % 3 == 0
                    ? UInt8(truncatingIfNeeded: generator.next()) : UInt8(generator.next() % 14)
            }
            guard let value = try? PayloadValue(decoding: bytes) else { continue }
            #expect(value.encoded == bytes, "seed \(seed)")
        }
    }

    @Test func `only the required keys are compared`() {
        func info(_ scroll: Int64) -> PayloadValue {
            .dictionary(["note": .string("n"), "scroll": .integer(scroll)])
        }
        #expect(
            info(1).equalityKey(requiredKeys: ["note"])
                == info(2).equalityKey(
                    requiredKeys: ["note"]))
        #expect(info(1).equalityKey(requiredKeys: nil) != info(2).equalityKey(requiredKeys: nil))
        #expect(info(1).pruned(to: []) == .dictionary([]))
        #expect(info(1)["note"] == .string("n"))
        #expect(info(1).strings == ["n"])
    }
}
