import Foundation
import RandomSeeds
import Testing
import ToolRunner

/// What an answer may cost, whatever it is made of: 64 MiB with the answer itself.
@Suite(.enabled(if: !Seeds.isSanitized))
struct AnswerMemoryTests {
    private static let program: String = {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let beside = tests.appendingPathComponent("AnswerMemory").path
        if FileManager.default.isExecutableFile(atPath: beside) { return beside }
        // Under some runners the first argument is the runner's own.
        return Bundle.main.bundleURL.appendingPathComponent("AnswerMemory").path
    }()

    @Test(arguments: [
        ("numbers", false), ("brackets", false), ("keys", false), ("strings", true),
        ("escapes", true), ("zones", true), ("records", true), ("lists", true),
        ("tooManyZones", false),
    ])
    func `no answer takes more than 64 MiB`(shape: String, isTaken: Bool) throws {
        let ended = try Tool.run(Self.program, [shape], errors: .joined)
        try #require(ended.status == 0, "\(ended.text)")
        let words = ended.text.split(separator: " ", maxSplits: 2)
        let growth = try #require(words.first.flatMap { Int($0) }, "\(ended.text)")
        #expect(growth < 64 << 10, "\(ended.text)")
        #expect(words.last?.hasPrefix("taken") == isTaken, "\(ended.text)")
    }
}
