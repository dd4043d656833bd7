import Foundation
import JSON
import RandomSeeds
import Testing
import ToolRunner

/// A mock server under idle clients, slow ones and floods at once: its memory stays within its
/// budget, and whoever is polite is answered.
///
/// The opponents are a program in another language, `flood.py`. In a long run it holds 10,000
/// idle connections, 200 slow readers and 200 slow writers.
@Suite(
    .timeLimit(.minutes(20)),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
struct FloodTests {
    /// Idle connections, slow readers, slow writers, seconds.
    private static let size = Seeds.isLong ? [10_000, 200, 200, 60] : [500, 50, 50, 10]
    /// What `--memory-budget` is without that option.
    private static let budgetMiB = 256

    @Test func `memory stays within the budget, and polite requests are answered`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("flood.py").path
        let ended = try Tool.run(
            "/usr/bin/python3", [script, Program.path, folder.path] + Self.size.map(String.init),
            errors: .kept)
        try #require(ended.status == 0, "\(ended.errors)")
        print("floods: \(ended.text)")
        let facts = try JSONDocument.parse(ended.output).root
        #expect(facts["lives"]?.bool == true)
        #expect(facts["idle_connections"]?.int64 == Int64(Self.size[0]))
        #expect(facts["failed"]?.int64 == 0)
        #expect(facts["answered"]?.int64 ?? 0 > 0)
        let peak = try #require(facts["peak_above_idle_mib"]?.int64)
        // A sanitizer keeps what was freed, and shadows of all memory.
        if !Seeds.isSanitized {
            #expect(peak < Self.budgetMiB)
        }
    }
}
