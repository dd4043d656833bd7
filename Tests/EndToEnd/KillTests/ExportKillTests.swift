import Foundation
import RandomSeeds
import Testing

/// `kill -9` of an export before each wait for its disk, and before many writes to it; a disk that
/// fills up; then the same command again. In between the person's data change: what is in the folder
/// in the end is what the server holds then, never a mixture of two states.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct ExportKillTests {
    @Test func `an export killed before a wait for its disk goes on with what is there now`()
        async throws
    {
        try await ExportTrial.run { trial in
            var kills = 0
            for number in 1...(Seeds.isSanitized ? 3 : 40) {
                guard try await trial.play(.killAtSync(number)) else { break }
                kills += 1
            }
            // Each file of records, the list of assets, the manifest, and their folders.
            #expect(kills >= (Seeds.isSanitized ? 3 : 10), "\(kills)")
        }
    }

    @Test func `an export killed before a write goes on with what is there now`() async throws {
        try await ExportTrial.run { trial in
            var kills = 0
            var number = 1
            for _ in 0..<(Seeds.isSanitized ? 3 : Seeds.isLong ? 200 : 25) {
                guard try await trial.play(.killAtWrite(number)) else { break }
                kills += 1
                number += Seeds.isLong ? 1 : 1 + number / 4
            }
            #expect(kills >= (Seeds.isSanitized ? 3 : 10), "\(kills)")
        }
    }

    @Test func `a disk that fills up ends an export with no manifest, and room lets it go on`()
        async throws
    {
        try await ExportTrial.run { trial in
            var fillings = 0
            var number = 1
            for _ in 0..<(Seeds.isSanitized ? 3 : 12) {
                guard try await trial.play(.noRoom(from: number)) else { break }
                fillings += 1
                number += 1 + number / 2
            }
            #expect(fillings >= (Seeds.isSanitized ? 3 : 6), "\(fillings)")
        }
    }
}
