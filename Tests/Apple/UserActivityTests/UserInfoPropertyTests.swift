import Basics
import Donations
import Foundation
import Testing
import UserActivity

/// What holds for every `userInfo` (F10), on random ones.
struct UserInfoPropertyTests {
    private func value(
        depth: Int, _ generator: inout SeededGenerator
    ) -> PayloadValue {
        switch Int.random(in: 0..<(depth < 3 ? 12 : 9), using: &generator) {
        case 0: .null
        case 1: .bool(Bool.random(using: &generator))
        case 2: .integer(Int64.random(in: .min ... .max, using: &generator))
        case 3: .double(Double.random(in: -1e9...1e9, using: &generator) + 0.5)
        case 4: .string(["", "é", "e\u{301}", "text", "🥣"].randomElement(using: &generator) ?? "")
        case 5: .data([1, 2, UInt8.random(in: 0...255, using: &generator)])
        case 6: .date(Double(Int.random(in: -1_000_000...1_000_000, using: &generator)))
        case 7: .url("https://a.example/\(Int.random(in: 0...9, using: &generator))")
        case 8: .uuid((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
        case 9: .array((0..<3).map { _ in value(depth: depth + 1, &generator) })
        case 10: .set([value(depth: 3, &generator), value(depth: 3, &generator)])
        default:
            .dictionary(
                Dictionary(
                    (0..<3).map { _ in
                        (
                            "k\(Int.random(in: 0...5, using: &generator))",
                            value(depth: depth + 1, &generator)
                        )
                    }, uniquingKeysWith: { $1 }))
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `what an app puts in is what it gets back, and what is stored`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<250 {
            let original = value(depth: 0, &generator)
            let again = try PayloadValue(object: original.object)
            #expect(again == original, "seed \(seed), round \(round): \(original)")
            #expect(try PayloadValue(decoding: again.encoded) == original)
        }
    }

    @Test(arguments: [5, 6] as [UInt64])
    func `F10 stored keys are required keys`(seed: UInt64) async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            var generator = SeededGenerator(seed: seed)
            for round in 0..<100 {
                var userInfo: [String: PayloadValue] = [:]
                for index in 0..<6 where Bool.random(using: &generator) {
                    userInfo["k\(index)"] = value(depth: 0, &generator)
                }
                let required = Set((0..<6).filter { $0 % 2 == 0 }.map { "k\($0)" })
                let activity = makeActivity("r", persistentIdentifier: "p\(round)")
                activity.userInfo = PayloadValue.dictionary(userInfo).dictionaryObject
                activity.requiredUserInfoKeys = required
                activity.becomeCurrent()
                let name = "p\(round)"
                let rows = try await app.store.list(
                    .activities(persistentIdentifiers: [name]), limit: 10)
                let row = try #require(rows.first { $0.kind == .savedActivity })
                let stored = try PayloadValue(decoding: row.payload)["userInfo"]
                let expected = userInfo.filter { required.contains($0.key) }
                #expect(stored == .dictionary(expected), "seed \(seed), round \(round)")
            }
        }
    }
}
