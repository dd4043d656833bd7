import AsyncOperations
import Basics
import CloudModel
import CloudWire
import Foundation
import MockStore
import RandomSeeds
import Testing

/// Which web tokens were used, against a set that never forgets.
struct SpentTokenTests {
    private static let seed = Seeds.one("spent tokens")

    @Test func `what was used is known as used, and nothing else`() throws {
        var random = SeededGenerator(seed: Self.seed)
        let world = try World()
        var used: Set<Int64> = []
        for round in 0..<400 {
            let numbers = (0..<random.next(upperBound: 4 as UInt)).map { _ in
                Int64.random(in: 1...500, using: &random)
            }
            try world.cloud.withStore { store in
                for number in numbers { try store.spend(.made(number)) }
            }
            used.formUnion(numbers)
            if round % 40 == 0 { try world.cloud.restore(try world.cloud.snapshot()) }
            let known = try world.cloud.withStore { store in
                Set((0...501).filter { store.isSpent(.made($0)) })
            }
            #expect(known == used, "CKSWEEP_SEED=\(Self.seed): round \(round)")
        }
    }

    @Test func `where too many wait to be used, those that wait longest count as used`() throws {
        let world = try World()
        let most = Int64(WireLimits.spentRunsMax)
        func waiting() throws -> [Int64] {
            try world.cloud.withStore { store in
                (0...(most + 5)).map { 2 * $0 + 1 }.filter { !store.isSpent(.made($0)) }
            }
        }
        try world.cloud.withStore { store in
            for number in 1...(most + 5) { try store.spend(.made(2 * number)) }
        }
        let first = try waiting()
        #expect(first.first == 13 && first.count == Int(most))
        let all = try world.cloud.withStore { store in
            (1...(most + 5)).filter { store.isSpent(.made(2 * $0)) }.count
        }
        #expect(all == Int(most) + 5)
        let second = try waiting()
        #expect(first == second)
    }

    @Test func `those that have waited since before the first use count as used too`() throws {
        let world = try World()
        let most = Int64(WireLimits.spentRunsMax)
        let numbers = (0...most).map { 100 + 2 * $0 }
        let oldest: [Int64] = [1, 50, 99]
        try world.cloud.withStore { store in
            for number in numbers.dropLast() { try store.spend(.made(number)) }
            #expect(oldest.allSatisfy { !store.isSpent(.made($0)) })
            try store.spend(.made(numbers.last!))
        }
        // As the tables have it too.
        for _ in 0..<2 {
            try world.cloud.withStore { store in
                #expect((oldest + [101]).allSatisfy { store.isSpent(.made($0)) })
                #expect(!store.isSpent(.made(103)))
            }
            try world.cloud.restore(try world.cloud.snapshot())
        }
    }

    @Test func `a token that was used stays used after a snapshot file is restored`() throws {
        let world = try World()
        let file = try world.cloud.snapshotFile()
        for token in [WebTokenID.made(7), .chosen("abc")] {
            try world.cloud.withStore { try $0.spend(token) }
            try world.cloud.restore(file)
            #expect(try world.cloud.withStore { $0.isSpent(token) })
        }
    }
}
