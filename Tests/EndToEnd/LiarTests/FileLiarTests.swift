import Basics
import DeletionPlanning
import Liar
import RandomSeeds
import SweepEngine
import Testing

/// What addresses of files say: a file that still answers is left, and one of which nobody can tell
/// is never told as gone.
@Suite(.serialized, .timeLimit(.minutes(Seeds.isLong ? 60 : 30)))
struct FileLiarTests {
    @Test func `S1 a run over files ends as their addresses answer`() async throws {
        let rows = Extent.some(
            FileRow.all.filter { row in Extent.words.map { row.name.contains($0) } ?? true },
            name: \.name)
        let results = try await Trials(rows.map(\.row)).results()
        for (row, result) in zip(rows, results) {
            let found = "\(row.name): exit \(result.status?.rawValue ?? -1), \(result.explanation)"
            #expect(result.status == Self.status(row.ending), "\(found)")
            // Whatever addresses say: the service has done what it said.
            let verdict = result.verdict
            #expect(verdict == Oracle.Verdict(), "\(found)")
            let hasLied = result.hasLied
            #expect(hasLied, "\(found): nothing was untrue, so it shows nothing")
            check(row, result.rows, found)
        }
    }

    private static func status(_ ending: FileRow.Ending) -> Basics.ExitStatus {
        switch ending {
        case .gone: .done
        case .left: .dataLeft
        case .unproven: .partlyFailed
        }
    }

    /// The rows of files say the same as the exit status.
    private func check(_ row: FileRow, _ rows: [CoverageRow], _ found: String) {
        let files = rows.filter { $0.kind == .assets && $0.scope != .shared }
        #expect(files.count == 2, "\(found)")
        switch row.ending {
        case .gone: #expect(files.allSatisfy { $0.outcome == .deleted }, "\(found)")
        case .left:
            #expect(files.allSatisfy { $0.outcome == .left }, "\(found)")
            #expect(files.map(\.left).reduce(0, +) == 3, "\(found)")
        case .unproven:
            // What ends the run at once ends the look at the files, too.
            let fitting: Set<CoverageRow.Outcome> = [.unproven, .notLookedAt]
            let isRight = files.allSatisfy { fitting.contains($0.outcome) }
            #expect(isRight, "\(found): \(files.map(\.outcome))")
        }
    }
}
