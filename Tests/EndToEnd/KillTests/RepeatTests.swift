import Foundation
import RandomSeeds
import Testing
import ToolRunner

/// Two servers with the same seed and the same requests give the same answers, byte for byte.
///
/// The client is a program in another language, `transcript.py`; each server is a process of its own,
/// so that no order of a dictionary is the same by chance.
@Suite(
    .timeLimit(.minutes(30)),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
struct RepeatTests {
    private static let requests = 2000
    private static let seed = Seeds.one("repeated requests")

    private static func transcript(_ folder: String) throws -> [Substring] {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("transcript.py").path
        let ended = try Tool.run(
            "/usr/bin/python3",
            ["-B", script, Program.path, folder, String(requests), String(seed)], errors: .kept)
        try #require(ended.status == 0, "\(ended.errors)")
        return ended.text.split(separator: "\n")
    }

    @Test func `the same seed and the same requests give the same answers`() async throws {
        let base = FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: base) }
        try FileManager.default.createDirectory(
            atPath: base, withIntermediateDirectories: true)
        async let other = Self.transcript(base + "/one")
        let one = try Self.transcript(base + "/two")
        let two = try await other
        #expect(one.count == Self.requests && two.count == Self.requests)
        for (first, second) in zip(one, two) where first != second {
            Issue.record("CKSWEEP_SEED=\(Self.seed)\n\(first)\n\(second)")
            break
        }
        let carriedOut = one.filter { $0.contains(" 200 ") }.count
        #expect(carriedOut > Self.requests / 2)
    }
}
