import Foundation

/// Runs many worlds side by side.
enum WorldRuns {
    /// Each with a server, a client and threads of its own, which serve one world after another.
    private static let lanes = 4

    static func summary(of seeds: [UInt64]) async throws -> WorldSummary {
        let folder = scratch + "/cksweep-worlds-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await withThrowingTaskGroup(of: WorldSummary.self) { group in
            for lane in 0..<min(lanes, seeds.count) {
                group.addTask {
                    let driver = Driver(host: try WorldHost(), folder: folder)
                    var summary = WorldSummary()
                    for index in stride(from: lane, to: seeds.count, by: lanes) {
                        summary.add(try await driver.run(seed: seeds[index]))
                    }
                    return summary
                }
            }
            return try await group.reduce(into: WorldSummary()) { $0.add($1) }
        }
    }

    /// Where there is no disk to wait for, if there is such a place.
    private static var scratch: String {
        FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    }
}
