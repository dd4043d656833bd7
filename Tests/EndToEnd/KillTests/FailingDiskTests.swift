import AsyncOperations
import Basics
import Foundation
import RandomSeeds
import Testing

/// The ways in which a disk fails, under ``DiskTrial``.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct FailingDiskTests {
    private static let seed = Seeds.one("full disk")

    @Test func `a full disk loses no acknowledged write and keeps no refused one`() async throws {
        var random = SeededGenerator(seed: Self.seed)
        var failures = 0
        for round in 0..<(Seeds.isLong ? 200 : 12) {
            let limit = Int.random(in: 300...4_000, using: &random)
            failures += try await DiskTrial.play(
                .full(kibibytes: limit), "CKSWEEP_SEED=\(Self.seed), round \(round), \(limit) KiB")
        }
        #expect(failures > 0, "the disk was never full: CKSWEEP_SEED=\(Self.seed)")
    }

    @Test func `a disk that fails at any commit loses no acknowledged write`() async throws {
        var failures = 0
        for number in 1...(Seeds.isLong ? 200 : 12) {
            failures += try await DiskTrial.play(.sync(number), "sync \(number)")
        }
        #expect(failures > 0, "no sync ever failed")
    }

    @Test func `a disk that has no room at any write loses no acknowledged write`() async throws {
        var failures = 0
        for number in 1...(Seeds.isLong ? 400 : 12) {
            failures += try await DiskTrial.play(.write(number), "write \(number)")
        }
        #expect(failures > 0, "no write ever failed")
    }
}
